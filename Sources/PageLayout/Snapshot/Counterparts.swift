internal import RectoGeometry

/// Maps positions of a layout to those of an earlier one.
struct Counterparts: Sendable {
  /// Positions that show the same as before; ascending in the new order.
  let kept: [PageChanges.Stretch]
  /// The same, ascending in the old order.
  private let byOld: [PageChanges.Stretch]

  /// The counterparts that an edit leaves.
  init(_ changes: PageChanges) {
    kept = changes.kept
    byOld = kept.sorted { $0.old.lowerBound < $1.old.lowerBound }
  }

  /// The positions at which both orders show the same.
  ///
  /// - Complexity: Linear in the number of runs of both.
  init(_ new: PageSequence, _ old: PageSequence) {
    guard new != old else {
      kept = new.count > 0 ? [PageChanges.Stretch(old: 0..<new.count, new: 0..<new.count)] : []
      byOld = kept
      return
    }
    var same: [Range<Int>] = []
    new.forEachPiece(of: 0..<min(new.count, old.count)) { positions, run in
      old.forEachPiece(of: positions) { part, other in
        let start = part.lowerBound - positions.lowerBound
        if let places = run.part(start..<start + part.count).places(sameAs: other) {
          same.append(part.lowerBound + places.lowerBound..<part.lowerBound + places.upperBound)
        }
      }
    }
    kept = same.merged().map { PageChanges.Stretch(old: $0, new: $0) }
    byOld = kept
  }

  /// The old positions of consecutive positions; nil if they were not consecutive.
  ///
  /// - Complexity: O(log *s*) for *s* stretches, like the other one.
  func old(of new: Range<Int>) -> Range<Int>? {
    let index = kept.partitioningIndex { $0.new.lowerBound > new.lowerBound } - 1
    guard index >= 0, new.upperBound <= kept[index].new.upperBound else { return nil }
    let shift = kept[index].old.lowerBound - kept[index].new.lowerBound
    return new.lowerBound + shift..<new.upperBound + shift
  }

  /// Calls `body` with each part of old positions, at its new positions.
  func forEachNew(of old: Range<Int>, _ body: (Range<Int>) -> Void) {
    var index = max(0, byOld.partitioningIndex { $0.old.lowerBound > old.lowerBound } - 1)
    while index < byOld.count, byOld[index].old.lowerBound < old.upperBound {
      let stretch = byOld[index]
      let part = stretch.old.clamped(to: old)
      let shift = stretch.new.lowerBound - stretch.old.lowerBound
      if !part.isEmpty { body(part.lowerBound + shift..<part.upperBound + shift) }
      index += 1
    }
  }
}

extension PageSequence.Run {
  /// The indices at which a run of the same length shows the same; nil if there are none.
  fileprivate func places(sameAs other: PageSequence.Run) -> Range<Int>? {
    guard let first, let start = other.first else {
      return pages == nil && other.pages == nil ? 0..<count : nil
    }
    let step = isBackwards ? -1 : 1
    let otherStep = other.isBackwards && other.count > 1 ? -1 : 1
    if count == 1 || step == otherStep { return first == start ? 0..<count : nil }
    // The runs have opposite directions, and may meet at one index.
    let (place, rest) = first.distance(to: start).quotientAndRemainder(dividingBy: step - otherStep)
    return rest == 0 && (0..<count).contains(place) ? place..<place + 1 : nil
  }
}
