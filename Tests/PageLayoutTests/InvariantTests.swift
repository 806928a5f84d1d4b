import PageLayout
import RectoGeometry
import TestSupport
import Testing

@Suite struct InvariantTests {
  @Test(arguments: BruteForceTests.modes)
  func `frames never overlap and lie inside the content`(mode: LayoutConfiguration.Mode) throws {
    for seed in seeds(100) {
      var input = RandomInput(seed: seed, mode: mode)
      // A spread zoomed beyond its cell reaches into others, and is clipped.
      if mode == .paged { input.configuration.zoom = min(1, input.configuration.zoom) }
      let layout = try input.layout(measuring: 0.6)
      guard !layout.isEmpty else { continue }
      let slack = 1e-6 * max(1, layout.contentSize.width, layout.contentSize.height) * 1e-3
      let content = Rect(origin: .zero, size: layout.contentSize).inset(by: Insets(-slack))
      var previous: [LaidOutPage] = []
      for index in 0..<layout.spreadCount {
        let spread = try #require(layout.spread(index))
        if mode == .paged && input.configuration.fit != .none && input.configuration.fit != .page {
          continue
        }
        for page in spread.pages {
          #expect(page.frame.width > 0 && page.frame.height > 0, "seed \(seed)")
          #expect(
            content.minX <= page.frame.minX && page.frame.maxX <= content.maxX
              && content.minY <= page.frame.minY && page.frame.maxY <= content.maxY,
            "seed \(seed): \(page.frame) in \(layout.contentSize)"
          )
        }
        let near = previous.suffix(30) + spread.pages
        for (place, page) in near.enumerated() {
          for other in near[(near.startIndex + place + 1)...] {
            let shared = page.frame.intersection(other.frame)
            #expect(
              min(shared?.width ?? 0, shared?.height ?? 0) <= slack,
              "seed \(seed): pages \(page.position) and \(other.position) overlap"
            )
          }
        }
        previous += spread.pages
      }
    }
  }

  @Test func `neighbors without a gap share their edge in pixels`() throws {
    for axis in LayoutConfiguration.Axis.allCases {
      for isRightToLeft in [false, true] {
        for fit in [LayoutConfiguration.Fit.none, .width, .height] {
          var configuration = LayoutConfiguration()
          configuration.axis = axis
          configuration.isRightToLeft = isRightToLeft
          configuration.fit = fit
          configuration.gap = 0
          configuration.margins = .zero
          var random = SeededGenerator(1)
          let kinds = [Size(width: 595.276, height: 841.89), Size(width: 612, height: 792.3)]
          let layout = try Layout(
            configuration,
            pages: PageSequence(pageCount: 2000),
            sizes: PageSizes(
              measured: Range(pageCount: 2000).filter { _ in random.chance(0.8) }.map {
                MeasuredSize(page: $0, size: random.pick(kinds))
              }
            ),
            viewport: Size(width: 1280, height: 800)
          )
          for scale in [0.25, 1, 1.5, 2, 3.7] {
            for index in 1..<layout.spreadCount {
              let first = try #require(layout.spread(index - 1)).frame.snapped(scale: scale)
              let second = try #require(layout.spread(index)).frame.snapped(scale: scale)
              if axis == .vertical {
                #expect(first.maxY == second.y)
              } else {
                #expect(isRightToLeft ? second.maxX == first.x : first.maxX == second.x)
              }
            }
          }
        }
      }
    }
  }

  @Test(arguments: BruteForceTests.allModes)
  func `a point on a page leads to the page and back to the point`(mode: LayoutConfiguration.Mode)
    throws
  {
    for seed in seeds(60) {
      var input = RandomInput(seed: seed, mode: mode)
      if mode != .continuous { input.configuration.zoom = min(1, input.configuration.zoom) }
      let layout = try input.layout(measuring: 0.6)
      guard !layout.isEmpty else { continue }
      let extent = max(layout.contentSize.width, layout.contentSize.height)
      for index in 0..<min(40, layout.spreadCount) {
        let rest = try #require(layout.offset(restingAt: index))
        let window = Rect(origin: rest, size: layout.viewport)
        for page in try #require(layout.spread(index, in: window)).pages {
          let place = Point(
            x: page.size.width * Double.random(in: 0.01..<0.99, using: &input.generator),
            y: page.size.height * Double.random(in: 0.01..<0.99, using: &input.generator)
          )
          let point = page.contentPoint(place)
          let back = page.pagePoint(point)
          #expect(isClose(page.scale * back.x, page.scale * place.x, extent), "seed \(seed)")
          #expect(isClose(page.scale * back.y, page.scale * place.y, extent), "seed \(seed)")
          guard page.frame.width > 1e-3, page.frame.height > 1e-3, page.clip.contains(point) else {
            continue
          }
          let found = layout.page(at: point, in: window)
          #expect(found?.position == page.position, "seed \(seed), spread \(index)")
          #expect(layout.nearestPage(to: point, in: window)?.position == page.position)
        }
      }
    }
  }

  @Test(arguments: BruteForceTests.modes)
  func `an anchor leads back to its offset, in gaps too`(mode: LayoutConfiguration.Mode) throws {
    for seed in seeds(100) {
      var input = RandomInput(seed: seed, mode: mode)
      let layout = try input.layout(measuring: 0.6)
      guard !layout.isEmpty, input.hasPages else { continue }
      let extent = max(layout.contentSize.width, layout.contentSize.height)
      for _ in 0..<10 {
        let offset = randomWindow(layout, &input.generator).origin
        for point in [nil, Point(x: 13, y: 27)] {
          let anchor = try #require(layout.anchor(at: offset, point: point), "seed \(seed)")
          let back = try #require(layout.offset(of: anchor, point: point))
          // A share of a page far away has as many digits less as it is pages long.
          #expect(abs(back.x - offset.x) < 1e-6 * max(1, extent * 1e-6), "seed \(seed)")
          #expect(abs(back.y - offset.y) < 1e-6 * max(1, extent * 1e-6), "seed \(seed)")
        }
      }
    }
  }

  @Test func `an anchor survives zoom, rotation, viewport, mode and back`() throws {
    for seed in seeds(60) {
      var input = RandomInput(seed: seed, mode: .continuous)
      let layout = try input.layout(measuring: 1)
      guard !layout.isEmpty, input.hasPages else { continue }
      let page = try #require(layout.anchor(at: .zero)).page
      let anchor = Anchor(page: page, place: Point(x: 0.3, y: 0.6))
      let target = try #require(layout.page(page))
      let place = Point(x: 0.3 * target.size.width, y: 0.6 * target.size.height)
      for mode in BruteForceTests.modes {
        var configuration = layout.configuration
        configuration.mode = mode
        configuration.zoom = input.generator.pick([0.5, 1, 4])
        configuration.rotation = input.generator.pick(Rotation.allCases)
        let other = try layout.reconfigured(configuration)
          .resized(to: Size(width: 900, height: 700))
        guard !other.isEmpty else { continue }
        let offset = try #require(other.offset(of: anchor))
        let seen = try #require(other.page(page))
        let point = other.readingPoint
        let found = seen.pagePoint(Point(x: offset.x + point.x, y: offset.y + point.y))
        let digits = 1e-9 * max(1, other.contentSize.width, other.contentSize.height) / seen.scale
        #expect(
          abs(found.x - place.x) <= digits && abs(found.y - place.y) <= digits,
          "seed \(seed)"
        )
      }
    }
  }

  @Test func `spread positions and offsets are inverse`() throws {
    for mode in BruteForceTests.allModes {
      for seed in seeds(25) {
        var input = RandomInput(seed: seed, mode: mode)
        if mode == .grid { input.configuration.grid.columns = 1 }
        // One spread in a row: there is no place for a second.
        if mode == .flow { input.configuration.gap = 1e5 }
        let layout = try input.layout(measuring: 0.5)
        guard layout.spreadCount > 1, !layout.isEmpty else { continue }
        for _ in 0..<10 {
          let position = input.generator.number(0...Double(layout.spreadCount - 1))
          let offset = try #require(layout.offset(atSpreadPosition: position))
          let back = try #require(layout.spreadPosition(at: offset))
          let extent = max(layout.contentSize.width, layout.contentSize.height)
          #expect(abs(back - position) < 1e-9 * max(1e3, extent), "\(mode), seed \(seed)")
        }
      }
    }
    var configuration = LayoutConfiguration()
    configuration.mode = .paged
    let layout = try Layout(
      configuration,
      pages: PageSequence(pageCount: 10),
      sizes: PageSizes(),
      viewport: Size(width: 100, height: 100)
    )
    // Half way from spread 2 to 3: two and a half cells and gaps.
    #expect(layout.spreadPosition(at: Point(x: 0, y: 2.5 * 110)) == 2.5)
  }
}
