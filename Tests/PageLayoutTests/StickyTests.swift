import ExampleArrangements
import PageLayout
import RectoGeometry
import TestSupport
import Testing

/// Sticky pages: what lies side by side is pinned as a whole, nothing jumps, and other pages can be
/// read.
@Suite struct StickyTests {
  /// How far a place moves on the screen for each unit that a window is scrolled. In a carousel, the
  /// roles move the spreads.
  private static func speed(_ layout: Layout) -> Double {
    guard layout.configuration.mode == .carousel else { return 1 }
    return PlainSticky.carouselSpeed(layout)
  }

  /// A layout of 60 pages, some of them sticky: a few that fit the window together, or too many.
  private func input(_ seed: Int, _ mode: LayoutConfiguration.Mode) -> RandomInput {
    var input = RandomInput(seed: seed, mode: mode, pageCount: 60)
    let first = Int.random(in: 0..<50, using: &input.generator)
    input.configuration.stickyPages = (0..<input.generator.pick([1, 2, 3, 6, 12])).map { _ in
      // Often near each other, so that lines have several.
      PageIndex(
        input.generator.chance(0.5)
          ? first + Int.random(in: 0..<6, using: &input.generator)
          : Int.random(in: 0..<60, using: &input.generator)
      )
    }
    if mode != .flow {
      input.configuration.zoom = input.generator.pick([0.05, 0.1, 0.2, 0.4, 1, 2])
    }
    if input.generator.chance(0.3) {
      input.configuration.contentInsets = Insets(input.generator.number(0...40))
    }
    return input
  }

  // MARK: Properties

  @Test(arguments: BruteForceTests.modes)
  func `sticky pages are where the plain layout has them`(mode: LayoutConfiguration.Mode) throws {
    var pinned = 0
    for seed in seeds(300) {
      var input = input(seed, mode)
      let layout = try input.layout(measuring: 0.7)
      guard !layout.isEmpty else { continue }
      let plain = PlainSticky(layout)
      for _ in 0..<8 {
        let window = layout.window(at: randomWindow(layout, &input.generator).origin)
        let shown = layout.spreads(visibleIn: window)
        let expected = plain.frames(in: window)
        for (index, place) in expected {
          let entry = shown.first { $0.index == index }
          let isSeen = place.seen.inset(by: Insets(1e-6)).intersects(window)
          if isSeen { #expect(entry != nil, "\(mode), seed \(seed): \(index) is not seen") }
          guard let entry else { continue }
          if entry.isPinned { pinned += 1 }
          #expect(
            isClose(entry.frame, place.frame, window.maxX + window.maxY),
            "\(mode), seed \(seed), spread \(index): \(entry.frame), plainly \(place.frame)"
          )
        }
      }
    }
    #expect(pinned > 100)
  }

  @Test(arguments: BruteForceTests.allModes)
  func `no sticky page moves farther on the screen than the window is scrolled`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for seed in seeds(100) {
      var input = input(seed, mode)
      let layout = try input.layout(measuring: 0.7)
      guard !layout.isEmpty else { continue }
      let sticky = Set(layout.configuration.stickyPages)
      let isVertical = layout.configuration.axis == .vertical
      let step = input.generator.pick([0.3, 1, 7])
      for _ in 0..<3 {
        var offset = layout.clamped(randomWindow(layout, &input.generator).origin)
        var before = SeenSticky(layout, sticky, at: offset)
        for _ in 0..<40 {
          if isVertical { offset.y += step } else { offset.x += step }
          let after = SeenSticky(layout, sticky, at: offset)
          let jump = after.farthest(from: before)
          #expect(
            jump <= step * Self.speed(layout) + 1e-6,
            "\(mode), seed \(seed) at \(offset): \(jump) of \(step)"
          )
          before = after
        }
      }
    }
  }

  @Test(arguments: [false, true])
  func `in a column, no sticky page moves farther than the window is scrolled`(
    isSideways: Bool
  ) throws {
    for seed in seeds(100) {
      var input = try ColumnInput(seed: seed, measuring: 0.5)
      let column = input.column
      let step = input.generator.pick([0.3, 1, 7])
      for _ in 0..<3 {
        var window = input.window()
        window.size = column.viewport
        guard !window.isEmpty else { continue }
        var before = SeenSticky(column, in: window)
        for _ in 0..<40 {
          if isSideways { window.origin.x += step } else { window.origin.y += step }
          let after = SeenSticky(column, in: window)
          let jump = after.farthest(from: before)
          #expect(jump <= step + 1e-5, "seed \(seed) at \(window): \(jump) of \(step)")
          before = after
        }
      }
    }
  }

  @Test(arguments: BruteForceTests.allModes)
  func `pinned pages cover no other pinned page, and are found at their points`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for seed in seeds(150) {
      var input = input(seed, mode)
      let layout = try input.layout(measuring: 0.7)
      guard !layout.isEmpty else { continue }
      for _ in 0..<6 {
        let window = layout.window(at: randomWindow(layout, &input.generator).origin)
        let pinned = layout.spreads(visibleIn: window).filter(\.isPinned)
        for (place, spread) in pinned.enumerated() {
          for other in pinned[(place + 1)...] {
            let shared = spread.cell.intersection(other.cell)
            #expect(
              min(shared?.width ?? 0, shared?.height ?? 0) < 1e-5,
              "\(mode), seed \(seed): \(spread.index) and \(other.index)"
            )
          }
          for page in spread.pages {
            guard let visible = page.visible(in: window), min(visible.width, visible.height) > 1e-3
            else { continue }
            let found = layout.page(at: visible.center, in: window)
            #expect(found?.position == page.position, "\(mode), seed \(seed)")
          }
        }
      }
    }
  }

  @Test(arguments: BruteForceTests.modes)
  func `what says that it is exact is pinned there for good`(mode: LayoutConfiguration.Mode) throws
  {
    for seed in seeds(150) {
      var input = input(seed, mode)
      let final = try input.layout(measuring: 1)
      guard !final.isEmpty else { continue }
      for share in [0.5, 0.95] {
        var layout = try input.layout(measuring: share)
        for _ in 0..<3 {
          let window = layout.window(at: randomWindow(final, &input.generator).origin)
          check(layout, final, window, "\(mode), seed \(seed)")
          // All of the window, which leaves the sticky pages.
          layout.measure(
            layout.unmeasuredPages(inSpreads: 0..<layout.spreads(touching: window).upperBound)
              .joined().map(input.sizes.measured)
          )
          check(layout, final, window, "\(mode), seed \(seed), measured")
        }
      }
    }
  }

  private func check(_ layout: Layout, _ final: Layout, _ window: Rect, _ context: String) {
    let end = final.spreads(visibleIn: window)
    for spread in layout.spreads(visibleIn: window) where spread.isExact {
      let same = end.first { $0.index == spread.index }
      #expect(
        isClose(spread.frame, same?.frame ?? .zero, window.maxX + window.maxY),
        "\(context): \(spread.index)"
      )
    }
  }

  // MARK: Examples

  private func layout(
    _ count: Int,
    height: Double = 200,
    viewport: Double = 700,
    _ change: (inout LayoutConfiguration) -> Void
  ) throws -> Layout {
    try PageLayoutTests.layout(
      count,
      size: Size(width: 400, height: height),
      viewport: Size(width: 1000, height: viewport)
    ) {
      $0.gap = 0
      $0.margins = .zero
      change(&$0)
    }
  }

  /// Where pages are on the screen, along a vertical axis; nil where they are not seen.
  private func tops(_ pages: [PageIndex], of layout: Layout, at y: Double) -> [Double?] {
    let shown = layout.spreads(visibleIn: layout.window(at: Point(x: 0, y: y)))
    return pages.map { page in
      shown.first { $0.pages.contains { $0.page == page } }.map { $0.frame.minY - y }
    }
  }

  @Test func `sticky pages of one row stay side by side`() throws {
    let layout = try layout(60) {
      $0.mode = .grid
      $0.grid.columns = 2
      $0.stickyPages = [2, 3]
    }
    #expect(tops([2, 3], of: layout, at: 150) == [50, 50])
    for y: Double in [200, 201, 500, 3000] { #expect(tops([2, 3], of: layout, at: y) == [0, 0]) }
    let later = try self.layout(60) {
      $0.mode = .grid
      $0.grid.columns = 2
      $0.stickyPages = [40, 41]
    }
    for y: Double in [0, 200, 3500] { #expect(tops([40, 41], of: later, at: y) == [500, 500]) }
  }

  @Test func `what an arrangement of one's own puts side by side stays there`() throws {
    let layout = try Layout(
      layout(60) { $0.stickyPages = [5, 6, 8] }.configuration,
      arrangement: Mosaic(),
      pages: PageSequence(pageCount: 60),
      sizes: PageSizes(estimate: .fixed(Size(width: 400, height: 200))),
      viewport: Size(width: 1000, height: 700)
    )
    // A large one, and two small ones beside it.
    let places = try [5, 6, 8].map { try #require(layout.spread($0)).frame.minY }
    for y: Double in [0, 300, 800, 2000] {
      let tops = tops([5, 6, 8], of: layout, at: y)
      for (top, place) in zip(tops, places) {
        #expect(isClose(try #require(top) - place, try #require(tops[0]) - places[0]))
      }
    }
  }

  @Test func `of sticky pages that do not all fit, the nearest at each edge are shown`() throws {
    // Ten of 100 in 900: three at each edge.
    let layout = try layout(100, height: 100, viewport: 900) {
      $0.stickyPages = (0..<10).map { PageIndex($0 * 10) }
    }
    #expect(tops([0, 10, 20, 30, 40], of: layout, at: 0) == [0, 600, 700, 800, nil])
    #expect(tops([0, 10, 20, 30, 40], of: layout, at: 350) == [0, 600, 700, 800, nil])
    #expect(tops([0, 10, 20, 30, 40], of: layout, at: 450) == [0, 550, 650, 750, 850])
    #expect(tops([0, 10, 20, 30], of: layout, at: 2500) == [0, 100, 200, 500])
    // The next one pushes the first one out.
    #expect(tops([0, 10, 20, 30], of: layout, at: 2750) == [-50, 50, 150, 250])
    #expect(tops([0, 10, 20, 30], of: layout, at: 2850) == [nil, 0, 100, 200])
  }

  @Test
  func `a sticky page higher than the window is scrolled, and a third of the window is left to it`()
    throws
  {
    let layout = try layout(9, height: 900, viewport: 600) { $0.stickyPages = [4] }
    #expect(tops([4], of: layout, at: 0) == [400])
    #expect(tops([4], of: layout, at: 3000) == [400])
    #expect(tops([4], of: layout, at: 3300) == [300])
    #expect(tops([4], of: layout, at: 4200) == [-600])
    // Its end has come to 200, and stays there.
    #expect(tops([4], of: layout, at: 4300) == [-700])
    #expect(tops([4], of: layout, at: 4400) == [-700])
    #expect(tops([4], of: layout, at: 7000) == [-700])
  }

  @Test func `of a spread larger than its cell, an edge shows what its cell does`() throws {
    let layout = try layout(9) {
      $0.mode = .paged
      $0.fit = .page
      $0.stickyPages = [4]
      $0.spreadViews = [4: SpreadView(zoom: 3, pan: Point(x: 0.5, y: 0.5))]
    }
    let rest = try #require(layout.offset(restingAt: 4))
    let here = try #require(layout.spreads(visibleIn: layout.window(at: rest)).first)
    let window = layout.window(at: layout.offset(restingAt: 7) ?? .zero)
    let pinned = try #require(layout.spreads(visibleIn: window).last)
    #expect(pinned.index == 4 && pinned.isPinned)
    #expect(pinned.cell.height <= here.cell.height && pinned.frame.height == here.frame.height)
  }
}
