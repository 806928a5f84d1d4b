/// Sticky spreads that lie side by side, which are pinned together: those of a row.
struct StickyLine {
  /// Their places among the sticky spreads.
  var spreads: Range<Int>
  /// Where the line begins along the axis by itself, counted in reading direction.
  var start: Double
  /// Where it ends.
  var end: Double
  /// The extent that decides what fits: that at rest, where extents follow the window.
  var extentAtRest: Double
  /// How far it is moved in reading direction.
  var distance = 0.0
  /// Where it begins while it is held at an edge.
  fileprivate var stop = 0.0

  fileprivate var extent: Double { end - start }

  /// A line at its own place.
  ///
  /// - Parameters:
  ///   - spreads: The places of its spreads among the sticky spreads.
  ///   - start: Where it begins along the axis, counted in reading direction.
  init(spreads: Range<Int>, start: Double, end: Double, extentAtRest: Double) {
    self.spreads = spreads
    self.start = start
    self.end = end
    self.extentAtRest = extentAtRest
  }
}

extension [StickyLine] {
  /// Moves lines, which are ascending and do not overlap, so that they stay visible.
  ///
  /// If all fit in the room, they follow each other at the nearer edge. Otherwise those at an edge
  /// have a third of the room: as many as fit there, those nearest to the middle; each pushes those
  /// beyond it out. A line that is larger than that is held as soon as only so much of it is left.
  ///
  /// Each stops at a fixed distance from the edge, and is pushed by others that stop themselves or go
  /// with the content. So no line moves farther on the screen than the content.
  ///
  /// - Parameters:
  ///   - room: Where the free part of the window begins and ends.
  ///   - bounds: Where lines may be: the ends of the content push them out.
  mutating func pin(
    in room: (start: Double, end: Double),
    keptIn bounds: (start: Double, end: Double)
  ) {
    let extent = room.end - room.start
    let fits = reduce(0) { $0 + $1.extentAtRest } <= extent + .lengthTolerance
    let zone = fits ? extent : extent / 3
    hold(behind: room.start, zone: zone, end: bounds.end)
    mirror()
    hold(behind: -room.end, zone: zone, end: -bounds.start)
    mirror()
  }

  /// Counts against the direction that was counted in.
  private mutating func mirror() {
    reverse()
    for index in indices {
      (self[index].start, self[index].end) = (-self[index].end, -self[index].start)
      self[index].distance = -self[index].distance
    }
  }

  /// Moves lines so that they stay behind an edge.
  ///
  /// - Parameters:
  ///   - zone: The extent behind the edge that they have to share.
  private mutating func hold(behind edge: Double, zone: Double, end: Double) {
    // The lines in front that fit in the zone beside one, and their extents.
    var first = 0
    var extents = 0.0
    var extentsAtRest = 0.0
    for index in indices {
      let extent = self[index].extent
      extentsAtRest += self[index].extentAtRest
      while first < index, extentsAtRest > zone + .lengthTolerance {
        extentsAtRest -= self[first].extentAtRest
        extents -= self[first].extent
        first += 1
      }
      self[index].stop = edge + Swift.min(extents, zone - extent)
      extents += extent
    }
    var limit = end
    for index in indices.reversed() {
      let (start, extent) = (self[index].start, self[index].extent)
      let held = Swift.max(start, Swift.min(self[index].stop, limit - extent))
      self[index].distance += held - start
      limit = held
    }
  }
}
