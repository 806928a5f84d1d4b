public import Geometry

/// What taking in sizes has moved, spread by spread. What is not named is where it was, and as large.
///
/// Exact for the arrangements of the modes. One of your own names what it may have moved
/// (``PageArranging/spreadsAffected(by:of:)``) as changed.
public struct Invalidation: Hashable, Sendable {
  /// Spreads that are where they were but for one vector.
  public struct Displacement: Hashable, Sendable {
    /// The spreads.
    public var spreads: Range<Int>
    /// How far they have gone, in layout units.
    public var distance: Point
  }

  /// Spreads with another size, or other pages, or another place in their line; ascending.
  ///
  /// Sizes that only confirmed what was estimated change nothing, although answers may say that they
  /// are exact from now on.
  public internal(set) var changed: [Range<Int>] = []
  /// Spreads that went somewhere else as they are; ascending, none of them changed. A size that
  /// arrives displaces all behind it by one vector.
  public internal(set) var displaced: [Displacement] = []
  /// How much the content has grown; negative where it has shrunk.
  public internal(set) var contentSizeAdjustment = Size.zero
  /// What has to be added to the offset so that the anchor stays where it is in the viewport.
  public internal(set) var offsetAdjustment = Point.zero

  /// Nothing has moved.
  public static let none = Invalidation()

  /// Whether nothing has moved.
  public var isEmpty: Bool { changed.isEmpty && displaced.isEmpty }

  /// From the first to the last spread that has changed or was displaced; nil: none.
  public var spreads: Range<Int>? {
    let firsts = [changed.first?.lowerBound, displaced.first?.spreads.lowerBound].compactMap(\.self)
    let ends = [changed.last?.upperBound, displaced.last?.spreads.upperBound].compactMap(\.self)
    guard let first = firsts.min(), let end = ends.max() else { return nil }
    return first..<end
  }

  /// What has become of some spreads.
  enum Fate {
    case unmoved
    case displaced(Point)
    case changed

    func isSame(as other: Fate) -> Bool {
      switch (self, other) {
      case (.unmoved, .unmoved), (.changed, .changed): true
      case (.displaced(let first), .displaced(let second)):
        abs(first.x - second.x) <= tolerance && abs(first.y - second.y) <= tolerance
      default: false
      }
    }
  }

  /// Adds what has become of spreads behind those added so far.
  mutating func append(_ spreads: Range<Int>, _ fate: Fate) {
    guard !spreads.isEmpty else { return }
    switch fate {
    case .unmoved: break
    case .changed:
      if let last = changed.last, last.upperBound == spreads.lowerBound {
        changed[changed.count - 1] = last.lowerBound..<spreads.upperBound
      } else {
        changed.append(spreads)
      }
    case .displaced(let distance):
      guard abs(distance.x) > Self.tolerance || abs(distance.y) > Self.tolerance else { return }
      if let last = displaced.last, last.spreads.upperBound == spreads.lowerBound,
        abs(last.distance.x - distance.x) <= Self.tolerance,
        abs(last.distance.y - distance.y) <= Self.tolerance
      {
        displaced[displaced.count - 1].spreads = last.spreads.lowerBound..<spreads.upperBound
      } else {
        displaced.append(Displacement(spreads: spreads, distance: distance))
      }
    }
  }

  /// Less than this is what sums lose, in layout units.
  static let tolerance = 1e-6
}
