public import RectoGeometry

/// Readers for bytes in an array.
extension PNGDecoder {
  /// The pixels of a PNG; see ``decode(_:maxPixels:)-(RawSpan,_)``.
  ///
  /// - Throws: ``PNGError``, as that throws it.
  public static func decode(_ bytes: [UInt8], maxPixels: Int) throws(PNGError) -> PNGPicture {
    try decode(bytes.span.bytes, maxPixels: maxPixels)
  }
}

extension PNGStructure {
  /// Checks everything but the pixels; see ``validate(_:)-(RawSpan)``.
  ///
  /// - Throws: ``PNGError``, as that throws it.
  public static func validate(_ bytes: [UInt8]) throws(PNGError) -> PNGHeader {
    try validate(bytes.span.bytes)
  }

  /// Whether ``validate(_:)-([UInt8])`` passes and the picture has this size.
  public static func check(_ bytes: [UInt8], size: PixelSize) -> Bool {
    check(bytes.span.bytes, size: size)
  }

  /// Whether the bytes are a tile; see ``isTile(_:size:)-(RawSpan,_)``.
  public static func isTile(_ bytes: [UInt8], size: PixelSize) -> Bool {
    isTile(bytes.span.bytes, size: size)
  }

  /// The text chunks in the order they stand; see ``texts(in:)-(RawSpan)``.
  ///
  /// - Throws: ``PNGError``, as that throws it.
  public static func texts(in bytes: [UInt8]) throws(PNGError) -> [PNGText] {
    try texts(in: bytes.span.bytes)
  }
}
