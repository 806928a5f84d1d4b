import Foundation
import PageLayout
import TestSupport
import Testing

/// Every field of a layout has an option, every option a member in requests, and messages name what
/// was typed.
@Suite(.serialized, .timeLimit(.minutes(10))) struct OptionNameTests {
  /// The options that set each field of `LayoutConfiguration`.
  private static let options: [String: [String]] = [
    "mode": ["mode"],
    "spread": ["spread", "spread-columns", "start-column"],
    "axis": ["axis"],
    "isRightToLeft": ["rtl"],
    "fit": ["fit"],
    "fitScope": ["fit-scope"],
    "match": ["match"],
    "zoom": ["zoom"],
    "gap": ["gap"],
    "pageGap": ["page-gap"],
    "margins": ["margin"],
    "align": ["align"],
    "centering": ["center-in"],
    "rotation": ["rotate"],
    "gapsScaleWithZoom": ["scale-gaps"],
    "contentInsets": ["insets"],
    "minimumContentSize": ["min-content"],
    "trailingSpace": ["trailing-space"],
    "grid.columns": ["columns"],
    "grid.tile": ["grid-tile"],
    "grid.isJustified": ["justify"],
    "flow.rowHeight": ["row-height"],
    "flow.isJustified": ["justify"],
    "flow.lastRow": ["last-row"],
    "carousel.currentShare": ["carousel"],
    "carousel.neighborShare": ["carousel"],
    "carousel.hiddenShare": ["carousel"],
    "pairing.wideRatio": ["wide-alone"],
    "pairing.alone": ["alone"],
    "pairing.together": ["together"],
    "pairing.sectionStarts": ["sections"],
    "spacing.gaps": ["gap-before"],
    "spacing.sectionGap": ["section-gap"],
    "spacing.pageMargins": ["page-margin"],
    "spreadViews": ["spread-zoom", "pan"],
    "stickyPages": ["sticky"],
  ]

  /// The names of a configuration's fields; those of its groups of options one by one.
  private static var fields: [String] {
    Mirror(reflecting: LayoutConfiguration()).children.flatMap { child in
      let name = child.label ?? ""
      let type = String(describing: Swift.type(of: child.value))
      guard type.hasSuffix("Options") || type.hasSuffix("Rules") else { return [name] }
      return Mirror(reflecting: child.value).children.map { "\(name).\($0.label ?? "")" }
    }
  }

  /// The options in sections of a help text.
  private static func helped(_ command: String, _ sections: [String]) throws -> Set<String> {
    let text = try CommandSandbox().recto(command, "--help").text
    var names: Set<String> = []
    for section in sections {
      let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        .drop { $0 != "\(section):" }.dropFirst().prefix { !$0.isEmpty }
      names.formUnion(
        lines.compactMap { $0.prefixMatch(of: /\ \ --([a-z-]+)/).map { String($0.1) } }
      )
    }
    return names
  }

  @Test func `every field of a layout has an option`() throws {
    #expect(Set(Self.fields) == Set(Self.options.keys))
    let options = Set(Self.options.values.flatMap(\.self))
    for command in ["layout", "render"] {
      #expect(options.isSubset(of: try Self.helped(command, ["LAYOUT", "VIEWPORT"])))
      #expect(try Self.helped(command, ["LAYOUT"]).subtracting(options) == ["pages"])
    }
    let window: Set = ["spread-zoom", "pan"]
    #expect(try Self.helped("serve", ["LAYOUT"]) == options.subtracting(window).union(["pages"]))
  }

  @Test func `every option of the layout is one of requests, and is documented`() throws {
    let names = try Self.helped("serve", ["LAYOUT"]).map(\.inCamelCase)
    #expect(names.count > 25)
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, [fixture("book")])
    let nulls = Dictionary(uniqueKeysWithValues: names.map { ($0, NSNull()) })
    let reply = try client.done("layout", ["layout": nulls])
    #expect(reply["layout", "mode"] == "continuous" as NSString)
    #expect(try client.end().code == 0)

    let docs = TestPaths.root.appending(path: "docs")
    let serve = try String(contentsOf: docs.appending(path: "SERVE.md"), encoding: .utf8)
    let list = try #require(
      serve.split(separator: "\n\n").first { $0.hasPrefix("Layout options are ") }
    )
    #expect(names.filter { !list.contains("`\($0)`") } == [])
    let layout = try String(contentsOf: docs.appending(path: "LAYOUT.md"), encoding: .utf8)
    let table = try #require(
      layout.split(separator: "## ").first { $0.hasPrefix("In the command") }
    )
    for name in try Self.helped("layout", ["LAYOUT"]) {
      #expect(table.contains(try Regex("`--\(name)[ `]")), "\(name)")
    }
  }

  /// An option, a value that it cannot have, and what is wrong with that.
  static let refused: [(option: String, value: String, reason: String)] = [
    ("gap", "nan", "must be a number between 0 and 1000000000, is nan"),
    ("zoom", "0", "must be a number above 0 and at most 1000000, is 0"),
    (
      "margin", "1,2,inf,4",
      "must be one, two or four numbers between 0 and 1000000000, is '1,2,inf,4'"
    ),
    ("spread-columns", "0", "must be a whole number between 1 and 10000, is 0"),
    ("start-column", "2", "must be at most 1, the number of columns of a spread, is 2"),
    ("start-column", "0", "must be a whole number between 1 and 10000, is 0"),
    ("columns", "0", "must be a whole number between 1 and 10000, is 0"),
    ("grid-tile", "0", "must be a number above 0 and at most 1000000000, is 0"),
    ("grid-tile", "nan", "must be a number above 0 and at most 1000000000, is nan"),
    (
      "carousel", "0.7,2,0.3",
      "must be three numbers above 0 and at most 1, such as 0.7,0.45,0.3, is '0.7,2,0.3'"
    ),
    (
      "carousel", "0.7,0.4,0",
      "must be three numbers above 0 and at most 1, such as 0.7,0.45,0.3, is '0.7,0.4,0'"
    ),
    ("wide-alone", "-1", "must be a number above 0 and at most 1000000, is -1"),
    ("section-gap", "1e10", "must be a number between 0 and 1000000000, is 1e10"),
    (
      "gap-before", "2:-1",
      #"must be PAGES:UNITS, is '2:-1': "-1" is not a number between 0 and 1000000000"#
    ),
    (
      "page-margin", "2:1,-5",
      """
      must be PAGES:POINTS, is '2:1,-5': "1,-5" is not one, two or four numbers up to 1000000000
      """
    ),
    ("insets", "-3", "must be one, two or four numbers between 0 and 1000000000, is -3"),
    (
      "min-content", "5x-1", "must be WIDTHxHEIGHT, two numbers between 0 and 1000000000, is '5x-1'"
    ),
    ("trailing-space", "inf", "must be a number between 0 and 1000000000, is inf"),
  ]

  @Test(arguments: refused.indices) func `messages name the option as on the command line`(
    index: Int
  ) throws {
    let (option, value, reason) = Self.refused[index]
    let command = index % 3 == 0 ? "render" : "layout"
    let result = try CommandSandbox().recto(command, fixture("book"), "--\(option)=\(value)")
    #expect(result.code == 64)
    #expect(result.errors == "recto: --\(option): \(reason)\n")
  }

  /// Options with a page that the document does not have.
  static let missing = [
    ("alone", "1,13"), ("together", "13"), ("sticky", "13-14"), ("sections", "13"),
    ("pages", "14-13"), ("gap-before", "13-99:5"), ("page-margin", "13:5"),
  ]

  @Test(arguments: missing)
  func `messages about missing pages name the option`(option: String, value: String) throws {
    let path = fixture("book")
    let result = try CommandSandbox().recto("layout", path, "--\(option)", value)
    #expect(result.code == 64)
    #expect(
      result.errors == "recto: \(path): --\(option): page 13: the document has 12 pages\n"
    )
  }

  /// Options with what is no value of theirs.
  static let unreadable = [
    ("center-in", "page"), ("fit-scope", "page"), ("match", "both"), ("sections", "0"),
    ("sections", "1,"), ("section-gap", "wide"),
    ("gap-before", "5"), ("gap-before", "5:"), ("gap-before", ":5"), ("gap-before", "0:5"),
    ("gap-before", "1:2:3"), ("page-margin", "5"), ("page-margin", "5:1,2,3"),
    ("page-margin", "5:"), ("page-margin", "x:1"), ("insets", "1,2,3"), ("min-content", "5"),
    ("min-content", "5x5x5"), ("trailing-space", "5pt"), ("grid-tile", ""), ("carousel", "0.5"),
    ("carousel", "0.5,0.4"), ("carousel", "0.5,0.4,0.3,0.2"), ("carousel", "a,b,c"),
  ]

  @Test(arguments: unreadable)
  func `invalid values of options are refused`(option: String, value: String) throws {
    let result = try CommandSandbox().recto("layout", fixture("book"), "--\(option)=\(value)")
    #expect(result.code == 64)
    #expect(result.messages.count == 1)
    #expect(result.errors.contains("--\(option)"))
  }

  @Test func `refusals of requests name the option as the request does`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, [fixture("book")])
    _ = try client.event()
    for (option, value, reason) in Self.refused {
      let message = try client.refusal([option.inCamelCase: value])
      #expect(message == "layout.\(option.inCamelCase): \(reason)")
    }
    for (option, value) in Self.missing {
      let message = try client.refusal([option.inCamelCase: value])
      #expect(message == "layout.\(option.inCamelCase): page 13: the document has 12 pages")
    }
    for (option, value) in Self.unreadable {
      let message = try client.refusal(["zoom": 2, option.inCamelCase: value])
      #expect(message?.hasPrefix("layout.\(option.inCamelCase): ") == true, "\(message ?? "")")
    }
    #expect(try client.refusal(["zoom": 0]) == "layout.zoom: \(Self.refused[1].reason)")
    let opened = try client.ask("open", ["path": fixture("book"), "layout": ["insets": -3]])
    let message = (opened["error"] as? ServeClient.Line)?["message"] as? String
    #expect(message?.hasPrefix("layout.insets: must be ") == true)
    #expect(try client.done("view", ["document": 1])["error"] == nil)
  }

  @Test func `lists in requests have any length up to the limit`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, [fixture("book")])
    _ = try client.event()
    let one = try client.done("layout", ["layout": ["gapBefore": "2:5", "alone": [2, "4-5"]]])
    #expect(one["layout", "gapBefore"] == ["2:5"] as NSArray)
    #expect(one["layout", "alone"] == [2, 4, 5] as NSArray)
    let none = try client.done("layout", ["layout": ["gapBefore": [String]()]])
    #expect(none["layout", "gapBefore"] == nil)
    #expect(try client.refusal(["gapBefore": [["2:5"], "3:5"]]) != nil)
    #expect(try client.refusal(["gapBefore": [["a": 1]]]) != nil)
    #expect(try client.refusal(["gapBefore": ["2:5", "3:\u{0}"]])?.hasSuffix("U+0000") == true)
    let many = (0..<1001).map { "\($0 % 12 + 1):\($0)" }
    #expect(
      try client.refusal(["gapBefore": many])
        == "layout.gapBefore: 1001 page ranges; the limit is 1000"
    )
    #expect(try client.done("layout", ["layout": ["gapBefore": Array(many.dropLast())]]).count > 0)
  }

  @Test func `the number of claimed pages in a list is limited`() throws {
    let sandbox = try CommandSandbox()
    try ClaimedPages.pdf(1 << 25).write(to: sandbox.folder.url.appending(path: "claim.pdf"))
    for (option, count, limit) in [
      ("sections", "1-z", 10_000), ("page-margin", "1-z:5", 100_000),
    ] {
      let result = try sandbox.recto("layout", "claim.pdf", "--\(option)", count)
      #expect(result.code == 64)
      #expect(
        result.errors
          == "recto: claim.pdf: --\(option): 33554432 pages; the limit is \(limit)\n"
      )
    }
    let options = ["--gap-before", "1-z:5", "--page-margin", "z-33454433:5", "--page", "z"]
    let (result, peak) = try MemoryUse.run(sandbox, ["layout", "claim.pdf"] + options)
    #expect(result.code == 1, "\(result.errors)")
    #expect(peak < 200_000_000)
  }
}

extension ServeClient {
  /// What a change of the layout is refused with; nil when it is not.
  fileprivate func refusal(_ layout: Line) throws -> String? {
    (try ask("layout", ["layout": layout])["error"] as? Line)?["message"] as? String
  }
}

extension String {
  /// `page-gap` as `pageGap`.
  fileprivate var inCamelCase: String {
    let words = split(separator: "-")
    return words.dropFirst().reduce(String(words.first ?? "")) { $0 + $1.capitalized }
  }
}
