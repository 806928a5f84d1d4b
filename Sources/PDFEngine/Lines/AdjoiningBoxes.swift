// SPDX-License-Identifier: GPL-2.0-or-later

/// Closes the seams between boxes that adjoin and are filled one after the other.
///
/// If an edge is within a pixel, each box covers a part of the pixel, and the background shows through: a box filled in
/// strips gets visible lines. So the next strip begins at the start of that pixel.
struct AdjoiningBoxes {
  /// A box with edges along the axes, in pixels.
  struct Box {
    var left, top, right, bottom: Double
  }

  private var last: Box?

  /// How far two edges may be apart, in pixels.
  private static let tolerance = 1.0 / 64

  /// Records that something else was drawn.
  mutating func end() { last = nil }

  /// Joins a box to the previous one.
  ///
  /// - Parameter box: A box that is about to be filled with an opaque color.
  /// - Returns: The box with its edge at the start of the pixel; nil if it does not adjoin the previous one.
  mutating func joined(_ box: Box) -> Box? {
    defer { last = box }
    guard let last else { return nil }
    let meet = { (one: Double, other: Double) in abs(one - other) <= Self.tolerance }
    var joined = box
    if meet(box.left, last.left), meet(box.right, last.right) {
      if meet(box.top, last.bottom) {
        joined.top = box.top.rounded(.down)
      } else if meet(box.bottom, last.top) {
        joined.bottom = box.bottom.rounded(.up)
      } else {
        return nil
      }
      return joined
    }
    guard meet(box.top, last.top), meet(box.bottom, last.bottom) else { return nil }
    if meet(box.left, last.right) {
      joined.left = box.left.rounded(.down)
    } else if meet(box.right, last.left) {
      joined.right = box.right.rounded(.up)
    } else {
      return nil
    }
    return joined
  }
}
