public import RectoGeometry

/// The changes of a layout, by spread. Spreads that are not listed have the same frame as before.
///
/// New sizes return it (``Layout/measure(_:keeping:)``); for edits, and for another configuration, viewport or
/// arrangement, ``Layout/invalidation(since:changes:keeping:)`` computes it. Spreads are identified by their index in
/// the new layout. A spread is the same as before if it shows exactly the positions that one spread showed before,
/// wherever those are now; for new sizes, only if it also has the same index. Frames are compared in content
/// coordinates; in a carousel, with each spread at rest.
///
/// The sets are exact for arrangements that place by a rule (``PageArranging/placesByRule``), as those of the modes do, by three rules that keep them short:
/// - *Rows.* In `grid` and `flow`, a row is the same if it has exactly the spreads of one old row.
///   Of consecutive rows that are not, the spreads of the first are compared one by one, and all
///   others count as changed.
/// - *Separate movements.* A line (a row, or a spread in the other modes) moves separately if none of its spreads has
///   changed, its first spread has moved by another vector than the previous spread, and its last spread by another
///   vector than the next one. If three or more consecutive lines move separately, all their spreads count as changed:
///   a new gap between a million spreads must not list a million vectors.
/// - *Rotation.* Another rotation of the view changes all spreads.
///
/// Lengths are equal within rounding errors: a millionth of a unit, and more beyond 100,000 units from the origin. With
/// any other arrangement, everything that may have moved (``PageArranging/spreadsAffected(by:of:)``) counts as changed,
/// and all spreads after anything but new sizes.
public struct Invalidation: Hashable, Sendable {
  /// Spreads that have moved by the same vector.
  public struct Displacement: Hashable, Sendable {
    /// The spreads.
    public var spreads: Range<Int>
    /// Their displacement, in layout units.
    public var distance: Point
  }

  /// Spreads with another size or other pages, and those added by the rules above; ascending.
  ///
  /// Sizes that equal their estimate change nothing, although results may now be exact.
  public internal(set) var changed: [Range<Int>] = []
  /// Spreads that only moved; ascending, none of them changed, and neighbors with the same vector
  /// joined. A new size displaces all following spreads by one vector.
  public internal(set) var displaced: [Displacement] = []
  /// How much the content has grown; negative if it has shrunk.
  public internal(set) var contentSizeAdjustment = Size.zero
  /// What to add to the offset so that the anchor stays in place in the viewport.
  public internal(set) var offsetAdjustment = Point.zero

  /// Nothing has moved.
  public static let none = Invalidation()

  /// Whether nothing has moved.
  public var isEmpty: Bool { changed.isEmpty && displaced.isEmpty }

  /// From the first to the last spread that has changed or was displaced; nil if there are none.
  public var spreads: Range<Int>? {
    let firsts = [changed.first?.lowerBound, displaced.first?.spreads.lowerBound].compactMap { $0 }
    let ends = [changed.last?.upperBound, displaced.last?.spreads.upperBound].compactMap { $0 }
    guard let first = firsts.min(), let end = ends.max() else { return nil }
    return first..<end
  }

  /// The changes of some spreads.
  enum Fate {
    case unmoved
    case displaced(Point)
    case changed
  }

  /// Adds the fate of further spreads.
  ///
  /// - Parameters:
  ///   - spreads: The indices of the spreads; may be empty.
  ///   - fate: The fate of each of them.
  ///   - tolerance: The tolerance for equal vectors.
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

  /// Sets how far the offset has moved; nothing if there is none.
  public mutating func adjustOffset(from old: Point?, to new: Point?) {
    guard let old, let new else { return }
    offsetAdjustment = Point(x: new.x - old.x, y: new.y - old.y)
  }
}

#if !hasFeature(Embedded)
  extension Invalidation: Codable {}
  extension Invalidation.Displacement: Codable {}
#endif
