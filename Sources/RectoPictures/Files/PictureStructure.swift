package import DocumentModel
internal import PNGCoding
package import RectoGeometry

/// Checks that bytes are the requested picture, without decoding pixels.
///
/// Pictures are checked when a worker sends them and whenever they are read from the cache.
package enum PictureStructure {
  /// The most bytes of a picture, whatever its colors; `Int.max` on overflow.
  package static func largest(_ size: PixelSize, _ style: PictureStyle) -> Int {
    switch style.format {
    case .png where style.isRGBA: PNGEncoder.largestTransparent(size)
    case .png: PNGEncoder.largestTile(size)
    case .jpeg: JPEGStructure.largest(size, isGray: style.isGray)
    case .webp: WebPStructure.largest(size)
    case .ppm: Pixmap.bytes(size, isGray: style.isGray)
    case .tiff: TIFFStructure.largest(size, style)
    case .svg, .pdf: VectorSheet.largestFile
    }
  }

  /// Whether the bytes are a complete picture of this size and style, without optional parts of its
  /// format.
  ///
  /// - Parameters:
  ///   - size: The size of the picture in pixels.
  /// - Complexity: O(bytes).
  package static func isPicture(
    _ bytes: [UInt8],
    size: PixelSize,
    _ style: PictureStyle
  ) -> Bool {
    switch style.format {
    case .png where style.isRGBA: PNGStructure.isTransparent(bytes.span.bytes, size: size)
    case .png: PNGStructure.isTile(bytes.span.bytes, size: size)
    case .jpeg: JPEGStructure.isPicture(bytes, size: size, isGray: style.isGray)
    case .webp:
      WebPStructure.isPicture(bytes, size: size, isTransparent: style.isTransparent)
    case .ppm: Pixmap.isPicture(bytes, size: size, isGray: style.isGray)
    case .tiff: TIFFStructure.isPicture(bytes, size: size, style)
    case .svg, .pdf:
      VectorStructure.begins(bytes, style.format) && VectorStructure.ends(bytes, style.format)
    }
  }
}
