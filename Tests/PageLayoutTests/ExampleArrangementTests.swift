import ExampleArrangements
import PageLayout
import RectoGeometry
import TestSupport
import Testing

/// The examples of `docs/examples/Arrangements`, against their descriptions worked out plainly.
@Suite struct ExampleArrangementTests {
  /// A random configuration for an arrangement that has an axis of its own.
  private func input(_ seed: Int, _ axis: LayoutConfiguration.Axis) -> RandomInput {
    var input = RandomInput(seed: seed, mode: .continuous)
    input.configuration.axis = axis
    input.configuration.isRightToLeft = false
    return input
  }

  @Test func `steps put each spread at its place in a stack, to the right of the one before`()
    throws
  {
    for seed in seeds(300) {
      var input = input(seed, .vertical)
      try check(&input, Steps(), "seed \(seed)") { layout in
        (0..<layout.spreadCount).map { index in
          let stacked = StackArrangement().place(index, of: layout.spreads, in: .zero).frame
          let left = layout.configuration.margins.left
          return Rect(
            origin: Point(x: left + Double(index % 4) * 20, y: stacked.minY),
            size: stacked.size
          )
        }
      }
    }
  }

  @Test func `masonry puts each spread at the end of the shortest column`() throws {
    for seed in seeds(300) {
      var input = input(seed, .vertical)
      let columns = input.generator.pick([1, 2, 3, 7])
      let arrangement = Masonry(columns: columns)
      try check(&input, arrangement, "seed \(seed)") { layout in
        let environment = layout.spreads.environment
        let margins = layout.configuration.margins
        let room = environment.room.width - Double(columns - 1) * layout.configuration.gap
        let width = room / Double(columns) * layout.configuration.zoom
        var ends = [Double](repeating: 0, count: columns)
        return (0..<layout.spreadCount).map { index in
          let size = layout.spreads.size(of: index)
          let column = ends.firstIndex(of: ends.min() ?? 0) ?? 0
          defer { ends[column] = ends[column] + size.height + environment.gap }
          let middle =
            margins.left + (Double(column) + 0.5) * width + Double(column) * environment.gap
          return Rect(
            x: middle - size.width / 2,
            y: margins.top + ends[column],
            width: size.width,
            height: size.height
          )
        }
      }
    }
  }

  @Test func `a time line puts each spread at its date, in the first free lane`() throws {
    for seed in seeds(300) {
      var input = input(seed, .horizontal)
      let lanes = input.generator.pick([1, 2, 3, 5])
      var day = 0.0
      let days = input.sizes.map { _ in
        day += input.generator.pick([0, 0, 0.5, 1, 3, 40])
        return day
      }
      let arrangement = TimeLine(days: days, unitsPerDay: 30, lanes: lanes)
      try check(&input, arrangement, "seed \(seed)") { layout in
        let environment = layout.spreads.environment
        let configuration = layout.configuration
        let room = environment.room.height - Double(lanes - 1) * configuration.gap
        let pitch = room / Double(lanes) * configuration.zoom + environment.gap
        var taken: [(lane: Int, end: Double)] = []
        var latest = 0.0
        return (0..<layout.spreadCount).map { index in
          let position = layout.positions(inSpread: index)?.first ?? 0
          if let page = layout.pages.page(at: position), page.value < days.count {
            latest = max(latest, days[page.value] * 30 * configuration.zoom)
          }
          let ends = (0..<lanes).map { lane in taken.last { $0.lane == lane }?.end ?? 0 }
          let lane = ends.firstIndex { $0 <= latest } ?? ends.firstIndex(of: ends.min() ?? 0) ?? 0
          let size = layout.spreads.size(of: index)
          taken.append((lane, latest + size.width))
          return Rect(
            x: configuration.margins.left + latest,
            y: configuration.margins.top + Double(lane) * pitch,
            width: size.width,
            height: size.height
          )
        }
      }
    }
  }

  /// Compares a layout with plain places: frames, windows, hits, sizes that arrive, edits.
  private func check(
    _ input: inout RandomInput,
    _ arrangement: any PageArranging,
    _ context: String,
    _ plain: (Layout) -> [Rect]
  ) throws {
    let final = try input.layout(arrangement, measuring: 1)
    var layout = try input.layout(arrangement, measuring: 0.3)
    for step in 0..<4 where !layout.isEmpty {
      let context = Comment(rawValue: "\(context), step \(step)")
      let places = plain(layout)
      let extent = places.map { max(abs($0.maxX), abs($0.maxY)) }.max() ?? 0
      for (index, place) in places.enumerated() {
        #expect(isClose(layout.spread(index)?.cell ?? .zero, place, extent), context)
      }
      checkWindows(layout, &input, context)
      try checkExactness(layout, final, &input, context)
      let old = layout
      let found = layout.measure(input.batch())
      checkMoves(found, from: old, to: layout, context)
      if step == 2 {
        layout = layout.edited { edit(&$0, &input.generator) }.layout
      } else {
        let again = try layout.rearranged(arrangement)
        for index in places.indices {
          #expect(layout.spread(index) == again.spread(index), context)
        }
        #expect(layout.contentSize == again.contentSize, context)
      }
    }
  }

  /// The spreads of windows, and the pages at points, are those that a walk over all spreads finds.
  private func checkWindows(_ layout: Layout, _ input: inout RandomInput, _ context: Comment) {
    let spreads = (0..<layout.spreadCount).compactMap { layout.spread($0) }
    let isVertical = layout.configuration.axis == .vertical
    for _ in 0..<5 {
      let window = randomWindow(layout, &input.generator)
      let touching = spreadsTouching(window, spreads.map(\.cell), isVertical: isVertical)
      let found = Array(layout.spreadRanges(touching: window).joined())
      #expect(found == touching, context)
      let hull = layout.spreads(touching: window)
      if let first = touching.first, let last = touching.last {
        #expect(hull.lowerBound == first && hull.upperBound > last, context)
      }
      let shown = spreads.filter { $0.cell.intersects(window) }
      #expect(layout.spreads(visibleIn: window) == shown, context)
      for point in [window.center, shown.first?.frame.center, shown.last?.frame.center] {
        guard let point else { continue }
        let hit = { (spread: LaidOutSpread) in
          spread.pages.first { $0.frame.contains(point) && $0.clip.contains(point) }
        }
        let onTop = spreads.reversed().lazy.compactMap(hit).first
        #expect(layout.page(at: point) == onTop, context)
        guard window.contains(point) else { continue }
        let seen = shown.reversed().lazy.compactMap(hit).first
        #expect(layout.page(at: point, in: window) == seen, context)
      }
    }
  }

  /// A window is final once the pages that it needs are measured.
  private func checkExactness(
    _ layout: Layout,
    _ final: Layout,
    _ input: inout RandomInput,
    _ context: Comment
  ) throws {
    guard layout.pages == final.pages, !final.isEmpty else { return }
    var layout = layout
    let window = randomWindow(layout, &input.generator)
    for _ in 0..<200 {
      let need = layout.unmeasuredPages(neededFor: window)
      if need.isEmpty { break }
      layout.measure(need.joined().map(input.sizes.measured))
    }
    let shown = layout.spreads(visibleIn: window)
    #expect(shown == final.spreads(visibleIn: window), context)
    let isExact = shown.allSatisfy { $0.isExact }
    #expect(isExact, context)
  }

  /// What an invalidation does not list is where it was.
  private func checkMoves(
    _ found: Invalidation,
    from old: Layout,
    to new: Layout,
    _ context: Comment
  ) {
    guard !old.isEmpty, !new.isEmpty else { return }
    for index in 0..<new.spreadCount where !found.changed.contains(where: { $0.contains(index) }) {
      // Sums of lines may be added in another order.
      let frames = (old.spread(index)?.frame ?? .zero, new.spread(index)?.frame ?? .zero)
      #expect(isClose(frames.0, frames.1, new.contentSize.height), context)
    }
    #expect(found.displaced.isEmpty, context)
    let growth = found.contentSizeAdjustment
    if !found.isEmpty {
      #expect(isClose(old.contentSize.width + growth.width, new.contentSize.width), context)
      #expect(isClose(old.contentSize.height + growth.height, new.contentSize.height), context)
    }
  }

  @Test func `the lot that is called stays in the window, on top, and at its own place`() throws {
    for seed in seeds(300) {
      var input = RandomInput(seed: seed, mode: .continuous)
      let called = PageIndex(Int.random(in: input.sizes.indices, using: &input.generator))
      var layout = try input.layout(AuctionList(called: called), measuring: 0.3)
      for step in 0..<4 where !layout.isEmpty {
        let context = "seed \(seed), step \(step)"
        try checkLot(layout, called, &input, Comment(rawValue: context))
        let old = layout
        PageLayoutTests.check(
          layout.measure(input.batch()),
          PlainInvalidation(layout, old, nil, keepsIndices: true),
          context
        )
        if step == 2 { layout = layout.edited { edit(&$0, &input.generator) }.layout }
      }
    }
  }

  private func checkLot(
    _ layout: Layout,
    _ called: PageIndex,
    _ input: inout RandomInput,
    _ context: Comment
  ) throws {
    let list = try layout.rearranged(nil)
    let lot = layout.spread(containingPage: called)
    for index in 0..<list.spreadCount {
      #expect(layout.spread(index) == list.spread(index), context)
    }
    #expect(layout.offset(showing: called) == list.offset(showing: called), context)
    #expect(layout.contentSize == list.contentSize, context)
    for _ in 0..<5 {
      let window = randomWindow(layout, &input.generator)
      #expect(layout.anchor(at: window.origin) == list.anchor(at: window.origin), context)
      #expect(layout.nearestPage(to: window.center) == list.nearestPage(to: window.center), context)
      var touching = Set(list.spreads(touching: window))
      if let lot, layout.spread(lot, in: window)?.isPinned == true { touching.insert(lot) }
      let found = Array(layout.spreadRanges(touching: window).joined())
      #expect(found == touching.sorted(), context)
      let shown = layout.spreads(visibleIn: window)
      let others = list.spreads(visibleIn: window).filter { $0.index != lot }
      #expect(shown.filter { $0.index != lot } == others, context)
      guard let lot, let own = list.spread(lot), let seen = layout.spread(lot, in: window) else {
        continue
      }
      let isVertical = layout.configuration.axis == .vertical
      let (start, end) =
        isVertical ? (seen.cell.minY, seen.cell.maxY) : (seen.cell.minX, seen.cell.maxX)
      let room = window.inset(by: layout.configuration.contentInsets)
      let (lower, upper) = isVertical ? (room.minY, room.maxY) : (room.minX, room.maxX)
      let slack = 1e-6 + 1e-9 * abs(end)
      if end - start <= upper - lower {
        #expect(start >= lower - slack && end <= upper + slack, context)
      }
      #expect(seen.isPinned == (seen.cell != own.cell), context)
      if seen.cell.intersects(window) { #expect(shown.last == seen, context) }
      guard let top = seen.pages.first?.visible(in: window) else { continue }
      #expect(layout.page(at: top.center, in: window)?.page == seen.pages.first?.page, context)
      let areas = others.flatMap(\.pages).compactMap { $0.visible(in: window)?.area }
      let areShownOnce = layout.pages == PageSequence(pageCount: input.sizes.count)
      if seen.isPinned, areShownOnce, let largest = areas.max(), largest > 1,
        let current = layout.currentPage(in: window),
        let target = layout.currentPage(in: window, target: called)
      {
        #expect(layout.spread(containingPage: current) != lot, context)
        #expect(target == current, context)
      }
    }
  }
}
