public import DocumentModel
public import RectoGeometry

/// Where a part of a text is, in points from the top left of the page.
public struct TextArea: Hashable, Sendable {
  /// The box around it, on the page turned until its line is not slanted.
  var box: TextBox
  /// How far its line is turned clockwise, in degrees; nil for one that is not slanted.
  var angle: Float?

  /// An area from a box.
  ///
  /// - Parameters:
  ///   - box: The box, on the page turned until the line is not slanted.
  ///   - angle: How far the line is turned clockwise, in degrees; nil for one that is not slanted.
  init(_ box: TextBox, angle: Float? = nil) {
    self.box = box
    self.angle = angle
  }

  /// The smallest upright rectangle around it.
  public var rect: Rect { uprightBox.rect }

  /// The smallest upright box around it.
  public var uprightBox: TextBox { quad.map { TextBox($0.bounds) } ?? box }

  /// The corners of slanted text, named as when it is read from left to right; nil for other text, whose corners are
  /// those of ``rect``.
  public var quad: Quad? { angle.map { box.turned(byDegrees: $0) } }

  /// The box around it on the page turned about its top left corner.
  ///
  /// - Parameter angle: How far the page is turned counterclockwise, in degrees; nil if it is not
  ///   turned.
  func box(turnedBack angle: Float?) -> TextBox {
    guard angle != self.angle else { return box }
    let quad = quad ?? Quad(box.rect)
    return TextBox(quad.mapped { $0.turned(back: angle) }.bounds)
  }

  /// The square of the distance to a point, 0 inside.
  func squaredDistance(to point: Point) -> Double {
    box.squaredDistance(to: point.turned(back: angle))
  }
}

extension Point {
  /// The point on the page turned counterclockwise about its top left corner.
  func turned(back angle: Float?) -> Point {
    angle.map { turned(byDegrees: -Double($0)) } ?? self
  }
}
