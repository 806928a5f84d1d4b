import ArgumentParser
import PageLayout
import RectoBase
import RectoGeometry
import RectoKit
import SystemPackage
import Testing

@testable import RectoCommand

/// The values of options, parsed without a process.
@Suite struct OptionValueTests {
  @Test func `a page list holds numbers, ranges and the last page`() throws {
    let list = try #require(PageList(argument: "1-3,5,z-4"))
    #expect(
      list.items == [
        PageList.Item(first: .page(0), last: .page(2)),
        PageList.Item(first: .page(4), last: .page(4)),
        PageList.Item(first: .last, last: .page(3)),
      ]
    )
    #expect(try list.indices(pageCount: 6, path: "a.pdf") == [0, 1, 2, 4, 5, 4, 3])
  }

  @Test(arguments: ["", ",", "1,", "0", "-0", "-", "1-2-3", "--1", "+1", " 1", "z1", "１", "1.5"])
  func `an invalid page list is refused`(argument: String) {
    #expect(PageList(argument: argument) == nil)
  }

  @Test func `a page that does not exist is named in the failure`() throws {
    let list = try #require(PageList(argument: "2-7,7"))
    let failure = #expect(throws: Failure.self) { try list.runs(pageCount: 6, path: "a.pdf") }
    #expect(failure?.exitCode == .usage)
    #expect(failure?.page?.number == 7)
    #expect(failure?.message == "the document has 6 pages")
    let last = try #require(PageList(argument: "z"))
    let empty = #expect(throws: Failure.self) { try last.runs(pageCount: 0, path: "a.pdf") }
    #expect(empty?.message == "the document has no pages")
  }

  @Test func `the length of a list of single pages is limited`() throws {
    let list = try #require(PageList(argument: "1-11"))
    let failure = #expect(throws: Failure.self) {
      try list.indices(pageCount: 20, path: "a.pdf", limit: 10)
    }
    #expect(failure?.message == "11 pages; the limit is 10")
    #expect(try list.indices(pageCount: 20, path: "a.pdf", limit: 11).count == 11)
  }

  @Test func `margins are one, two or four numbers in the order of CSS`() {
    #expect(Margin(argument: "5")?.insets == Insets(5))
    #expect(
      Margin(argument: "5,6")?.insets == Insets(top: 5, right: 6, bottom: 5, left: 6)
    )
    #expect(Margin(argument: "1 2 3 4")?.insets == Insets(top: 1, right: 2, bottom: 3, left: 4))
    for invalid in ["", "1,2,3", "1,2,3,4,5", "a", "1,b"] {
      #expect(Margin(argument: invalid) == nil, "\(invalid)")
    }
  }

  @Test func `a size is two numbers`() {
    #expect(Extent(argument: "640x480.5")?.size == Size(width: 640, height: 480.5))
    for invalid in ["", "640", "640x", "x480", "640x480x1", "640×480"] {
      #expect(Extent(argument: invalid) == nil, "\(invalid)")
    }
  }

  @Test func `an offset is one or two finite numbers`() {
    #expect(Offset(argument: "-12.5")?.point == Point(x: 0, y: -12.5))
    #expect(Offset(argument: "3,4")?.point == Point(x: 3, y: 4))
    for invalid in ["", "1,", "1,2,3", "inf", "1,nan"] {
      #expect(Offset(argument: invalid) == nil, "\(invalid)")
    }
  }

  @Test func `a pan is two fractions between 0 and 1`() {
    #expect(Pan(argument: "0,1")?.point == Point(x: 0, y: 1))
    for invalid in ["0.5", "0,1.1", "-0.1,0", "nan,0"] {
      #expect(Pan(argument: invalid) == nil, "\(invalid)")
    }
  }

  @Test func `a page position is a page and an optional fraction`() throws {
    #expect(try PagePosition(parsing: "12").number == .page(11))
    #expect(try PagePosition(parsing: "12").fraction == nil)
    #expect(try PagePosition(parsing: "z+-0.25").number == .last)
    #expect(try PagePosition(parsing: "z+-0.25").fraction == -0.25)
    for invalid in ["", "0", "1+", "+0.5", "1+inf", "1+a"] {
      #expect(throws: (any Error).self, "\(invalid)") { try PagePosition(parsing: invalid) }
    }
  }

  @Test func `a carousel has three fractions`() throws {
    let options = try #require(CarouselShares(argument: "0.6,0.4,0.2")).options
    #expect(options.currentShare == 0.6)
    #expect(options.neighborShare == 0.4)
    #expect(options.hiddenShare == 0.2)
    #expect(CarouselShares(argument: "0.6,0.4") == nil)
    #expect(CarouselShares(argument: "0.6,,0.2") == nil)
  }

  @Test func `pages before the last colon belong to a gap or margin`() throws {
    let gap = try GapBefore(parsing: "2,5-6:40")
    #expect(gap.gap == 40)
    #expect(
      try GapBefore.rules([gap], pageCount: 6, path: "a.pdf")
        == [GapRule(pages: 1..<2, gap: 40), GapRule(pages: 4..<6, gap: 40)]
    )
    let margins = try ["1-z:9", "2:1,2"].map(PageMargin.init(parsing:))
    #expect(
      try PageMargin.margins(margins, pageCount: 2, path: "a.pdf")
        == [0: Insets(9), 1: Insets(top: 1, right: 2, bottom: 1, left: 2)]
    )
    for invalid in ["5", "5:", ":5", "1:2:3"] {
      #expect(throws: (any Error).self, "\(invalid)") { try GapBefore(parsing: invalid) }
      #expect(throws: (any Error).self, "\(invalid)") { try PageMargin(parsing: invalid) }
    }
  }

  @Test func `thumbnail pages are first, all or a list`() {
    #expect(ThumbnailPages(argument: "first") == .first)
    #expect(ThumbnailPages(argument: "all") == .all)
    #expect(ThumbnailPages(argument: "2") == PageList(argument: "2").map(ThumbnailPages.list))
    #expect(ThumbnailPages(argument: "latest") == nil)
  }

  @Test func `option names have a form for the command line and one for requests`() {
    let name = OptionName("minContent")
    #expect(name.typed == "--min-content")
    #expect(name.requested == "layout.minContent")
    #expect("pageGap".inKebabCase == "page-gap")
  }

  @Test func `a layout error names the option behind the field`() {
    let error = LayoutError(field: "margins.right", reason: "must be above 0")
    let failure = Failure(error)
    #expect(failure.option == OptionName("margin"))
    #expect(failure.message == "right must be above 0")
    let page = Failure(LayoutError(field: "spacing.pageMargins[3].left", reason: "is nan"))
    #expect(page.option == OptionName("pageMargin"))
    let unknown = Failure(LayoutError(field: "other", reason: "is nan"))
    #expect(unknown.option == nil && unknown.message == "other: is nan")
  }

  @Test func `options typed in one argument replace those given`() throws {
    let options = try LayoutOptions.parse(["--mode", "grid", "--zoom", "2", "--rtl"])
    let changed = try options.changed(byTyped: "--zoom=0.5 --no-rtl  --columns 3")
    #expect(changed.mode == .grid)
    #expect(changed.zoom == 0.5)
    #expect(changed.rtl == false)
    #expect(changed.arrangement.columns == 3)
    #expect(throws: (any Error).self) { try options.changed(byTyped: "--zoom") }
  }

  @Test func `options in a request replace those given, and null resets them`() throws {
    let options = try LayoutOptions.parse(["--gap", "3", "--alone", "2"])
    let changed = try options.changed(by: [
      "gap": .null, "pageGap": .number(4), "alone": .array([.number(1), .string("4-5")]),
      "scaleGaps": .bool(true),
    ])
    #expect(changed.gap == 10)
    #expect(changed.pageGap == 4)
    #expect(changed.arrangement.alone == PageList(argument: "1,4-5"))
    #expect(changed.arrangement.scaleGaps)
  }

  static let refused: [(name: String, value: JSONValue, message: String)] = [
    ("pagegap", .number(1), "layout.pagegap: unknown option"),
    ("gap", .object([:]), "layout.gap: must be a string, a number, or a list of those"),
    ("pages", .string("1\0"), "layout.pages: must not contain U+0000"),
  ]

  @Test(arguments: refused.indices) func `a request names the option that is refused`(
    index: Int
  ) throws {
    let (name, value, message) = Self.refused[index]
    let options = try LayoutOptions.parse([])
    #expect(throws: RequestError(message)) { try options.changed(by: [name: value]) }
  }

  @Test func `arguments that are not UTF-8 keep their bytes`() {
    let bytes: [UInt8] = [0x61, 0xFF, 0xC3, 0xA9, 0x80, 0xF4, 0x8F, 0xBE, 0x80, 0x2F]
    let text = bytes.withUnsafeBytes { RawArguments.encode($0) }
    #expect(RawArguments.decode(text) == bytes)
    #expect(
      FilePath(argument: text).bytes == [0x61, 0xFF, 0xC3, 0xA9, 0x80, 0xF4, 0x8F, 0xBE, 0x80]
    )
    let plain = Array("Straße.pdf".utf8)
    #expect(plain.withUnsafeBytes { RawArguments.encode($0) } == "Straße.pdf")
  }
}
