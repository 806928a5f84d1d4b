// SPDX-License-Identifier: GPL-2.0-or-later

public import RectoGeometry

/// Parts of a page that are drawn at once.
public struct Strip: Hashable, Sendable {
  /// The pixels drawn, counted from the page's top left.
  public var rect: PixelRect
  /// The parts cut from it, by their index in the list of parts.
  public var parts: Range<Int>

  /// A strip from its parts.
  public init(rect: PixelRect, parts: Range<Int>) {
    self.rect = rect
    self.parts = parts
  }

  /// The most pixels in a strip of several parts: 64 MB.
  public static let largestArea = 1 << 24

  /// Joins adjacent parts of a list if no additional pixels are drawn.
  ///
  /// A row of tiles becomes one strip, and so do whole rows. A strip of several parts never has
  /// more than ``largestArea`` pixels nor a side beyond cairo's limit.
  ///
  /// - Complexity: O(*n*) in the number of parts.
  public static func strips(of parts: [PixelRect]) -> [Strip] {
    var strips: [Strip] = []
    for (index, part) in parts.enumerated() {
      strips.append(Strip(rect: part, parts: index..<(index + 1)))
      while strips.count > 1,
        let joined = strips[strips.count - 2].joined(with: strips[strips.count - 1])
      {
        strips.removeLast(2)
        strips.append(joined)
      }
    }
    return strips
  }

  /// The union of both, if they share a whole edge.
  private func joined(with other: Strip) -> Strip? {
    let union = rect.union(other.rect)
    guard union.width <= Bitmap.largestSide, union.height <= Bitmap.largestSide,
      let area = union.size.area, area <= Self.largestArea,
      area == (rect.size.area ?? .max) + (other.rect.size.area ?? 0)
    else { return nil }
    return Strip(rect: union, parts: parts.lowerBound..<other.parts.upperBound)
  }
}
