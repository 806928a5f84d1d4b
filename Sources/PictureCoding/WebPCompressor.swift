internal import CWebP
internal import DocumentModel
internal import Geometry

/// The one wrapper of libwebp.
enum WebPCompressor {
  /// How long the library searches for a smaller file, from 0 to 6.
  static let method: Int32 = 4

  /// Compresses pixels; calls `WebPEncode`.
  ///
  /// - Parameters:
  ///   - pixels: The pixels.
  ///   - style: Quality, and whether the picture is gray or transparent.
  /// - Returns: A lossy WebP file.
  /// - Throws: `memoryLimit` when there is no memory, `fault` for anything else.
  static func compress(
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
  ///   - style: Quality, and whether alpha counts.
  private static func compress(
    _ bytes: UnsafePointer<UInt8>?,
    _ pixels: PixelMemory,
    stride: Int,
    _ style: PictureStyle
  ) throws(DocumentError) -> [UInt8] {
    var config = WebPConfig()
    var picture = WebPPicture()
    let quality = Float(style.quality ?? 0)
    guard WebPConfigPreset(&config, WEBP_PRESET_DEFAULT, quality) != 0,
      WebPPictureInit(&picture) != 0
    else { throw DocumentError(.fault, during: "encode", "another version of libwebp") }
    config.method = method
    picture.width = Int32(clamping: pixels.size.width)
    picture.height = Int32(clamping: pixels.size.height)
    var writer = WebPMemoryWriter()
    WebPMemoryWriterInit(&writer)
    defer {
      WebPPictureFree(&picture)
      WebPMemoryWriterClear(&writer)
    }
    let importPixels = style.isTransparent ? WebPPictureImportBGRA : WebPPictureImportBGRX
    let hasSucceeded = withUnsafeMutablePointer(to: &writer) { writer in
      picture.writer = WebPMemoryWrite
      picture.custom_ptr = UnsafeMutableRawPointer(writer)
      return importPixels(&picture, bytes, Int32(clamping: stride)) != 0
        && WebPEncode(&config, &picture) != 0
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
