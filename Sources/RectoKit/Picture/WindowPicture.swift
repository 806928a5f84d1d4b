public import DocumentModel
internal import PNGCoding
public import PageLayout
public import RectoGeometry
internal import RectoPictures
internal import RectoTiles

/// A color without transparency.
public struct Color: Hashable, Sendable {
  /// 0xRRGGBB.
  public var rgb: UInt32

  /// A color from 0xRRGGBB.
  public init(rgb: UInt32) { self.rgb = rgb & 0xFFFFFF }
}

/// A whole window as one picture, composed from tiles.
public struct WindowPicture: Sendable {
  /// The color behind the pages.
  public var background: Color
  /// Whether pages cast a shadow.
  public var hasShadow: Bool
  let window: Rect
  /// Device pixels per layout unit.
  let scale: Double
  let size: PixelSize
  /// 0xAARRGGBB, row after row.
  var pixels: [UInt32]

  /// The most pixels a picture may have.
  public static let largestArea = 100_000_000

  /// An empty picture of `window`, at `scale` pixels per layout unit.
  ///
  /// - Parameters:
  ///   - window: The visible part of the content, in layout units.
  ///   - scale: Device pixels per layout unit.
  ///   - background: The color where no page is.
  ///   - hasShadow: Whether pages have a shadow.
  /// - Throws: `pageSize` if it would be empty or larger than ``largestArea``.
  public init(
    of window: Rect,
    scale: Double,
    background: Color,
    hasShadow: Bool
  ) throws(DocumentError) {
    self.window = window
    self.scale = scale
    self.background = background
    self.hasShadow = hasShadow
    size = window.snapped(scale: scale).size
    guard size.width > 0, size.height > 0, let area = size.area, area <= Self.largestArea else {
      throw DocumentError(
        .pageSize,
        during: "compose",
        "a picture of \(size.width)×\(size.height) pixels; the limit is \(Self.largestArea) in all"
      )
    }
    pixels = [UInt32](repeating: 0xFF00_0000 | background.rgb, count: area)
  }

  /// Paints the spreads of the window: all shadows first, then the pages. A page that failed is white
  /// paper.
  ///
  /// - Parameters:
  ///   - spreads: From ``DocumentLayout/spreads(in:)``.
  ///   - tiles: One result for each page of `spreads`, from
  ///     ``DocumentLayout/tiles(of:in:scale:tileSide:progress:)``.
  /// - Throws: `fault` if a tile is not a PNG written by Recto.
  public mutating func add(
    _ spreads: [LaidOutSpread],
    tiles: [Result<PageTiles, DocumentError>]
  ) throws(DocumentError) {
    for spread in spreads { addShadow(of: spread) }
    for (page, tiles) in zip(spreads.flatMap(\.pages), tiles) {
      try add(page, tiles: try? tiles.get())
    }
  }

  /// Paints a page: white paper, then its tiles.
  ///
  /// - Throws: `fault` if a tile is not a PNG written by Recto.
  public mutating func add(_ page: LaidOutPage, tiles: PageTiles?) throws(DocumentError) {
    try add(page.frame, clippedTo: page.clip, tiles: tiles)
  }

  /// Paints a page at a frame of the content.
  ///
  /// - Parameters:
  ///   - frame: The page's frame in content coordinates.
  ///   - clip: The part of the content to which the page is clipped; nil for no clipping.
  ///   - tiles: The page's tiles; nil leaves the page white.
  /// - Throws: `DocumentError` for a tile that cannot be decoded.
  mutating func add(
    _ frame: Rect,
    clippedTo clip: Rect?,
    tiles: PageTiles?
  ) throws(DocumentError) {
    // Snapped edges: neighbors meet without a gap, and a page never covers its neighbor's pixel.
    let place = place(frame)
    let shown = clip.map { self.place(frame.clipped(to: $0)) } ?? place
    fill(shown, with: 0xFFFF_FFFF)
    for tile in tiles?.tiles ?? [] {
      let decoded = try tile.decoded()
      paste(
        decoded,
        at: PixelRect(
          x: place.x + tile.pixels.x,
          y: place.y + tile.pixels.y,
          width: decoded.size.width,
          height: decoded.size.height
        ),
        clippedTo: shown
      )
    }
  }

  /// The picture as a PNG file.
  ///
  /// - Throws: `DocumentError` when the picture cannot be encoded.
  public func png() throws(DocumentError) -> [UInt8] { try file(.tile) }

  /// The picture as a file, with the resolution of its screen: a layout unit is a point.
  ///
  /// - Parameter style: The format and quality.
  /// - Returns: The file.
  /// - Throws: `pageSize` for a picture beyond the limits of the format; `memoryLimit` or `fault` when
  ///   it cannot be encoded.
  public func file(_ style: PictureStyle) throws(DocumentError) -> [UInt8] {
    var encoder = try PictureEncoder()
    let file = try encoder.encode(
      pixels.span.bytes,
      stride: size.width * 4,
      size: size,
      style: style
    )
    do {
      return try PictureDescription(pixelsPerInch: 72 * scale).added(to: file, style)
    } catch {
      throw DocumentError(.fault, during: "encode", "\(error)")
    }
  }

  func place(_ frame: Rect) -> PixelRect {
    let content = frame.snapped(scale: scale)
    let origin = window.snapped(scale: scale)
    return PixelRect(
      x: content.x - origin.x,
      y: content.y - origin.y,
      width: content.width,
      height: content.height
    )
  }

  var bounds: PixelRect {
    PixelRect(x: 0, y: 0, width: size.width, height: size.height)
  }

  private mutating func fill(_ rect: PixelRect, with pixel: UInt32) {
    guard let part = rect.intersection(bounds) else { return }
    for y in part.y..<part.maxY {
      let row = y * size.width
      for x in part.x..<part.maxX { pixels[row + x] = pixel }
    }
  }

  private mutating func paste(
    _ picture: PNGPicture,
    at rect: PixelRect,
    clippedTo frame: PixelRect
  ) {
    guard let part = rect.intersection(bounds)?.intersection(frame) else { return }
    for y in part.y..<part.maxY {
      let target = y * size.width
      let source = (y - rect.y) * picture.size.width - rect.x
      for x in part.x..<part.maxX { pixels[target + x] = picture.pixels[source + x] }
    }
  }
}

extension WindowTile {
  /// The pixels of the tile.
  ///
  /// - Throws: `fault` if it is not a PNG written by Recto.
  func decoded() throws(DocumentError) -> PNGPicture {
    do {
      return try PNGDecoder.decode(
        picture.bytes.span.bytes,
        maxPixels: pixels.width * pixels.height
      )
    } catch {
      throw DocumentError(.fault, during: "compose", "\(error)")
    }
  }
}

extension WindowPicture: BriefValue {
  /// Its size.
  public var description: String { "\(size.width) × \(size.height) pixels" }
}
