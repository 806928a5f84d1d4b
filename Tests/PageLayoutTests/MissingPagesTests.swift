import RectoGeometry
import TestSupport
import Testing

@testable import PageLayout

/// Pages that have no size and will have none.
@Suite struct MissingPagesTests {
  @Test func `a set of ranges answers like a set of numbers`() {
    for seed in 0..<200 {
      var random = SeededGenerator(seed)
      var ranges = PageRanges()
      var model: Set<PageIndex> = []
      for _ in 0..<40 {
        let start = PageIndex(Int.random(in: 0..<60, using: &random))
        let pages = start..<PageIndex(Int.random(in: start.value...60, using: &random))
        if random.chance(0.6) {
          ranges.insert(pages)
          model.formUnion(pages)
        } else {
          ranges.remove(pages)
          model.subtract(pages)
        }
        #expect(ranges.ranges.flatMap(Array.init) == model.sorted(), "seed \(seed)")
        #expect(
          zip(ranges.ranges, ranges.ranges.dropFirst()).allSatisfy {
            $0.upperBound < $1.lowerBound
          },
          "seed \(seed)"
        )
        let asked = min(start, 30)..<50
        #expect(ranges.count(in: asked) == model.filter(asked.contains).count, "seed \(seed)")
        #expect(
          ranges.missing(in: asked).flatMap(Array.init) == asked.filter { !model.contains($0) },
          "seed \(seed)"
        )
      }
    }
  }

  @Test(arguments: BruteForceTests.modes)
  func `missing pages move nothing and make exact what rests on them`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for seed in seeds(200) {
      var input = RandomInput(seed: seed, mode: mode)
      var layout = try input.layout(measuring: input.generator.pick([0, 0.5, 0.9]))
      let before = layout
      var missing: Set<PageIndex> = []
      for _ in 0..<input.generator.pick([1, 4]) {
        let start = Int.random(in: input.sizes.indices, using: &input.generator)
        let end = Int.random(in: start...input.sizes.count, using: &input.generator)
        let pages = Range(indices: start..<end)
        layout.markMissing(pages)
        missing.formUnion(pages)
      }
      compare(layout, "seed \(seed)")
      #expect(layout.contentSize == before.contentSize, "seed \(seed)")
      let measured = Set(layout.sizes.measured.map(\.page))
      func isSettled(_ page: PageIndex) -> Bool {
        measured.contains(page) || missing.contains(page)
      }
      let shown = (0..<layout.pages.count).compactMap { layout.pages.page(at: $0) }
      #expect(
        layout.unmeasuredPages.flatMap(Array.init)
          == Set(shown).sorted().filter { !isSettled($0) },
        "seed \(seed)"
      )
      guard !layout.isEmpty else { continue }
      for index in 0..<layout.spreadCount {
        let spread = try #require(layout.spread(index))
        let frames = before.spread(index)?.pages.map(\.frame)
        #expect(spread.pages.map(\.frame) == frames, "seed \(seed)")
        let unsettled = layout.unmeasuredPages(
          inSpreads: layout.spreadsDeciding(index..<index + 1)
        )
        #expect(spread.isExact == unsettled.isEmpty, "seed \(seed), spread \(index)")
      }
      // Those that were missing can still turn up.
      layout.measure(missing.map(input.sizes.measured))
      layout.markMissing(Range(pageCount: .max))
      #expect(layout.unmeasuredPages.isEmpty, "seed \(seed)")
      #expect(layout.isContentExact, "seed \(seed)")
      compare(layout, "seed \(seed), measured")
    }
  }

  @Test(arguments: LayoutConfiguration.Mode.allCases)
  func `thousands of millions of missing pages cost as little as one`(
    mode: LayoutConfiguration.Mode
  ) throws {
    var configuration = LayoutConfiguration()
    configuration.mode = mode
    for spread in [LayoutConfiguration.Spread.single, .book, .columns(3, start: 1)] {
      configuration.spread = spread
      let all = Range(pageCount: 1 << 31)
      let rest = all.dropFirst()
      for run in [PageSequence.Run.pages(all), .backwards(all)] {
        var layout = try Layout(
          configuration,
          pages: PageSequence([run]),
          sizes: PageSizes(measured: [MeasuredSize(page: 0, size: Size(width: 100, height: 90))]),
          viewport: Size(width: 500, height: 400)
        )
        #expect(layout.unmeasuredPages == [rest])
        layout.markMissing(rest)
        #expect(layout.unmeasuredPages.isEmpty)
        #expect(layout.isContentExact)
        let last = layout.spreadCount - 1
        #expect(layout.spread(last)?.isExact == true)
        let offset = try #require(layout.offset(showing: 1_000_000_000, fraction: 0))
        let shown = layout.spreads(visibleIn: layout.window(at: offset))
        #expect(shown.flatMap(\.pages).contains { $0.page == 1_000_000_000 })
      }
    }
  }
}
