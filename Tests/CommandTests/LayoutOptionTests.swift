import Foundation
import PageLayout
import RectoGeometry
import TestSupport
import Testing

/// What each option of spacing, sections, grid and carousel does to the frames: as the library says,
/// as computed by hand, and the same by a request of `serve`.
@Suite(.serialized, .timeLimit(.minutes(10))) struct LayoutOptionTests {
  /// An option at a value that is not its default.
  struct Case: Sendable, CustomTestStringConvertible {
    /// As a request names it.
    var name: String
    /// As it is typed.
    var typed: [String]
    /// As a request gives it, and as it is printed.
    var json: String
    /// Options without which it has no effect.
    var others = Options.none
    var configure: @Sendable (inout LayoutConfiguration) -> Void

    var testDescription: String { name }
  }

  /// Options, and what they do to a configuration.
  struct Options: Sendable {
    var typed: [String]
    var configure: @Sendable (inout LayoutConfiguration) -> Void

    static let none = Options(typed: []) { _ in }
    static let fitted = Options(typed: ["--fit", "width"]) { $0.fit = .width }
    static let double = Options(typed: ["--spread", "double"]) { $0.spread = .double }
    static let sections = Options(typed: ["--sections", "3,5"]) {
      $0.pairing.sectionStarts = [2, 4]
    }
    static let grid = Options(typed: ["--mode", "grid"]) { $0.mode = .grid }
    static let carousel = Options(typed: ["--mode", "carousel"]) { $0.mode = .carousel }
  }

  static let cases = [
    Case(name: "align", typed: ["--align", "end"], json: #""end""#) { $0.align = .end },
    Case(name: "centerIn", typed: ["--center-in", "content"], json: #""content""#) {
      $0.centering = .content
    },
    Case(
      name: "fitScope",
      typed: ["--fit-scope", "document"],
      json: #""document""#,
      others: .fitted
    ) { $0.fitScope = .document },
    Case(name: "match", typed: ["--match", "height"], json: #""height""#, others: .double) {
      $0.match = .height
    },
    Case(name: "sections", typed: ["--sections", "2,5"], json: "[2,5]", others: .double) {
      $0.pairing.sectionStarts = [1, 4]
    },
    Case(name: "sectionGap", typed: ["--section-gap", "77"], json: "77", others: .sections) {
      $0.spacing.sectionGap = 77
    },
    Case(
      name: "gapBefore",
      typed: ["--gap-before", "4-2:40", "--gap-before", "4:0.5"],
      json: #"["2-4:40","4:0.5"]"#
    ) { $0.spacing.gaps = [GapRule(pages: 1..<4, gap: 40), GapRule(pages: 3..<4, gap: 0.5)] },
    Case(
      name: "pageMargin",
      typed: ["--page-margin", "1-3:9", "--page-margin", "3:1,2,3,4", "--page-margin", "z:5,6"],
      json: #"["1-2:9,9,9,9","3:1,2,3,4","6:5,6,5,6"]"#
    ) {
      let margins = Insets(top: 1, right: 2, bottom: 3, left: 4)
      let last = Insets(top: 5, right: 6, bottom: 5, left: 6)
      $0.spacing.pageMargins = [0: Insets(9), 1: Insets(9), 2: margins, 5: last]
    },
    Case(name: "insets", typed: ["--insets", "40,10"], json: "[40,10,40,10]", others: .fitted) {
      $0.contentInsets = Insets(top: 40, right: 10, bottom: 40, left: 10)
    },
    Case(name: "minContent", typed: ["--min-content", "900x4000"], json: #""900x4000""#) {
      $0.minimumContentSize = Size(width: 900, height: 4000)
    },
    Case(name: "trailingSpace", typed: ["--trailing-space", "120"], json: "120") {
      $0.trailingSpace = 120
    },
    Case(name: "gridTile", typed: ["--grid-tile", "60"], json: "60", others: .grid) {
      $0.grid.tile = 60
    },
    Case(
      name: "carousel",
      typed: ["--carousel", "0.5,0.3,0.2"],
      json: "[0.5,0.3,0.2]",
      others: .carousel
    ) {
      $0.carousel = CarouselOptions(currentShare: 0.5, neighborShare: 0.3, hiddenShare: 0.2)
    },
  ]

  /// Pages that are wider and narrower than the viewport.
  private static let sizes = [
    (100, 200), (300, 200), (150, 100), (100, 200), (500, 300), (100, 100),
  ]

  private static let viewport = Size(width: 200, height: 300)

  private static func sandbox() throws -> CommandSandbox {
    let sandbox = try CommandSandbox()
    let boxes = sizes.map { "[0 0 \($0.0) \($0.1)]" }
    _ = try sandbox.file("odd.pdf", HostileFiles.pages(boxes))
    return sandbox
  }

  /// The layout that the library makes.
  private static func layout(_ options: Options, _ option: Case? = nil) throws -> Layout {
    var configuration = LayoutConfiguration()
    options.configure(&configuration)
    option?.configure(&configuration)
    let measured = zip(Range(pageCount: sizes.count), sizes).map { page, size in
      MeasuredSize(page: page, size: Size(width: Double(size.0), height: Double(size.1)))
    }
    return try Layout(
      configuration,
      pages: PageSequence(pageCount: sizes.count),
      sizes: PageSizes(measured: measured),
      viewport: viewport
    )
  }

  private static func frames(_ spreads: [LaidOutSpread]) -> [Rect] {
    spreads.flatMap(\.pages).map(\.frame)
  }

  @Test(arguments: cases) func `options produce the same layout as the library`(option: Case) throws
  {
    let sandbox = try Self.sandbox()
    let command = ["layout", "odd.pdf", "--viewport", "200x300", "--all"] + option.others.typed
    let result = try sandbox.recto(command + option.typed)
    #expect(result.code == 0, "\(result.errors)")
    let output: RenderOutput = try result.decoded()
    let layout = try Self.layout(option.others, option)
    let frames = Self.frames((0..<layout.spreadCount).compactMap { layout.spread($0) })
    #expect(output.pages.map(\.frame).areEqual(to: frames))
    #expect(output.content.areEqual(to: layout.contentSize))
    #expect(try result.json()["layout", option.name] == JSONText(option.json).value)

    let plain: RenderOutput = try sandbox.recto(command).decoded()
    let isContentSame = plain.content.areEqual(to: layout.contentSize)
    #expect(!isContentSame || !plain.pages.map(\.frame).areEqual(to: frames))
  }

  @Test(arguments: cases)
  func `a layout request has the same result as the options, and null resets an option`(
    option: Case
  ) throws {
    let sandbox = try Self.sandbox()
    let client = try ServeClient(
      sandbox,
      ["odd.pdf", "--viewport", "200x300"] + option.others.typed
    )
    _ = try client.eventsUntilIdle()
    func expect(_ reply: ServeClient.Line, _ layout: Layout) throws {
      let window = Rect(
        origin: Point(
          x: try #require(reply.number("viewport", "x")),
          y: try #require(reply.number("viewport", "y"))
        ),
        size: Self.viewport
      )
      let frames = reply.scenePages.map { $0["frame"] as? ServeClient.Line ?? [:] }.map {
        RenderOutput.Frame(
          x: $0.number("x") ?? .nan,
          y: $0.number("y") ?? .nan,
          width: $0.number("width") ?? .nan,
          height: $0.number("height") ?? .nan
        )
      }
      #expect(frames.areEqual(to: Self.frames(layout.spreads(visibleIn: window))))
      let content = RenderOutput.Content(
        width: reply.number("content", "width") ?? .nan,
        height: reply.number("content", "height") ?? .nan,
        exact: true
      )
      #expect(content.areEqual(to: layout.contentSize))
    }
    let value = JSONText(option.json).value
    let changed = try client.done("layout", ["layout": [option.name: value]])
    try expect(changed, try Self.layout(option.others, option))
    #expect(changed["layout", option.name] == value)
    let back = try client.done("layout", ["layout": [option.name: NSNull()]])
    try expect(back, try Self.layout(option.others))
    if option.name != "align" { #expect(back["layout", option.name] == nil) }
    #expect(try client.end().code == 0)
  }

  /// Four pages of 100 × 200; options; x, y, width and height of the pages; the content's size.
  static let byHand: [(options: String, frames: [[Double]], content: [Double])] = [
    (
      "--viewport 100x300 --sections 3 --section-gap 50",
      [[0, 0, 100, 200], [0, 210, 100, 200], [0, 460, 100, 200], [0, 670, 100, 200]], [100, 870]
    ),
    (
      "--viewport 100x300 --gap-before 2:0 --gap-before 4:25",
      [[0, 0, 100, 200], [0, 200, 100, 200], [0, 410, 100, 200], [0, 635, 100, 200]], [100, 835]
    ),
    (
      "--viewport 160x300 --align start --page-margin 2:10,20,30,40",
      [[0, 0, 100, 200], [40, 220, 100, 200], [0, 460, 100, 200], [0, 670, 100, 200]], [160, 870]
    ),
    (
      "--viewport 100x300 --trailing-space 33 --pages 1",
      [[0, 0, 100, 200]], [100, 233]
    ),
    (
      "--viewport 100x300 --min-content 120x1000",
      [[10, 85, 100, 200], [10, 295, 100, 200], [10, 505, 100, 200], [10, 715, 100, 200]],
      [120, 1000]
    ),
    (
      "--viewport 200x300 --fit width --insets 10,20,30,40 --pages 1-2",
      [[0, 0, 140, 280], [0, 290, 140, 280]], [140, 570]
    ),
    (
      "--viewport 170x300 --mode grid --grid-tile 50",
      [[0, 0, 50, 100], [60, 0, 50, 100], [120, 0, 50, 100], [0, 110, 50, 100]], [170, 210]
    ),
    (
      "--viewport 400x400 --mode carousel --axis horizontal --carousel 0.5,0.25,0.1 --pages 1",
      [[150, 100, 100, 200]], [400, 400]
    ),
  ]

  @Test(arguments: byHand.indices) func `frames are those computed by hand`(index: Int) throws {
    let (options, frames, content) = Self.byHand[index]
    let sandbox = try CommandSandbox()
    _ = try sandbox.file(
      "four.pdf",
      HostileFiles.pages(Array(repeating: "[0 0 100 200]", count: 4))
    )
    let output: RenderOutput = try sandbox.recto(
      ["layout", "four.pdf", "--all", "--margin", "0"]
        + options.split(separator: " ").map(String.init)
    ).decoded()
    #expect(
      output.pages.map { [$0.frame.x, $0.frame.y, $0.frame.width, $0.frame.height] } == frames
    )
    #expect([output.content.width, output.content.height] == content)
  }

  @Test func `a picture has the white space around a page`() throws {
    let sandbox = try CommandSandbox()
    _ = try sandbox.file("page.pdf", HostileFiles.page(width: 100, height: 200))
    let output: RenderOutput = try sandbox.recto(
      "render",
      "page.pdf",
      "--page-margin",
      "1:30",
      "--viewport",
      "180x280"
    ).decoded()
    let page = try #require(output.pages.first)
    #expect(page.frame == RenderOutput.Frame(x: 40, y: 40, width: 100, height: 200))
    #expect(page.tiles?.first?.frame == page.frame)
  }
}

extension [RenderOutput.Frame] {
  /// Whether these are the frames of a layout but for what is rounded in print.
  func areEqual(to frames: [Rect]) -> Bool {
    count == frames.count
      && zip(self, frames).allSatisfy { printed, frame in
        abs(printed.x - frame.minX) < 1e-5 && abs(printed.y - frame.minY) < 1e-5
          && abs(printed.width - frame.width) < 1e-5 && abs(printed.height - frame.height) < 1e-5
      }
  }
}

extension RenderOutput.Content {
  func areEqual(to size: Size) -> Bool {
    abs(width - size.width) < 1e-5 && abs(height - size.height) < 1e-5
  }
}

extension [String: Any] {
  /// A member of a member.
  subscript(_ object: String, _ key: String) -> NSObject? {
    (self[object] as? [String: Any])?[key] as? NSObject
  }
}

/// A value written in JSON.
struct JSONText {
  var value: NSObject

  init(_ text: String) {
    let value = try? JSONSerialization.jsonObject(
      with: Data(text.utf8),
      options: .fragmentsAllowed
    )
    self.value = value as? NSObject ?? NSNull()
  }
}
