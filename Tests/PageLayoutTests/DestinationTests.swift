import PageLayout
import RectoGeometry
import Testing

@Suite struct DestinationTests {
  private let space = PageSpace(cropBox: Rect(x: 0, y: 0, width: 400, height: 500))

  @Test func `a point comes to the top left, null keeps or means the start`() throws {
    let layout = try layout()
    func offset(_ destination: Destination, _ page: PageIndex, from: Point = .zero) -> Point? {
      Viewpoint(layout, at: from).following(destination, on: page, in: space)?.offset
    }
    // Page 3 begins at 10 + 3 × 510; user space counts from the bottom.
    #expect(offset(.xyz(left: nil, top: 500, zoom: nil), 3)?.y == 1540)
    #expect(offset(.xyz(left: nil, top: 400, zoom: 0), 3)?.y == 1640)
    #expect(offset(.xyz(left: nil, top: nil, zoom: nil), 3)?.y == 1540, "another page: its top")
    let here = Point(x: 0, y: 1600)
    #expect(offset(.xyz(left: 10, top: nil, zoom: nil), 3, from: here)?.y == 1600, "kept")
    #expect(offset(.xyz(left: nil, top: 9999, zoom: nil), 3)?.y == 1540, "never the page before")
    #expect(offset(.xyz(left: .nan, top: .nan, zoom: .nan), 3)?.y == 1540)
    #expect(offset(.fit, 99) == nil)
  }

  @Test func `fits change the fit, zooms the zoom, unless told to keep it`() throws {
    let layout = try layout()
    func configuration(_ destination: Destination, keep: Bool = false) -> LayoutConfiguration? {
      Viewpoint(layout).following(destination, on: 2, in: space, keepsZoom: keep)?.layout
        .configuration
    }
    #expect(configuration(.fit)?.fit == .page)
    #expect(configuration(.fitHorizontal(top: nil))?.fit == .width)
    #expect(configuration(.fitVertical(left: 0))?.fit == .height)
    #expect(configuration(.xyz(left: 0, top: 0, zoom: 2))?.zoom == 2)
    #expect(configuration(.xyz(left: 0, top: 0, zoom: 2), keep: true)?.zoom == 1)
    #expect(configuration(.xyz(left: 0, top: 0, zoom: 1e30))?.zoom == 1)
    let rectangle = Destination.fitRectangle(left: 100, bottom: 100, right: 305, top: 200)
    let view = try #require(Viewpoint(layout).following(rectangle, on: 2, in: space))
    #expect(view.layout.configuration.zoom == 4)
    let page = try #require(view.layout.page(2))
    let shown = page.pageRect(view.layout.window(at: view.offset))
    #expect(isClose(shown, Rect(x: 100, y: 275, width: 205, height: 150)))
  }

  @Test func `rotation of page and view is seen through`() throws {
    for own in Rotation.allCases {
      for view in Rotation.allCases {
        let layout = try layout {
          $0.rotation = view
          $0.zoom = 4
        }
        // The crop box before /Rotate; the displayed size is 400 × 500 for each of them.
        let size = Size(width: 400, height: 500).rotated(by: own)
        let space = PageSpace(cropBox: Rect(origin: Point(x: 7, y: -3), size: size), rotation: own)
        let target = Point(x: 7 + size.width * 0.25, y: -3 + size.height * 0.5)
        let found = try #require(
          Viewpoint(layout).following(
            .xyz(left: target.x, top: target.y, zoom: nil),
            on: 4,
            in: space
          )
        )
        let page = try #require(layout.page(4))
        let corner = page.pagePoint(found.offset)
        let share = space.share(of: target)
        let expected = page.contentPoint(Point(x: share.x * 400, y: share.y * 500))
        #expect(isClose(page.contentPoint(corner).y, expected.y), "\(own) \(view)")
      }
    }
  }

  @Test func `in cells the spread comes to rest`() throws {
    let layout = try layout { $0.mode = .paged }
    let view = Viewpoint(layout).following(.xyz(left: 3, top: 7, zoom: nil), on: 4, in: space)
    #expect(view?.offset == Point(x: 0, y: 4 * 610))
  }
}
