internal import CTIFF
internal import CTurboJPEG
internal import CWebP
package import DocumentModel
internal import PNGCoding
package import RectoGeometry

/// Writes pictures in any style.
///
/// Reuses compressors and buffers, so create one per thread and keep it. The same pixels always give the same bytes.
package struct PictureEncoder: ~Copyable {
  private var png: PNGEncoder
  private var jpeg: JPEGCompressor?
  private var webp: WebPCompressor?

  /// An encoder for one thread.
  ///
  /// - Throws: `memoryLimit` when there is no memory for one.
  package init() throws(DocumentError) {
    do {
      png = try PNGEncoder()
    } catch {
      throw DocumentError(.memoryLimit, during: "encode", "\(error)")
    }
  }

  /// Loads the libraries of all formats now instead of on first use, for a process that cannot load libraries later.
  /// Failures are reported when the format is used.
  package static func loadLibraries() {
    var jpeg = recto_turbojpeg()
    _ = recto_load_turbojpeg(&jpeg)
    var webp = recto_webp()
    _ = recto_load_webp(&webp)
    var tiff = recto_tiff()
    _ = recto_load_tiff(&tiff)
  }

  /// Writes a picture; without metadata, whatever the format.
  ///
  /// - Parameters:
  ///   - pixels: Words 0xAARRGGBB, premultiplied; alpha is used only if the style is transparent.
  ///   - stride: Bytes from one row to the next, at least four for each pixel.
  ///   - size: Columns and rows, at least one of each.
  ///   - style: The format and quality of the picture.
  /// - Throws: `pageSize` for a picture beyond the limits of its format, `memoryLimit` when there is no
  ///   memory, `fault` when size, stride and memory do not match, or a library fails; `usage` for SVG and PDF, which
  ///   have no pixels.
  /// - Complexity: O(pixels).
  package mutating func encode(
    _ pixels: RawSpan,
    stride: Int,
    size: PixelSize,
    style: PictureStyle
  ) throws(DocumentError) -> [UInt8] {
    try style.format.requireSize(size)
    if style.format == .png, !style.isGray {
      return try encodePNG(pixels, stride: stride, size: size, style)
    }
    // A typed error cannot leave a rethrowing closure, so it is returned as a result.
    let result = pixels.withUnsafeBytes { bytes in
      Result { () throws(DocumentError) in
        try encode(try PixelMemory(bytes, stride: stride, size: size), style)
      }
    }
    return try result.get()
  }

  private mutating func encode(
    _ pixels: PixelMemory,
    _ style: PictureStyle
  ) throws(DocumentError) -> [UInt8] {
    switch style.format {
    case .png:
      let gray = pixels.map(style.isBilevel ? \.bilevelPixel : \.grayPixel)
      let stride = pixels.size.width * 4
      return try encodePNG(gray.span.bytes, stride: stride, size: pixels.size, style)
    case .jpeg:
      if jpeg == nil { jpeg = try JPEGCompressor() }
      return try jpeg?.compress(pixels, quality: style.quality ?? 0, isGray: style.isGray) ?? []
    case .webp:
      if webp == nil { webp = try WebPCompressor() }
      return try webp?.compress(pixels, style) ?? []
    case .ppm: return Pixmap.file(pixels, isGray: style.isGray)
    case .tiff: return try TIFFCompressor().compress(pixels, style)
    case .svg, .pdf:
      throw DocumentError(.usage, during: "encode", "\(style.format.rawValue) has no pixels")
    }
  }

  private mutating func encodePNG(
    _ pixels: RawSpan,
    stride: Int,
    size: PixelSize,
    _ style: PictureStyle
  ) throws(DocumentError) -> [UInt8] {
    do {
      return try png.picture(
        pixels,
        stride: stride,
        size: size,
        alpha: style.isRGBA ? .premultiplied : .opaque
      )
    } catch {
      throw DocumentError(.fault, during: "encode", "\(error)")
    }
  }
}
