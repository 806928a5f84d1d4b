import PageLayout
import RectoGeometry
import TestSupport
import Testing

@Suite struct InvalidationTests {
  /// Random steps; RECTO_EFFORT multiplies them.
  @Test(arguments: BruteForceTests.allModes)
  func `what measuring, editing and reconfiguring move is found as by comparing all frames`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for seed in seeds(60) {
      var input = RandomInput(seed: seed, mode: mode)
      var layout = try input.layout(
        measuring: input.generator.pick([0, 0.1, 0.5, 1]),
        estimate: input.generator.pick([.firstPage, .mostCommon])
      )
      for step in 0..<10 {
        let old = layout
        let context = "\(mode), seed \(seed), step \(step)"
        var changes: PageChanges?
        switch Int.random(in: 0..<8, using: &input.generator) {
        case 0...2:
          let pages = (0..<input.generator.pick([1, 1, 2, 5, 20])).map { _ in
            PageIndex(Int.random(in: input.sizes.indices, using: &input.generator))
          }
          let found = layout.measure(pages.map(input.sizes.measured))
          let plain = PlainInvalidation(layout, old, nil, keepsIndices: true)
          check(found, plain, context + ", measuring \(pages)")
          guard step % 4 == 0 else { continue }
        case 3...5:
          let edited = layout.edited { edit(&$0, &input.generator) }
          layout = edited.layout
          changes = edited.changes
        case 6:
          layout = try layout.resized(
            to: input.generator.chance(0.3)
              ? Size(width: layout.viewport.width, height: layout.viewport.height + 7)
              : Size(
                width: input.generator.number(60...2000),
                height: input.generator.number(60...1500)
              )
          )
        default:
          layout = try reconfigured(layout, &input, seed)
        }
        let found = layout.invalidation(since: old, changes: changes)
        check(found, PlainInvalidation(layout, old, changes), context)
      }
    }
  }

  @Test func `a million pages are told by a few stretches`() throws {
    func layout(_ change: (inout LayoutConfiguration) -> Void = { _ in }) throws -> Layout {
      let viewport = Size(width: 1280, height: 800)
      let size = Size(width: 595, height: 842)
      return try PageLayoutTests.layout(1_000_000, size: size, viewport: viewport, change)
    }
    let old = try layout()
    let edited = old.edited { edit in
      edit.move(10..<20, to: 500_000)
      edit.insert([.pages(7..<8)], at: 3)
    }
    let moved = edited.layout.invalidation(since: old, changes: edited.changes)
    #expect(moved.changed == [3..<4])
    #expect(
      moved.displaced.map(\.spreads) == [
        4..<11, 11..<499_991, 499_991..<500_001, 500_001..<1_000_001,
      ]
    )
    #expect(moved.displaced.map(\.distance.y) == [852, -9 * 852, 499_981 * 852, 852])

    let far = try layout { $0.gap = 20 }.invalidation(since: old)
    #expect(far.changed == [1..<1_000_000] && far.displaced.isEmpty, "each by a vector of its own")
    let lower = try layout { $0.margins.top = 50 }.invalidation(since: old)
    #expect(lower.changed.isEmpty && lower.displaced.map(\.spreads) == [0..<1_000_000])
    #expect(try layout { $0.rotation = .half }.invalidation(since: old).changed == [0..<1_000_000])
    #expect(try layout().invalidation(since: old) == .none)

    let five = try layout {
      $0.mode = .grid
      $0.grid = GridOptions(columns: 5)
    }
    let row = five.edited { $0.insert([.pages(0..<5)], at: 10) }
    let rows = row.layout.invalidation(since: five, changes: row.changes)
    #expect(rows.changed == [10..<15] && rows.displaced.map(\.spreads) == [15..<1_000_005])
    let one = five.edited { $0.insert([.pages(0..<1)], at: 12) }
    let single = one.layout.invalidation(since: five, changes: one.changes)
    #expect(single.changed == [12..<13, 15..<1_000_001], "all rows behind hold other spreads")
    #expect(single.displaced.map(\.spreads) == [13..<15])
  }

  @Test(arguments: BruteForceTests.modes)
  func `what an edit adds to the offset of an anchor keeps it where it is`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for seed in seeds(60) {
      var input = RandomInput(seed: seed, mode: mode, pageCount: 40)
      let layout = try input.layout(measuring: 0.4)
      let viewpoint = Viewpoint(layout, at: randomWindow(layout, &input.generator).origin)
      guard let anchor = viewpoint.anchor() else { continue }
      var random = input.generator
      let result = layout.edited(keeping: anchor) { edit(&$0, &random) }
      let found = result.layout.invalidation(
        since: layout,
        changes: result.changes,
        keeping: anchor
      )
      let size = result.layout.contentSize
      #expect(isClose(layout.contentSize.height + found.contentSizeAdjustment.height, size.height))
      if mode != .paged, let before = layout.offset(of: anchor), let after = result.anchor,
        let offset = result.layout.offset(of: after)
      {
        #expect(isClose(before.x + found.offsetAdjustment.x, offset.x, size.width), "seed \(seed)")
        #expect(isClose(before.y + found.offsetAdjustment.y, offset.y, size.height), "seed \(seed)")
      }
      random = input.generator
      let (next, changes) = viewpoint.edited { edit(&$0, &random) }
      let moved = next.invalidation(since: viewpoint, changes: changes)
      #expect(moved.changed == found.changed || mode == .paged, "seed \(seed)")
      #expect(isClose(viewpoint.offset.y + moved.offsetAdjustment.y, next.offset.y, size.height))
    }
  }

  /// One or two fields of another random configuration, or all of it.
  private func reconfigured(
    _ layout: Layout,
    _ input: inout RandomInput,
    _ seed: Int
  ) throws -> Layout {
    var random = input.generator
    defer { input.generator = random }
    let count = input.sizes.count
    let mode =
      random.chance(0.1) ? random.pick(BruteForceTests.allModes) : layout.configuration.mode
    let other = RandomInput(
      seed: Int.random(in: 0..<10_000, using: &random),
      mode: mode,
      pageCount: count
    )
    .configuration
    var configuration = layout.configuration
    for _ in 0..<random.pick([1, 1, 2]) {
      switch Int.random(in: 0..<18, using: &random) {
      case 0: configuration.gap = other.gap
      case 1: configuration.pageGap = other.pageGap
      case 2: configuration.margins = other.margins
      case 3: configuration.align = other.align
      case 4: configuration.centering = other.centering
      case 5: configuration.isRightToLeft.toggle()
      case 6: configuration.spread = other.spread
      case 7: configuration.pairing = other.pairing
      case 8: configuration.spacing = other.spacing
      case 9: configuration.grid = other.grid
      case 10: configuration.flow = other.flow
      case 11: configuration.contentInsets = Insets(random.number(0...20))
      case 12: configuration.minimumContentSize = other.minimumContentSize
      case 13: configuration.axis = other.axis
      case 14: configuration.fitScope = other.fitScope
      case 15: configuration.match = other.match
      case 16:
        let page = PageIndex(Int.random(in: 0..<count, using: &random))
        configuration.spreadViews[page] = SpreadView(
          zoom: random.pick([0.5, 2, 5]),
          pan: Point(x: random.number(0...1), y: random.number(0...1))
        )
      default:
        return try layout.reconfigured(other)
      }
    }
    configuration.mode = mode
    return try layout.reconfigured(configuration)
  }
}
