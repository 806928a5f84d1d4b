package import RectoGeometry

/// A line that is neither upright nor turned by quarters.
public struct TextSlant: Hashable, Sendable {
  /// The indices of its Unicode scalars.
  public var scalars: Range<Int>
  /// How far the line is turned clockwise, in degrees; 0 for a line that reads to the right.
  public var angle: Float

  /// A slanted line.
  ///
  /// - Parameters:
  ///   - scalars: The indices of its Unicode scalars.
  ///   - angle: How far it is turned clockwise, in degrees.
  public init(scalars: Range<Int>, angle: Float) {
    self.scalars = scalars
    self.angle = angle
  }
}

/// The boxes of characters. Boxes of a slanted line are given on the page turned about its top left corner until the
/// line reads to the right.
package struct TextBoxes: Hashable, Sendable {
  /// The box of each character, in points.
  package var boxes: [TextBox]
  /// The slanted lines, in order and without overlap.
  package var slants: [TextSlant]

  /// Boxes of characters.
  package init(_ boxes: [TextBox] = [], slants: [TextSlant] = []) {
    self.boxes = boxes
    self.slants = slants
  }

  /// The smallest upright box around each character.
  package var upright: [TextBox] {
    var boxes = boxes
    for slant in slants {
      for scalar in slant.scalars.clamped(to: boxes.indices) {
        boxes[scalar] = TextBox(boxes[scalar].turned(byDegrees: slant.angle).bounds)
      }
    }
    return boxes
  }

  /// All boxes multiplied by a factor.
  func scaled(by factor: Double) -> TextBoxes {
    let boxes = boxes.map { box in
      TextBox(
        minX: Float(Double(box.minX) * factor),
        minY: Float(Double(box.minY) * factor),
        maxX: Float(Double(box.maxX) * factor),
        maxY: Float(Double(box.maxY) * factor)
      )
    }
    return TextBoxes(boxes, slants: slants)
  }

  /// The boxes of some characters, by ascending index.
  func part(of kept: [Int]) -> TextBoxes {
    var start = 0
    var parts: [TextSlant] = []
    for slant in slants {
      start += kept[start...].prefix { $0 < slant.scalars.lowerBound }.count
      let count = kept[start...].prefix { $0 < slant.scalars.upperBound }.count
      if count > 0 { parts.append(TextSlant(scalars: start..<start + count, angle: slant.angle)) }
      start += count
    }
    return TextBoxes(kept.map { boxes[$0] }, slants: parts)
  }
}

extension TextBox {
  /// A rectangle in single precision.
  package init(_ rect: Rect) {
    self.init(
      minX: Float(rect.minX),
      minY: Float(rect.minY),
      maxX: Float(rect.maxX),
      maxY: Float(rect.maxY)
    )
  }

  /// The corners, turned clockwise about the top left of the page.
  package func turned(byDegrees angle: Float) -> Quad {
    Quad(rect).mapped { $0.turned(byDegrees: Double(angle)) }
  }
}
