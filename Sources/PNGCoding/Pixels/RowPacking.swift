/// Turns rows of words or index bytes into the bytes of PNG rows.
///
/// As with ``ScanRows``, the caller must ensure that the pointers are valid for the whole row.
package enum RowPacking {
  /// Bytes of a row of `width` samples with `depth` bits each.
  static func byteCount(width: Int, depth: Int) -> Int { (width * depth + 7) / 8 }

  /// Packs index bytes, all below 2^`depth`, into samples of 1, 2 or 4 bits; the leftmost sample
  /// goes to the highest bits, and bits after the last one are zero.
  ///
  /// - Parameters:
  ///   - indices: One byte for each pixel.
  ///   - depth: Bits per sample: 1, 2 or 4.
  static func pack(
    _ indices: UnsafeRawPointer,
    _ width: Int,
    depth: Int,
    into output: UnsafeMutableRawPointer
  ) {
    var x = 0
    var byte = 0
    switch depth {
    case 1:
      // The product moves byte i to bit 63 - i; its terms do not overlap, so nothing carries.
      while x &+ 8 <= width {
        let eight = (indices + x).loadUnaligned(as: UInt64.self) &* 0x8040_2010_0804_0201
        output.storeBytes(of: UInt8(eight >> 56), toByteOffset: byte, as: UInt8.self)
        x &+= 8
        byte &+= 1
      }
    case 2:
      // As above: byte i to bits 31 - 2i and 30 - 2i.
      while x &+ 4 <= width {
        let four = (indices + x).loadUnaligned(as: UInt32.self) &* 0x4010_0401
        output.storeBytes(of: UInt8(four >> 24), toByteOffset: byte, as: UInt8.self)
        x &+= 4
        byte &+= 1
      }
    default:
      while x &+ 32 <= width {
        let samples = (indices + x).loadUnaligned(as: SIMD32<UInt8>.self)
        let pairs = (samples.evenHalf &<< 4) | samples.oddHalf
        (output + byte).storeBytes(of: pairs, as: SIMD16<UInt8>.self)
        x &+= 32
        byte &+= 16
      }
    }
    let perByte = 8 / depth
    while x < width {
      var bits: UInt8 = 0
      for index in 0..<perByte {
        let sample =
          x &+ index < width ? indices.load(fromByteOffset: x &+ index, as: UInt8.self) : 0
        bits = (bits << UInt8(depth)) | sample
      }
      output.storeBytes(of: bits, toByteOffset: byte, as: UInt8.self)
      x &+= perByte
      byte &+= 1
    }
  }

  /// Drops the top byte of words 0xAARRGGBB and reverses the others: red, green, blue.
  ///
  /// - Parameters:
  ///   - row: The words of a row.
  ///   - width: How many they are.
  ///   - output: Where the bytes go, three for each pixel.
  package static func rgb(
    _ row: UnsafeRawPointer,
    _ width: Int,
    into output: UnsafeMutableRawPointer
  ) {
    var x = 0
    var target = output
    // Eight pixels become three words of eight bytes; baseline x86 has no byte shuffle.
    while x &+ 8 <= width {
      let source = row + x &* 4
      let a = color(source, 0) | color(source, 1) << 24 | color(source, 2) << 48
      let third = color(source, 2) >> 16
      let b = third | color(source, 3) << 8 | color(source, 4) << 32 | color(source, 5) << 56
      let c = color(source, 5) >> 8 | color(source, 6) << 16 | color(source, 7) << 40
      target.storeBytes(of: a, as: UInt64.self)
      target.storeBytes(of: b, toByteOffset: 8, as: UInt64.self)
      target.storeBytes(of: c, toByteOffset: 16, as: UInt64.self)
      target += 24
      x &+= 8
    }
    while x < width {
      let pixel = (row + x &* 4).loadUnaligned(as: UInt32.self)
      target.storeBytes(of: UInt8(truncatingIfNeeded: pixel >> 16), as: UInt8.self)
      target.storeBytes(
        of: UInt8(truncatingIfNeeded: pixel >> 8),
        toByteOffset: 1,
        as: UInt8.self
      )
      target.storeBytes(of: UInt8(truncatingIfNeeded: pixel), toByteOffset: 2, as: UInt8.self)
      target += 3
      x &+= 1
    }
  }

  /// Pixel `index` as 0x00BBGGRR, whose lowest byte is the first in the file.
  @inline(__always)
  private static func color(_ source: UnsafeRawPointer, _ index: Int) -> UInt64 {
    UInt64((source + index &* 4).loadUnaligned(as: UInt32.self).byteSwapped >> 8)
  }

  /// Turns premultiplied words 0xAARRGGBB into red, green, blue and alpha, the colors divided by
  /// alpha and rounded to the nearest. A transparent pixel becomes four zeros.
  ///
  /// - Parameters:
  ///   - output: Where the bytes go, four for each pixel.
  static func rgba(_ row: UnsafeRawPointer, _ width: Int, into output: UnsafeMutableRawPointer) {
    for x in 0..<width {
      let pixel = (row + x &* 4).loadUnaligned(as: UInt32.self)
      let alpha = pixel >> 24
      let result: UInt32
      switch alpha {
      case 255: result = pixel.byteSwapped >> 8 | 0xFF00_0000
      case 0: result = 0
      default:
        let red = divided(pixel >> 16, alpha)
        result = red | divided(pixel >> 8, alpha) << 8 | divided(pixel, alpha) << 16 | alpha << 24
      }
      output.storeBytes(of: result, toByteOffset: x &* 4, as: UInt32.self)
    }
  }

  /// The lowest byte of `channel` over `alpha`, at most 255: damaged input may exceed its alpha.
  @inline(__always)
  private static func divided(_ channel: UInt32, _ alpha: UInt32) -> UInt32 {
    min((channel & 0xFF) &* 255 &+ alpha / 2, 255 &* alpha) / alpha
  }
}
