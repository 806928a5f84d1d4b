import Foundation
import TestSupport
import Testing

/// Large, small and unusual numbers: each gives a result or a message.
@Suite(.serialized, .timeLimit(.minutes(10))) struct NumberTests {
  static let numbers = [
    "0", "-0", "1", "-1", "0.5", "1e-9", "1e6", "1e9", "1e15", "9007199254740993", "9.3e18",
    "1e100",
    "1.7e308", "5e-324", "inf", "nan", "9223372036854775807", "-9223372036854775808",
    "18446744073709551616",
  ]

  /// Codes that say what is wrong; a crash ends with 128 and more.
  private func expectAnswer(_ result: ProgramResult, _ arguments: [String]) {
    #expect(
      [0, 1, 64, 65, 75].contains(result.code),
      "\(arguments.joined(separator: " ")): \(result.code) \(result.errors)"
    )
  }

  static let shadows: [[String]] = [
    ["far.pdf", "--spread", "double", "--viewport", "400x300", "--scale", "7", "--page", "2"],
    [
      "far.pdf", "--spread", "double", "--page-gap", "1000000000", "--scale", "10", "--viewport",
      "40x30",
    ],
    [
      "near.pdf", "--spread", "double", "--page-gap", "1000000000", "--scale", "1000", "--viewport",
      "4x3",
    ],
    ["near.pdf", "--scale", "1e-300", "--viewport", "1e9x1e9"],
    ["near.pdf", "--scale", "5e-324", "--zoom", "1000000"],
  ]

  @Test(arguments: shadows) func `shadows are drawn at any distance between pages`(
    arguments: [String]
  ) throws {
    let sandbox = try CommandSandbox()
    _ = try sandbox.file(
      "far.pdf",
      HostileFiles.pages(["[0 0 200 300]", "[0 0 20000 1079000000]"])
    )
    _ = try sandbox.file("near.pdf", HostileFiles.pages(["[0 0 200 300]", "[0 0 300 200]"]))
    let command = ["render"] + arguments + ["--shadow", "--image", "i.png", "--no-cache"]
    expectAnswer(try sandbox.recto(command), command)
  }

  static let options = [
    "zoom", "gap", "page-gap", "margin", "rotate", "columns", "row-height", "spread-columns",
    "start-column",
    "wide-alone", "alone", "together", "sticky", "pages", "page", "at-page-fraction", "offset",
    "viewport", "progress", "scale", "timeout", "memory", "tile", "prefetch", "sections",
    "section-gap", "gap-before", "page-margin", "insets", "min-content", "trailing-space",
    "grid-tile", "carousel",
  ]

  /// A number in the form that an option's values have.
  private static func value(_ option: String, _ number: String) -> String {
    switch option {
    case "viewport", "min-content": "\(number)x\(number)"
    case "gap-before", "page-margin": "1-3:\(number)"
    case "carousel": "\(number),\(number),\(number)"
    default: number
    }
  }

  @Test(arguments: options) func `any number in an option gives a result or a message`(
    option: String
  ) throws {
    let sandbox = try CommandSandbox()
    for number in Self.numbers {
      let value = Self.value(option, number)
      let isForTiles = ["tile", "prefetch"].contains(option)
      var command =
        isForTiles
        ? ["render", fixture("page-empty"), "--viewport", "100x100"]
        : ["layout", fixture("rotate"), "--spread", "double"]
      if option == "grid-tile" { command += ["--mode", "grid"] }
      if option == "carousel" { command += ["--mode", "carousel"] }
      if option == "section-gap" { command += ["--sections", "2"] }
      let arguments = command + ["--\(option)=\(value)"]
      expectAnswer(try sandbox.recto(arguments), arguments)
    }
  }

  @Test(arguments: [
    ("text", "area"), ("text", "timeout"), ("text", "memory"), ("text", "jobs"),
    ("search", "max-count"), ("search", "context"), ("search", "pages"), ("search", "timeout"),
  ]) func `any number in an option of text and search gives a result or a message`(
    command: String,
    option: String
  ) throws {
    let sandbox = try CommandSandbox()
    for number in Self.numbers {
      let value = option == "area" ? "\(number),1,\(number),9" : number
      let words = command == "search" ? ["leaves"] : ["1"]
      let arguments = [command, fixture("book")] + words + ["--\(option)=\(value)"]
      expectAnswer(try sandbox.recto(arguments), arguments)
    }
  }

  @Test(arguments: 0..<4) func `any numbers in a request give a reply`(seed: Int) throws {
    let sandbox = try CommandSandbox()
    var random = Numbers(random: SeededGenerator(seed: UInt64(seed)))
    _ = try sandbox.file(
      "odd.pdf",
      HostileFiles.pages(["[0 0 1 1]", "[0 0 20000 1079000000]", "[-1e9 -1e9 1e9 1e9]"])
    )
    var requests = [#"{"op":"open","path":"odd.pdf"}"#]
    for _ in 0..<300 { requests.append(random.request()) }
    let result = try sandbox.recto(
      [
        "serve", "--stdio", "--sizes", "estimated", "--timeout", "1", "--no-cache", "--scale",
        "0.01",
      ],
      input: Data(requests.joined(separator: "\n").utf8)
    )
    #expect(result.code == 0, "\(result.errors)")
    #expect(try result.jsonLines().count { $0["reply"] != nil } == requests.count)
  }
}

/// Requests made of extreme numbers, the same for the same seed.
private struct Numbers {
  var random: SeededGenerator

  private mutating func next(below bound: Int) -> Int { Int(random.next() % UInt64(bound)) }

  private static let values = [
    "0", "-0.0", "1", "-1", "0.5", "2", "1e-9", "1e9", "-1e9", "1e15", "-1e15", "9007199254740993",
    "9223372036854774784", "9.3e18", "-9.3e18", "1e100", "-1e100", "1.7e308", "-1.7e308", "5e-324",
  ]

  private mutating func number() -> String { Self.values[next(below: Self.values.count)] }

  private mutating func point() -> String { #"{"x":\#(number()),"y":\#(number())}"# }

  private mutating func layout() -> String {
    let options = [
      "zoom", "gap", "pageGap", "margin", "columns", "rowHeight", "spreadColumns", "startColumn",
      "wideAlone",
      "sectionGap", "insets", "trailingSpace", "gridTile",
    ]
    let modes = ["continuous", "paged", "grid", "carousel", "flow"]
    return
      #"{"mode":"\#(modes[next(below: 5)])","axis":"\#(["vertical", "horizontal"][next(below: 2)])","#
      + #""rtl":\#(next(below: 2) == 0),"\#(options[next(below: options.count)])":\#(number())}"#
  }

  mutating func request() -> String {
    switch next(below: 13) {
    case 8:
      #"{"op":"text","page":2,"coordinates":"content","area":{"x":\#(number()),"y":\#(number()),"width":\#(number()),"height":\#(number())}}"#
    case 9: #"{"op":"links","at":\#(point()),"geometry":\#(number())}"#
    case 10: #"{"op":"links","page":\#(number()),"coordinates":"content"}"#
    case 11: #"{"op":"select","from":\#(point()),"to":\#(point()),"coordinates":"content"}"#
    case 12:
      #"{"op":"search","words":"a","from":\#(number()),"context":\#(number()),"maxCount":\#(number())}"#
    case 0: #"{"op":"layout","layout":\#(layout())}"#
    case 1: #"{"op":"view","offset":\#(point()),"velocity":\#(point())}"#
    case 2: #"{"op":"view","anchor":{"page":\#(number()),"fraction":\#(number())}}"#
    case 3:
      #"{"op":"view","viewport":{"width":\#(number()),"height":\#(number())},"zoom":\#(number())}"#
    case 4: #"{"op":"zoom","factor":\#(number()),"about":\#(point())}"#
    case 5: #"{"op":"page","at":\#(point()),"geometry":\#(number())}"#
    case 6:
      #"{"op":"destination","page":\#(number()),"type":"XYZ","left":\#(number()),"zoom":\#(number())}"#
    default:
      #"{"op":"destination","page":2,"type":"FitR","left":\#(number()),"bottom":\#(number()),"#
        + #""right":\#(number()),"top":\#(number())}"#
    }
  }
}
