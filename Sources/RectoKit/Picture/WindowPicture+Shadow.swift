internal import Geometry
public import PageLayout

extension WindowPicture {
  /// The longest shadow in pixels: no picture is longer.
  private static let longestReach = 1e8

  /// Paints a spread's shadow: darkest at the edge of its pages, gone six layout units away, a
  /// little lower than the pages as if light fell from above.
  public mutating func addShadow(of spread: LaidOutSpread) {
    addShadow(of: spread.pages.map { page in TurnedBox(place(page.frame), angle: 0) })
  }

  /// Paints the shadow of pages on their way.
  public mutating func addShadow(of pages: [MovingPage]) {
    addShadow(of: pages.map { TurnedBox(place($0.box), angle: $0.remainingAngle) })
  }

  /// Paints the shadow of what is in front of the background, in pixels of the picture.
  mutating func addShadow(of shapes: [some ShadowCasting]) {
    guard hasShadow else { return }
    let reach = max(1, Int(min((6 * scale).rounded(), Self.longestReach)))
    let drop = reach / 3
    let parts = shapes.map { $0.bounds.moved(down: drop).grown(by: reach).intersection(bounds) }
    // Where the shadows of two pages meet, the nearer page counts, and once.
    var nearness = [Double](repeating: 0, count: size.width)
    for y in 0..<size.height {
      var isTouched = false
      for (shape, part) in zip(shapes, parts) {
        guard let part, part.y <= y, y < part.maxY else { continue }
        isTouched = true
        for x in part.x..<part.maxX {
          let distance = shape.distance(toX: x, y: y - drop)
          nearness[x] = max(nearness[x], 1 - distance / Double(reach))
        }
      }
      guard isTouched else { continue }
      for x in 0..<size.width where nearness[x] > 0 {
        pixels[y * size.width + x].darken(by: 0.25 * nearness[x] * nearness[x])
        nearness[x] = 0
      }
    }
  }
}

/// A shape in pixels of a picture.
protocol ShadowCasting {
  /// The smallest upright rectangle of whole pixels around it.
  var bounds: PixelRect { get }
  /// The distance from a pixel to the nearest one of the shape; 0 inside.
  func distance(toX x: Int, y: Int) -> Double
}

extension TurnedBox: ShadowCasting {}

extension PixelRect {
  fileprivate func moved(down distance: Int) -> PixelRect {
    PixelRect(x: x, y: y + distance, width: width, height: height)
  }

  fileprivate func grown(by distance: Int) -> PixelRect {
    PixelRect(
      x: x - distance,
      y: y - distance,
      width: width + 2 * distance,
      height: height + 2 * distance
    )
  }
}

extension UInt32 {
  /// Takes away a share of red, green and blue of an opaque 0xAARRGGBB pixel.
  mutating func darken(by share: Double) {
    let kept = UInt32(((1 - share) * 256).rounded())
    let red = ((self >> 16 & 255) * kept) >> 8
    let green = ((self >> 8 & 255) * kept) >> 8
    let blue = ((self & 255) * kept) >> 8
    self = 0xFF00_0000 | red << 16 | green << 8 | blue
  }
}
