import PageLayout
import RectoGeometry

/// The places of sticky pages in the plainest way: every sum is a loop.
struct PlainSticky {
  struct Place {
    var index: Int
    var frame: Rect
    /// What its cell shows of it.
    var seen: Rect
  }
  struct Line {
    var places: [Place]
    var start: Double
    var end: Double
    var extent: Double { end - start }
  }

  let configuration: LayoutConfiguration
  var lines: [Line] = []

  private var isVertical: Bool { configuration.axis == .vertical }
  private var isBackwards: Bool { !isVertical && configuration.isRightToLeft }

  init(_ layout: Layout) {
    configuration = layout.configuration
    let plain = BruteForce(layout)
    var rows: [Int?: [Place]] = [:]
    for page in Set(configuration.stickyPages) {
      guard let position = plain.positions.firstIndex(of: page),
        let index = plain.spreads.firstIndex(where: { $0.positions.contains(position) }),
        let first = plain.spreads[index].pages.first
      else { continue }
      let spread = plain.spreads[index]
      let frame = spread.pages.reduce(first.frame) { $0.union($1.frame) }
      // What its cell cuts off is not seen.
      guard let seen = layout.spread(index).flatMap({ frame.intersection($0.cell) }) else {
        continue
      }
      let place = Place(index: index, frame: frame, seen: seen)
      // The spreads of a row have it in common.
      let row = spread.row.flatMap { row in
        plain.spreads.firstIndex { $0.row.map { $0 == row } ?? false }
      }
      if rows[row ?? index, default: []].contains(where: { $0.index == index }) { continue }
      rows[row ?? index, default: []].append(place)
    }
    for places in rows.values {
      let ends = places.map { along($0.seen) }
      lines.append(
        Line(
          places: places,
          start: ends.map(\.start).min() ?? 0,
          end: ends.map(\.end).max() ?? 0
        )
      )
    }
    lines.sort { $0.start < $1.start }
  }

  /// Where a rectangle begins and ends in reading direction.
  private func along(_ rect: Rect) -> (start: Double, end: Double) {
    if isVertical { return (rect.minY, rect.maxY) }
    return isBackwards ? (-rect.maxX, -rect.minX) : (rect.minX, rect.maxX)
  }

  /// The extent of some lines.
  private func extent(_ range: Range<Int>) -> Double {
    range.reduce(0) { $0 + lines[$1].extent }
  }

  /// Where the spreads are in a window, by their index.
  func frames(in window: Rect) -> [Int: Place] {
    let room = along(window.inset(by: configuration.contentInsets))
    let extent = room.end - room.start
    guard extent > 0 else { return [:] }
    let all = lines.indices
    let fits = self.extent(0..<lines.count) <= extent + 1e-6
    let zone = fits ? extent : extent / 3
    /// The extent of as many lines of a range as fit, with a line, from the range's end or start.
    func beside(_ index: Int, _ ranges: [Range<Int>]) -> Double {
      let own = lines[index].extent
      let fitting = ranges.map { self.extent($0) }.filter { $0 + own <= zone + 1e-6 }
      return min(fitting.max() ?? 0, zone - own)
    }
    let fromStart = all.map { index in
      let stop = room.start + beside(index, (0...index).map { $0..<index })
      return max(lines[index].start, stop)
    }
    let fromEnd = all.map { index in
      let stop = room.end - beside(index, (index..<lines.count).map { index + 1..<$0 + 1 })
      return min(lines[index].end, stop)
    }
    var result: [Int: Place] = [:]
    for index in all {
      // Those behind push it on, and so do those in front from the other edge.
      let start = (index..<lines.count).map { fromStart[$0] - self.extent(index..<$0) }.min() ?? 0
      let end = (0...index).map { fromEnd[$0] + self.extent($0 + 1..<index + 1) }.max() ?? 0
      var distance = start > lines[index].start + 1e-9 ? start - lines[index].start : 0
      if distance == 0, end < lines[index].end { distance = end - lines[index].end }
      if isBackwards { distance = -distance }
      for place in lines[index].places {
        let (x, y) = isVertical ? (0, distance) : (distance, 0)
        result[place.index] = Place(
          index: place.index,
          frame: place.frame.offsetBy(x: x, y: y),
          seen: place.seen.offsetBy(x: x, y: y)
        )
      }
    }
    return result
  }

  /// The largest distance that a place in a carousel moves on the screen for a unit of scrolling.
  static func carouselSpeed(_ layout: Layout) -> Double {
    let plain = BruteForce(layout)
    // A role farther, a spread goes at most from one side of the room to beyond the other; those
    // beside which it is pinned grow or shrink no faster.
    let extent =
      layout.configuration.axis == .vertical ? layout.viewport.height : layout.viewport.width
    return 4 * (extent + layout.configuration.gap) / plain.carouselStep
  }
}

/// Where sticky pages are on the screen, and how much of each is seen.
struct SeenSticky {
  struct Key: Hashable {
    var path: PartPath
    var position: Int
  }
  struct Place {
    var frame: Rect
    var seen: Rect?
  }
  var places: [Key: Place] = [:]

  init(_ layout: Layout, _ sticky: Set<PageIndex>, at offset: Point) {
    let window = Rect(origin: offset, size: layout.viewport)
    for spread in layout.spreads(visibleIn: window) { add(spread, [], sticky, window) }
  }

  init(_ column: LayoutColumn, in window: Rect) {
    for entry in column.spreads(visibleIn: window) {
      let sticky = column.layout(at: entry.path)?.configuration.stickyPages ?? []
      add(entry.spread, entry.path, Set(sticky), window)
    }
  }

  private mutating func add(
    _ spread: LaidOutSpread,
    _ path: PartPath,
    _ sticky: Set<PageIndex>,
    _ window: Rect
  ) {
    guard spread.pages.contains(where: { sticky.contains($0.page) }) else { return }
    for page in spread.pages {
      places[Key(path: path, position: page.position)] = Place(
        frame: page.frame.offsetBy(x: -window.minX, y: -window.minY),
        seen: page.visible(in: window)?.offsetBy(x: -window.minX, y: -window.minY)
      )
    }
  }

  /// The farthest that an edge of a page, or of what is seen of it, has moved; what is not seen is as
  /// good as a page of no extent.
  func farthest(from other: SeenSticky) -> Double {
    var result = 0.0
    for key in Set(places.keys).union(other.places.keys) {
      let (first, second) = (other.places[key], places[key])
      if let first, let second, first.seen != nil || second.seen != nil {
        for side in [\Rect.minX, \.maxX, \.minY, \.maxY] {
          result = max(result, abs(first.frame[keyPath: side] - second.frame[keyPath: side]))
        }
      }
      switch (first?.seen, second?.seen) {
      case (nil, nil): break
      case (let seen?, nil), (nil, let seen?):
        result = max(result, min(seen.width, seen.height))
      case (let first?, let second?):
        for side in [\Rect.minX, \.maxX, \.minY, \.maxY] {
          result = max(result, abs(first[keyPath: side] - second[keyPath: side]))
        }
      }
    }
    return result
  }
}
