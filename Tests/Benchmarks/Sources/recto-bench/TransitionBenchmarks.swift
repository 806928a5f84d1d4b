import PageLayout
import RectoGeometry

/// Transitions of one window of 1,000,000 pages, 100,000 of them measured: the value is made, and its
/// pages are asked for at one time.
func transitionBenchmarks() -> [Benchmark] {
  [
    row("continuous to a book fitted to the width", from: { _ in }) {
      $0.spread = .book
      $0.fit = .width
    },
    row("continuous, zoomed by 2", from: { _ in }) { $0.zoom = 2 },
    row("continuous, turned by 90 degrees", from: { _ in }) { $0.rotation = .quarter },
    row("a grid of 5 columns to paged", from: grid) {
      $0.mode = .paged
      $0.fit = .page
    },
    row("a grid of 5 columns to one of 8", from: grid) {
      grid(&$0)
      $0.grid.columns = 8
    },
    row("a justified flow to continuous", from: flow) { _ in },
    row("paged to a carousel", from: { $0.mode = .paged }) { $0.mode = .carousel },
    Benchmark(
      "a transition: a page is removed in front of the window",
      budget: 50e3,
      operations: 1000
    ) {
      let start = viewpoint { _ in }
      let current = start.layout.currentPage(in: start.window) ?? 0
      let first = start.layout.pages.positions(of: current).first ?? 0
      let (end, changes) = start.edited { $0.remove(first - 1..<first) }
      return {
        for _ in 0..<1000 {
          consume(Transition(from: start, to: end, changes: changes).pages(at: 0.5))
        }
      }
    },
  ]
}

private func grid(_ configuration: inout LayoutConfiguration) {
  configuration.mode = .grid
  configuration.grid.columns = 5
}

private func flow(_ configuration: inout LayoutConfiguration) {
  configuration.mode = .flow
  configuration.flow.rowHeight = 200
  configuration.flow.isJustified = true
}

private func row(
  _ title: String,
  from start: @escaping (inout LayoutConfiguration) -> Void,
  to end: @escaping (inout LayoutConfiguration) -> Void
) -> Benchmark {
  Benchmark("a transition: \(title)", budget: 50e3, operations: 1000) {
    let first = viewpoint(start)
    var configuration = LayoutConfiguration()
    end(&configuration)
    guard let last = try? first.reconfigured(configuration) else {
      preconditionFailure("the configuration is one of this file's")
    }
    return {
      for _ in 0..<1000 { consume(Transition(from: first, to: last).pages(at: 0.5)) }
    }
  }
}

/// A viewpoint in the middle of a document.
private func viewpoint(_ change: (inout LayoutConfiguration) -> Void) -> Viewpoint {
  var configuration = LayoutConfiguration()
  change(&configuration)
  let measured = stride(from: PageIndex(0), to: 1_000_000, by: 10).map { page in
    MeasuredSize(
      page: page,
      size: page.value % 3 == 0
        ? Size(width: 841.89, height: 595.276) : Size(width: 595.276, height: 841.89)
    )
  }
  do {
    let layout = try Layout(
      configuration,
      pages: PageSequence(pageCount: 1_000_000),
      sizes: PageSizes(
        measured: measured,
        estimate: .fixed(Size(width: 595.276, height: 841.89))
      ),
      viewport: Size(width: 1280, height: 800)
    )
    return Viewpoint(layout).showing(page: 500_000) ?? Viewpoint(layout)
  } catch {
    preconditionFailure("\(error)")
  }
}
