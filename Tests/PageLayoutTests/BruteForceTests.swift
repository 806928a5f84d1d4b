import PageLayout
import RectoGeometry
import TestSupport
import Testing

@Suite struct BruteForceTests {
  static let modes: [LayoutConfiguration.Mode] = [.continuous, .paged, .grid, .flow]
  /// All modes, for what holds even where frames follow the window.
  static let allModes = LayoutConfiguration.Mode.allCases

  @Test(arguments: modes)
  func `frames and content size are those of the plain layout`(mode: LayoutConfiguration.Mode)
    throws
  {
    for seed in seeds(300) {
      var input = RandomInput(seed: seed, mode: mode)
      let share = input.generator.pick([0, 0.1, 0.5, 1])
      let layout = try input.layout(measuring: share)
      compare(layout, "seed \(seed)")
    }
  }

  @Test(arguments: modes)
  func `visible spreads are those that the plain layout finds`(mode: LayoutConfiguration.Mode)
    throws
  {
    for seed in seeds(300) {
      var input = RandomInput(seed: seed, mode: mode)
      let layout = try input.layout(measuring: 0.5)
      guard !layout.isEmpty else { continue }
      let plain = BruteForce(layout)
      for _ in 0..<10 {
        let window = randomWindow(layout, &input.generator)
        checkWindow(window, layout, plain, "seed \(seed)")
      }
    }
  }
}

/// Everything a layout says about its spreads, against the plain layout.
func compare(_ layout: Layout, _ context: String) {
  let plain = BruteForce(layout)
  #expect(layout.spreadCount == plain.spreads.count, "\(context)")
  guard !layout.isEmpty else { return }
  let extent = max(plain.contentSize.width, plain.contentSize.height)
  #expect(
    isClose(
      Rect(origin: .zero, size: layout.contentSize),
      Rect(origin: .zero, size: plain.contentSize),
      extent
    ),
    "\(context): content \(layout.contentSize), plainly \(plain.contentSize)"
  )
  for (index, expected) in plain.spreads.enumerated() {
    #expect(layout.positions(inSpread: index) == expected.positions, "\(context), spread \(index)")
    for position in expected.positions {
      #expect(layout.spread(containingPosition: position) == index, "\(context)")
    }
    guard let spread = layout.spread(index) else {
      Issue.record("\(context): no spread \(index)")
      return
    }
    #expect(spread.pages.map(\.position) == expected.pages.map(\.position), "\(context)")
    for (page, other) in zip(spread.pages, expected.pages) {
      #expect(page.page == other.page)
      #expect(
        isClose(page.frame, other.frame, extent),
        "\(context), spread \(index), page \(page.page): \(page.frame), plainly \(other.frame)"
      )
      #expect(isClose(page.scale, other.scale), "\(context)")
      #expect(page.isMeasured == (layout.sizes.measured(page.page) != nil))
    }
  }
}

func randomWindow(_ layout: Layout, _ random: inout SeededGenerator) -> Rect {
  let content = layout.contentSize
  return Rect(
    x: random.number(-50...(content.width + 50)),
    y: random.number(-50...(content.height + 50)),
    width: random.number(1...1500),
    height: random.number(1...1500)
  )
}

func checkWindow(_ window: Rect, _ layout: Layout, _ plain: BruteForce, _ context: String) {
  let isVertical = layout.configuration.axis == .vertical
  let touching = layout.spreads(touching: window)
  let positions = touching.compactMap { layout.positions(inSpread: $0) }.flatMap { $0 }
  #expect(Array(layout.positions(touching: window)) == positions)
  // In cells, the cell counts; the plain layout knows cells by their index.
  let extent = isVertical ? layout.viewport.height : layout.viewport.width
  let gap =
    layout.configuration.gap
    * (layout.configuration.gapsScaleWithZoom ? layout.configuration.zoom : 1)
  for (index, spread) in plain.spreads.enumerated() {
    var start = isVertical ? spread.box.minY : spread.box.minX
    var end = isVertical ? spread.box.maxY : spread.box.maxX
    if layout.configuration.mode == .paged {
      let isBackwards = !isVertical && layout.configuration.isRightToLeft
      start = Double(isBackwards ? plain.spreads.count - 1 - index : index) * (extent + gap)
      end = start + extent
    }
    if let row = spread.row { (start, end) = row }
    let lower = isVertical ? window.minY : window.minX
    let upper = isVertical ? window.maxY : window.maxX
    // Within rounding of an edge either answer will do.
    if [start - upper, end - lower].contains(where: { abs($0) < 1e-6 }) { continue }
    #expect(
      touching.contains(index) == (start < upper && end > lower),
      "\(context), spread \(index) in \(window): \(touching)"
    )
  }
}
