public import Geometry

/// The spreads of a document in order, and their sizes: the size pass that comes before every
/// position pass.
///
/// A layout of your own reads it; Recto's layouts place spreads by nothing else. What is stored
/// grows with the measured and customised pages alone: a spread without any has the *standard*
/// metric, that of a spread of estimated pages. The other lines lie in a sparse tree of sums, keyed
/// by the position with which they begin, so that a prefix sum is arithmetic plus O(log *n*).
public struct Spreads: Sendable {
  /// The configuration and the viewport.
  public private(set) var environment: LayoutEnvironment
  /// The order of the pages.
  public let pages: PageSequence
  /// The sizes of the pages, as far as they are known.
  public internal(set) var sizes: PageSizes

  let arrangement: any PageArranging
  /// The spreads in one line of the stack: 1, or the columns of a grid.
  private(set) var spreadsPerLine = 1
  private(set) var pairing: Pairing
  private(set) var gaps: GapTable
  /// The metric of a line of which nothing is known.
  private(set) var standard = LineMetric()
  /// The lines with measured or customised pages, by their first position.
  private(set) var lines = SparseTree<LineMetric>()
  /// Whether a page's size can tell how pages are paired.
  let pairsByShape: Bool
  private let hasBlanks: Bool
  /// Whether there is room for a spread at all.
  private(set) var hasRoom = false

  init(
    _ environment: LayoutEnvironment,
    pages: PageSequence,
    sizes: PageSizes,
    arrangement: any PageArranging
  ) {
    self.environment = environment
    self.pages = pages
    self.sizes = sizes
    self.arrangement = arrangement
    let configuration = environment.configuration
    pairsByShape = configuration.pairing.wideRatio != nil && configuration.spread.columnCount > 1
    hasBlanks = pages.runs.contains {
      if case .blanks = $0 { true } else { false }
    }
    pairing = Pairing(count: 0, columns: 1, startColumn: 0, events: [])
    gaps = GapTable(environment, pages: pages, pairing: pairing)
    pair()
    sum()
  }

  // MARK: The spreads

  /// The number of spreads.
  public var count: Int { pairing.spreadCount }

  /// The positions of a spread. O(log *e*) for *e* departures from the regular pairing.
  ///
  /// - Parameter index: A spread that exists.
  public func positions(of index: Int) -> Range<Int> { pairing.positions(of: index) }

  /// The spread that holds a position that exists.
  public func spread(of position: Int) -> Int { pairing.spread(of: position) }

  /// The size of a spread at the current fit and zoom, gaps between its pages included.
  public func size(of index: Int) -> Size { size(metric(of: index)) }

  /// The size that a metric has at the current zoom.
  public func size(_ metric: SpreadMetric) -> Size {
    let zoom = environment.configuration.zoom
    return Size(
      width: metric.width * metric.scale * zoom + Double(metric.columns - 1) * environment.pageGap,
      height: metric.height * metric.scale * zoom
    )
  }

  /// The size of a spread whose pages are all unmeasured, at the current fit and zoom.
  public var standardSize: Size { size(standardMetric) }

  /// Whether every page of the spread is measured.
  public func isMeasured(_ index: Int) -> Bool {
    positions(of: index).allSatisfy { slot(at: $0).isMeasured }
  }

  // MARK: Sizes

  /// A place in a spread.
  struct Slot {
    /// The page; nil for a blank.
    var page: Int?
    /// Width and height in points, turned as the view is, page margins included.
    var size: Size
    var isMeasured: Bool
  }

  func slot(at position: Int) -> Slot {
    guard hasBlanks else { return slot(of: pages.page(at: position) ?? 0) }
    if let page = pages.page(at: position) { return slot(of: page) }
    let neighbour = pageLending(sizeTo: position)
    guard let neighbour else {
      return Slot(page: nil, size: turned(PageSizes.missingBox), isMeasured: true)
    }
    var slot = slot(of: neighbour)
    slot.page = nil
    return slot
  }

  /// The page that a blank is as large as: the one in front of it, or else the one behind it.
  func pageLending(sizeTo position: Int) -> Int? {
    let run = pages.run(at: position)
    if run > 0, case .pages(let range) = pages.runs[run - 1] { return range.upperBound - 1 }
    if run + 1 < pages.runs.count, case .pages(let range) = pages.runs[run + 1] {
      return range.lowerBound
    }
    return nil
  }

  private func slot(of page: Int) -> Slot { slot(of: page, measured: sizes.measured(page)) }

  private func slot(of page: Int, measured: Size?) -> Slot {
    var size = turned(measured ?? sizes.estimated)
    let margins = environment.configuration.spacing.pageMargins
    if !margins.isEmpty, let margin = margins[page] {
      let turned = margin.rotated(by: environment.configuration.rotation)
      size.width += turned.horizontal
      size.height += turned.vertical
    }
    return Slot(page: page, size: size, isMeasured: measured != nil)
  }

  private func turned(_ size: Size) -> Size { size.rotated(by: environment.configuration.rotation) }

  /// The result of the size pass for a spread that exists. O(log *n*).
  public func metric(of index: Int) -> SpreadMetric {
    let positions = pairing.positions(of: index)
    var columns = columns(of: index).count
    var sum = 0.0
    var widest = 0.0
    var height = 0.0
    var isMeasured = true
    for position in positions {
      let slot = slot(at: position)
      sum += slot.size.width
      widest = max(widest, slot.size.width)
      height = max(height, slot.size.height)
      isMeasured = isMeasured && slot.isMeasured
    }
    columns = max(columns, positions.count)
    sum += Double(columns - positions.count) * widest
    return metric(width: sum, height: height, columns: columns, isMeasured: isMeasured)
  }

  /// The columns of a spread and the column of its first page.
  ///
  /// A cover that has a cell of its own stands in the middle.
  func columns(of index: Int) -> (count: Int, first: Int) {
    let columns = pairing.columns(of: index)
    if index == 0, columns.first > 0, environment.configuration.mode != .continuous,
      pairing.positions(of: 0).count == 1
    {
      return (1, 0)
    }
    return columns
  }

  private func metric(
    width: Double,
    height: Double,
    columns: Int,
    isMeasured: Bool
  ) -> SpreadMetric {
    let scale = arrangement.scale(
      width: width,
      height: height,
      columns: columns,
      in: environment
    )
    return SpreadMetric(
      width: width,
      height: height,
      columns: columns,
      scale: scale,
      isMeasured: isMeasured
    )
  }

  /// The page that the model spread is made of; nil where only blanks are shown.
  private var modelPage: Int? {
    guard pages.count > 0 else { return nil }
    return pages.page(at: 0) ?? pageLending(sizeTo: 0)
  }

  /// A spread whose columns are all like the first page shown.
  private var model: Size {
    guard pages.count > 0 else { return .zero }
    let size = slot(at: 0).size
    return Size(width: size.width * Double(pairing.columns), height: size.height)
  }

  /// The metric of a spread whose pages are all unmeasured.
  var standardMetric: SpreadMetric {
    let size = turned(sizes.estimated)
    // The same additions as in `metric(of:)`, so that an estimate that was right stays equal.
    var width = 0.0
    for _ in 0..<pairing.columns { width += size.width }
    return metric(
      width: width,
      height: size.height,
      columns: pairing.columns,
      isMeasured: false
    )
  }

  // MARK: Building

  private mutating func pair() {
    let configuration = environment.configuration
    pairing = Pairing(
      count: pages.count,
      columns: configuration.spread.columnCount,
      startColumn: configuration.spread.startColumn,
      events: pairingEvents()
    )
    gaps = GapTable(environment, pages: pages, pairing: pairing)
  }

  /// The departures from the regular pairing, ascending.
  private func pairingEvents() -> [Pairing.Event] {
    let rules = environment.configuration.pairing
    var events: [Pairing.Event] = []
    func add(_ kind: Pairing.Event.Kind, _ marked: Set<Int>) {
      for page in marked {
        pages.forEachPosition(of: page) { position in
          events.append(Pairing.Event(position: position, kind: kind))
        }
      }
    }
    add(.section, rules.sectionStarts)
    add(.together, rules.together)
    if environment.configuration.spread.columnCount > 1 {
      add(.alone, rules.alone)
      if pairsByShape {
        pages.forEachPiece(of: 0..<pages.count) { positions, range in
          guard let range else { return }
          sizes.tree.forEach(in: range) { page, entry in
            guard isWide(entry.size) else { return }
            let position = positions.lowerBound + page - range.lowerBound
            events.append(Pairing.Event(position: position, kind: .alone))
          }
        }
      }
    }
    events.sort { ($0.position, $0.kind.rawValue) < ($1.position, $1.kind.rawValue) }
    return events
  }

  /// Whether a page of this measured size stands alone by its shape; an unmeasured one never does.
  func isWide(_ size: Size?) -> Bool {
    guard pairsByShape, let size, let ratio = environment.configuration.pairing.wideRatio else {
      return false
    }
    let turned = turned(size)
    return turned.width >= turned.height * ratio
  }

  /// Builds the sums from the sizes. O(*m* log *m*) for *m* measured or customised pages.
  private mutating func sum() {
    environment.model = model
    spreadsPerLine = max(1, arrangement.spreadsPerLine(in: environment))
    standard = standardLine
    let columns = pairing.isRegular ? pairing.columns : pairing.wideColumns
    let scale = arrangement.scale(width: 1, height: 1, columns: columns, in: environment)
    hasRoom = !environment.isDegenerate && scale > 0
    lines = SparseTree()
    var found: [Int] = []
    func add(_ position: Int) {
      let line = line(ofSpread: pairing.spread(of: position))
      if found.last != line { found.append(line) }
    }
    let measured = sizes.tree
    pages.forEachPiece(of: 0..<pages.count) { positions, range in
      guard let range else {
        for position in positions { add(position) }
        return
      }
      measured.forEach(in: range) { page, _ in add(positions.lowerBound + page - range.lowerBound) }
    }
    for position in pairing.forced { add(position) }
    // A cover in the middle is like no other spread.
    if count > 0, self.columns(of: 0) != pairing.columns(of: 0) { add(0) }
    for page in environment.configuration.spacing.pageMargins.keys {
      forEachPosition(dependingOn: page) { add($0) }
    }
    update(found)
  }

  /// Recomputes lines and puts them into the sums.
  private mutating func update(_ lines: [Int]) {
    var entries: [(key: Int, element: LineMetric)] = []
    entries.reserveCapacity(lines.count)
    let ascending = zip(lines, lines.dropFirst()).allSatisfy { $0 < $1 }
    var last = -1
    for line in ascending ? lines : lines.sorted() where line != last {
      last = line
      entries.append((firstPosition(ofLine: line), lineMetric(line)))
    }
    self.lines.set(entries)
  }

  /// Calls `body` for the positions whose size follows from a page: its own, and blanks beside it.
  private func forEachPosition(dependingOn page: Int, _ body: (Int) -> Void) {
    pages.forEachPosition(of: page) { position in
      body(position)
      guard hasBlanks else { return }
      let run = pages.run(at: position)
      let next = run + 1
      if next < pages.runs.count, position + 1 == pages.starts[next],
        case .blanks = pages.runs[next]
      {
        for blank in pages.starts[next]..<pages.starts[next + 1] { body(blank) }
      }
      if run == 1, position == pages.starts[1], case .blanks = pages.runs[0] {
        for blank in 0..<position { body(blank) }
      }
    }
  }
}

// MARK: - Lines

extension Spreads {
  /// The number of lines of the stack.
  var lineCount: Int { (count + spreadsPerLine - 1) / spreadsPerLine }

  func line(ofSpread spread: Int) -> Int {
    spreadsPerLine == 1 ? spread : spread / spreadsPerLine
  }

  func firstPosition(ofLine line: Int) -> Int { pairing.firstPosition(of: line * spreadsPerLine) }

  /// The number of lines that begin in front of `position`.
  private func lines(before position: Int) -> Int {
    let spreads = pairing.spreads(before: position)
    return spreadsPerLine == 1 ? spreads : (spreads + spreadsPerLine - 1) / spreadsPerLine
  }

  /// The spreads of a line that exists.
  func spreads(ofLine line: Int) -> Range<Int> {
    line * spreadsPerLine..<min(count, (line + 1) * spreadsPerLine)
  }

  private var standardLine: LineMetric {
    lineMetric(standardMetric)
  }

  private func lineMetric(_ line: Int) -> LineMetric {
    if spreadsPerLine == 1 { return lineMetric(metric(of: line)) }
    var result = LineMetric(isExact: true)
    for spread in spreads(ofLine: line) {
      let metric = lineMetric(metric(of: spread))
      result.along = max(result.along, metric.along)
      result.cross = max(result.cross, metric.cross)
      result.isExact = result.isExact && metric.isExact
    }
    return result
  }

  private func lineMetric(_ metric: SpreadMetric) -> LineMetric {
    var width = metric.width * metric.scale
    let height = metric.height * metric.scale
    var isMultiple = metric.columns > 1
    if environment.configuration.mode != .continuous {
      // The page gap scales with the spread, so it is part of the width before zoom.
      width += Double(metric.columns - 1) * environment.configuration.pageGap
      isMultiple = false
    }
    return LineMetric(
      along: environment.isVertical ? height : width,
      cross: environment.isVertical ? width : height,
      isMultiple: isMultiple,
      isExact: metric.isMeasured
    )
  }

  /// What the page gaps add to a line of several columns along the axis.
  private var pageGapsAlong: Double {
    environment.isVertical ? 0 : Double(pairing.wideColumns - 1) * environment.pageGap
  }

  /// What the page gaps add to a line of several columns across the axis.
  private var pageGapsAcross: Double {
    environment.isVertical ? Double(pairing.wideColumns - 1) * environment.pageGap : 0
  }

  /// The extents of the first `count` lines, without the gaps between them.
  private func extent(ofFirst count: Int, stored: LineMetric.Total) -> Double {
    let rest = count - stored.count
    let zoomed =
      environment.configuration.zoom * (stored.along + Double(rest) * standard.along)
    let multiple = stored.multiple + (standard.isMultiple ? rest : 0)
    return multiple == 0 ? zoomed : zoomed + pageGapsAlong * Double(multiple)
  }

  private func gaps(upTo line: Int) -> Double {
    spreadsPerLine == 1
      ? gaps.sum(upTo: line, in: pairing) : environment.gap * Double(line)
  }

  /// Where a line begins and ends along the axis, counted from the first line's start.
  ///
  /// Both edges come from prefix sums: where the gap is 0, a line ends exactly where the next one
  /// begins, and no error adds up.
  /// - Parameter line: A line that exists.
  /// - Complexity: O(log *n*).
  func edges(ofLine line: Int) -> (start: Double, end: Double) {
    let gaps = gaps(upTo: line)
    let before = lines.total(before: firstPosition(ofLine: line))
    let through = lines.total(before: firstPosition(ofLine: line + 1))
    return (
      extent(ofFirst: line, stored: before) + gaps,
      extent(ofFirst: line + 1, stored: through) + gaps
    )
  }

  /// Where a line begins along the axis.
  func start(ofLine line: Int) -> Double {
    extent(ofFirst: line, stored: lines.total(before: firstPosition(ofLine: line)))
      + gaps(upTo: line)
  }

  /// The last line that begins at or in front of a distance from the first line's start; 0 when
  /// none does. There must be a line.
  ///
  /// - Complexity: O(log *n*), with 64 sums per level at most.
  func line(at distance: Double) -> Int {
    let place = lines.lastPlace { position, stored in
      let line = lines(before: position)
      return line < lineCount
        && extent(ofFirst: line, stored: stored) + gaps(upTo: line) <= distance
    }
    // Nothing is stored from here on: plain arithmetic on each step.
    let first = lines(before: place.keys.lowerBound)
    var lower = min(first, lineCount - 1)
    var upper = min(max(lower + 1, lines(before: place.keys.upperBound)), lineCount)
    while upper - lower > 1 {
      let middle = lower + (upper - lower) / 2
      if extent(ofFirst: middle, stored: place.sum) + gaps(upTo: middle) <= distance {
        lower = middle
      } else {
        upper = middle
      }
    }
    return lower
  }

  /// The lines that take up room between two distances from the first line's start.
  func lines(from lower: Double, to upper: Double) -> Range<Int> {
    guard lineCount > 0, upper > lower else { return 0..<0 }
    var first = line(at: lower)
    if edges(ofLine: first).end <= lower { first += 1 }
    var last = line(at: upper)
    if start(ofLine: last) < upper { last += 1 }
    return first..<max(first, last)
  }

  /// The extent of all lines with the gaps between them.
  var length: Double {
    lineCount == 0 ? 0 : extent(ofFirst: lineCount, stored: lines.total) + gaps(upTo: lineCount - 1)
  }

  /// The largest extent across the axis.
  var breadth: Double {
    guard lineCount > 0 else { return 0 }
    let total = lines.total
    let zoom = environment.configuration.zoom
    var single = total.crossOfSingle
    var multiple = total.crossOfMultiple
    if total.count < lineCount {
      if standard.isMultiple {
        multiple = max(multiple, standard.cross)
      } else {
        single = max(single, standard.cross)
      }
    }
    return max(single * zoom, multiple > 0 ? multiple * zoom + pageGapsAcross : 0)
  }

  /// Whether every page in `range` of the lines is measured. O(log *n*).
  func areLinesMeasured(_ range: Range<Int>) -> Bool {
    guard !range.isEmpty else { return true }
    let before = lines.total(before: firstPosition(ofLine: range.lowerBound))
    let through = lines.total(before: firstPosition(ofLine: range.upperBound))
    return through.exact - before.exact == range.count
  }
}

// MARK: - Measuring

extension Spreads {
  /// What taking in sizes did to the spreads.
  struct Change {
    /// The spreads whose size or pages may be different; nil: none.
    var spreads: Range<Int>?
    /// Whether anything has another size, rather than only being exact now.
    var movesAnything = false

    static let none = Change()

    mutating func include(_ range: Range<Int>) {
      spreads =
        spreads.map {
          min($0.lowerBound, range.lowerBound)..<max($0.upperBound, range.upperBound)
        } ?? range
    }
  }

  /// Takes in one size.
  mutating func measure(_ page: Int, as size: Size) -> Change {
    let new = PageSizes.layable(size)
    let estimated = sizes.estimated
    let (isNew, old) = sizes.take(page, new)
    guard isNew else { return .none }
    if estimated != sizes.estimated || (page == modelPage && environment.model != model)
      || isWide(old) != isWide(new)
    {
      return absorb([PageSizes.Change(page: page, old: old, new: new)], estimated: estimated)
    }
    var change = Change(movesAnything: (old ?? estimated) != new)
    if let position = pages.onlyPosition(of: page) {
      if isPlain {
        lines.set(position, to: lineMetric(of: page, measured: new))
        change.include(position..<position + 1)
      } else {
        remeasure(position, &change)
      }
      return change
    }
    var positions: [Int] = []
    forEachPosition(dependingOn: page) { positions.append($0) }
    for position in positions { remeasure(position, &change) }
    return change
  }

  /// Whether every line is one page, in the order of the document: then a size that arrives is all
  /// there is to know about its line, and need not be looked up again.
  private var isPlain: Bool {
    spreadsPerLine == 1 && pairing.columns == 1 && pairing.isRegular && pages.runs.count == 1
  }

  /// The metric of a line that is one measured page.
  private func lineMetric(of page: Int, measured size: Size) -> LineMetric {
    let slot = slot(of: page, measured: size)
    return lineMetric(
      metric(width: slot.size.width, height: slot.size.height, columns: 1, isMeasured: true)
    )
  }

  /// Brings the line that holds a position up to date.
  private mutating func remeasure(_ position: Int, _ change: inout Change) {
    let line = line(ofSpread: pairing.spread(of: position))
    let metric = lineMetric(line)
    lines.set(firstPosition(ofLine: line), to: metric)
    change.include(spreads(ofLine: line))
  }

  /// Takes in a batch of sizes.
  mutating func measure(_ batch: [MeasuredSize]) -> Change {
    if batch.count == 1 { return measure(batch[0].page, as: batch[0].size) }
    let estimated = sizes.estimated
    let changed = sizes.take(batch)
    return changed.isEmpty ? .none : absorb(changed, estimated: estimated)
  }

  /// The lines that hold pages whose size is new, and the spreads of those that have moved.
  ///
  /// Not mutating, so that the closure borrows the spreads instead of copying them for each page.
  private func linesTouched(by changed: [PageSizes.Change], estimated: Size) -> (
    lines: [Int], change: Change
  ) {
    var change = Change.none
    var found: [Int] = []
    found.reserveCapacity(changed.count)
    for entry in changed {
      let moves = (entry.old ?? estimated) != entry.new
      func touch(_ position: Int) {
        let line = line(ofSpread: pairing.spread(of: position))
        if found.last != line { found.append(line) }
        if moves { change.include(spreads(ofLine: line)) }
      }
      if let position = pages.onlyPosition(of: entry.page) {
        touch(position)
      } else {
        forEachPosition(dependingOn: entry.page, touch)
      }
    }
    return (found, change)
  }

  private mutating func absorb(_ changed: [PageSizes.Change], estimated: Size) -> Change {
    if pairsByShape, changed.contains(where: { isWide($0.old) != isWide($0.new) }) {
      pair()
      sum()
      return Change(spreads: 0..<count, movesAnything: true)
    }
    if environment.model != model {
      // Rare: the first page shown has another size, and tiles may follow from it.
      sum()
      return Change(spreads: 0..<count, movesAnything: true)
    }
    if isPlain, estimated == sizes.estimated {
      var change = Change.none
      var entries: [(key: Int, element: LineMetric)] = []
      entries.reserveCapacity(changed.count)
      for entry in changed {
        guard let position = pages.onlyPosition(of: entry.page) else { continue }
        entries.append((position, lineMetric(of: entry.page, measured: entry.new)))
        if (entry.old ?? estimated) != entry.new { change.include(position..<position + 1) }
      }
      lines.set(entries)
      change.movesAnything = change.spreads != nil
      return change
    }
    var (found, change) = linesTouched(by: changed, estimated: estimated)
    if estimated != sizes.estimated {
      standard = standardLine
      // Lines that rest on the estimate in part.
      lines.forEach(in: 0..<pages.count, where: { $0.exact < $0.count }) { position, _ in
        found.append(line(ofSpread: pairing.spread(of: position)))
      }
      change = Change(spreads: 0..<count)
    }
    update(found)
    change.movesAnything = change.spreads != nil
    return change
  }
}

extension Insets {
  /// The insets as they lie after a clockwise rotation.
  func rotated(by rotation: Rotation) -> Insets {
    switch rotation {
    case .none: self
    case .quarter: Insets(top: left, right: top, bottom: right, left: bottom)
    case .half: Insets(top: bottom, right: left, bottom: top, left: right)
    case .threeQuarters: Insets(top: right, right: bottom, bottom: left, left: top)
    }
  }
}
