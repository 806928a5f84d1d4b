/// Adjacent sticky spreads of a row, which are pinned together.
struct StickyLine {
  /// Their places among the sticky spreads.
  var spreads: Range<Int>
  /// The unpinned start of the line along the axis, in reading direction.
  var start: Double
  /// Where it ends.
  var end: Double
  /// The extent that decides what fits: the one at rest, if extents follow the window.
  var extentAtRest: Double
  /// How far it is moved in reading direction.
  var distance = 0.0
  /// Its start while it is pinned to an edge.
  fileprivate var stop = 0.0

  fileprivate var extent: Double { end - start }

  /// A line at its own position.
  ///
  /// - Parameters:
  ///   - spreads: The indices of its spreads among the sticky spreads.
  ///   - start: Its start along the axis, in reading direction.
  init(spreads: Range<Int>, start: Double, end: Double, extentAtRest: Double) {
    self.spreads = spreads
    self.start = start
    self.end = end
    self.extentAtRest = extentAtRest
  }
}

extension [StickyLine] {
  /// Moves lines, which must be ascending and not overlap, so that they stay visible.
  ///
  /// If all fit in the room, they are stacked at the nearer edge. Otherwise each edge gets a third
  /// of the room, for as many lines as fit, those nearest to the center; each pushes out the ones
  /// beyond it. A larger line is pinned as soon as only a third of the room is left of it.
  ///
  /// Each stops at a fixed distance from the edge, and is pushed by others that stop or scroll with the content. So no
  /// line moves farther on the screen than the content.
  ///
  /// - Parameters:
  ///   - room: The uncovered part of the window.
  ///   - bounds: The allowed range of lines: the ends of the content push them out.
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

  /// Reverses the direction of coordinates.
  private mutating func mirror() {
    reverse()
    for index in indices {
      (self[index].start, self[index].end) = (-self[index].end, -self[index].start)
      self[index].distance = -self[index].distance
    }
  }

  /// Moves lines so that they stay after an edge.
  ///
  /// - Parameters:
  ///   - zone: The extent after the edge that they share.
  private mutating func hold(behind edge: Double, zone: Double, end: Double) {
    // The previous lines that fit in the zone beside one, and their extents.
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
