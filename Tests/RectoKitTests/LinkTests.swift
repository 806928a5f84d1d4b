import DocumentModel
import PageLayout
import RectoGeometry
import RectoKit
import Testing

/// Links as a viewer uses them.
@Suite(.timeLimit(.minutes(5))) struct LinkTests {
  @Test("Links are the same with either reader of pages", arguments: [PageReader.auto, .poppler])
  func readers(reader: PageReader) async throws {
    let document = try OpenedFixture.document("links", reader: reader)
    let links = try await document.links(of: 0)
    #expect(links.count == 18)
    #expect(
      try await document.outline().items.map(\.title) == ["Upright", "Address", "Closed", "Gone"]
    )
    #expect(try await document.destination(named: "xyz.2")?.page == 1)
    #expect(try await document.destination(named: "nowhere") == nil)
    #expect(try await document.labels(of: [4, 0, 4]) == [0: "1", 4: "5"])
    await #expect(throws: DocumentError.self) { try await document.links(of: 6) }
    await #expect(throws: DocumentError.self) { try await document.links(of: -1) }
  }

  @Test("The link at a point is the topmost one")
  func hits() {
    func link(_ x: Double, _ name: String) -> PageLink {
      let area = Rect(x: x, y: 0, width: 10, height: 10)
      return PageLink(areas: [area, area.offsetBy(x: 0, y: 50)], target: .named(name))
    }
    let links = [link(0, "a"), link(5, "b")]
    #expect(links.link(at: Point(x: 4, y: 4))?.target == .named("a"))
    #expect(links.link(at: Point(x: 7, y: 4))?.target == .named("b"))
    #expect(links.link(at: Point(x: 7, y: 54))?.target == .named("b"))
    #expect(links.link(at: Point(x: 15, y: 4)) == nil)
    #expect([PageLink]().link(at: .zero) == nil)
  }

  @Test(
    "Places on a page and in the content are the same, whatever the rotation and the user unit",
    arguments: Rotation.allCases
  )
  func content(rotation: Rotation) async throws {
    let document = try OpenedFixture.document("links")
    let info = try await document.info()
    var configuration = LayoutConfiguration()
    configuration.rotation = rotation
    configuration.zoom = 1.5
    var layout = try DocumentLayout(
      document,
      configuration: configuration,
      pages: PageSequence(pageCount: info.pageCount),
      viewport: Size(width: 800, height: 600)
    )
    try await layout.measureAll()
    for index in Range(pageCount: info.pageCount) {
      let page = try #require(layout.layout.page(index))
      #expect(layout.pages.info(of: index)?.userUnit == (index == 4 ? 2 : 1))
      for link in try await document.links(of: index) {
        for area in link.areas {
          let shown = page.contentRect(area)
          #expect(page.frame.union(shown) == page.frame)
          let center = page.pagePoint(shown.center)
          #expect(abs(center.x - area.center.x) < 1e-9 && abs(center.y - area.center.y) < 1e-9)
          let back = page.contentPoint(center)
          #expect(abs(back.x - shown.center.x) < 1e-9 && abs(back.y - shown.center.y) < 1e-9)
        }
      }
    }
  }
}
