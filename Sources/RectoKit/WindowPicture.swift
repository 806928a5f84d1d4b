public import DocumentModel
public import Geometry
internal import PNGCoding
public import PageLayout
internal import Tiles

/// A colour without transparency.
public struct Colour: Hashable, Sendable {
  /// 0xRRGGBB.
  public var rgb: UInt32

  /// A colour from 0xRRGGBB.
  public init(rgb: UInt32) { self.rgb = rgb & 0xFFFFFF }
}

/// A whole window as one picture, put together from tiles.
public struct WindowPicture: Sendable {
  /// What lies behind the pages.
  public var background: Colour
  /// Whether pages cast a shadow.
  public var hasShadow: Bool
  private let window: Rect
  private let scale: Double
  private let size: PixelSize
  private var pixels: [UInt32]

  /// The longest shadow in pixels: no picture is longer.
  private static let longestReach = 1e8

  /// The most pixels a picture may have.
  public static let largestArea = 100_000_000

  /// An empty picture of `window`, at `scale` pixels per layout unit.
  ///
  /// - Throws: `pageSize` when it would have no pixel or more than ``largestArea``.
  public init(
    of window: Rect,
    scale: Double,
    background: Colour,
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

  /// Paints a spread's shadow: darkest at the edge of its pages, gone six layout units away, a
  /// little lower than the pages as if light fell from above.
  public mutating func addShadow(of spread: LaidOutSpread) {
    guard hasShadow else { return }
    let reach = max(1, Int(min((6 * scale).rounded(), Self.longestReach)))
    let pages = spread.pages.map { page in
      var frame = place(page.frame)
      frame.y += reach / 3
      return frame
    }
    for page in pages {
      let outer = PixelRect(
        x: page.x - reach,
        y: page.y - reach,
        width: page.width + 2 * reach,
        height: page.height + 2 * reach
      )
      guard let part = outer.intersection(bounds) else { continue }
      for y in part.y..<part.maxY {
        let row = y * size.width
        for x in part.x..<part.maxX {
          // Where the shadows of two pages meet, the nearer page counts, and once.
          let distances = pages.map { $0.squaredDistance(toX: x, y: y, within: reach) }
          let distance = page.squaredDistance(toX: x, y: y, within: reach)
          guard let nearest = distances.min(), distance == nearest,
            pages[distances.firstIndex(of: nearest) ?? 0] == page
          else { continue }
          let nearness = max(0, 1 - Double(nearest).squareRoot() / Double(reach))
          pixels[row + x].darken(by: 0.25 * nearness * nearness)
        }
      }
    }
  }

  /// Paints a page: white paper, then its tiles.
  ///
  /// - Throws: `fault` when a tile is no PNG of ours.
  public mutating func add(_ page: LaidOutPage, tiles: PageTiles?) throws(DocumentError) {
    // Snapped edges: neighbours meet without a gap, and a page never covers its neighbour's pixel.
    let frame = place(page.frame)
    let shown = place(page.frame.clipped(to: page.clip))
    fill(shown, with: 0xFFFF_FFFF)
    for tile in tiles?.tiles ?? [] {
      let decoded: PNGPicture
      do {
        decoded = try PNGDecoder.decode(
          tile.picture.bytes.span.bytes,
          maxPixels: tile.pixels.width * tile.pixels.height
        )
      } catch {
        throw DocumentError(.fault, during: "compose", "\(error)")
      }
      paste(
        decoded,
        at: PixelRect(
          x: frame.x + tile.pixels.x,
          y: frame.y + tile.pixels.y,
          width: decoded.size.width,
          height: decoded.size.height
        ),
        clippedTo: shown
      )
    }
  }

  /// The picture as a PNG file.
  public func png() throws(DocumentError) -> [UInt8] {
    do {
      var encoder = try PNGEncoder()
      return try pixels.withUnsafeBytes { bytes throws(PNGError) in
        try encoder.picture(
          bytes.bytes,
          stride: size.width * 4,
          size: size,
          metadata: PNGMetadata(pixelsPerInch: 72 * scale, texts: [])
        )
      }
    } catch {
      throw DocumentError(.fault, during: "encode", "\(error)")
    }
  }

  private func place(_ frame: Rect) -> PixelRect {
    let content = frame.snapped(scale: scale)
    let origin = window.snapped(scale: scale)
    return PixelRect(
      x: content.x - origin.x,
      y: content.y - origin.y,
      width: content.width,
      height: content.height
    )
  }

  private var bounds: PixelRect {
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

extension Rect {
  /// The part inside `clip`. What lies beyond it by less than sums lose stays: cut off there, an edge
  /// half way between two pixels would lose one.
  fileprivate func clipped(to clip: Rect) -> Rect {
    let lost = 1e-5
    let left = minX < clip.minX - lost ? clip.minX : minX
    let top = minY < clip.minY - lost ? clip.minY : minY
    let right = maxX > clip.maxX + lost ? clip.maxX : maxX
    let bottom = maxY > clip.maxY + lost ? clip.maxY : maxY
    return Rect(x: left, y: top, width: max(0, right - left), height: max(0, bottom - top))
  }
}

extension PixelRect {
  /// The square of the distance from a pixel to the nearest one of the rectangle.
  ///
  /// Each of its two parts is held at `reach`: beyond that nothing is to be told apart, and squares of
  /// far distances would not fit.
  fileprivate func squaredDistance(toX column: Int, y row: Int, within reach: Int) -> Int {
    let across = min(Swift.max(x - column, column - maxX + 1, 0), reach)
    let down = min(Swift.max(y - row, row - maxY + 1, 0), reach)
    return across * across + down * down
  }
}

extension UInt32 {
  /// Takes away a share of red, green and blue of an opaque 0xAARRGGBB pixel.
  fileprivate mutating func darken(by share: Double) {
    let kept = UInt32(((1 - share) * 256).rounded())
    let red = ((self >> 16 & 255) * kept) >> 8
    let green = ((self >> 8 & 255) * kept) >> 8
    let blue = ((self & 255) * kept) >> 8
    self = 0xFF00_0000 | red << 16 | green << 8 | blue
  }
}
