import PageLayout
import RectoGeometry
import Testing

/// What has moved between two layouts, found by comparing all frames, by the rules that
/// `Invalidation` documents.
struct PlainInvalidation {
  private(set) var changed: [Range<Int>] = []
  private(set) var displaced: [(spreads: Range<Int>, distance: Point)] = []
  /// The largest coordinate.
  let extent: Double

  /// The spreads of one line, and how far each has gone as it is; nil: it has changed.
  private struct Line {
    var spreads: Range<Int>
    var ways: [Point?]
  }

  /// What has moved from one layout to another, by comparing all spreads.
  ///
  /// - Parameters:
  ///   - new: The layout after the change.
  ///   - old: The layout before.
  ///   - changes: What an edit has done to the order; nil after anything else.
  ///   - keepsIndices: Whether a spread with another index is another one.
  init(_ new: Layout, _ old: Layout, _ changes: PageChanges?, keepsIndices: Bool = false) {
    let sizes = [new.contentSize, old.contentSize]
    extent = sizes.map { max($0.width, $0.height) }.max() ?? 0
    if new.isEmpty && old.isEmpty { return }
    guard !new.isEmpty, !old.isEmpty, new.configuration.rotation == old.configuration.rotation
    else {
      add(0..<new.spreadCount, nil)
      return
    }
    let counterparts = (0..<new.spreadCount).map { index -> Int? in
      let found = Self.counterpart(of: index, new, old, changes)
      return keepsIndices && found != index ? nil : found
    }
    let before = Set(Self.lines(old))
    var stands = true
    var lines: [Line] = []
    for spreads in Self.lines(new) {
      let olds = spreads.compactMap { counterparts[$0] }
      let isSame =
        olds.count == spreads.count && zip(olds, olds.dropFirst()).allSatisfy { $0 + 1 == $1 }
        && before.contains(olds[0]..<olds[olds.count - 1] + 1)
      let ways = spreads.map { index in
        isSame || stands ? counterparts[index].flatMap { way(of: index, new, $0, old) } : nil
      }
      stands = isSame
      lines.append(Line(spreads: spreads, ways: ways))
    }
    add(lines)
  }

  private mutating func add(_ lines: [Line]) {
    let tolerance = 1e-6 * max(1, extent * 1e-8)
    func isSame(_ first: Point?, _ second: Point?) -> Bool {
      guard let first, let second else { return false }
      return abs(first.x - second.x) <= tolerance && abs(first.y - second.y) <= tolerance
    }
    let goTheirOwnWay = lines.indices.map { index in
      let ways = lines[index].ways
      return ways.allSatisfy { $0 != nil } && ways.contains { $0 != .zero }
        && !(index > 0 && isSame(lines[index - 1].ways.last ?? nil, ways[0]))
        && !(index + 1 < lines.count && isSame(ways[ways.count - 1], lines[index + 1].ways[0]))
    }
    var index = 0
    while index < lines.count {
      let end = goTheirOwnWay[index...].firstIndex(of: false) ?? lines.count
      for line in index..<max(end, index + 1) {
        for (spread, way) in zip(lines[line].spreads, lines[line].ways) {
          add(spread..<spread + 1, end - index >= 3 ? nil : way, tolerance)
        }
      }
      index = max(end, index + 1)
    }
  }

  private mutating func add(_ spreads: Range<Int>, _ way: Point?, _ tolerance: Double = 1e-6) {
    guard let way else {
      if let last = changed.last, last.upperBound == spreads.lowerBound {
        changed[changed.count - 1] = last.lowerBound..<spreads.upperBound
      } else if !spreads.isEmpty {
        changed.append(spreads)
      }
      return
    }
    if way == .zero { return }
    if let last = displaced.last, last.spreads.upperBound == spreads.lowerBound,
      abs(last.distance.x - way.x) <= tolerance, abs(last.distance.y - way.y) <= tolerance
    {
      displaced[displaced.count - 1].spreads = last.spreads.lowerBound..<spreads.upperBound
    } else {
      displaced.append((spreads, way))
    }
  }

  /// The spreads of each row; in modes without rows, each spread.
  private static func lines(_ layout: Layout) -> [Range<Int>] {
    var lines: [Range<Int>] = []
    var last: (Double, Double)?
    let hasRows = [.grid, .flow].contains(layout.configuration.mode)
    for index in 0..<layout.spreadCount {
      guard hasRows, let cell = layout.spread(index)?.cell else {
        lines.append(index..<index + 1)
        continue
      }
      let isVertical = layout.configuration.axis == .vertical
      let part = isVertical ? (cell.minY, cell.maxY) : (cell.minX, cell.maxX)
      if let last, last == part {
        lines[lines.count - 1] = lines[lines.count - 1].lowerBound..<index + 1
      } else {
        lines.append(index..<index + 1)
      }
      last = part
    }
    return lines
  }

  private static func counterpart(
    of index: Int,
    _ new: Layout,
    _ old: Layout,
    _ changes: PageChanges?
  ) -> Int? {
    guard let positions = new.positions(inSpread: index) else { return nil }
    let before = positions.compactMap { position in
      changes.map { $0.oldPosition(of: position) } ?? (position < old.pages.count ? position : nil)
    }
    guard before.count == positions.count,
      let found = old.spread(containingPosition: before[0]),
      Array(old.positions(inSpread: found) ?? 0..<0) == before,
      zip(before, positions).allSatisfy({ old.pages.page(at: $0) == new.pages.page(at: $1) })
    else { return nil }
    return found
  }

  /// How far a spread has gone as it is; nil: it has changed.
  private func way(of index: Int, _ new: Layout, _ before: Int, _ old: Layout) -> Point? {
    guard let first = old.spread(before), let second = new.spread(index) else { return nil }
    let frames = first.pages.isEmpty ? [first.frame] : first.pages.map(\.frame)
    let others = second.pages.isEmpty ? [second.frame] : second.pages.map(\.frame)
    let way = Point(x: others[0].minX - frames[0].minX, y: others[0].minY - frames[0].minY)
    let tolerance = max(1e-6, 1e-11 * extent)
    let isWhole = zip(frames, others).allSatisfy {
      let moved = $0.offsetBy(x: way.x, y: way.y)
      return abs(moved.minX - $1.minX) <= tolerance && abs(moved.minY - $1.minY) <= tolerance
        && abs(moved.width - $1.width) <= tolerance && abs(moved.height - $1.height) <= tolerance
    }
    guard isWhole else { return nil }
    return abs(way.x) <= tolerance && abs(way.y) <= tolerance ? .zero : way
  }
}

/// Whether what was found is what comparing all frames finds.
func check(_ found: Invalidation, _ plain: PlainInvalidation, _ context: String) {
  #expect(found.changed == plain.changed, "\(context)")
  let tolerance = 1e-5 * max(1, plain.extent * 1e-6)
  let areSame =
    found.displaced.map(\.spreads) == plain.displaced.map(\.spreads)
    && zip(found.displaced, plain.displaced).allSatisfy {
      abs($0.distance.x - $1.distance.x) <= tolerance
        && abs($0.distance.y - $1.distance.y) <= tolerance
    }
  #expect(areSame, "\(context): \(found.displaced), plainly \(plain.displaced)")
}
