internal import CTurboJPEG
internal import CWebP
package import DocumentModel
package import PNGCoding
internal import RectoGeometry

/// Reads picture files, one at a time.
package struct PictureDecoder: ~Copyable {
  /// The most pixels of a picture.
  static let mostPixels = 1 << 25

  private var jpeg: JPEGReader?
  private var webp: recto_webp_reader?

  /// A decoder that has loaded no library yet.
  package init() {}

  /// The pixels of a picture file: words 0xAARRGGBB, multiplied by alpha.
  ///
  /// - Parameter bytes: The file: PNG, JPEG, WebP or PPM.
  /// - Throws: `damaged` for bytes that are no picture, or beyond the limits; `fault` if a library cannot be loaded.
  package mutating func picture(_ bytes: [UInt8]) throws(DocumentError) -> PNGPicture {
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      do {
        return try PNGDecoder.decode(bytes, maxPixels: Self.mostPixels)
      } catch {
        throw Self.damaged("\(error)")
      }
    }
    if bytes.starts(with: [0xFF, 0xD8]) {
      if jpeg == nil { jpeg = try JPEGReader() }
      if let picture = try jpeg?.picture(bytes) { return picture }
    }
    if bytes.starts(with: "RIFF".utf8) { return try webPicture(bytes) }
    if let picture = Pixmap.picture(bytes, maxPixels: Self.mostPixels) { return picture }
    throw Self.unknown
  }

  private static let unknown = damaged("the file is no PNG, JPEG, WebP or PPM")

  fileprivate static func damaged(_ reason: String) -> DocumentError {
    DocumentError(.damaged, during: "decode", reason)
  }

  fileprivate static func missing(_ library: String) -> DocumentError {
    DocumentError(.fault, during: "decode", "\(library) cannot be loaded")
  }

  /// Decodes a WebP; calls `WebPDecodeBGRAInto`.
  ///
  /// - Throws: `damaged` for invalid bytes, or beyond the limits.
  private mutating func webPicture(_ bytes: [UInt8]) throws(DocumentError) -> PNGPicture {
    if webp == nil {
      var library = recto_webp_reader()
      guard recto_load_webp_reader(&library) else {
        throw Self.missing("libwebp.so.7")
      }
      webp = library
    }
    guard let webp else { throw Self.unknown }
    var width: Int32 = 0
    var height: Int32 = 0
    guard webp.info(bytes, bytes.count, &width, &height) != 0 else {
      throw Self.damaged("the file is no WebP")
    }
    let size = try Self.checked(width, height)
    var pixels = [UInt32](repeating: 0, count: size.width * size.height)
    let isDecoded = pixels.withUnsafeMutableBytes { buffer in
      let target = buffer.assumingMemoryBound(to: UInt8.self).baseAddress
      return webp.decode(bytes, bytes.count, target, buffer.count, width * 4) != nil
    }
    guard isDecoded else { throw Self.damaged("the WebP is damaged") }
    return PNGPicture(size: size, pixels: pixels.map(\.multipliedByAlpha))
  }

  /// A size within the limits.
  ///
  /// - Throws: `damaged` for any other.
  fileprivate static func checked(
    _ width: Int32,
    _ height: Int32
  ) throws(DocumentError) -> PixelSize {
    let size = PixelSize(width: Int(width), height: Int(height))
    guard width > 0, height > 0, size.width * size.height <= mostPixels else {
      throw Self.damaged("\(width)×\(height) pixels; the limit is \(mostPixels)")
    }
    return size
  }
}

/// The one wrapper of TurboJPEG's decoder.
struct JPEGReader: ~Copyable {
  private let library: recto_turbojpeg_reader
  private let handle: tjhandle

  /// A reader.
  ///
  /// - Throws: `fault` when the library cannot be loaded.
  init() throws(DocumentError) {
    var library = recto_turbojpeg_reader()
    guard recto_load_turbojpeg_reader(&library), let handle = library.init_decompress() else {
      throw PictureDecoder.missing("libturbojpeg.so.0")
    }
    self.library = library
    self.handle = handle
  }

  deinit { _ = library.destroy(handle) }

  /// Decodes a JPEG; calls `tjDecompressHeader3` and `tjDecompress2`.
  ///
  /// - Throws: `damaged` for invalid bytes, or beyond the limits.
  func picture(_ bytes: [UInt8]) throws(DocumentError) -> PNGPicture {
    var width: Int32 = 0
    var height: Int32 = 0
    var sampling: Int32 = 0
    var colors: Int32 = 0
    let count = UInt(bytes.count)
    guard library.header(handle, bytes, count, &width, &height, &sampling, &colors) == 0 else {
      throw PictureDecoder.damaged("the file is no JPEG")
    }
    let size = try PictureDecoder.checked(width, height)
    var pixels = [UInt32](repeating: 0, count: size.width * size.height)
    let status = pixels.withUnsafeMutableBytes { buffer in
      library.decompress(
        handle,
        bytes,
        count,
        buffer.assumingMemoryBound(to: UInt8.self).baseAddress,
        width,
        width * 4,
        height,
        Int32(TJPF_BGRA.rawValue),
        Int32(TJFLAG_STOPONWARNING)
      )
    }
    guard status == 0 else { throw PictureDecoder.damaged("the JPEG is damaged") }
    return PNGPicture(size: size, pixels: pixels)
  }
}

extension UInt32 {
  /// A word 0xAARRGGBB with its colors multiplied by alpha.
  fileprivate var multipliedByAlpha: UInt32 {
    let alpha = self >> 24
    guard alpha < 255 else { return self }
    var word = alpha << 24
    for shift: UInt32 in [0, 8, 16] {
      word |= (((self >> shift) & 255) * alpha + 127) / 255 << shift
    }
    return word
  }
}
