import PageLayout
import RectoGeometry

private let pageCount = 1_000_000
private let viewport = Size(width: 1280, height: 800)
private let a4 = Size(width: 595.276, height: 841.89)
private let wide = Size(width: 841.89, height: 595.276)

/// A layout that cannot fail: its configuration is one of this file's.
func millionPages(
  _ configuration: LayoutConfiguration = LayoutConfiguration(),
  measured: [MeasuredSize] = [],
  estimate: SizeEstimate = .fixed(a4)
) -> Layout {
  do {
    return try Layout(
      configuration,
      pages: PageSequence(pageCount: pageCount),
      sizes: PageSizes(measured: measured, estimate: estimate),
      viewport: viewport
    )
  } catch {
    preconditionFailure("\(error)")
  }
}

/// Pages in no order, the same on every run.
func scattered(_ count: Int, seed: UInt64 = 1) -> [PageIndex] {
  var state: UInt64 = 88_172_645_463_325_252 &* seed
  return (0..<count).map { _ in
    state ^= state << 13
    state ^= state >> 7
    state ^= state << 17
    return PageIndex(Int(state % UInt64(pageCount)))
  }
}

func sizes(_ pages: some Sequence<PageIndex>) -> [MeasuredSize] {
  pages.map { MeasuredSize(page: $0, size: $0.value % 3 == 0 ? wide : a4) }
}

func configuration(
  _ change: (inout LayoutConfiguration) -> Void
) -> LayoutConfiguration {
  var configuration = LayoutConfiguration()
  change(&configuration)
  return configuration
}

func layoutBenchmarks() -> [Benchmark] {
  let book = configuration {
    $0.spread = .book
    $0.fit = .width
  }
  let grid = configuration {
    $0.mode = .grid
    $0.grid.columns = 5
  }
  let flow = configuration {
    $0.mode = .flow
    $0.flow.rowHeight = 200
    $0.flow.isJustified = true
  }
  let half = sizes(scattered(100_000))
  return [
    Benchmark("a layout of 1,000,000 pages is made, nothing measured", budget: 1e6) {
      { consume(millionPages()) }
    },
    Benchmark("a book of 1,000,000 pages is made and fitted to the width", budget: 1e6) {
      { consume(millionPages(book)) }
    },
    Benchmark("a flow of 1,000,000 pages is made, nothing measured", budget: 1e6) {
      { consume(millionPages(flow)) }
    },
    visibleRange("the visible pages among 1,000,000 are found, nothing measured", millionPages()),
    visibleRange(
      "the visible pages among 1,000,000 are found, 100,000 measured",
      millionPages(measured: half)
    ),
    visibleRange(
      "the visible pages of a book are found, 100,000 measured",
      millionPages(book, measured: half)
    ),
    visibleRange(
      "the visible pages of a grid are found, 100,000 measured",
      millionPages(grid, measured: half)
    ),
    visibleRange("the visible pages of a flow are found, nothing measured", millionPages(flow)),
    visibleRange(
      "the visible pages of a flow are found, 100,000 measured",
      millionPages(flow, measured: half)
    ),
    frames("the frames of one window are placed, 100,000 measured", millionPages(measured: half)),
    frames(
      "the frames of one window of a flow are placed, 100,000 measured",
      millionPages(flow, measured: half)
    ),
    takeIn(
      "one size is taken in, in order, nothing measured",
      { millionPages() },
      Array(0..<10_000)
    ),
    takeIn(
      "one size is taken in, scattered, nothing measured",
      { millionPages() },
      scattered(10_000)
    ),
    takeIn(
      "one size is taken in, scattered, 100,000 measured",
      { millionPages(measured: half) },
      scattered(10_000, seed: 3)
    ),
    takeIn(
      "one size is taken in by a book, scattered, 100,000 measured",
      { millionPages(book, measured: half) },
      scattered(10_000, seed: 3)
    ),
    takeIn(
      "one size is taken in by a flow, in order, nothing measured",
      { millionPages(flow) },
      Array(0..<10_000)
    ),
    // A third of the pages is twice as wide: for each of those some thirty rows break anew.
    takeIn(
      "one size is taken in by a flow, scattered, nothing measured",
      budget: 10e3,
      { millionPages(flow) },
      scattered(10_000)
    ),
    takeIn(
      "one size is taken in by a flow, scattered, 100,000 measured",
      budget: 10e3,
      { millionPages(flow, measured: half) },
      scattered(10_000, seed: 3)
    ),
    takeIn(
      "one size is taken in, the most common one as estimate",
      { millionPages(measured: half, estimate: .mostCommon) },
      scattered(10_000, seed: 3)
    ),
    Benchmark("one size is taken in and an anchor kept, 100,000 measured", operations: 10_000) {
      var made = millionPages(measured: half)
      let pages = sizes(scattered(10_000, seed: 3))
      let anchor = made.anchor(at: Point(x: 0, y: 4e8))
      return {
        for entry in pages { consume(made.measure(entry.page, as: entry.size, keeping: anchor)) }
      }
    },
    batch(
      "100,000 sizes are taken in at once, in order",
      millionPages(),
      sizes(PageIndex(0)..<100_000)
    ),
    batch(
      "100,000 sizes are taken in at once, scattered",
      millionPages(),
      sizes(scattered(100_000))
    ),
    batch(
      "100,000 sizes are taken in at once by a book",
      millionPages(book),
      sizes(PageIndex(0)..<100_000)
    ),
    batch(
      "100,000 sizes are taken in at once by a flow",
      millionPages(flow),
      sizes(PageIndex(0)..<100_000)
    ),
    Benchmark(
      "the frames of one window of a column of 100 parts of 10,000 pages",
      operations: 1000
    ) {
      let made = column()
      let length = made.size.height - viewport.height
      let windows = scattered(1000).map { page in
        made.window(at: Point(x: 0, y: length * Double(page.value) / Double(pageCount)))
      }
      return {
        for window in windows { consume(made.spreads(visibleIn: window)) }
      }
    },
    Benchmark("one size is taken in by a part of such a column", operations: 10_000) {
      var made = column()
      let entries = sizes(scattered(10_000, seed: 3))
      return {
        for entry in entries {
          consume(made.measure(entry.page, as: entry.size, in: [entry.page.value / 10_000]))
        }
      }
    },
  ]
}

/// A hundred parts of 10,000 pages, the first page of each sticky.
private func column() -> LayoutColumn {
  do {
    let parts = try (0..<100).map { part in
      let own = Range<PageIndex>(indices: part * 10_000..<(part + 1) * 10_000)
      let pages = PageSequence([.pages(own)])
      let known = own.filter { $0.value % 10 == 0 }
      return try Layout(
        configuration { $0.stickyPages = [own.lowerBound] },
        pages: pages,
        sizes: PageSizes(measured: sizes(known), estimate: .fixed(a4)),
        viewport: viewport
      )
    }
    return try LayoutColumn(parts, gap: 20)
  } catch {
    preconditionFailure("\(error)")
  }
}

private func offsets(_ layout: Layout, _ count: Int) -> [Rect] {
  let length = layout.contentSize.height - viewport.height
  return scattered(count).map { page in
    Rect(
      x: 0,
      y: length * Double(page.value) / Double(pageCount),
      width: viewport.width,
      height: viewport.height
    )
  }
}

func visibleRange(_ title: String, _ layout: Layout) -> Benchmark {
  let windows = offsets(layout, 1000)
  return Benchmark(title, budget: 5e3, operations: 1000) {
    {
      for window in windows { consume(layout.spreads(touching: window)) }
    }
  }
}

private func frames(_ title: String, _ layout: Layout) -> Benchmark {
  Benchmark(title, operations: 1000) {
    let windows = offsets(layout, 1000)
    return {
      for window in windows { consume(layout.spreads(visibleIn: window)) }
    }
  }
}

func takeIn(
  _ title: String,
  budget: Double = 2e3,
  _ layout: @escaping () -> Layout,
  _ pages: [PageIndex]
) -> Benchmark {
  let entries = sizes(pages)
  return Benchmark(title, budget: budget, operations: entries.count) {
    var own = layout()
    return {
      for entry in entries { consume(own.measure(entry.page, as: entry.size)) }
    }
  }
}

private func batch(_ title: String, _ layout: Layout, _ entries: [MeasuredSize]) -> Benchmark {
  Benchmark(title, budget: 30e6) {
    var copy = layout
    return { consume(copy.measure(entries)) }
  }
}

/// What a layout keeps on the heap, and what queries leave there.
func layoutHeap() -> [HeapUse] {
  var uses: [HeapUse] = []
  func kept(_ what: String, _ make: () -> Layout) {
    let before = heapInUse()
    let made = make()
    let bytes = heapInUse() - before
    uses.append(HeapUse(what: what, bytes: bytes))
    consume(made)
  }
  let inOrder = sizes(PageIndex(0)..<100_000)
  let random = sizes(scattered(100_000))
  kept("a layout of 1,000,000 pages, nothing measured") { millionPages() }
  kept("the same, 100,000 measured in order") { millionPages(measured: inOrder) }
  kept("the same, 100,000 measured here and there") { millionPages(measured: random) }
  let made = millionPages(measured: random)
  let windows = offsets(made, 1000)
  for window in windows { consume(made.spreads(touching: window)) }
  let before = heapInUse()
  for window in windows {
    consume(made.spreads(touching: window))
    consume(made.spreads(visibleIn: window))
    consume(made.contentSize)
    consume(made.currentPage(in: window))
    consume(made.anchor(at: window.origin))
  }
  uses.append(HeapUse(what: "left over by 5,000 queries", bytes: heapInUse() - before))
  return uses
}
