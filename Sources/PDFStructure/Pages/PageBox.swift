/// A rectangle in a page's user space, y up, its corners in order.
package struct PageBox: Hashable, Sendable {
  /// The left edge.
  package var x1: Double
  /// The bottom edge.
  package var y1: Double
  /// The right edge.
  package var x2: Double
  /// The top edge.
  package var y2: Double

  /// A box from any two opposite corners.
  ///
  /// - Parameters:
  ///   - x1: The horizontal coordinate of one corner, in user-space units.
  ///   - x2: The horizontal coordinate of the opposite corner.
  ///   - y2: The vertical coordinate of the opposite corner.
  package init(x1: Double, y1: Double, x2: Double, y2: Double) {
    // Written so that NaN, which only infinite corners could cause, changes nothing.
    self.x1 = x1 > x2 ? x2 : x1
    self.x2 = x1 > x2 ? x1 : x2
    self.y1 = y1 > y2 ? y2 : y1
    self.y2 = y1 > y2 ? y1 : y2
  }

  /// US letter, for a page without any box.
  package static let letter = PageBox(x1: 0, y1: 0, x2: 612, y2: 792)

  /// Right minus left, in user space units.
  package var width: Double { x2 - x1 }
  /// Top minus bottom, in user space units.
  package var height: Double { y2 - y1 }

  /// Whether it is not empty; false for NaN sides.
  var hasArea: Bool { width > 0 && height > 0 }

  /// The part inside `other`; if there is none, an empty box on its edge.
  func clipped(to other: PageBox) -> PageBox {
    PageBox(
      x1: Self.clip(x1, other.x1, other.x2),
      y1: Self.clip(y1, other.y1, other.y2),
      x2: Self.clip(x2, other.x1, other.x2),
      y2: Self.clip(y2, other.y1, other.y2)
    )
  }

  private static func clip(_ value: Double, _ low: Double, _ high: Double) -> Double {
    if value < low { return low }
    return value > high ? high : value
  }
}
