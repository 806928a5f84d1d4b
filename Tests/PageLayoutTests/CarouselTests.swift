import PageLayout
import RectoGeometry
import TestSupport
import Testing

@Suite struct CarouselTests {
  private func layout(_ sizes: [Size], rtl: Bool = false) throws -> Layout {
    var configuration = LayoutConfiguration()
    configuration.mode = .carousel
    configuration.axis = .horizontal
    configuration.fit = .page
    configuration.isRightToLeft = rtl
    return try Layout(
      configuration,
      pages: PageSequence(pageCount: sizes.count),
      sizes: PageSizes(measured: sizes.measured),
      viewport: Size(width: 1280, height: 800)
    )
  }

  @Test func `neighbors show the same share whatever their shape`() throws {
    let shapes = [
      Size(width: 1260, height: 780), Size(width: 100, height: 200), Size(width: 595, height: 842),
    ]
    var shares: [Double] = []
    for neighbor in shapes {
      for current in shapes {
        let layout = try layout([neighbor, current, neighbor])
        let viewpoint = try #require(Viewpoint(layout).showing(page: 1))
        let spreads = layout.spreads(visibleIn: viewpoint.window)
        #expect(spreads.map(\.index) == [0, 1, 2])
        for index in [0, 2] {
          let page = try #require(spreads[index].pages.first)
          shares.append(page.visibleFraction(in: viewpoint.window))
        }
        // Never nearer than one gap.
        for (first, second) in zip(spreads, spreads.dropFirst()) {
          #expect(second.frame.minX - first.frame.maxX >= 10 - 1e-6)
        }
      }
    }
    let first = try #require(shares.first)
    #expect(first > 0.2)
    #expect(shares.allSatisfy { isClose($0, first) }, "\(shares)")
  }

  @Test(arguments: [false, true])
  func `the anchor's fraction is the share of the way to the next spread`(rtl: Bool) throws {
    let sizes = Array(repeating: Size(width: 400, height: 500), count: 9)
    let layout = try layout(sizes, rtl: rtl)
    for progress in [0, 0.3, -0.2, 0.45] {
      let offset = try #require(layout.offset(atSpreadPosition: 4 + progress))
      let anchor = try #require(layout.anchor(at: offset))
      #expect(anchor.page == 4)
      #expect(isClose(layout.fraction(of: anchor), progress))
      #expect(isClose(layout.offset(of: anchor)?.x ?? 0, offset.x))
      #expect(isClose(layout.offset(showing: 4, fraction: progress)?.x ?? 0, offset.x))
    }
  }

  /// A layout with boxes of any size, from those that fill the window to those of which it shows many.
  private func input(_ seed: Int) -> RandomInput {
    var input = RandomInput(seed: seed, mode: .carousel)
    if input.generator.chance(0.7) {
      input.configuration.carousel = CarouselOptions(
        currentShare: input.generator.pick([
          0.4, 1, Double.random(in: 0.2...1, using: &input.generator),
        ]),
        neighborShare: input.generator.pick([
          0.2, 0.45, Double.random(in: 0.01...1, using: &input.generator),
        ]),
        hiddenShare: input.generator.pick([
          0.1, 0.3, Double.random(in: 0.001...1, using: &input.generator),
        ])
      )
    }
    if input.generator.chance(0.3) { input.configuration.contentInsets = Insets(30) }
    return input
  }

  /// The window at a number of spreads.
  private func window(_ progress: Double, _ layout: Layout, _ plain: BruteForce) -> Rect {
    let isVertical = layout.configuration.axis == .vertical
    let isBackwards = !isVertical && layout.configuration.isRightToLeft
    let steps = isBackwards ? Double(plain.spreads.count - 1) - progress : progress
    let start = steps * plain.carouselStep
    return Rect(
      origin: isVertical ? Point(x: 0, y: start) : Point(x: start, y: 0),
      size: layout.viewport
    )
  }

  @Test func `boxes, places and scales are interpolated between the roles, and none is left out`()
    throws
  {
    for seed in seeds(300) {
      var input = input(seed)
      let layout = try input.layout(measuring: 0.7)
      guard !layout.isEmpty else { continue }
      var plain = BruteForce(layout)
      #expect(layout.spreadCount == plain.spreads.count)
      let count = plain.spreads.count
      for _ in 0..<5 {
        let progress = input.generator.number(-0.5...(Double(count) - 0.5))
        let window = window(progress, layout, plain)
        let start = max(window.minX, window.minY)
        plain.turn(
          to: progress,
          windowStart: layout.configuration.axis == .vertical ? window.minY : window.minX
        )
        let shown = layout.spreads(touching: window)
        for index in shown {
          let spread = try #require(layout.spread(index, in: window))
          for (page, other) in zip(spread.pages, plain.spreads[index].pages) {
            #expect(
              isClose(page.frame, other.frame, abs(start)),
              "seed \(seed), spread \(index) at \(progress): \(page.frame), plainly \(other.frame)"
            )
            let turned = page.size.rotated(by: page.rotation)
            #expect(isClose(page.frame.width, turned.width * page.scale, abs(start)))
            #expect(isClose(page.frame.height, turned.height * page.scale, abs(start)))
          }
        }
        for (index, spread) in plain.spreads.enumerated()
        where !shown.contains(index) && layout.configuration.zoom <= 1 {
          let isSeen = spread.pages.contains { $0.frame.intersection(window)?.area ?? 0 >= 1e-3 }
          #expect(!isSeen, "seed \(seed), spread \(index) at \(progress)")
        }
        let boxes = shown.compactMap { layout.spread($0, in: window)?.cell }
        for (first, second) in zip(boxes, boxes.dropFirst()) {
          let shared = first.intersection(second)
          #expect(
            min(shared?.width ?? 0, shared?.height ?? 0) < 1e-5,
            "seed \(seed): neighbors overlap"
          )
        }
        if count > 1 {
          #expect(
            isClose(layout.spreadPosition(at: window.origin) ?? .nan, progress, Double(count))
          )
        }
      }
    }
  }

  @Test func `what is seen of a page grows and shrinks with the scroll progress, without a jump`()
    throws
  {
    for seed in seeds(200) {
      var input = input(seed)
      let layout = try input.layout(measuring: 0.7)
      guard !layout.isEmpty else { continue }
      let plain = BruteForce(layout)
      let step = input.generator.pick([1e-6, 0.001, 0.02])
      let side: KeyPath<Rect, Double> =
        layout.configuration.axis == .vertical ? \.height : \.width
      // From one role to the next, an edge goes from one end of the window to the other at most.
      let most =
        step * 2 * (max(layout.viewport.width, layout.viewport.height) + layout.configuration.gap)
      func seen(_ progress: Double) -> [Int: Rect] {
        let window = window(progress, layout, plain)
        var seen: [Int: Rect] = [:]
        for page in layout.spreads(visibleIn: window).flatMap(\.pages) {
          seen[page.position] = page.visible(in: window)
        }
        return seen
      }
      for _ in 0..<4 {
        // From a rest more often than chance has it.
        var progress = input.generator.number(-0.5...(Double(plain.spreads.count) - 0.5)) - step
        var before = seen(progress)
        for _ in 0..<30 {
          progress += step
          let after = seen(progress)
          for position in Set(before.keys).union(after.keys) {
            let extents: [Double] = [before, after].map { $0[position]?[keyPath: side] ?? 0 }
            #expect(
              abs(extents[0] - extents[1]) <= most + 1e-5,
              "seed \(seed), position \(position) at \(progress): \(extents)"
            )
          }
          before = after
        }
      }
    }
  }

  @Test func `spreads beyond the neighbors follow each other outwards`() throws {
    var configuration = LayoutConfiguration()
    configuration.mode = .carousel
    configuration.axis = .horizontal
    configuration.gap = 0
    configuration.margins = .zero
    configuration.carousel = CarouselOptions(
      currentShare: 0.4,
      neighborShare: 0.2,
      hiddenShare: 0.1
    )
    let layout = try Layout(
      configuration,
      pages: PageSequence(pageCount: 20),
      sizes: PageSizes(estimate: .fixed(Size(width: 400, height: 400))),
      viewport: Size(width: 1000, height: 1000)
    )
    func edges(_ position: Double) throws -> [Int: [Double]] {
      let offset = try #require(layout.offset(atSpreadPosition: position))
      let window = Rect(origin: offset, size: layout.viewport)
      var edges: [Int: [Double]] = [:]
      for spread in layout.spreads(visibleIn: window) {
        edges[spread.index] = [spread.frame.minX, spread.frame.maxX]
          .map { (($0 - offset.x) * 1000).rounded() / 1000 }
      }
      return edges
    }
    #expect(
      try edges(10) == [
        8: [0, 100], 9: [100, 300], 10: [300, 700], 11: [700, 900], 12: [900, 1000],
      ]
    )
    #expect(try edges(10.001)[8] == [-0.1, 99.9])
    #expect(try edges(10.5)[8] == [-50, 50])
    #expect(try edges(10.5)[13] == [950, 1050])
    #expect(try edges(0) == [0: [300, 700], 1: [700, 900], 2: [900, 1000]])
  }
}
