internal import CTurboJPEG
internal import CWebP
internal import DocumentModel
internal import PNGCoding
internal import RectoBase
internal import RectoGeometry
internal import RectoPictures
internal import SystemPackage

/// Reads picture files, one at a time.
struct PictureReader: ~Copyable {
  /// Why a file has no pixels.
  struct ReadError: Error, CustomStringConvertible {
    var description: String
  }

  /// The most bytes of a file.
  static let mostBytes = 64 << 20
  /// The most pixels of a picture.
  static let mostPixels = 1 << 25

  private var jpeg: JPEGReader?
  private var webp: recto_webp_reader?

  /// A reader that has loaded no library yet.
  init() {}

  /// The pixels of a picture file: words 0xAARRGGBB, multiplied by alpha.
  ///
  /// - Throws: ``ReadError`` for a file that cannot be read, is not a picture, or exceeds the limits.
  mutating func picture(_ path: FilePath) throws(ReadError) -> PNGPicture {
    let bytes: [UInt8]
    do {
      bytes = try Files.contents(of: path, limit: Self.mostBytes)
    } catch {
      throw ReadError(description: "\(error)")
    }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]) {
      do {
        return try PNGDecoder.decode(bytes, maxPixels: Self.mostPixels)
      } catch {
        throw ReadError(description: "\(error)")
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

  private static let unknown = ReadError(description: "the file is no PNG, JPEG, WebP or PPM")

  /// Decodes a WebP; calls `WebPDecodeBGRAInto`.
  ///
  /// - Throws: ``ReadError`` for invalid bytes, or beyond the limits.
  private mutating func webPicture(_ bytes: [UInt8]) throws(ReadError) -> PNGPicture {
    if webp == nil {
      var library = recto_webp_reader()
      guard recto_load_webp_reader(&library) else {
        throw ReadError(description: "libwebp.so.7 cannot be loaded")
      }
      webp = library
    }
    guard let webp else { throw Self.unknown }
    var width: Int32 = 0
    var height: Int32 = 0
    guard webp.info(bytes, bytes.count, &width, &height) != 0 else {
      throw ReadError(description: "the file is no WebP")
    }
    let size = try Self.checked(width, height)
    var pixels = [UInt32](repeating: 0, count: size.width * size.height)
    let isDecoded = pixels.withUnsafeMutableBytes { buffer in
      let target = buffer.assumingMemoryBound(to: UInt8.self).baseAddress
      return webp.decode(bytes, bytes.count, target, buffer.count, width * 4) != nil
    }
    guard isDecoded else { throw ReadError(description: "the WebP is damaged") }
    return PNGPicture(size: size, pixels: pixels.map(\.multipliedByAlpha))
  }

  /// A size within the limits.
  ///
  /// - Throws: ``ReadError`` for any other.
  fileprivate static func checked(
    _ width: Int32,
    _ height: Int32
  ) throws(ReadError) -> PixelSize {
    let size = PixelSize(width: Int(width), height: Int(height))
    guard width > 0, height > 0, size.width * size.height <= mostPixels else {
      throw ReadError(description: "\(width)×\(height) pixels; the limit is \(mostPixels)")
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
  /// - Throws: `ReadError` when the library cannot be loaded.
  init() throws(PictureReader.ReadError) {
    var library = recto_turbojpeg_reader()
    guard recto_load_turbojpeg_reader(&library), let handle = library.init_decompress() else {
      throw PictureReader.ReadError(description: "libturbojpeg.so.0 cannot be loaded")
    }
    self.library = library
    self.handle = handle
  }

  deinit { _ = library.destroy(handle) }

  /// Decodes a JPEG; calls `tjDecompressHeader3` and `tjDecompress2`.
  ///
  /// - Throws: `ReadError` for invalid bytes, or beyond the limits.
  func picture(_ bytes: [UInt8]) throws(PictureReader.ReadError) -> PNGPicture {
    var width: Int32 = 0
    var height: Int32 = 0
    var sampling: Int32 = 0
    var colors: Int32 = 0
    let count = UInt(bytes.count)
    guard library.header(handle, bytes, count, &width, &height, &sampling, &colors) == 0 else {
      throw PictureReader.ReadError(description: "the file is no JPEG")
    }
    let size = try PictureReader.checked(width, height)
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
    guard status == 0 else { throw PictureReader.ReadError(description: "the JPEG is damaged") }
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
