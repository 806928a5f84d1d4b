import PageLayout
import RectoGeometry
import TestSupport

/// A case for every other build of the layout engine: a document, what a reader does to it, and the answers.
///
/// Drawn from a seed; `line` is a line of `Fixtures/layout-cases.jsonl`, whose schema is `docs/schema/layout-case.json`.
struct LayoutCase {
  let line: String

  init(seed: Int) throws {
    let modes = LayoutConfiguration.Mode.allCases
    var input = RandomInput(
      seed: seed,
      mode: modes[seed % modes.count],
      pageCount: seed % 20 == 19 ? 3000 : nil
    )
    input.addOptions()
    let share = input.generator.pick([0, 0.05, 0.3, 1])
    let estimate = input.generator.pick([
      SizeEstimate.firstPage, .mostCommon, .fixed(Size(width: 500, height: 700.5)),
    ])
    let first = Viewpoint(
      try input.layout(measuring: input.sizes.count > 200 ? 0.01 : share, estimate: estimate)
    )
    let document = JSONText.object([
      ("viewport", .init(named: input.viewport)),
      ("order", .list(input.pages.runs.map { JSONText(named: $0) })),
      ("estimate", .init(named: estimate)),
      ("sizes", .init(named: first.layout.sizes.measured)),
      ("configuration", .init(named: input.configuration)),
    ])
    var reader = Reader(viewpoint: first, input: input)
    let steps = (0..<reader.random.pick([0, 1, 2, 3, 5])).map { _ in reader.step() }
    line =
      JSONText.object([
        ("seed", .init(seed)), ("document", document), ("steps", .list(steps)),
        ("answers", reader.answers(since: first)),
      ]).description
  }
}

extension JSONText {
  fileprivate init(named estimate: SizeEstimate) {
    switch estimate {
    case .firstPage: self.init(word: "firstPage")
    case .mostCommon: self.init(word: "mostCommon")
    case .fixed(let size): self.init(named: size)
    }
  }
}

extension RandomInput {
  /// Options that only some modes use.
  fileprivate mutating func addOptions() {
    func some(_ count: Int) -> [PageIndex] {
      (0..<count).map { _ in PageIndex(Int.random(in: 0..<sizes.count, using: &generator)) }
    }
    if generator.chance(0.2) { configuration.stickyPages = some(generator.pick([1, 2, 4])) }
    if generator.chance(0.3) {
      for page in some(2) {
        configuration.spreadViews[page] = SpreadView(
          zoom: generator.number(0.5...4),
          pan: Point(x: generator.number(0...1), y: generator.number(0...1))
        )
      }
    }
    if generator.chance(0.3) {
      configuration.carousel = CarouselOptions(
        currentShare: generator.number(0.3...1).clampedToShare,
        neighborShare: generator.number(0.1...0.6).clampedToShare,
        hiddenShare: generator.number(0.05...0.4).clampedToShare
      )
    }
  }
}

extension Double {
  fileprivate var clampedToShare: Double { min(max(self, 0.05), 1) }
}
