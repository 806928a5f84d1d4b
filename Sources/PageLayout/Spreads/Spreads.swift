public import RectoGeometry

/// The spreads of a document in order, and their sizes: the size pass that comes before every
/// position pass.
///
/// All layouts, including custom ones, place spreads only by this. Storage grows only with the
/// measured and customized pages: a spread without any has the *standard* metric, that of a spread
/// of estimated pages. The other lines are in a sparse tree of sums, keyed by their first position,
/// so that a prefix sum is arithmetic plus O(log *n*).
public struct Spreads: Sendable {
  /// The configuration and the viewport.
  public internal(set) var environment: LayoutEnvironment
  /// The order of the pages.
  public let pages: PageSequence
  /// The sizes of the pages, as far as they are known.
  public internal(set) var sizes: PageSizes

  /// The arrangement, without anything prepared: that of the size pass.
  let arrangement: Arrangement
  /// The spreads per line: 1, or the columns of a grid; 0 if it varies, as in a flow.
  public internal(set) var spreadsPerLine = 1
  /// The lines, if spreads break into rows by their widths.
  var flow: FlowRows?
  var pairing: Pairing
  var gaps: GapTable
  /// The metric of an unknown line.
  var standard = LineMetric()
  /// The lines with measured or customized pages, by their first position.
  var lines = SparseTree<LineMetric>()
  /// If all spreads share a scale, the ones that they would have by themselves.
  var scales = SharedScale()
  /// Whether a page's size can affect the pairing.
  public let pairsByShape: Bool
  let hasBlanks: Bool
  /// See ``PageArranging/placesByRule``.
  let placesByRule: Bool
  /// Whether there is room for a spread at all.
  private(set) var hasRoom = false

  init(
    _ environment: LayoutEnvironment,
    pages: PageSequence,
    sizes: PageSizes,
    arrangement: Arrangement
  ) {
    self.environment = environment
    self.pages = pages
    self.sizes = sizes
    self.arrangement = arrangement
    placesByRule = arrangement.placesByRule
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

  /// The positions of a spread. O(log *e*) for *e* exceptions to the regular pairing.
  ///
  /// - Parameter index: A spread that exists.
  /// - Returns: The positions.
  public func positions(of index: Int) -> Range<Int> { pairing.positions(of: index) }

  /// The spread with a position, which must exist.
  public func spread(of position: Int) -> Int { pairing.spread(of: position) }

  /// The size of a spread at the current fit and zoom, including gaps between its pages.
  public func size(of index: Int) -> Size { size(metric(of: index)) }

  /// The size of a metric at the current zoom.
  public func size(_ metric: SpreadMetric) -> Size {
    let zoom = environment.configuration.zoom
    return Size(
      width: metric.width * metric.scale * zoom + Double(metric.columns - 1) * environment.pageGap,
      height: metric.height * metric.scale * zoom
    )
  }

  /// Whether every page of the spread is measured.
  public func isMeasured(_ index: Int) -> Bool {
    positions(of: index).allSatisfy { slot(at: $0).isMeasured }
  }

  // MARK: Sizes

  /// A place in a spread.
  struct Slot {
    /// The page; nil for a blank.
    var page: PageIndex?
    /// The displayed size of the page, before the view's rotation, in points.
    var pageSize: Size
    /// Width and height in points, rotated like the view, including page margins.
    var size: Size
    var isMeasured: Bool
    /// The page's scale as a multiple of the spread's; above 1 if it is matched to a larger one.
    var factor = 1.0
  }

  func slot(at position: Int) -> Slot {
    guard hasBlanks else { return slot(of: pages.page(at: position) ?? 0) }
    if let page = pages.page(at: position) { return slot(of: page) }
    let neighbor = pageLending(sizeTo: position)
    guard let neighbor else {
      let size = PageSizes.missingBox
      return Slot(page: nil, pageSize: size, size: turned(size), isMeasured: true)
    }
    var slot = slot(of: neighbor)
    slot.page = nil
    return slot
  }

  /// The page whose size a blank has: the previous one, or else the next one.
  func pageLending(sizeTo position: Int) -> PageIndex? {
    let run = pages.run(at: position)
    if run > 0, let page = pages.runs[run - 1].last { return page }
    return run + 1 < pages.runs.count ? pages.runs[run + 1].first : nil
  }

  /// The pages whose size blanks at the ends of `positions` have; they may be outside.
  func pagesLending(toBlanksAtEndsOf positions: Range<Int>) -> [PageIndex] {
    guard hasBlanks, !positions.isEmpty else { return [] }
    return [positions.lowerBound, positions.upperBound - 1].compactMap { end in
      pages.page(at: end) == nil ? pageLending(sizeTo: end) : nil
    }
  }

  func slot(of page: PageIndex) -> Slot { slot(of: page, measured: sizes.measured(page)) }

  func slot(of page: PageIndex, measured: Size?) -> Slot {
    let pageSize = measured ?? sizes.estimated
    var size = turned(pageSize)
    let margins = environment.configuration.spacing.pageMargins
    if !margins.isEmpty, let margin = margins[page] {
      let turned = margin.rotated(by: environment.configuration.rotation)
      size.width += turned.horizontal
      size.height += turned.vertical
    }
    return Slot(page: page, pageSize: pageSize, size: size, isMeasured: measured != nil)
  }

  func turned(_ size: Size) -> Size { size.rotated(by: environment.configuration.rotation) }

  /// All that stands in a spread that exists, matched in size.
  func slots(of index: Int) -> [Slot] {
    let positions = pairing.positions(of: index)
    let side = commonSide(of: positions)
    return positions.map { slot(at: $0, matching: side) }
  }

  /// The result of the size pass for a spread that exists. O(log *n*).
  public func metric(of index: Int) -> SpreadMetric {
    // Does not use `slots(of:)`, so that nothing is allocated, and nothing captures the spreads.
    var sum = SlotSum()
    let positions = pairing.positions(of: index)
    let side = commonSide(of: positions)
    for position in positions { sum.add(slot(at: position, matching: side)) }
    return metric(of: sum, columns: columns(of: index).count)
  }

  /// The sum of the slots of a spread.
  struct SlotSum {
    var count = 0
    var width = 0.0
    var widest = 0.0
    var height = 0.0
    var isMeasured = true

    mutating func add(_ slot: Slot) {
      count += 1
      width += slot.size.width
      widest = max(widest, slot.size.width)
      height = max(height, slot.size.height)
      isMeasured = isMeasured && slot.isMeasured
    }
  }

  /// The result of the size pass for a spread.
  ///
  /// - Parameters:
  ///   - columns: Its columns, including empty ones.
  /// - Returns: The size of the spread in points, and its scale.
  func metric(of sum: SlotSum, columns: Int) -> SpreadMetric {
    let columns = max(columns, sum.count)
    return metric(
      width: sum.width + Double(columns - sum.count) * sum.widest,
      height: sum.height,
      columns: columns,
      isMeasured: sum.isMeasured
    )
  }

  /// The columns of a spread and the column of its first page.
  ///
  /// A cover with its own cell is centered.
  func columns(of index: Int) -> (count: Int, first: Int) {
    let columns = pairing.columns(of: index)
    if index == 0, columns.first > 0, !environment.isOneCanvas,
      pairing.positions(of: 0).count == 1
    {
      return (1, 0)
    }
    return columns
  }

  func metric(
    width: Double,
    height: Double,
    columns: Int,
    isMeasured: Bool
  ) -> SpreadMetric {
    SpreadMetric(
      width: width,
      height: height,
      columns: columns,
      scale: scales.shared
        ?? arrangement.scale(width: width, height: height, columns: columns, in: environment),
      isMeasured: isMeasured
    )
  }

  /// The page of the model spread; nil if only blanks are shown.
  var modelPage: PageIndex? {
    guard pages.count > 0 else { return nil }
    return pages.page(at: 0) ?? pageLending(sizeTo: 0)
  }

  /// A spread whose columns are all like the first page shown.
  var model: Size {
    guard pages.count > 0 else { return .zero }
    let size = slot(at: 0).size
    return Size(width: size.width * Double(pairing.columns), height: size.height)
  }

  /// The metric of a spread whose pages are all unmeasured.
  var standardMetric: SpreadMetric {
    let size = turned(sizes.estimated)
    // The same additions as in `metric(of:)`, so that a correct estimate compares equal.
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

  mutating func pair() {
    let configuration = environment.configuration
    pairing = Pairing(
      count: pages.count,
      columns: configuration.spread.columnCount,
      startColumn: configuration.spread.startColumn,
      events: pairingEvents()
    )
    gaps = GapTable(environment, pages: pages, pairing: pairing)
  }

  /// The exceptions to the regular pairing, ascending.
  func pairingEvents() -> [Pairing.Event] {
    let rules = environment.configuration.pairing
    var events: [Pairing.Event] = []
    func add(_ kind: Pairing.Event.Kind, _ marked: Set<PageIndex>) {
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
        pages.forEachPiece(of: 0..<pages.count) { positions, run in
          sizes.tree.forEach(in: run.pages?.values ?? 0..<0) { index, entry in
            guard isWide(entry.size) else { return }
            let position = positions.lowerBound + run.place(of: PageIndex(index))
            events.append(Pairing.Event(position: position, kind: .alone))
          }
        }
      }
    }
    events.sort { ($0.position, $0.kind.rawValue) < ($1.position, $1.kind.rawValue) }
    return events
  }

  /// Whether a page of this measured size is alone because of its shape; never for an unmeasured
  /// one.
  func isWide(_ size: Size?) -> Bool {
    guard pairsByShape, let size, let ratio = environment.configuration.pairing.wideRatio else {
      return false
    }
    let turned = turned(size)
    return turned.width >= turned.height * ratio
  }

  /// Builds the sums from the sizes. O(*m* log *m*) for *m* measured or customized pages.
  mutating func sum() {
    environment.model = model
    let breaking = arrangement.lineBreaking(in: environment)
    spreadsPerLine = breaking == nil ? max(1, arrangement.spreadsPerLine(in: environment)) : 1
    flow = nil
    let found = customizedSpreads
    shareScale(among: found)
    standard = standardLine
    let columns = pairing.isRegular ? pairing.columns : pairing.wideColumns
    let scale = arrangement.scale(width: 1, height: 1, columns: columns, in: environment)
    hasRoom = !environment.isDegenerate && scale > 0
    lines = SparseTree()
    if let breaking {
      flow(found, breaking)
    } else {
      update(spreadsPerLine == 1 ? found : found.map { $0 / spreadsPerLine })
    }
  }

  /// The spreads with measured or customized pages, and with blanks: all that may not have the
  /// standard metric.
  private var customizedSpreads: [Int] {
    var found: [Int] = []
    func add(_ position: Int) {
      let spread = pairing.spread(of: position)
      if found.last != spread { found.append(spread) }
    }
    let measured = sizes.tree
    pages.forEachPiece(of: 0..<pages.count) { positions, run in
      guard let pages = run.pages else {
        for position in positions { add(position) }
        return
      }
      measured.forEach(in: pages.values) { index, _ in
        add(positions.lowerBound + run.place(of: PageIndex(index)))
      }
    }
    for position in pairing.forced { add(position) }
    // A centered cover is a special case.
    if count > 0, self.columns(of: 0) != pairing.columns(of: 0) { add(0) }
    for page in environment.configuration.spacing.pageMargins.keys {
      forEachPosition(dependingOn: page) { add($0) }
    }
    return found.ascending
  }

  /// Recomputes lines and puts them into the sums.
  mutating func update(_ lines: [Int]) { self.lines.set(entries(for: lines)) }

  /// Lines for the sums, ascending and unique.
  func entries(for lines: [Int]) -> [(key: Int, element: LineMetric)] {
    lines.ascending.map { (firstPosition(ofLine: $0), lineMetric($0)) }
  }

  /// Calls `body` for the positions whose size depends on a page: its own, and blanks beside it.
  func forEachPosition(dependingOn page: PageIndex, _ body: (Int) -> Void) {
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

extension [Int] {
  /// The numbers in ascending order, each of them once.
  var ascending: [Int] {
    if zip(self, dropFirst()).allSatisfy({ $0 < $1 }) { return self }
    var result: [Int] = []
    result.reserveCapacity(count)
    for number in sorted() where result.last != number { result.append(number) }
    return result
  }
}

extension Insets {
  /// The insets after a clockwise rotation.
  func rotated(by rotation: Rotation) -> Insets {
    switch rotation {
    case .none: self
    case .quarter: Insets(top: left, right: top, bottom: right, left: bottom)
    case .half: Insets(top: bottom, right: left, bottom: top, left: right)
    case .threeQuarters: Insets(top: right, right: bottom, bottom: left, left: top)
    }
  }
}
