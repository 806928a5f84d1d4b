internal import CTurboJPEG
internal import DocumentModel
internal import RectoGeometry

/// The one wrapper of TurboJPEG, the interface of libjpeg-turbo that reports errors by return values.
struct JPEGCompressor: ~Copyable {
  private let library: recto_turbojpeg
  private let handle: tjhandle

  /// From this quality on, colors have the resolution of the pixels. Below, two by two pixels share a
  /// color: pages are a tenth smaller, and the edges of colored text are softer.
  private static let fullColorQuality: Int32 = 90

  /// A compressor for one thread.
  ///
  /// Calls `tjInitCompress`.
  /// - Throws: `fault` when the library cannot be loaded, `memoryLimit` when there is no memory for one.
  init() throws(DocumentError) {
    var library = recto_turbojpeg()
    guard recto_load_turbojpeg(&library) else {
      throw DocumentError(.fault, during: "encode", "libturbojpeg.so.0 cannot be loaded")
    }
    guard let handle = library.init_compress() else {
      throw DocumentError(.memoryLimit, during: "encode", "no memory for a JPEG compressor")
    }
    self.library = library
    self.handle = handle
  }

  deinit { _ = library.destroy(handle) }

  /// Compresses pixels; calls `tjCompress2`.
  ///
  /// - Parameters:
  ///   - pixels: Opaque pixels.
  ///   - isGray: Whether the picture has one component, gray, instead of three.
  /// - Returns: A baseline JPEG in a JFIF file.
  /// - Throws: `fault` or `memoryLimit` in the words of the library.
  func compress(
    _ pixels: PixelMemory,
    quality: Int,
    isGray: Bool
  ) throws(DocumentError) -> [UInt8] {
    guard isGray else {
      let quality = Int32(clamping: quality)
      let sampling = quality < Self.fullColorQuality ? TJSAMP_420 : TJSAMP_444
      return try compress(
        pixels.bytes,
        pixels,
        stride: pixels.stride,
        format: TJPF_BGRX,
        sampling: sampling,
        quality
      )
    }
    let gray = pixels.map(\.gray)
    let result = gray.withUnsafeBufferPointer { bytes in
      Result { () throws(DocumentError) in
        try compress(
          bytes.baseAddress,
          pixels,
          stride: pixels.size.width,
          format: TJPF_GRAY,
          sampling: TJSAMP_GRAY,
          Int32(clamping: quality)
        )
      }
    }
    return try result.get()
  }

  /// - Parameters:
  ///   - bytes: The first byte of the first row.
  ///   - pixels: Says how many columns and rows there are.
  ///   - stride: Bytes from one row to the next.
  ///   - format: How a pixel is made of bytes.
  /// - Throws: `fault` if the library refuses.
  private func compress(
    _ bytes: UnsafePointer<UInt8>?,
    _ pixels: PixelMemory,
    stride: Int,
    format: TJPF,
    sampling: TJSAMP,
    _ quality: Int32
  ) throws(DocumentError) -> [UInt8] {
    // Allocated and grown by the library; freed even after an error.
    var output: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    defer { library.free(output) }
    let status = library.compress(
      handle,
      bytes,
      Int32(clamping: pixels.size.width),
      Int32(clamping: stride),
      Int32(clamping: pixels.size.height),
      Int32(format.rawValue),
      &output,
      &count,
      Int32(sampling.rawValue),
      quality,
      TJFLAG_ACCURATEDCT
    )
    guard status == 0, let output else {
      let words = library.error(handle).map { String(cString: $0) } ?? "libturbojpeg has failed"
      let isMemory = words.contains("memory")
      throw DocumentError(isMemory ? .memoryLimit : .fault, during: "encode", words)
    }
    return Array(UnsafeBufferPointer(start: output, count: Int(clamping: count)))
  }
}
