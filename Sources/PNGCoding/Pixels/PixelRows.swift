internal import RectoGeometry

/// The rows of a picture in memory: 32-bit words 0xAARRGGBB, as in cairo.
///
/// Created once per picture, when stride and size are checked against the memory at `base`, which
/// must outlive it. All pixels are read through ``row(_:)``.
struct PixelRows {
  private let base: UnsafeRawPointer
  private let stride: Int
  /// Pixels per row, 1 or more.
  let width: Int
  /// Rows, 1 or more.
  let height: Int

  /// The most pixels in a picture: far above cairo's 32767 × 32767 and still far from overflow.
  static let maxPixels = 1 << 31

  /// Rows of `size` in `memory`.
  ///
  /// - Parameters:
  ///   - memory: The pixels, words 0xAARRGGBB.
  ///   - stride: Bytes from one row to the next.
  /// - Throws: ``PNGError/Code-swift.enum/badInput`` when the size is empty, rows overlap, or the
  ///   last pixel is beyond the end of the memory.
  init(_ memory: UnsafeRawBufferPointer, stride: Int, size: PixelSize) throws(PNGError) {
    guard size.width > 0, size.height > 0, let area = size.area, area <= Self.maxPixels else {
      throw PNGError(
        .badInput,
        during: "encode PNG",
        "\(size.width)×\(size.height) pixels cannot be written; the limit is \(Self.maxPixels)"
      )
    }
    guard stride >= size.width * 4 else {
      throw PNGError(
        .badInput,
        during: "encode PNG",
        "a stride of \(stride) bytes is too short for \(size.width) pixels"
      )
    }
    let (before, overflow) = stride.multipliedReportingOverflow(by: size.height - 1)
    guard let base = memory.baseAddress, !overflow, before <= memory.count - size.width * 4 else {
      throw PNGError(
        .badInput,
        during: "encode PNG",
        "\(memory.count) bytes do not hold \(size.height) rows of \(stride) bytes"
      )
    }
    self.base = base
    self.stride = stride
    width = size.width
    height = size.height
  }

  /// Columns and rows.
  var size: PixelSize { PixelSize(width: width, height: height) }

  /// The first byte of row `y`; `width` words follow.
  func row(_ y: Int) -> UnsafeRawPointer { base + y * stride }
}

/// A pixel with its alpha set to opaque.
@inline(__always)
func opaque(_ pixel: UInt32) -> UInt32 { pixel | 0xFF00_0000 }
