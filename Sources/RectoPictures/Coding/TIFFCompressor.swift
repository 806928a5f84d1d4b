internal import CTIFF
internal import DocumentModel
internal import RectoGeometry

/// The one wrapper of libtiff.
struct TIFFCompressor {
  private let library: recto_tiff

  /// A compressor.
  ///
  /// - Throws: `fault` when the library cannot be loaded.
  init() throws(DocumentError) {
    var library = recto_tiff()
    guard recto_load_tiff(&library) else {
      throw DocumentError(.fault, during: "encode", "libtiff.so.6 cannot be loaded")
    }
    self.library = library
  }

  /// Compresses pixels: bilevel ones as CCITT Group 4, others by Deflate with differences of columns, which is
  /// lossless.
  ///
  /// - Returns: A file with one picture, as ``TIFFStructure`` describes it.
  /// - Throws: `memoryLimit` when there is no memory, `fault` for anything else.
  func compress(_ pixels: PixelMemory, _ style: PictureStyle) throws(DocumentError) -> [UInt8] {
    let layout = TIFFStructure.StripLayout(pixels.size, style)
    var rows = Self.rows(pixels, style, layout)
    var picture = recto_tiff_picture(
      width: UInt32(clamping: pixels.size.width),
      height: UInt32(clamping: pixels.size.height),
      rows_per_strip: UInt32(clamping: layout.rowsPerStrip),
      samples: UInt16(layout.samples),
      bits: UInt16(layout.bits),
      compression: UInt16(layout.compression),
      photometric: UInt16(layout.photometric),
      stride: layout.stride
    )
    var file = recto_tiff_file()
    defer { free(file.bytes) }
    let isComplete = rows.withUnsafeMutableBufferPointer { rows in
      withUnsafePointer(to: library) { library in
        recto_tiff_encode(library, &picture, rows.baseAddress, &file)
      }
    }
    guard isComplete, let bytes = file.bytes else {
      throw DocumentError(
        file.out_of_memory ? .memoryLimit : .fault,
        during: "encode",
        file.out_of_memory ? "no memory for a TIFF" : "libtiff has failed"
      )
    }
    return Array(UnsafeBufferPointer(start: bytes, count: file.count))
  }

  /// The pixels as libtiff takes them: red, green and blue, gray, or a bit for each pixel that is black.
  private static func rows(
    _ pixels: PixelMemory,
    _ style: PictureStyle,
    _ layout: TIFFStructure.StripLayout
  ) -> [UInt8] {
    if style.isGray, !style.isBilevel { return pixels.map(\.gray) }
    var rows = [UInt8](repeating: 0, count: layout.stride * pixels.size.height)
    for y in 0..<pixels.size.height {
      var next = y * layout.stride
      if style.isBilevel {
        for (x, pixel) in pixels.row(y).enumerated() where !pixel.isLight {
          rows[next + x / 8] |= 0x80 >> UInt8(x % 8)
        }
      } else {
        for pixel in pixels.row(y) {
          rows[next] = UInt8(truncatingIfNeeded: pixel >> 16)
          rows[next + 1] = UInt8(truncatingIfNeeded: pixel >> 8)
          rows[next + 2] = UInt8(truncatingIfNeeded: pixel)
          next += 3
        }
      }
    }
    return rows
  }
}
