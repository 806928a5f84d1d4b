import ExampleArrangements
import PageLayout
import RectoGeometry
import TestSupport
import Testing

/// The arrangement of a mode, of which nothing is changed.
private struct Verbatim<Base: PageArranging>: ArrangementWrapper {
  var base: Base
}

/// Wrappers of the arrangements of all modes.
@Suite struct WrapperTests {
  /// The arrangement of a mode in a wrapper; with a heading, moved by that.
  private func wrapped(_ mode: LayoutConfiguration.Mode, heading: Double? = nil)
    -> any PageArranging
  {
    func wrap(_ base: some PageArranging) -> any PageArranging {
      if let heading { Headed(base, heading: heading) } else { Verbatim(base: base) }
    }
    return switch mode {
    case .continuous: wrap(StackArrangement())
    case .paged: wrap(PagedArrangement())
    case .grid: wrap(GridArrangement())
    case .carousel: wrap(CarouselArrangement())
    case .flow: wrap(FlowArrangement())
    }
  }

  @Test(arguments: BruteForceTests.allModes)
  func `a wrapper that changes nothing answers like the mode`(mode: LayoutConfiguration.Mode)
    throws
  {
    for seed in seeds(300) {
      var input = RandomInput(seed: seed, mode: mode)
      if input.generator.chance(0.3) { input.configuration.stickyPages = [1, 3] }
      var plain = try input.layout(measuring: 0.4)
      var layout = try plain.rearranged(wrapped(mode))
      for step in 0..<3 {
        let context = Comment(rawValue: "\(mode), seed \(seed), step \(step)")
        try compare(layout, plain, &input, context)
        let batch = input.batch()
        let found = layout.measure(batch)
        let told = plain.measure(batch)
        #expect(found.changed == told.changed, context)
        let displaced = (found.displaced.map(\.spreads), told.displaced.map(\.spreads))
        #expect(displaced.0 == displaced.1, context)
        for (first, second) in zip(found.displaced, told.displaced) {
          let extent = max(plain.contentSize.width, plain.contentSize.height)
          #expect(isClose(first.distance.x, second.distance.x, extent), context)
          #expect(isClose(first.distance.y, second.distance.y, extent), context)
        }
        var random = input.generator
        let edited = layout.edited { edit(&$0, &random) }
        #expect(
          edited.layout.invalidation(since: layout, changes: edited.changes)
            == plain.reordered(edited.layout.pages)
            .invalidation(since: plain, changes: edited.changes),
          context
        )
      }
    }
  }

  private func compare(
    _ layout: Layout,
    _ plain: Layout,
    _ input: inout RandomInput,
    _ context: Comment
  ) throws {
    #expect(layout.contentSize == plain.contentSize, context)
    #expect(layout.isContentExact == plain.isContentExact, context)
    for index in 0..<plain.spreadCount {
      #expect(layout.spread(index) == plain.spread(index), context)
      #expect(layout.offset(restingAt: index) == plain.offset(restingAt: index), context)
    }
    for _ in 0..<3 where !plain.isEmpty {
      let window = randomWindow(plain, &input.generator)
      #expect(layout.spreads(visibleIn: window) == plain.spreads(visibleIn: window), context)
      #expect(layout.spreadRanges(touching: window) == plain.spreadRanges(touching: window))
      #expect(
        layout.unmeasuredPages(neededFor: window) == plain.unmeasuredPages(neededFor: window)
      )
      #expect(layout.currentPage(in: window) == plain.currentPage(in: window), context)
      #expect(layout.anchor(at: window.origin) == plain.anchor(at: window.origin), context)
      #expect(
        layout.stop(.forward, from: window.origin) == plain.stop(.forward, from: window.origin)
      )
      #expect(
        layout.prefetchOrder(for: window, velocity: 2, limit: 9)
          == plain.prefetchOrder(for: window, velocity: 2, limit: 9)
      )
      for point in [window.center, window.origin] {
        #expect(layout.page(at: point, in: window) == plain.page(at: point, in: window), context)
        #expect(layout.page(at: point) == plain.page(at: point), context)
        #expect(layout.nearestPage(to: point) == plain.nearestPage(to: point), context)
      }
      let viewpoint = Viewpoint(layout, at: window.origin)
      let other = Viewpoint(plain, at: window.origin)
      #expect(viewpoint.place == other.place && viewpoint.offset == other.offset, context)
    }
  }

  @Test(arguments: BruteForceTests.allModes)
  func `below a heading everything is where it would be without, but moved`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for seed in seeds(300) {
      var input = RandomInput(seed: seed, mode: mode)
      let heading = input.generator.number(0...300)
      var layout = try input.layout(wrapped(mode, heading: heading), measuring: 0.4)
      for step in 0..<3 {
        let context = "\(mode), seed \(seed), step \(step)"
        try compareMoved(layout, heading, &input, context)
        let old = layout
        let found = layout.measure(input.batch())
        check(found, PlainInvalidation(layout, old, nil, keepsIndices: true), context)
        var random = input.generator
        let edited = layout.edited { edit(&$0, &random) }
        check(
          edited.layout.invalidation(since: layout, changes: edited.changes),
          PlainInvalidation(edited.layout, layout, edited.changes),
          context
        )
      }
    }
  }

  private func compareMoved(
    _ layout: Layout,
    _ heading: Double,
    _ input: inout RandomInput,
    _ context: String
  ) throws {
    let plain = try layout.rearranged(nil)
    guard !plain.isEmpty else { return }
    let configuration = layout.configuration
    let isVertical = configuration.axis == .vertical
    let isBackwards = !isVertical && configuration.isRightToLeft
    let x = isVertical || isBackwards ? 0 : heading
    let y = isVertical ? heading : 0
    let size = plain.contentSize
    let extent = max(size.width, size.height) + heading
    let along = isVertical ? size.height : size.width
    #expect(
      isClose(isVertical ? layout.contentSize.height : layout.contentSize.width, along + heading)
    )
    for _ in 0..<3 {
      let window = randomWindow(plain, &input.generator)
      let shown = plain.spreads(visibleIn: window)
      let moved = layout.spreads(visibleIn: window.offsetBy(x: x, y: y))
      // Touching edges may round either way.
      for spread in shown {
        let seen = spread.cell.intersection(window)
        guard let seen, min(seen.width, seen.height) > 1e-6 * max(1, extent * 1e-6) else {
          continue
        }
        let other = moved.first { $0.index == spread.index }
        #expect(
          other.map { isClose($0.frame, spread.frame.offsetBy(x: x, y: y), extent) } == true,
          "\(context)"
        )
        #expect(other?.isExact == spread.isExact, "\(context)")
      }
    }
  }
}
