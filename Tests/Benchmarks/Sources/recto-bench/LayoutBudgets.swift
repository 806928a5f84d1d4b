import PageLayout

/// What is promised for 1,000,000 pages, in every mode: made within 1 ms, the visible range within
/// 5 µs, a size within 2 µs, an edit within 50 µs.
func layoutBudgets() -> [Benchmark] {
  let modes: [(name: String, configuration: LayoutConfiguration)] = [
    ("a column", configuration { _ in }),
    (
      "a book",
      configuration {
        $0.spread = .book
        $0.fit = .width
      }
    ),
    ("pages", configuration { $0.mode = .paged }),
    (
      "a grid",
      configuration {
        $0.mode = .grid
        $0.grid.columns = 5
      }
    ),
    ("a carousel", configuration { $0.mode = .carousel }),
    (
      "a flow",
      configuration {
        $0.mode = .flow
        $0.flow.rowHeight = 200
        $0.flow.isJustified = true
      }
    ),
  ]
  return modes.flatMap { budgets(for: $0.name, $0.configuration) }
}

private func budgets(for mode: String, _ configuration: LayoutConfiguration) -> [Benchmark] {
  let plain = millionPages(configuration)
  let known = millionPages(configuration, measured: sizes(scattered(1000)))
  return [
    Benchmark("in all modes: \(mode) is made", budget: 1e6) {
      { consume(millionPages(configuration)) }
    },
    visibleRange("in all modes: the visible range of \(mode) is found", plain),
    takeIn(
      "in all modes: one size is taken in by \(mode), scattered",
      { millionPages(configuration) },
      scattered(10_000)
    ),
    edit("in all modes: pages of \(mode) are moved", plain),
    edit("in all modes: pages of \(mode) are moved, 1,000 measured", known, budget: nil),
    Benchmark("in all modes: what that has moved in \(mode) is told") {
      let edited = plain.edited(move)
      return { consume(edited.layout.invalidation(since: plain, changes: edited.changes)) }
    },
    Benchmark("in all modes: what that has moved in \(mode) is told, 1,000 measured") {
      let edited = known.edited(move)
      return { consume(edited.layout.invalidation(since: known, changes: edited.changes)) }
    },
  ]
}

private func edit(_ title: String, _ layout: Layout, budget: Double? = 50e3) -> Benchmark {
  Benchmark(title, budget: budget, operations: 10) {
    {
      for _ in 0..<10 { consume(layout.edited(move).layout) }
    }
  }
}

private func move(_ edit: inout PageEdit) { edit.move(400_000..<400_010, to: 700_000) }
