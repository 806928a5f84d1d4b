/// The inner loops of ``PixelScan``, one row each.
///
/// The pointers come from ``PixelRows`` and ``Scratch``, which know their bounds; `width` is always
/// that of the row. Sixteen pixels are processed at a time, the rest one by one.
enum ScanRows {
  private typealias Block = SIMD16<UInt32>
  private static let block = 16

  /// The opaque gray of this value.
  @inline(__always)
  static func color(gray: Int) -> UInt32 {
    0xFF00_0000 | UInt32(truncatingIfNeeded: gray & 0xFF) &* 0x0001_0101
  }

  /// Whether red, green and blue are equal.
  @inline(__always)
  static func isGray(_ pixel: UInt32) -> Bool { (pixel ^ (pixel >> 8)) & 0xFFFF == 0 }

  /// Whether all pixels of a row have the color of `first`, whatever their alpha.
  ///
  /// - Parameters:
  ///   - first: The pixel to compare with.
  static func isConstant(_ row: UnsafeRawPointer, _ width: Int, _ first: UInt32) -> Bool {
    let expected = Block(repeating: first)
    let mask = Block(repeating: 0x00FF_FFFF)
    var x = 0
    while x &+ block <= width {
      let pixels = (row + x &* 4).loadUnaligned(as: Block.self)
      if any((pixels ^ expected) & mask) { return false }
      x &+= block
    }
    while x < width {
      let pixel = (row + x &* 4).loadUnaligned(as: UInt32.self)
      if opaque(pixel) != opaque(first) { return false }
      x &+= 1
    }
    return true
  }

  /// Writes the gray values of a row; false at the first color, with part of the row written.
  ///
  /// - Parameters:
  ///   - output: Where the bytes go, one for each pixel.
  /// - Returns: Whether all pixels are gray.
  static func gray(
    _ row: UnsafeRawPointer,
    _ width: Int,
    into output: UnsafeMutableRawPointer
  ) -> Bool {
    let mask = Block(repeating: 0xFFFF)
    let shift = Block(repeating: 8)
    var x = 0
    while x &+ block <= width {
      let pixels = (row + x &* 4).loadUnaligned(as: Block.self)
      if any((pixels ^ (pixels &>> shift)) & mask) { return false }
      let grays = SIMD16<UInt8>(truncatingIfNeeded: pixels)
      (output + x).storeBytes(of: grays, as: SIMD16<UInt8>.self)
      x &+= block
    }
    while x < width {
      let pixel = (row + x &* 4).loadUnaligned(as: UInt32.self)
      guard isGray(pixel) else { return false }
      output.storeBytes(of: UInt8(truncatingIfNeeded: pixel), toByteOffset: x, as: UInt8.self)
      x &+= 1
    }
    return true
  }

  /// Runs `body` with 256 flags, all zero: one per gray value.
  static func withGrayValues<Result>(
    _ body: (UnsafeMutableBufferPointer<UInt8>) -> Result
  ) -> Result {
    withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 256) { used in
      used.initialize(repeating: 0)
      return body(used)
    }
  }

  /// Sets the flag of every value in a row. Runs of one value are skipped eight at a time.
  ///
  /// - Parameters:
  ///   - row: One byte for each pixel.
  static func mark(
    _ row: UnsafeMutableRawPointer,
    _ width: Int,
    in used: UnsafeMutableBufferPointer<UInt8>
  ) {
    guard let flags = used.baseAddress else { return }
    var x = 0
    var last: UInt64? = nil
    while x &+ 8 <= width {
      let values = (row + x).loadUnaligned(as: UInt64.self)
      if values != last {
        last = values
        var rest = values
        for _ in 0..<8 {
          flags[Int(truncatingIfNeeded: rest & 0xFF)] = 1
          rest >>= 8
        }
      }
      x &+= 8
    }
    while x < width {
      flags[Int(row.load(fromByteOffset: x, as: UInt8.self))] = 1
      x &+= 1
    }
  }

  /// Replaces every byte of a row through a table.
  ///
  /// - Parameters:
  ///   - row: One byte for each pixel.
  ///   - table: The replacements of the 256 values.
  static func replace(
    _ row: UnsafeMutableRawPointer,
    _ width: Int,
    by table: [UInt8]
  ) {
    precondition(table.count == 256)
    table.withUnsafeBufferPointer { table in
      for x in 0..<width {
        let value = row.load(fromByteOffset: x, as: UInt8.self)
        row.storeBytes(of: table[Int(value)], toByteOffset: x, as: UInt8.self)
      }
    }
  }

  /// Writes the indices of a row's colors, adding new ones; false at the 257th, with part of the
  /// row written. Pixels are looked up only where they differ from their left neighbor.
  ///
  /// - Parameters:
  ///   - output: Where the indices go, one byte for each pixel.
  /// - Returns: Whether the colors fit the palette.
  static func palette(
    _ row: UnsafeRawPointer,
    _ width: Int,
    into output: UnsafeMutableRawPointer,
    _ colors: inout ColorTable
  ) -> Bool {
    var color = opaque(row.loadUnaligned(as: UInt32.self))
    guard var index = colors.index(of: color) else { return false }
    let alpha = Block(repeating: 0xFF00_0000)
    var x = 0
    while x < width {
      var end = min(x &+ block, width)
      if end &- x == block {
        let pixels = (row + x &* 4).loadUnaligned(as: Block.self) | alpha
        if !any(pixels ^ Block(repeating: color)) {
          (output + x).storeBytes(of: SIMD16(repeating: index), as: SIMD16<UInt8>.self)
          x = end
          end = x
        }
      }
      while x < end {
        let pixel = opaque((row + x &* 4).loadUnaligned(as: UInt32.self))
        if pixel != color {
          color = pixel
          guard let found = colors.index(of: color) else { return false }
          index = found
        }
        output.storeBytes(of: index, toByteOffset: x, as: UInt8.self)
        x &+= 1
      }
    }
    return true
  }

  /// Whether a bit is set anywhere.
  @inline(__always)
  private static func any(_ bits: Block) -> Bool {
    let eight = bits.lowHalf | bits.highHalf
    let four = eight.lowHalf | eight.highHalf
    let two = unsafeBitCast(four, to: SIMD2<UInt64>.self)
    return two.x | two.y != 0
  }
}
