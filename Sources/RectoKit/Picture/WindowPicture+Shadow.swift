public import PageLayout
internal import RectoGeometry

extension WindowPicture {
  /// The longest shadow in pixels: no picture is longer.
  private static let longestReach = 1e8

  /// Paints a spread's shadow: darkest at the edge of its pages, fading over six layout units, and
  /// a little lower than the pages, as with light from above.
  public mutating func addShadow(of spread: LaidOutSpread) {
    addShadow(of: spread.pages.map { page in (place(page.frame), angle: 0) })
  }

  /// Paints the shadow of pages on their way.
  public mutating func addShadow(of pages: [MovingPage]) {
    addShadow(of: pages.map { page in (place(page.box), angle: page.remainingAngle) })
  }

  /// How far a shadow reaches, in pixels.
  var shadowReach: Int { max(1, Int(min((6 * scale).rounded(), Self.longestReach))) }

  /// How much lower it is than its page, in pixels.
  var shadowDrop: Int { shadowReach / 3 }

  /// The darkness of a shadow, from 0 to 1, for a nearness to its page of 1 at the edge and 0 at the end.
  static func shadow(_ nearness: Double) -> Double { 0.25 * nearness * nearness }

  /// - Parameter boxes: Pixels of the picture, and the clockwise degrees by which they are turned
  ///   about their middle.
  private mutating func addShadow(of boxes: [(pixels: PixelRect, angle: Double)]) {
    guard hasShadow else { return }
    let reach = shadowReach
    let boxes = boxes.map { TurnedBox($0.moved(down: shadowDrop), angle: $1) }
    let parts = boxes.map { $0.bounds.grown(by: reach).intersection(bounds) }
    // Where the shadows of two pages overlap, only the nearer page counts.
    var nearness = [Double](repeating: 0, count: size.width)
    for y in 0..<size.height {
      var isTouched = false
      for (box, part) in zip(boxes, parts) {
        guard let part, part.y <= y, y < part.maxY else { continue }
        isTouched = true
        for x in part.x..<part.maxX {
          let distance = box.distance(toX: x, y: y)
          nearness[x] = max(nearness[x], 1 - distance / Double(reach))
        }
      }
      guard isTouched else { continue }
      for x in 0..<size.width where nearness[x] > 0 {
        pixels[y * size.width + x].darken(by: Self.shadow(nearness[x]))
        nearness[x] = 0
      }
    }
  }
}

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
  /// Reduces red, green and blue of an opaque 0xAARRGGBB pixel by a fraction.
  mutating func darken(by share: Double) {
    let kept = UInt32(((1 - share) * 256).rounded())
    let red = ((self >> 16 & 255) * kept) >> 8
    let green = ((self >> 8 & 255) * kept) >> 8
    let blue = ((self & 255) * kept) >> 8
    self = 0xFF00_0000 | red << 16 | green << 8 | blue
  }
}
