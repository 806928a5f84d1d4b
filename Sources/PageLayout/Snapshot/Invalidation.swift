public import RectoGeometry

/// What a change of a layout has moved, spread by spread. What is not named is where it was, and as
/// large.
///
/// Sizes that arrive yield it (``Layout/measure(_:keeping:)``); for edits, and for another
/// configuration, viewport or arrangement, ``Layout/invalidation(since:changes:keeping:)`` works it
/// out. Spreads are named by their index in the new layout. One is the same spread as before when it
/// shows exactly the positions that one spread showed before, wherever those are now; while sizes
/// arrive, only when it has the same index too. Places are compared in content coordinates, of a
/// carousel with each spread at rest.
///
/// The sets are exact for the arrangements of the modes, by three rules that keep them short:
/// - *Rows.* In `grid` and `flow`, a row stays a row while it holds exactly the spreads of one row
///   before. Where several rows in a row do not, the spreads of the first of these are compared one
///   by one, and all others have changed.
/// - *Ways of their own.* A line (a row, or a spread in the other modes) goes its own way when none of
///   its spreads has changed and it has moved, its first spread by another vector than the spread in
///   front of it, and its last spread by another one than the spread behind. Where three or more such
///   lines follow each other, all their spreads have changed: another gap between a million spreads
///   does not name a million vectors.
/// - *Rotation.* Another rotation of the view changes all spreads.
///
/// Two lengths are the same that differ by less than sums may lose: a millionth of a unit, and more
/// beyond 100,000 units from the origin. An arrangement of your own names what it may have moved
/// (``PageArranging/spreadsAffected(by:of:)``) as changed, and after anything but sizes that arrive,
/// all spreads.
public struct Invalidation: Hashable, Sendable {
  /// Spreads that are where they were but for one vector.
  public struct Displacement: Hashable, Sendable {
    /// The spreads.
    public var spreads: Range<Int>
    /// How far they have gone, in layout units.
    public var distance: Point
  }

  /// Spreads with another size, or other pages, and those that the rules above add; ascending.
  ///
  /// Sizes that only confirmed what was estimated change nothing, although answers may say that they
  /// are exact from now on.
  public internal(set) var changed: [Range<Int>] = []
  /// Spreads that went somewhere else as they are; ascending, none of them changed, and neighbors
  /// that share a vector in one piece. A size that arrives displaces all behind it by one vector.
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
  }

  /// Adds what has become of spreads behind those added so far.
  ///
  /// - Parameters:
  ///   - spreads: The indices of the spreads; nothing is added for none.
  ///   - fate: What has become of each of them.
  ///   - tolerance: What the vectors of one stretch may differ by.
  mutating func append(
    _ spreads: Range<Int>,
    _ fate: Fate,
    _ tolerance: Double = .lengthTolerance
  ) {
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
      guard !distance.isNear(.zero, within: .lengthTolerance) else { return }
      if let last = displaced.last, last.spreads.upperBound == spreads.lowerBound,
        last.distance.isNear(distance, within: tolerance)
      {
        displaced[displaced.count - 1].spreads = last.spreads.lowerBound..<spreads.upperBound
      } else {
        displaced.append(Displacement(spreads: spreads, distance: distance))
      }
    }
  }

  /// Notes how much the content has grown.
  mutating func adjustContent(from old: Size, to new: Size) {
    contentSizeAdjustment = Size(width: new.width - old.width, height: new.height - old.height)
  }

  /// Notes how far the offset has gone; nothing where there is none.
  public mutating func adjustOffset(from old: Point?, to new: Point?) {
    guard let old, let new else { return }
    offsetAdjustment = Point(x: new.x - old.x, y: new.y - old.y)
  }
}
