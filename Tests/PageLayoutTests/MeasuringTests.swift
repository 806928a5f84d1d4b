import PageLayout
import RectoGeometry
import TestSupport
import Testing

@Suite struct MeasuringTests {
  @Test(arguments: BruteForceTests.modes)
  func `any order of measuring ends in the same layout to the last bit`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for seed in seeds(40) {
      var input = RandomInput(seed: seed, mode: mode)
      let reference = try input.layout(measuring: 1)
      for estimate in [SizeEstimate.firstPage, .mostCommon] {
        var layout = try input.layout(measuring: 0, estimate: estimate)
        var rest = input.sizes.measured
        rest.shuffle(using: &input.generator)
        while !rest.isEmpty {
          let count = min(rest.count, input.generator.pick([1, 1, 2, 10]))
          layout.measure(Array(rest.suffix(count)))
          rest.removeLast(count)
          if input.generator.chance(0.05) { compare(layout, "seed \(seed)") }
        }
        #expect(layout.contentSize == reference.contentSize, "seed \(seed)")
        #expect(layout.isContentExact, "seed \(seed)")
        for index in 0..<reference.spreadCount {
          #expect(layout.spread(index) == reference.spread(index), "seed \(seed)")
        }
      }
    }
  }

  @Test(arguments: BruteForceTests.modes)
  func `an invalidation tells all that moved, and the anchor stays where it was`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for seed in seeds(100) {
      var input = RandomInput(seed: seed, mode: mode)
      var layout = try input.layout(
        measuring: 0.3,
        estimate: input.generator.pick([.firstPage, .mostCommon])
      )
      guard !layout.isEmpty else { continue }
      for _ in 0..<6 {
        let window = randomWindow(layout, &input.generator)
        guard let anchor = layout.anchor(at: window.origin) else { continue }
        let old = layout
        let batch = (0..<input.generator.pick([1, 1, 5])).map { _ in
          input.sizes.measured(
            PageIndex(Int.random(in: input.sizes.indices, using: &input.generator))
          )
        }
        let change = layout.measure(batch, keeping: anchor)
        checkInvalidation(change, old, layout, "seed \(seed)")
        // Where spreads rest, it is the spread that stays where it is.
        let rests = mode == .paged
        func place(_ layout: Layout) -> Point? {
          guard rests else { return layout.offset(of: anchor) }
          return layout.spread(containingPage: anchor.page).flatMap(layout.offset(restingAt:))
        }
        guard !rests || anchor.occurrence == 0 else { continue }
        let before = place(old) ?? .zero
        let after = place(layout) ?? .zero
        let extent = max(layout.contentSize.width, layout.contentSize.height, abs(before.y))
        #expect(isClose(before.x + change.offsetAdjustment.x, after.x, extent), "seed \(seed)")
        #expect(isClose(before.y + change.offsetAdjustment.y, after.y, extent), "seed \(seed)")
        guard !rests else { continue }
        // And the anchor is what was at that offset.
        #expect(isClose(before.x, window.minX, extent), "seed \(seed): \(anchor)")
        #expect(isClose(before.y, window.minY, extent), "seed \(seed): \(anchor)")
      }
    }
  }

  private func checkInvalidation(
    _ change: Invalidation,
    _ old: Layout,
    _ new: Layout,
    _ context: String
  ) {
    #expect(
      isClose(old.contentSize.width + change.contentSizeAdjustment.width, new.contentSize.width),
      "\(context)"
    )
    #expect(
      isClose(old.contentSize.height + change.contentSizeAdjustment.height, new.contentSize.height),
      "\(context)"
    )
    check(change, PlainInvalidation(new, old, nil, keepsIndices: true), context)
  }

  @Test(arguments: BruteForceTests.allModes)
  func `sticky pages are measured with the window, and seen at its edges`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for seed in seeds(150) { try checkSticky(mode, seed) }
  }

  /// Pages fitted to the window, which they outgrow by the last digit; and a justified flow, whose rows
  /// decide how large a sticky page is.
  @Test(arguments: [(LayoutConfiguration.Mode.continuous, 801), (.flow, 336)])
  func `sticky pages are pinned as they will be once all is measured`(
    mode: LayoutConfiguration.Mode,
    seed: Int
  ) throws {
    try checkSticky(mode, seed)
  }

  private func checkSticky(_ mode: LayoutConfiguration.Mode, _ seed: Int) throws {
    var input = RandomInput(seed: seed, mode: mode, pageCount: 60)
    input.configuration.contentInsets = .zero
    let sticky = (0..<3).map { _ in
      PageIndex(Int.random(in: 0..<60, using: &input.generator))
    }
    input.configuration.stickyPages = sticky
    let final = try input.layout(measuring: 1)
    for isExact in [false, true] {
      var layout = try input.layout(measuring: 0)
      guard !layout.isEmpty else { continue }
      var window = layout.window(at: randomWindow(final, &input.generator).origin)
      var rounds = 0
      while true {
        let need =
          isExact
          ? layout.unmeasuredPages(neededFor: window) : layout.unmeasuredPages(inside: window)
        if need.isEmpty { break }
        layout.measure(need.joined().map(input.sizes.measured))
        window = layout.window(at: window.origin)
        rounds += 1
        try #require(rounds < 200)
      }
      let shown = layout.spreads(visibleIn: window)
      let along: (Rect) -> Double = {
        layout.configuration.axis == .vertical ? $0.height : $0.width
      }
      let indices = Set(sticky.compactMap { layout.spread(containingPage: $0) })
      let spreads = indices.compactMap { layout.spread($0, in: window) }
      // In a carousel, the extents at rest decide, those of empty columns included.
      let extents = indices.compactMap { index in
        layout.spread(index).map { along(mode == .carousel ? $0.cell : $0.frame) }
      }
      let haveRoom = extents.reduce(0, +) < along(window)
      for spread in spreads where !spread.pages.isEmpty {
        let index = spread.index
        // What lies beside the window across the axis stays there.
        let isBeside =
          layout.configuration.axis == .vertical
          ? spread.cell.maxX <= window.minX || spread.cell.minX >= window.maxX
          : spread.cell.maxY <= window.minY || spread.cell.minY >= window.maxY
        if haveRoom, !isBeside {
          let isSeen = shown.contains { $0.index == index }
          #expect(isSeen, "seed \(seed): \(index) is not seen")
        }
        let pages = shown.first { $0.index == index }?.pages ?? []
        let areMeasured = pages.allSatisfy(\.isMeasured)
        #expect(areMeasured, "seed \(seed)")
      }
      guard isExact else { continue }
      let areExact = shown.allSatisfy(\.isExact)
      #expect(areExact, "seed \(seed)")
      let end = final.spreads(visibleIn: window)
      #expect(shown.map(\.index) == end.map(\.index), "seed \(seed)")
      for (first, second) in zip(shown, end) {
        #expect(isClose(first.frame, second.frame, window.maxY), "seed \(seed)")
      }
    }
  }

  @Test func `a size that was estimated rightly invalidates nothing`() throws {
    for spread: LayoutConfiguration.Spread in [.single, .double, .book, .columns(3, start: 1)] {
      for fit in LayoutConfiguration.Fit.allCases {
        var configuration = LayoutConfiguration()
        configuration.spread = spread
        configuration.fit = fit
        let a4 = Size(width: 595.276, height: 841.89)
        var layout = try Layout(
          configuration,
          pages: PageSequence(pageCount: 1000),
          sizes: PageSizes(measured: [MeasuredSize(page: 0, size: a4)]),
          viewport: Size(width: 1280, height: 800)
        )
        for page: PageIndex in [1, 7, 998, 999, 500] {
          #expect(layout.measure(page, as: a4).isEmpty)
          #expect(layout.measure(page, as: a4).isEmpty)
        }
        #expect(!layout.measure(500, as: Size(width: 700, height: 900)).isEmpty)
      }
    }
  }

  @Test func `no more is named than has moved`() throws {
    let a4 = Size(width: 595, height: 842)
    func layout(_ change: (inout LayoutConfiguration) -> Void) throws -> Layout {
      var configuration = LayoutConfiguration()
      change(&configuration)
      return try Layout(
        configuration,
        pages: PageSequence(pageCount: 1000),
        sizes: PageSizes(measured: [MeasuredSize(page: 0, size: a4)]),
        viewport: Size(width: 1280, height: 800)
      )
    }
    var fitted = try layout { $0.fit = .width }
    #expect(fitted.measure(3, as: a4 * 2).isEmpty, "the same shape, fitted to the same width")
    let higher = fitted.measure(4, as: Size(width: 595, height: 1000))
    #expect(higher.changed == [4..<5])
    #expect(higher.displaced.map(\.spreads) == [5..<1000])

    var grid = try layout {
      $0.mode = .grid
      $0.grid.columns = 4
    }
    let lower = grid.measure(6, as: Size(width: 595, height: 500))
    #expect(lower.changed == [6..<7] && lower.displaced.isEmpty, "its row stays as high")

    var wide = try layout {
      $0.spread = .double
      $0.pairing.wideRatio = 1.2
    }
    let turned = wide.measure(997, as: Size(width: 842, height: 595))
    #expect(turned.changed == [498..<501], "the page in front, the page, and those behind it")
    #expect(turned.displaced.isEmpty)
  }

  @Test func `a copy taken before sizes arrive goes on answering as before`() throws {
    var input = RandomInput(seed: 3, mode: .continuous, pageCount: 150)
    input.viewport = Size(width: 1280, height: 800)
    var layout = try input.layout(measuring: 0.2)
    let copy = layout
    let frames = (0..<copy.spreadCount).map { copy.spread($0) }
    layout.measure(input.sizes.measured)
    #expect((0..<copy.spreadCount).map { copy.spread($0) } == frames)
  }

  @Test(arguments: BruteForceTests.modes)
  func `with the needed pages measured, every frame in a window is what it ends up to be`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for seed in seeds(80) {
      var input = RandomInput(seed: seed, mode: mode)
      let final = try input.layout(measuring: 1)
      var layout = try input.layout(measuring: 0)
      guard !layout.isEmpty else { continue }
      let target = randomWindow(final, &input.generator).origin
      var rounds = 0
      while true {
        let need = layout.unmeasuredPages(neededFor: layout.window(at: target))
        if need.isEmpty { break }
        layout.measure(need.joined().map(input.sizes.measured))
        rounds += 1
        try #require(rounds < 200)
      }
      for spread in layout.spreads(visibleIn: layout.window(at: target)) {
        #expect(spread.isExact, "seed \(seed)")
        let end = try #require(final.spread(spread.index))
        let extent = max(final.contentSize.width, final.contentSize.height)
        #expect(
          spread.pages.map(\.position) == end.pages.map(\.position)
            && zip(spread.pages, end.pages).allSatisfy { isClose($0.frame, $1.frame, extent) },
          "seed \(seed): spread \(spread.index) was said to be exact"
        )
      }
    }
  }

  @Test func `sizes that no page can have count as a missing box`() throws {
    var sizes = PageSizes()
    for (index, size) in [
      Size.zero, Size(width: -1, height: 5), Size(width: .nan, height: 1),
      Size(width: .infinity, height: 1), Size(width: 1e38, height: 1e38),
      Size(width: 1e-30, height: 10),
    ].enumerated() {
      let page = PageIndex(index)
      sizes.measure(page, as: size)
      #expect(sizes.measured(page) == PageSizes.missingBox)
    }
    sizes.measure(-1, as: Size(width: 1, height: 1))
    sizes.measure(PageIndex(.max), as: Size(width: 1, height: 1))
    #expect(sizes.measuredCount == 6)
  }

  @Test func `the most common size stands for the rest, whatever came first`() {
    let a4 = Size(width: 595, height: 842)
    let a3 = Size(width: 842, height: 1191)
    var batch = [MeasuredSize(page: 0, size: a3)]
    batch += [10, 20, 30].map { MeasuredSize(page: $0, size: a4) }
    for _ in 0..<5 {
      batch.shuffle()
      #expect(PageSizes(measured: batch, estimate: .mostCommon).estimated == a4)
      var sizes = PageSizes(estimate: .mostCommon)
      for entry in batch { sizes.measure(entry.page, as: entry.size) }
      #expect(sizes.estimated == a4)
      // Two pages change their size: the estimate follows.
      sizes.measure([
        MeasuredSize(page: 10, size: a3), MeasuredSize(page: 20, size: a3),
      ])
      #expect(sizes.estimated == a3)
    }
  }
}
