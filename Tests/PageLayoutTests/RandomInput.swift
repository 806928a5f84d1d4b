import PageLayout
import RectoGeometry
import TestSupport

/// A configuration, pages, sizes and a viewport, drawn from a seed.
struct RandomInput {
  var configuration = LayoutConfiguration()
  var pages: PageSequence
  /// The true sizes; what is measured is a part of them.
  var sizes: [Size]
  var viewport: Size

  var generator: SeededGenerator

  init(seed: Int, mode: LayoutConfiguration.Mode, pageCount: Int? = nil) {
    var random = SeededGenerator(seed)
    let count = pageCount ?? random.pick([1, 2, 3, 5, 8, 13, 70, 150])
    var kinds = [Size(width: 612, height: 792), Size(width: 595.276, height: 841.89)]
    if random.chance(0.7) {
      kinds += [
        Size(width: 1190, height: 842), Size(width: 200, height: 300),
        Size(width: 90, height: 1200),
        Size(width: 3000, height: 2000.5), Size(width: 841.89, height: 595.276),
      ]
    }
    if random.chance(0.2) {
      kinds += [
        .zero, Size(width: .nan, height: 3), Size(width: 1e38, height: 1e38),
        Size(width: .infinity, height: 10), Size(width: 1e7, height: 1e6),
        Size(width: 0.1, height: 2),
      ]
    }
    sizes = (0..<count).map { _ in random.pick(kinds) }
    viewport = Size(width: random.number(60...2000), height: random.number(60...1500))
    pages = PageSequence(pageCount: count)
    if random.chance(0.3) { pages = Self.sequence(count, &random) }
    configuration = Self.configuration(mode, count, &random)
    if random.chance(0.3) { configuration.fitScope = .document }
    configuration.match = random.pick([.none, .none, .height, .width])
    generator = random
  }

  private static func sequence(_ count: Int, _ random: inout SeededGenerator) -> PageSequence {
    var runs: [PageSequence.Run] = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      if random.chance(0.2) {
        runs.append(.blanks(Int.random(in: 1...3, using: &random)))
      } else {
        let start = Int.random(in: 0..<count, using: &random)
        let range = start..<Int.random(in: start...count, using: &random)
        runs.append(
          random.chance(0.3) ? .backwards(Range(indices: range)) : .pages(Range(indices: range))
        )
      }
    }
    return PageSequence(runs)
  }

  private static func configuration(
    _ mode: LayoutConfiguration.Mode,
    _ count: Int,
    _ random: inout SeededGenerator
  ) -> LayoutConfiguration {
    var configuration = LayoutConfiguration()
    configuration.mode = mode
    configuration.spread = random.pick([
      .single, .double, .book, .columns(3, start: 0), .columns(3, start: 2), .columns(4, start: 1),
    ])
    configuration.axis = random.pick(LayoutConfiguration.Axis.allCases)
    configuration.isRightToLeft = random.chance(0.4)
    configuration.fit = random.pick(LayoutConfiguration.Fit.allCases)
    configuration.zoom = random.pick([1, 1, 0.25, 2, 3.7])
    configuration.gap = random.pick([0, 10, random.number(0...60)])
    configuration.pageGap = random.pick([0, 0, random.number(0...8)])
    configuration.margins =
      random.chance(0.5)
      ? Insets(random.pick([0, 10]))
      : Insets(
        top: random.number(0...20),
        right: random.number(0...10),
        bottom: random.number(0...20),
        left: random.number(0...10)
      )
    configuration.align = random.pick(LayoutConfiguration.Alignment.allCases)
    configuration.centering = random.pick(LayoutConfiguration.Centering.allCases)
    configuration.rotation = random.pick(Rotation.allCases)
    configuration.gapsScaleWithZoom = random.chance(0.3)
    if random.chance(0.2) { configuration.contentInsets = Insets(random.number(0...5)) }
    if random.chance(0.2) {
      configuration.minimumContentSize = Size(
        width: random.number(0...3000),
        height: random.number(0...3000)
      )
    }
    if random.chance(0.2) { configuration.trailingSpace = random.number(0...500) }
    func some(_ share: Double) -> Set<PageIndex> {
      Set(Range(pageCount: count).filter { _ in random.chance(share) })
    }
    if random.chance(0.4) {
      if random.chance(0.5) { configuration.pairing.wideRatio = 1.2 }
      configuration.pairing.alone = some(0.1)
      configuration.pairing.together = some(0.1)
      configuration.pairing.sectionStarts = some(0.1)
    }
    if random.chance(0.4) {
      for _ in 0..<3 where random.chance(0.7) {
        let start = Int.random(in: 0..<count, using: &random)
        let end = Int.random(in: start...count, using: &random)
        configuration.spacing.gaps.append(
          GapRule(pages: Range(indices: start..<end), gap: random.number(0...100))
        )
      }
      if random.chance(0.5) { configuration.spacing.sectionGap = random.number(0...100) }
      for page in some(0.1).sorted() {
        configuration.spacing.pageMargins[page] = Insets(
          top: random.number(0...30),
          right: random.number(0...30),
          bottom: random.number(0...30),
          left: random.number(0...30)
        )
      }
    }
    configuration.grid = GridOptions(
      columns: random.pick([nil, 1, 2, 3, 7]),
      tile: random.pick([nil, 100, 250]),
      isJustified: random.chance(0.4)
    )
    guard mode == .flow else { return configuration }
    // Rows of several spreads more often than not.
    if random.chance(0.5) { configuration.zoom = random.pick([0.05, 0.1, 0.3]) }
    configuration.flow = FlowOptions(
      rowHeight: random.pick([nil, 100, random.number(20...900)]),
      isJustified: random.chance(0.4),
      lastRow: random.pick(FlowOptions.LastRow.allCases)
    )
    return configuration
  }

  /// Whether any page is shown, rather than blanks alone.
  var hasPages: Bool { (0..<pages.count).contains { pages.page(at: $0) != nil } }

  /// A layout in which the given share of the pages is measured.
  mutating func layout(
    measuring share: Double,
    estimate: SizeEstimate = .firstPage
  ) throws -> Layout {
    let known = sizes.measured.filter { _ in generator.chance(share) }
    return try Layout(
      configuration,
      pages: pages,
      sizes: PageSizes(measured: known, estimate: estimate),
      viewport: viewport
    )
  }
}

/// Few steps of an edit, in places of the order that it chooses.
func edit(_ edit: inout PageEdit, _ random: inout SeededGenerator) {
  for _ in 0..<random.pick([1, 1, 2, 3]) {
    let count = edit.pages.count
    let start = Int.random(in: 0...count, using: &random)
    let end = min(count, start + random.pick([1, 1, 2, 4, 12]))
    let target = Int.random(in: 0...count, using: &random)
    switch Int.random(in: 0..<5, using: &random) {
    case 0 where count < 200:
      edit.insert([.pages(Range(pageCount: random.pick([1, 2, 5])))], at: start)
    case 1 where count < 200: edit.insert([.blanks(random.pick([1, 2]))], at: start)
    case 2 where count - (end - start) > 0: edit.remove(start..<end)
    case 3 where count < 200: edit.duplicate(start..<end)
    default: edit.move(start..<end, to: target)
    }
  }
}
