import Foundation
import TestSupport
import Testing

/// The shape and the numbers of `recto layout`, and of the small JSON answers.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LayoutOutputTests {
  /// Every option at a value that is not its default.
  @Test func `every option comes back as it was used`() throws {
    let result = try CommandSandbox().recto([
      "layout", fixture("book"), "--mode", "grid", "--spread", "book", "--axis", "horizontal",
      "--rtl", "--fit", "page", "--zoom", "1.25", "--gap", "7.5", "--page-gap", "3", "--margin",
      "1,2,3,4", "--rotate", "90", "--pages", "z-1", "--sizes", "estimated",
      "--viewport", "640x480", "--page", "3",
    ])
    #expect(result.code == 0)
    let output: RenderOutput = try result.decoded()
    #expect(output.format == 1)
    #expect(output.document.path == fixture("book"))
    #expect(output.document.pages == 12)
    #expect(output.document.title == "The Turning of the Page")
    #expect(
      output.layout
        == RenderOutput.Options(
          mode: "grid",
          spread: "book",
          axis: "horizontal",
          rtl: true,
          fit: "page",
          zoom: 1.25,
          gap: 7.5,
          pageGap: 3,
          margin: [1, 2, 3, 4],
          align: "center",
          rotate: 90,
          sizes: "estimated"
        )
    )
    #expect(output.viewport.width == 640)
    #expect(output.viewport.height == 480)
    #expect(output.pages.contains { $0.number == 3 })
    #expect(output.pages.allSatisfy { $0.rotation == 90 })
  }

  @Test func `options not given have the documented defaults`() throws {
    let output: RenderOutput = try CommandSandbox().recto("layout", fixture("rotate")).decoded()
    #expect(
      output.layout
        == RenderOutput.Options(
          mode: "continuous",
          spread: "single",
          axis: "vertical",
          rtl: false,
          fit: "none",
          zoom: 1,
          gap: 10,
          pageGap: 0,
          margin: [10, 10, 10, 10],
          align: "center",
          rotate: 0,
          sizes: "exact"
        )
    )
    #expect(output.viewport == RenderOutput.Frame(x: 0, y: 0, width: 1280, height: 800))
    #expect(output.document.title == nil)
  }

  @Test func `all of a page that is larger than its cell can be reached`() throws {
    let sandbox = try CommandSandbox()
    func page(_ arguments: [String]) throws -> RenderOutput.Page {
      let output: RenderOutput = try sandbox.recto(
        ["layout", fixture("book"), "--mode", "paged", "--fit", "width"] + arguments
      ).decoded()
      return try #require(output.pages.first)
    }
    let top = try page(["--page", "3"])
    #expect(top.number == 3 && top.visible.y == top.frame.y)
    #expect(top.frame.height > 1500)
    let end = try page(["--page", "3", "--pan", "0,1"])
    #expect(end.number == 3)
    #expect(abs(end.visible.maxY - end.frame.maxY) < 1e-4)
    let middle = try page(["--page", "3+0.25"])
    let seen = middle.visible
    #expect(abs((seen.y - middle.frame.y) / middle.frame.height - 0.25) < 1e-4)
    let zoomed = try page(["--page", "3", "--spread-zoom", "3", "--pan", "1,0"])
    #expect(abs(zoomed.frame.width - 3 * top.frame.width) < 1e-4)
    #expect(abs(zoomed.visible.maxX - zoomed.frame.maxX) < 1e-4)
    let refused = try sandbox.recto("layout", fixture("book"), "--pan", "0,1")
    #expect(refused.code == 64)
    #expect(refused.errors.contains("--spread-zoom and --pan need --mode paged or carousel"))
  }

  @Test(arguments: ["continuous", "paged", "carousel"])
  func `the anchor in the output leads back to the same viewport`(mode: String) throws {
    let sandbox = try CommandSandbox()
    func layout(_ arguments: [String]) throws -> RenderOutput {
      try sandbox.recto(["layout", fixture("book"), "--mode", mode] + arguments).decoded()
    }
    let first = try layout(["--page", "3", "--progress", mode == "paged" ? "0" : "0.3"])
    let anchor = try #require(first.anchor)
    let again = try layout(["--page", "\(anchor.page)+\(anchor.fraction)"])
    #expect(abs(again.viewport.x - first.viewport.x) < 1e-3)
    #expect(abs(again.viewport.y - first.viewport.y) < 1e-3)
    // At the very top there is a margin in front of the page.
    let start = try layout([])
    let negative = try #require(start.anchor)
    #expect(
      try sandbox.recto(["layout", fixture("book"), "--page", "1+\(negative.fraction)"]).code == 0
    )
  }

  @Test func `the file decides the direction unless an option does`() throws {
    let sandbox = try CommandSandbox()
    let file = fixture("right-to-left")
    let own: RenderOutput = try sandbox.recto("layout", file).decoded()
    #expect(own.layout.rtl)
    let said: RenderOutput = try sandbox.recto("layout", file, "--no-rtl").decoded()
    #expect(!said.layout.rtl)
  }

  static let goldens: [(name: String, arguments: [String])] = [
    ("continuous", ["mixed-sizes.pdf", "--all", "--viewport", "800x600"]),
    ("book", ["fold-out.pdf", "--spread", "book", "--all", "--viewport", "700x500"]),
    ("rtl-double", ["right-to-left.pdf", "--spread", "double", "--offset", "400"]),
    (
      "horizontal-fit",
      [
        "rotate.pdf", "--axis", "horizontal", "--fit", "height", "--offset", "100,0",
        "--viewport", "600x400",
      ]
    ),
    (
      "paged",
      ["fold-out.pdf", "--mode", "paged", "--spread", "book", "--fit", "page", "--page", "4"]
    ),
    ("page-fraction", ["mixed-sizes.pdf", "--page", "7+0.5", "--viewport", "500x300"]),
    ("selection", ["mixed-sizes.pdf", "--pages", "z,1-2", "--all", "--rotate", "270"]),
    (
      "grid",
      ["mixed-sizes.pdf", "--mode", "grid", "--fit", "width", "--columns", "3", "--all"]
    ),
    (
      "grid-justified",
      ["rotate.pdf", "--mode", "grid", "--justify", "--all", "--viewport", "1000x600"]
    ),
    (
      "flow",
      [
        "mixed-sizes.pdf", "--mode", "flow", "--row-height", "150", "--justify", "--all",
        "--viewport", "800x600",
      ]
    ),
    (
      "carousel",
      [
        "book.pdf", "--mode", "carousel", "--axis", "horizontal", "--page", "6", "--progress",
        "0.5", "--viewport", "600x400",
      ]
    ),
    (
      "page-turn",
      ["book.pdf", "--mode", "paged", "--fit", "page", "--page", "3", "--progress", "0.4"]
    ),
    ("sticky", ["book.pdf", "--sticky", "1", "--offset", "3000", "--viewport", "600x700"]),
    (
      "wide-alone",
      ["fold-out.pdf", "--spread", "book", "--wide-alone", "1.2", "--all", "--zoom", "0.5"]
    ),
    (
      "start-column",
      [
        "mixed-sizes.pdf", "--spread-columns", "3", "--start-column", "2", "--together", "4",
        "--all",
      ]
    ),
    (
      "estimated",
      [
        "mixed-sizes.pdf", "--page", "7", "--at-page-fraction", "0.25", "--sizes", "estimated",
        "--viewport", "500x300",
      ]
    ),
  ]

  @Test(arguments: goldens.indices) func `layouts match the recorded JSON`(index: Int) throws {
    let (name, arguments) = Self.goldens[index]
    let sandbox = try CommandSandbox()
    let file = arguments[0]
    try sandbox.copy(String(file.dropLast(4)), to: file)
    let result = try sandbox.recto(["layout"] + arguments)
    #expect(result.code == 0)
    #expect(result.errors.isEmpty)
    _ = try result.decoded(RenderOutput.self)
    try Golden.expect(result.text.onLines, equals: "Layouts/\(name).json")
  }

  @Test func `numbers are printed as plain decimals`() throws {
    let sandbox = try CommandSandbox()
    for arguments in [
      ["page-empty", "--all"], ["page-missing", "--all"], ["mixed-sizes", "--zoom", "1e-6"],
      ["mixed-sizes", "--zoom", "1e6", "--all"], ["mixed-sizes", "--gap", "1e300"],
      ["mixed-sizes", "--offset", "1e308"], ["mixed-sizes", "--offset", "-1e308,-1e308"],
      ["mixed-sizes", "--viewport", "1e-3x1e-3"], ["user-unit", "--all"],
    ] {
      let result = try sandbox.recto(["layout", fixture(arguments[0])] + arguments.dropFirst())
      guard result.code != 64 else {
        #expect(result.messages.count == 1)
        continue
      }
      #expect([0, 1].contains(result.code), "\(arguments) \(result.errors)")
      _ = try result.decoded(RenderOutput.self)
      let numbers = result.text.matches(of: /[:\[,](-?[0-9][^,\]}]*)/).map { $0.1 }
      #expect(numbers.count > 10)
      #expect(numbers.allSatisfy { $0.wholeMatch(of: /-?[0-9]+(\.[0-9]+)?/) != nil })
    }
  }

  @Test func `visible is the part of the frame in the viewport, and fraction its proportion`()
    throws
  {
    let sandbox = try CommandSandbox()
    for offset in ["0", "700", "1234.5", "100,3000"] {
      let output: RenderOutput = try sandbox.recto(
        "layout",
        fixture("mixed-sizes"),
        "--offset",
        offset,
        "--viewport",
        "500x700"
      ).decoded()
      #expect(!output.pages.isEmpty)
      for page in output.pages {
        let common = page.frame.common(output.viewport)
        #expect(abs((common?.area ?? 0) - page.visible.area) < 0.01)
        #expect(abs(page.fraction - page.visible.area / page.frame.area) < 1e-5)
      }
      let most = output.pages.max { $0.fraction < $1.fraction }
      #expect(output.current != nil && most != nil)
      let anchor = try #require(output.anchor)
      #expect((1...8).contains(anchor.page))
    }
  }

  @Test func `an offset beyond the content is clamped and reported`() throws {
    let sandbox = try CommandSandbox()
    let whole: RenderOutput = try sandbox.recto("layout", fixture("rotate"), "--all").decoded()
    let height = whole.content.height
    for offset in ["1e9", "999999,999999"] {
      let output: RenderOutput = try sandbox.recto(
        "layout",
        fixture("rotate"),
        "--offset",
        offset,
        "--viewport",
        "300x200"
      ).decoded()
      #expect(output.viewport.maxY == height)
      #expect(output.current == 4)
    }
    let before: RenderOutput = try sandbox.recto("layout", fixture("rotate"), "--offset", "-50")
      .decoded()
    #expect(before.viewport.y == 0)
  }

  @Test func `a page and fraction are placed at the viewport's edge`() throws {
    let output: RenderOutput = try CommandSandbox().recto(
      "layout",
      fixture("mixed-sizes"),
      "--page",
      "3+0.5",
      "--viewport",
      "700x300"
    ).decoded()
    let page = try #require(output.pages.first { $0.number == 3 })
    #expect(abs(page.frame.y + page.frame.height / 2 - output.viewport.y) < 0.001)
    #expect(output.anchor?.page == 3)
    #expect(abs((output.anchor?.fraction ?? 0) - 0.5) < 1e-4)
  }

  @Test func `pages come in the order asked for`() throws {
    let output: RenderOutput = try CommandSandbox().recto(
      "layout",
      fixture("book"),
      "--pages",
      "z,1-2",
      "--all"
    ).decoded()
    #expect(output.pages.map(\.number) == [12, 1, 2])
    #expect(output.pages.map(\.index) == [11, 0, 1])
    #expect(output.pages.map(\.label) == ["8", "i", "ii"])
    #expect(output.spreads.map(\.index) == [0, 1, 2])
  }

  @Test func `info prints JSON and text`() throws {
    struct Printed: Decodable {
      struct Document: Decodable {
        var path: String
        var bytes: Int
        var pages: Int
        var title: String?
        var direction: String
        var pageLayout: String?
      }
      struct First: Decodable {
        var label: String
        var size: RenderOutput.Extent
      }
      var format: Int
      var document: Document
      var firstPage: First?
      var pageReader: String
      var engine: String?
    }
    let sandbox = try CommandSandbox()
    let info: Printed = try sandbox.recto("info", "--json", fixture("book")).decoded()
    #expect(info.format == 1)
    #expect(info.document.path == fixture("book"))
    #expect(info.document.bytes == (try Data(contentsOf: TestPaths.fixture("book")).count))
    #expect(info.document.pages == 12)
    #expect(info.document.title == "The Turning of the Page")
    #expect(info.document.direction == "L2R")
    #expect(info.firstPage?.size == RenderOutput.Extent(width: 419.528, height: 595.276))
    let other: Printed = try sandbox.recto("info", "--json", fixture("two-column-right")).decoded()
    #expect(other.document.pageLayout == "TwoColumnRight")
    let none: Printed = try sandbox.recto("info", "--json", fixture("zero-pages")).decoded()
    #expect(none.document.pages == 0)
    #expect(none.firstPage == nil)
    let text = try sandbox.recto("info", fixture("book")).text
    #expect(text.contains(/Title: +The Turning of the Page\n/))
    #expect(text.contains(/Pages: +12\n/))
  }
}

extension String {
  /// One line of JSON broken into lines at what changes together.
  fileprivate var onLines: String {
    [
      "\"document\":", "\"layout\":", "\"content\":", "\"viewport\":", "\"spreads\":",
      "{\"index\":",
    ]
    .reduce(self) { $0.replacingOccurrences(of: $1, with: "\n\($1)") }
  }
}
