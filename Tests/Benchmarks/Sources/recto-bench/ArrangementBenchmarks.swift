import ExampleArrangements
import PageLayout
import RectoGeometry

private let pageCount = 100_000

/// What is promised for arrangements of one's own, with those of `docs/examples/Arrangements`: a window of 100,000 pages,
/// a tenth of them measured, within 10 µs.
func arrangementBenchmarks() -> [Benchmark] {
  let days = (0..<pageCount).map { Double($0 / 3) }
  let horizontal = configuration { $0.axis = .horizontal }
  return [
    window("masonry of 4 columns", Masonry(columns: 4)),
    window("a time line", TimeLine(days: days, unitsPerDay: 200, lanes: 3), horizontal),
    window("a list with a pinned lot", AuctionList(called: 50_000)),
    window("a column with a heading", Headed(StackArrangement(), heading: 200)),
  ]
}

private func window(
  _ title: String,
  _ arrangement: any PageArranging,
  _ configuration: LayoutConfiguration = LayoutConfiguration()
) -> Benchmark {
  Benchmark(
    "the spreads of one window of 100,000 pages are found: \(title)",
    budget: 10e3,
    operations: 1000
  ) {
    let known = scattered(pageCount / 10).map { PageIndex($0.value % pageCount) }
    let layout = arranged(arrangement, configuration, measured: sizes(known))
    let size = layout.contentSize
    let windows = scattered(1000).map { page in
      let share = Double(page.value) / 1_000_000
      return layout.window(at: Point(x: size.width * share, y: size.height * share))
    }
    return {
      for window in windows { consume(layout.spreadRanges(touching: window)) }
    }
  }
}

/// A layout that cannot fail.
private func arranged(
  _ arrangement: any PageArranging,
  _ configuration: LayoutConfiguration,
  measured: [MeasuredSize]
) -> Layout {
  do {
    return try Layout(
      configuration,
      arrangement: arrangement,
      pages: PageSequence(pageCount: pageCount),
      sizes: PageSizes(measured: measured, estimate: .fixed(Size(width: 595.276, height: 841.89))),
      viewport: Size(width: 1280, height: 800)
    )
  } catch {
    preconditionFailure("\(error)")
  }
}
