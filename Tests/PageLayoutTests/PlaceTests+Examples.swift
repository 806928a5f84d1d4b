import RectoGeometry
import TestSupport
import Testing

@testable import PageLayout

extension PlaceTests {
  private func layout(
    _ count: Int = 1000,
    viewport: Size = Size(width: 900, height: 700),
    _ change: (inout LayoutConfiguration) -> Void = { _ in }
  ) throws -> Layout {
    try PageLayoutTests.layout(count, viewport: viewport, change)
  }

  @Test(arguments: LayoutConfiguration.Mode.allCases)
  func `a window of no size, or smaller than its margins, keeps the place`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for isRightToLeft in [false, true] {
      let layout = try layout {
        $0.mode = mode
        $0.isRightToLeft = isRightToLeft
      }
      let start = try #require(Viewpoint(layout).showing(page: 600, fraction: 0.25))
      for size in [Size.zero, Size(width: 1, height: 1), Size(width: 20, height: 700)] {
        let small = try start.resized(to: size)
        #expect(small.layout.isEmpty && small.current == 600)
        expectSame(try small.resized(to: layout.viewport), start, "\(mode)")
      }
      var tiny = layout.configuration
      tiny.zoom = 0.005
      expectSame(
        try start.reconfigured(tiny).reconfigured(layout.configuration),
        start,
        "\(mode)"
      )
      let opened = try #require(
        Viewpoint(try layout.resized(to: .zero)).showing(page: 600, fraction: 0.25)
      )
      expectSame(try opened.resized(to: layout.viewport), start, "\(mode)")
    }
  }

  @Test(arguments: [LayoutConfiguration.Mode.continuous, .grid, .flow])
  func `zooming out about a point until all fits, and back, ends where it began`(
    mode: LayoutConfiguration.Mode
  ) throws {
    let layout = try layout { $0.mode = mode }
    let start = try #require(Viewpoint(layout).showing(page: 600))
    for point in [nil, Point(x: 123, y: 456)] {
      var viewpoint = start
      for _ in 0..<14 { viewpoint = try viewpoint.zoomed(by: 0.7, about: point) }
      viewpoint = try viewpoint.zoomed(to: 1, about: point)
      expectSame(viewpoint, start, "\(mode)")
    }
  }

  @Test(arguments: [LayoutConfiguration.Mode.grid, .flow])
  func `widths that come and go do not wander`(mode: LayoutConfiguration.Mode) throws {
    let layout = try layout { $0.mode = mode }
    let start = try #require(Viewpoint(layout).showing(page: 600))
    var viewpoint = start
    var generator = SeededGenerator(7)
    for _ in 0..<200 {
      viewpoint = try viewpoint.resized(
        to: Size(width: generator.number(300...1900), height: 700)
      )
      #expect(viewpoint.current == 600 && viewpoint.shows(600))
    }
    expectSame(try viewpoint.resized(to: layout.viewport), start, "\(mode)")
  }

  @Test func `four turns of the view end where they began`() throws {
    let start = try #require(
      Viewpoint(try layout { $0.fit = .width }).showing(page: 3, fraction: 0.3)
    )
    var viewpoint = start
    for rotation in [Rotation.quarter, .half, .threeQuarters, .none] {
      var configuration = start.layout.configuration
      configuration.rotation = rotation
      viewpoint = try viewpoint.reconfigured(configuration)
    }
    expectSame(viewpoint, start, "")
  }

  @Test func `reading starts at the right edge where it goes from right to left`() throws {
    let insets = Insets(top: 40, right: 0, bottom: 0, left: 0)
    for mode in BruteForceTests.allModes {
      let layout = try layout {
        $0.mode = mode
        $0.axis = .horizontal
        $0.isRightToLeft = true
        $0.contentInsets = insets
      }
      let start = Viewpoint(layout)
      #expect(start.current == 0 && start.shows(0), "\(mode)")
    }
    let wide = try layout {
      $0.zoom = 5
      $0.isRightToLeft = true
      $0.contentInsets = insets
    }
    let start = Viewpoint(wide)
    #expect(start.offset.y == -40, "nothing is covered by what covers the top")
    #expect(isClose(start.window.maxX, wide.contentSize.width))
    #expect(Viewpoint(try layout { $0.zoom = 5 }).offset == .zero)
  }

  @Test(arguments: [LayoutConfiguration.Mode.continuous, .paged])
  func `each page of a spread that is wider than the window can be gone to`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for isRightToLeft in [false, true] {
      for zoom in [1, 1.5, 4] {
        let layout = try layout(viewport: Size(width: 500, height: 700)) {
          $0.mode = mode
          $0.spread = .double
          $0.fit = .height
          $0.zoom = zoom
          $0.isRightToLeft = isRightToLeft
        }
        for page in [PageIndex(4), 5] {
          let found = try #require(Viewpoint(layout).showing(page: page))
          #expect(found.current == page)
          let frame = try #require(found.layout.page(page, in: found.window)).frame
          let start =
            isRightToLeft ? found.window.maxX - frame.maxX : frame.minX - found.window.minX
          if frame.width > 500 {
            #expect(isClose(start, 0), "\(zoom): \(start)")
          } else {
            #expect(found.window.minX <= frame.minX && frame.maxX <= found.window.maxX)
          }
        }
      }
    }
    let high = try layout(viewport: Size(width: 500, height: 300)) {
      $0.axis = .horizontal
      $0.zoom = 2
    }
    let found = try #require(Viewpoint(high).showing(page: 5))
    #expect(found.offset.y == 10, "the top of the page, not its middle")
  }

  @Test func `an occurrence of a page that is shown several times is kept`() throws {
    let sequence = PageSequence([.pages(0..<2), .pages(0..<2), .pages(0..<2)])
    let layout = try layout().reordered(sequence)
    let third = try #require(Viewpoint(layout).showing(page: 1, occurrence: 2))
    #expect(third.place?.anchor.occurrence == 2)
    #expect(third.offset.y > 2000)
    var grid = layout.configuration
    grid.mode = .grid
    expectSame(
      try third.reconfigured(grid).reconfigured(layout.configuration),
      third,
      ""
    )
  }

  @Test(arguments: [LayoutConfiguration.Mode.paged, .carousel])
  func `a page that is larger than the window is shown from where it starts`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for axis in LayoutConfiguration.Axis.allCases {
      let layout = try layout {
        $0.mode = mode
        $0.axis = axis
        $0.spread = .double
        $0.fit = .page
        $0.zoom = 3
      }
      for page: PageIndex in [5, 6, 7] {
        let viewpoint = try #require(Viewpoint(layout).showing(page: page))
        #expect(viewpoint.current == page)
        let position = try #require(layout.pages.positions(of: page).first)
        #expect(
          abs(viewpoint.onScreen(position).x) < 11 && abs(viewpoint.onScreen(position).y) < 11
        )
      }
    }
  }

  @Test func `a page is not panned below what covers the window`() throws {
    let layout = try layout {
      $0.mode = .carousel
      $0.axis = .horizontal
      $0.spread = .double
      $0.zoom = 3
    }
    let start = try #require(Viewpoint(layout).showing(page: 3))
    var configuration = layout.configuration
    configuration.contentInsets = Insets(top: 0, right: 0, bottom: 0, left: 700)
    let covered = try start.reconfigured(configuration)
    #expect(covered.current == 3)
    expectSame(try covered.reconfigured(layout.configuration), start, "without insets")
  }

  @Test func `a current page that the layout does not show is the anchor's`() throws {
    let anchor = Anchor(page: 7, place: .zero)
    let wrong = Place(anchor, at: .zero, current: PageOccurrence(page: 2000))
    for viewport in [Size.zero, Size(width: 900, height: 700)] {
      let found = try Viewpoint(layout()).resized(to: viewport).showing(wrong)
      #expect(found?.current == 7 && found?.place?.current.page == 7)
    }
  }

  @Test func `a page that takes the place of a removed one begins where reading starts`() throws {
    for size in [Size.zero, Size(width: 900, height: 700)] {
      let start = try #require(Viewpoint(layout()).showing(page: 600))
      let rest = try start.resized(to: size).carried(
        to: start.layout.resized(to: size)
          .reordered(PageSequence([.pages(0..<600), .pages(601..<1000)]))
      ).resized(to: start.layout.viewport)
      #expect(rest.current == 601)
      #expect(rest.onScreen(600).y == 0)
    }
  }

  @Test func `an offset that is the present one chooses nothing`() throws {
    let layout = try layout(12, viewport: Size(width: 800, height: 1600))
    let last = try #require(Viewpoint(layout).showing(page: 10))
    #expect(last.current == 10, "with page 11 behind it")
    #expect(last.moved(to: last.offset).current == 10)
    #expect(last.scrolled(by: .zero).current == 10)
    #expect(last.scrolled(by: Point(x: 0, y: 1000)).current == 10, "the content has ended")
    #expect(last.scrolled(by: Point(x: 0, y: -1)).current == 9, "the first of equal areas")
  }
}
