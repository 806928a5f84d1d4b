import PageLayout
import RectoGeometry
import Testing

@Suite struct NavigationTests {
  @Test func `keys go from line to line and end at the ends`() throws {
    for mode in LayoutConfiguration.Mode.allCases {
      for axis in LayoutConfiguration.Axis.allCases {
        for isRightToLeft in [false, true] {
          let layout = try layout {
            $0.mode = mode
            $0.axis = axis
            $0.isRightToLeft = isRightToLeft
            $0.spread = .book
          }
          let isBackwards = axis == .horizontal && isRightToLeft
          var offset = layout.clamped(Point(x: isBackwards ? 1e9 : 0, y: 0))
          let start = offset
          var seen: [Double] = []
          while let next = layout.stop(.forward, from: offset) {
            offset = next
            seen.append(axis == .vertical ? next.y : isBackwards ? -next.x : next.x)
            try #require(seen.count < 50)
          }
          #expect(seen == seen.sorted() && !seen.isEmpty, "\(mode) \(axis)")
          var back = 0
          while let previous = layout.stop(.backward, from: offset) {
            offset = previous
            back += 1
            try #require(back < 50)
          }
          #expect(abs(back - seen.count) <= 1, "\(mode) \(axis): \(seen.count) on, \(back) back")
          #expect(offset == start || [.continuous, .grid, .flow].contains(mode))
        }
      }
    }
  }

  @Test func `a screen forward never passes what was not fully seen`() throws {
    let layout = try layout { $0.gap = 20 }
    // Page 0 ends at 510, page 1 begins at 530 and is cut: it comes to the top.
    let first = try #require(layout.screenStop(.forward, from: .zero))
    #expect(first.y == 530)
    // A page higher than the screen is turned in screens.
    let high = try PageLayoutTests.layout { $0.zoom = 3 }
    let second = try #require(high.screenStop(.forward, from: Point(x: 0, y: 10), overlap: 50))
    #expect(second.y == 560)
    let back = try #require(high.screenStop(.backward, from: second, overlap: 50))
    #expect(back.y == 10)
    #expect(layout.screenStop(.backward, from: .zero) == nil)
    #expect(layout.screenStop(.forward, from: Point(x: 0, y: 1e9)) == nil)
  }

  @Test
  func `the current page is the target, else one at an end, else the largest, else the first`()
    throws
  {
    let layout = try layout()
    // Page 0 at 10…510, page 1 at 520…1020: 310 of page 0 and 290 of page 1 are visible.
    let window = layout.window(at: Point(x: 0, y: 200))
    #expect(layout.currentPage(in: window) == 0)
    #expect(layout.currentPage(in: window, target: 1) == 1)
    #expect(layout.currentPage(in: window, target: 2) == 0, "out of sight")
    let even = layout.window(at: Point(x: 0, y: 215))
    #expect(layout.currentPage(in: even) == 0, "equal areas: the one shown first")
    let beside = Rect(x: 5000, y: 600, width: 10, height: 10)
    #expect(layout.currentPage(in: beside) == 1, "beside the pages: the one at the top")
  }

  @Test(arguments: LayoutConfiguration.Axis.allCases, [false, true])
  func `a short page that is wholly visible at an end of the content is current there`(
    axis: LayoutConfiguration.Axis,
    isRightToLeft: Bool
  ) throws {
    var configuration = LayoutConfiguration()
    configuration.axis = axis
    configuration.isRightToLeft = isRightToLeft
    let small = Size(width: 100, height: 100)
    let layout = try Layout(
      configuration,
      pages: PageSequence(pageCount: 6),
      sizes: PageSizes(
        measured: [MeasuredSize(page: 0, size: small), MeasuredSize(page: 5, size: small)],
        estimate: .fixed(Size(width: 500, height: 500))
      ),
      viewport: Size(width: 400, height: 400)
    )
    let start = Viewpoint(layout)
    #expect(start.current == 0)
    let far = Double(axis == .horizontal && isRightToLeft ? -1e9 : 1e9)
    let end = start.moved(to: Point(x: far, y: far))
    #expect(end.current == 5)
    let step = axis == .horizontal && isRightToLeft ? 1.0 : -1
    #expect(end.scrolled(by: Point(x: step, y: -1)).current == 4)
  }

  @Test func `prefetch begins with what is visible and goes on in scroll direction`() throws {
    let layout = try layout(20)
    let window = layout.window(at: layout.offset(restingAt: 8) ?? .zero)
    #expect(layout.spreads(touching: window) == 8..<10)
    #expect(layout.positions(touching: window) == 8..<10)
    #expect(layout.prefetchOrder(for: window, limit: 7) == [8, 9, 10, 7, 11, 6, 12])
    #expect(
      layout.prefetchOrder(for: window, velocity: 2, limit: 8) == [8, 9, 10, 11, 12, 7, 13, 14]
    )
    #expect(layout.prefetchOrder(for: window, velocity: -1, limit: 6) == [9, 8, 7, 6, 10, 5])
    let all = layout.prefetchOrder(for: window, velocity: 9, limit: 100)
    #expect(all.sorted() == Array(0..<20))
    let book = try PageLayoutTests.layout(20) {
      $0.mode = .grid
      $0.grid.columns = 3
    }
    let rows = book.prefetchOrder(for: book.window(at: .zero), limit: 100)
    #expect(rows.sorted() == Array(0..<20) && rows.prefix(3) == [0, 1, 2])
  }

  @Test func `pinned spreads stay at the nearer edge in reading order`() throws {
    for (axis, isRightToLeft) in [
      (LayoutConfiguration.Axis.vertical, false), (.horizontal, false), (.horizontal, true),
    ] {
      let layout = try layout(30, viewport: Size(width: 2100, height: 2100)) {
        $0.axis = axis
        $0.isRightToLeft = isRightToLeft
        $0.stickyPages = [0, 2, 28, 12]
      }
      for step in stride(from: 0.0, through: 1, by: 0.01) {
        let size = layout.contentSize
        let window = layout.window(
          at: Point(x: step * (size.width - 2100), y: step * (size.height - 2100))
        )
        let shown = layout.spreads(visibleIn: window)
        for page in layout.configuration.stickyPages {
          let spread = try #require(
            shown.first { $0.pages.first?.page == page },
            "\(page) at \(step)"
          )
          #expect(spread.pages[0].visibleFraction(in: window) > 0.999_999)
        }
        let sticky = shown.filter { spread in
          spread.pages.contains { layout.configuration.stickyPages.contains($0.page) }
        }
        for (index, one) in sticky.enumerated() {
          for other in sticky[(index + 1)...] {
            #expect((one.frame.intersection(other.frame)?.area ?? 0) < 1e-3)
          }
        }
        let others = shown.filter { !$0.isPinned }.map(\.index)
        #expect(others == others.sorted())
        #expect(Set(shown.map(\.index)).count == shown.count, "nothing is shown twice")
      }
    }
  }

  @Test(.timeLimit(.minutes(1)), arguments: LayoutConfiguration.Axis.allCases)
  func `a point far beside a trillion pages takes as few spreads as one among them`(
    axis: LayoutConfiguration.Axis
  ) throws {
    var configuration = LayoutConfiguration()
    configuration.axis = axis
    let layout = try Layout(
      configuration,
      pages: PageSequence(pageCount: 1 << 40),
      sizes: PageSizes(),
      viewport: Size(width: 800, height: 600)
    )
    let (far, near) =
      axis == .vertical
      ? (Point(x: 1e300, y: 5000), Point(x: 400, y: 5000))
      : (Point(x: 5000, y: -1e300), Point(x: 5000, y: 300))
    #expect(layout.page(at: far) == nil)
    #expect(layout.nearestPage(to: far) == layout.nearestPage(to: near))
  }

  @Test func `a turned sheet keeps its area, its spine and its ends`() throws {
    let sheet = Rect(x: 100, y: 50, width: 400, height: 600)
    for spine in PageCurl.Spine.allCases {
      for step in 0...100 {
        let curl = PageCurl(sheet: sheet, spine: spine, progress: Double(step) / 100)
        #expect(isClose(curl.front.area + curl.back.area, sheet.area), "\(spine) at \(step)")
        #expect(isClose(curl.front.area + curl.revealed.area, sheet.area))
      }
      #expect(PageCurl(sheet: sheet, spine: spine, progress: 0).front == Quad(sheet))
      #expect(PageCurl(sheet: sheet, spine: spine, progress: 1).revealed.area == sheet.area)
    }
    // Turned over to the left, the sheet lies on the other side of its spine, back up.
    let done = PageCurl(sheet: sheet, spine: .left, progress: 1)
    #expect(done.back.topRight == Point(x: -300, y: 50))
    #expect(done.back.bottomLeft == Point(x: 100, y: 650))
    let half = PageCurl(sheet: sheet, spine: .left, progress: 0.5)
    #expect(half.fold.0.x > half.fold.1.x, "the bottom corner comes first")
    #expect(PageCurl(sheet: sheet, spine: .right, progress: .nan).progress == 0)
    let layout = try layout { $0.spread = .double }
    let frame = try #require(layout.spread(1)?.pages.last?.frame)
    #expect(try #require(layout.pageCurl(from: 1, progress: 0)).front == Quad(frame))
  }
}
