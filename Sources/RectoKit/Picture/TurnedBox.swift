internal import RectoGeometry

/// A rectangle of pixels rotated clockwise about its center.
struct TurnedBox {
  /// The pixels before they are turned.
  let box: PixelRect
  private let sine: Double
  private let cosine: Double

  /// A rectangle turned by an angle.
  ///
  /// - Parameters:
  ///   - box: The rectangle, in pixels.
  ///   - angle: In degrees.
  init(_ box: PixelRect, angle: Double) {
    self.box = box
    let direction = Point(x: 1, y: 0).turned(byDegrees: angle)
    (sine, cosine) = (direction.y, direction.x)
  }

  /// The smallest upright rectangle around it.
  var bounds: PixelRect {
    guard sine != 0 else { return box }
    let (width, height) = (Double(box.width), Double(box.height))
    let across = Int(((width * abs(cosine) + height * abs(sine) - width) / 2).rounded(.up)) + 1
    let down = Int(((width * abs(sine) + height * abs(cosine) - height) / 2).rounded(.up)) + 1
    return PixelRect(
      x: box.x - across,
      y: box.y - down,
      width: box.width + 2 * across,
      height: box.height + 2 * down
    )
  }

  /// The position of a pixel's center before the rotation, from the top left corner of the box.
  func source(ofX x: Int, y: Int) -> Point {
    let right = Double(x) + 0.5 - Double(box.x) - Double(box.width) / 2
    let down = Double(y) + 0.5 - Double(box.y) - Double(box.height) / 2
    return Point(
      x: right * cosine + down * sine + Double(box.width) / 2,
      y: down * cosine - right * sine + Double(box.height) / 2
    )
  }

  /// The distance from a pixel to the nearest one of the box; 0 inside.
  func distance(toX x: Int, y: Int) -> Double {
    if sine == 0 {
      let across = Double(max(box.x - x, x - box.maxX + 1, 0))
      let down = Double(max(box.y - y, y - box.maxY + 1, 0))
      return (across * across + down * down).squareRoot()
    }
    let source = source(ofX: x, y: y)
    let across = max(0.5 - source.x, source.x - Double(box.width) + 0.5, 0)
    let down = max(0.5 - source.y, source.y - Double(box.height) + 0.5, 0)
    return (across * across + down * down).squareRoot()
  }

  /// How much of a pixel the box covers, from 0 to 1, by the distance of its edges.
  func coverage(ofX x: Int, y: Int) -> Double {
    let source = source(ofX: x, y: y)
    let across = min(source.x, Double(box.width) - source.x) + 0.5
    let down = min(source.y, Double(box.height) - source.y) + 0.5
    return min(max(across, 0), 1) * min(max(down, 0), 1)
  }
}
