import Geometry
import PageLayout
import PageNumbers
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

  @Test func `boxes, places and scales are interpolated between the roles`() throws {
    for seed in seeds(150) {
      var input = RandomInput(seed: seed, mode: .carousel)
      let layout = try input.layout(measuring: 0.7)
      guard !layout.isEmpty else { continue }
      var plain = BruteForce(layout)
      #expect(layout.spreadCount == plain.spreads.count)
      let count = plain.spreads.count
      for _ in 0..<5 {
        let progress = input.generator.number(-0.5...(Double(count) - 0.5))
        let isBackwards =
          layout.configuration.axis == .horizontal && layout.configuration.isRightToLeft
        let steps = isBackwards ? Double(count - 1) - progress : progress
        let start = steps * plain.carouselStep
        plain.turn(to: progress, windowStart: start)
        let origin =
          layout.configuration.axis == .vertical ? Point(x: 0, y: start) : Point(x: start, y: 0)
        let window = Rect(origin: origin, size: layout.viewport)
        let shown = layout.spreads(touching: window)
        for index in shown {
          let spread = try #require(layout.spread(index, in: window))
          #expect(abs(Double(index) - progress) <= 2 + 1e-9, "five roles at most")
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
        where abs(Double(index) - progress) < 1.99 && !shown.contains(index)
          && layout.configuration.zoom <= 1
        {
          #expect(spread.pages.allSatisfy { $0.frame.intersection(window)?.area ?? 0 < 1e-3 })
        }
        let boxes = shown.compactMap { layout.spread($0, in: window)?.cell }
        for (first, second) in zip(boxes, boxes.dropFirst()) {
          #expect((first.intersection(second)?.area ?? 0) < 1, "seed \(seed): neighbors overlap")
        }
        if count > 1 {
          #expect(isClose(layout.spreadPosition(at: origin) ?? .nan, progress, Double(count)))
        }
      }
    }
  }
}
