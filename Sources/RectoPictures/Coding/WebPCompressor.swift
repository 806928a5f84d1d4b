internal import CWebP
internal import DocumentModel
internal import RectoGeometry

/// The one wrapper of libwebp.
struct WebPCompressor {
  private let library: recto_webp

  /// How long the library searches for a smaller file, from 0 to 6. Pages take half the time of the
  /// library's default, 4, and are 2 % larger.
  private static let method: Int32 = 2

  /// A compressor.
  ///
  /// - Throws: `fault` when the library cannot be loaded.
  init() throws(DocumentError) {
    var library = recto_webp()
    guard recto_load_webp(&library) else {
      throw DocumentError(.fault, during: "encode", "libwebp.so.7 cannot be loaded")
    }
    self.library = library
  }

  /// Compresses pixels; calls `WebPEncode`.
  ///
  /// - Parameters:
  ///   - style: Quality, and whether the picture is gray or transparent.
  /// - Returns: A lossy WebP file.
  /// - Throws: `memoryLimit` when there is no memory, `fault` for anything else.
  func compress(
    _ pixels: PixelMemory,
    _ style: PictureStyle
  ) throws(DocumentError) -> [UInt8] {
    guard style.isGray || style.isTransparent else {
      return try compress(pixels.bytes, pixels, stride: pixels.stride, style)
    }
    let words =
      switch (style.isGray, style.isTransparent) {
      case (true, true): pixels.map { $0.grayPixel.unmultiplied }
      case (true, false): pixels.map(\.grayPixel)
      default: pixels.map(\.unmultiplied)
      }
    let result = words.withUnsafeBytes { bytes in
      Result { () throws(DocumentError) in
        try compress(
          bytes.assumingMemoryBound(to: UInt8.self).baseAddress,
          pixels,
          stride: pixels.size.width * 4,
          style
        )
      }
    }
    return try result.get()
  }

  /// - Parameters:
  ///   - bytes: The first byte of the first row; blue, green, red and alpha for each pixel.
  ///   - pixels: Says how many columns and rows there are.
  ///   - stride: Bytes from one row to the next.
  /// - Throws: `fault` if the library refuses.
  private func compress(
    _ bytes: UnsafePointer<UInt8>?,
    _ pixels: PixelMemory,
    stride: Int,
    _ style: PictureStyle
  ) throws(DocumentError) -> [UInt8] {
    var config = WebPConfig()
    var picture = WebPPicture()
    let quality = Float(style.quality ?? 0)
    guard
      library.init_config(&config, WEBP_PRESET_DEFAULT, quality, WEBP_ENCODER_ABI_VERSION) != 0,
      library.init_picture(&picture, WEBP_ENCODER_ABI_VERSION) != 0
    else { throw DocumentError(.fault, during: "encode", "another version of libwebp") }
    config.method = Self.method
    picture.width = Int32(clamping: pixels.size.width)
    picture.height = Int32(clamping: pixels.size.height)
    var writer = WebPMemoryWriter()
    library.init_writer(&writer)
    defer {
      library.free_picture(&picture)
      library.clear_writer(&writer)
    }
    let importPixels = style.isTransparent ? library.import_transparent : library.import_opaque
    let hasSucceeded = withUnsafeMutablePointer(to: &writer) { writer in
      picture.writer = library.write
      picture.custom_ptr = UnsafeMutableRawPointer(writer)
      return importPixels?(&picture, bytes, Int32(clamping: stride)) == 1
        && library.encode(&config, &picture) != 0
    }
    guard hasSucceeded, let memory = writer.mem else {
      let code = picture.error_code
      let isMemory =
        code == VP8_ENC_ERROR_OUT_OF_MEMORY || code == VP8_ENC_ERROR_BITSTREAM_OUT_OF_MEMORY
      throw DocumentError(
        isMemory ? .memoryLimit : .fault,
        during: "encode",
        "libwebp has failed with error \(code.rawValue)"
      )
    }
    return Array(UnsafeBufferPointer(start: memory, count: writer.size))
  }
}
