/// One pass over a picture that finds the smallest pixel format, and meanwhile writes one byte per
/// pixel.
///
/// A picture counts as constant until a pixel differs from the first, then as gray until there is a
/// color, then as a palette until there is a 257th color. Each row is read once; earlier rows are
/// converted from the bytes written for them. Most tiles of most pages are gray, and for
/// photographs the pass stops after a few rows.
struct PixelScan: ~Copyable {
  /// The results of the pass.
  enum Finding {
    /// Every pixel is this opaque color. No bytes are written.
    case constant(UInt32)
    /// Red, green and blue are equal everywhere; the bytes are gray values.
    case gray
    /// 256 colors or fewer; the bytes are indices into ``PixelScan/colors``.
    case palette
    /// More colors than that. The bytes mean nothing.
    case color
  }

  /// One byte per pixel. Each row is preceded by a zero, PNG's mark for an unfiltered row, so that
  /// 8-bit rows can be compressed as they stand.
  private var store = Scratch()
  /// The colors of a palette, in order of first occurrence; also those of a gray picture,
  /// ascending.
  var colors = ColorTable()

  /// Bytes per row of what ``scan(_:)`` writes.
  static func pitch(width: Int) -> Int { width + 1 }

  /// Reads all pixels, and returns their kind and the bytes written for them, which are valid until
  /// the next call.
  ///
  /// - Complexity: O(pixels); a constant picture costs a comparison per pixel.
  mutating func scan(_ pixels: PixelRows) -> (Finding, UnsafeMutableRawBufferPointer) {
    let width = pixels.width
    let pitch = Self.pitch(width: width)
    let first = opaque(pixels.row(0).loadUnaligned(as: UInt32.self))

    var y = 0
    while y < pixels.height, ScanRows.isConstant(pixels.row(y), width, first) { y += 1 }
    if y == pixels.height {
      return (.constant(first), UnsafeMutableRawBufferPointer(start: nil, count: 0))
    }

    let bytes = store.bytes(pitch * pixels.height)
    guard let start = bytes.baseAddress else { return (.color, bytes) }
    colors.removeAll()
    if ScanRows.isGray(first) {
      let value = UInt8(truncatingIfNeeded: first)
      for row in 0..<y { Self.fill(start + row * pitch, width, value) }
      y = writeGrays(of: pixels, from: y, value, into: start)
      if y == pixels.height { return (.gray, bytes) }
      indexGrays(start, pitch: pitch, rows: y, width: width)
    } else {
      let index = colors.index(of: first) ?? 0
      for row in 0..<y { Self.fill(start + row * pitch, width, index) }
    }

    while y < pixels.height {
      let row = start + y * pitch
      row.storeBytes(of: 0, as: UInt8.self)
      guard ScanRows.palette(pixels.row(y), width, into: row + 1, &colors) else {
        return (.color, bytes)
      }
      y += 1
    }
    return (.palette, bytes)
  }

  /// Writes gray values until a row has a color, and keeps them in ``colors``.
  ///
  /// - Parameters:
  ///   - value: The gray value of the rows above it.
  /// - Returns: The first row that has a color, or the number of rows.
  private mutating func writeGrays(
    of pixels: PixelRows,
    from y: Int,
    _ value: UInt8,
    into start: UnsafeMutableRawPointer
  ) -> Int {
    let pitch = Self.pitch(width: pixels.width)
    var y = y
    ScanRows.withGrayValues { used in
      used[Int(value)] = 1
      while y < pixels.height {
        let row = start + y * pitch
        row.storeBytes(of: 0, as: UInt8.self)
        guard ScanRows.gray(pixels.row(y), pixels.width, into: row + 1) else { break }
        ScanRows.mark(row + 1, pixels.width, in: used)
        y += 1
      }
      for gray in 0..<256 where used[gray] != 0 {
        _ = colors.index(of: ScanRows.color(gray: gray))
      }
    }
    return y
  }

  /// Replaces the gray values written so far by their indices among ``colors``.
  private func indexGrays(_ start: UnsafeMutableRawPointer, pitch: Int, rows: Int, width: Int) {
    var indices = [UInt8](repeating: 0, count: 256)
    for index in 0..<colors.count {
      indices[Int(colors[index] & 0xFF)] = UInt8(truncatingIfNeeded: index)
    }
    for y in 0..<rows { ScanRows.replace(start + y * pitch + 1, width, by: indices) }
  }

  private static func fill(_ row: UnsafeMutableRawPointer, _ width: Int, _ value: UInt8) {
    row.storeBytes(of: 0, as: UInt8.self)
    (row + 1).initializeMemory(as: UInt8.self, repeating: value, count: width)
  }
}
