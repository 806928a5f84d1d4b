package import DocumentModel
internal import PNGCoding
package import RectoGeometry

/// Whether bytes are the picture that was asked for, told without decoding a pixel.
///
/// A picture is checked so when a worker hands it over and each time it is read from the cache.
package enum PictureStructure {
  /// The most bytes that a picture takes, in any colors; `Int.max` when they cannot be counted.
  package static func largest(_ size: PixelSize, _ style: PictureStyle) -> Int {
    switch style.format {
    case .png where style.isRGBA: PNGEncoder.largestTransparent(size)
    case .png: PNGEncoder.largestTile(size)
    case .jpeg: JPEGStructure.largest(size, isGray: style.isGray)
    case .webp: WebPStructure.largest(size)
    case .ppm: Pixmap.bytes(size, isGray: style.isGray)
    }
  }

  /// Whether the bytes are a whole picture of this size and style, with nothing in it that its
  /// format does not require.
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
    }
  }
}
