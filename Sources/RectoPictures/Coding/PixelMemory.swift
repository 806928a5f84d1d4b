internal import DocumentModel
internal import RectoGeometry

/// Pixels in memory: rows of premultiplied 32-bit words 0xAARRGGBB, little-endian.
struct PixelMemory {
  /// The first byte of the first row.
  private let base: UnsafeRawPointer
  /// Bytes from one row to the next.
  let stride: Int
  /// Columns and rows; at least one of each.
  let size: PixelSize

  /// Pixels in memory, after checking the bounds.
  ///
  /// - Parameters:
  ///   - memory: The memory; it must outlive this value.
  ///   - stride: Bytes from one row to the next.
  /// - Throws: `fault` when the size has no area, rows overlap, or the last row is not inside.
  init(
    _ memory: UnsafeRawBufferPointer,
    stride: Int,
    size: PixelSize
  ) throws(DocumentError) {
    let row = size.width.multipliedReportingOverflow(by: 4)
    let above = stride.multipliedReportingOverflow(by: size.height - 1)
    guard let base = memory.baseAddress, size.width > 0, size.height > 0, !row.overflow,
      !above.overflow, stride >= row.partialValue,
      above.partialValue <= memory.count - row.partialValue
    else {
      throw DocumentError(
        .fault,
        during: "encode",
        "\(memory.count) bytes do not hold \(size.width)×\(size.height) pixels"
      )
    }
    self.base = base
    self.stride = stride
    self.size = size
  }

  /// The first byte of all rows, for a library that gets size and stride.
  var bytes: UnsafePointer<UInt8> { base.assumingMemoryBound(to: UInt8.self) }

  /// The pixels of a row.
  ///
  /// - Parameter y: From 0 to the height.
  /// - Returns: As many pixels as there are columns.
  func row(_ y: Int) -> UnsafeBufferPointer<UInt32> {
    UnsafeBufferPointer(
      start: (base + y * stride).assumingMemoryBound(to: UInt32.self),
      count: size.width
    )
  }

  /// A value for each pixel, without gaps between rows.
  ///
  /// - Complexity: O(pixels).
  func map<Value>(_ value: (UInt32) -> Value) -> [Value] {
    let count = size.width * size.height
    return [Value](unsafeUninitializedCapacity: count) { target, initialized in
      for y in 0..<size.height {
        for pixel in row(y) {
          target.initializeElement(at: initialized, to: value(pixel))
          initialized += 1
        }
      }
    }
  }
}

extension UInt32 {
  /// The gray value of a 0xAARRGGBB pixel: 0.3 red, 0.59 green and 0.11 blue, the conversion of
  /// DeviceRGB to DeviceGray in the PDF specification (ISO 32000-1, 10.3.2). The fixed-point numbers are those
  /// of `pdftocairo -gray`, so that both give the same pixels.
  @inline(__always)
  var gray: UInt8 {
    let (red, green, blue) = (self >> 16 & 255, self >> 8 & 255, self & 255)
    return UInt8((red * 19_661 + green * 38_666 + blue * 7_209 + 32_829) >> 16)
  }

  /// The same pixel in gray, with its alpha.
  @inline(__always)
  var grayPixel: UInt32 { self & 0xFF00_0000 | UInt32(gray) * 0x01_0101 }

  /// Whether the pixel is nearer to white than to black.
  @inline(__always)
  var isLight: Bool { gray >= 128 }

  /// The same pixel in black or white, opaque.
  @inline(__always)
  var bilevelPixel: UInt32 { isLight ? 0xFFFF_FFFF : 0xFF00_0000 }

  /// The pixel with its colors divided by alpha.
  @inline(__always)
  var unmultiplied: UInt32 {
    let alpha = self >> 24
    if alpha == 255 { return self }
    if alpha == 0 { return 0 }
    @inline(__always)
    func channel(_ shift: UInt32) -> UInt32 {
      Swift.min(255, ((self >> shift & 255) * 255 + alpha / 2) / alpha) << shift
    }
    return alpha << 24 | channel(16) | channel(8) | channel(0)
  }
}
