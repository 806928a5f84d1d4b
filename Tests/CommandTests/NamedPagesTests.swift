import Foundation
import TestSupport
import Testing

/// Pages by number, from the end, by label: wherever a page can be named.
@Suite(.timeLimit(.minutes(10))) struct NamedPagesTests {
  private let sandbox: CommandSandbox

  init() throws { sandbox = try CommandSandbox() }

  private func layout(_ options: String...) throws -> ProgramResult {
    try sandbox.recto(["layout", fixture("labels")] + options)
  }

  @Test(
    "Labels name pages in every option",
    arguments: [
      (["--pages", "label:iii-label:'A-2'", "--all"], [3, 4, 5]),
      (["--pages", "-2", "--all"], [1, 2]),
      (["--pages", "-2,label:AA,11-", "--all"], [1, 2, 8, 11, 12]),
      (["--pages=even", "--all"], [2, 4, 6, 8, 10, 12]),
      (["--page", "label:8", "--viewport", "300x100"], [9]),
      (["--page", "label:'A-1'+0.5", "--viewport", "300x100"], [4]),
    ]
  )
  func everyOption(options: [String], numbers: [Int]) throws {
    let result = try sandbox.recto(["layout", fixture("labels")] + options)
    #expect(result.code == 0, "\(result.errors)")
    #expect(try result.decoded(RenderOutput.self).pages.map(\.number) == numbers)
  }

  /// Commands that read pages of one document, with what they need besides.
  private static let readers = [
    ["info", "--json"], ["text", "--json"], ["search", "--json"], ["links", "--json"], ["layout"],
    ["pages", "--json", "--jobs", "1", "--size", "20x20", "-o", "{stem}-{page}.png"],
    ["render", "--no-cache", "-o", "tiles", "--viewport", "300x100"],
  ]

  @Test("Pages are an argument or an option in every command", arguments: readers)
  func argumentOrOption(command: [String]) throws {
    let words = command[0] == "search" ? ["e"] : []
    let start = [command[0], fixture("book")] + words
    let rest = Array(command.dropFirst())
    let argument = try sandbox.recto(start + ["2-3"] + rest)
    let option = try sandbox.recto(start + ["--pages", "2-3"] + rest)
    #expect(argument.code == 0, "\(argument.errors)")
    #expect((argument.code, argument.output) == (option.code, option.output))
    let both = try sandbox.recto(start + ["2-3", "--pages", "2-3"] + rest)
    #expect(both.code == 64)
    #expect(both.errors == "recto: --pages cannot be used with <pages>: both name pages\n")
  }

  @Test("A range that extends beyond the document ends with its last page", arguments: readers)
  func beyond(command: [String]) throws {
    let words = command[0] == "search" ? ["e"] : []
    let start = [command[0], fixture("book")] + words
    let rest = Array(command.dropFirst())
    let inside = try sandbox.recto(start + ["11-12"] + rest)
    let beyond = try sandbox.recto(start + ["11-20"] + rest)
    #expect((beyond.code, beyond.output) == (inside.code, inside.output))
    let note = "pages 13-20: not there, left out: the document has 12 pages"
    #expect(inside.errors.isEmpty)
    #expect(beyond.errors == "recto: \(fixture("book")): \(note)\n")
    let quiet = try sandbox.recto(start + ["11-20", "-q"] + rest)
    #expect(quiet.errors.isEmpty)
    let missing = try sandbox.recto(start + ["13-20"] + rest)
    #expect(missing.code == 64)
    #expect(missing.output.isEmpty)
    #expect(missing.errors.hasSuffix("page 13: the document has 12 pages\n"))
  }

  @Test("Labels in lists of the arrangement are printed as numbers")
  func arrangement() throws {
    let result = try layout(
      "--alone",
      "label:ii",
      "--together",
      "-1",
      "--sections",
      "label:AA",
      "--sticky",
      "z",
      "--gap-before",
      "label:'A-1'-label:'A-2':40",
      "--page-margin",
      "label:Plate-:3"
    )
    #expect(result.code == 0, "\(result.errors)")
    let options = try #require(try result.json()["layout"] as? [String: Any])
    #expect(options["alone"] as? [Int] == [2])
    #expect(options["together"] as? [Int] == [1])
    #expect(options["sections"] as? [Int] == [8])
    #expect(options["sticky"] as? [Int] == [12])
    #expect(options["gapBefore"] as? [String] == ["4-5:40"])
    #expect(options["pageMargin"] as? [String] == ["10-12:3,3,3,3"])
  }

  @Test(
    "A label that no page has is named with the option",
    arguments: [
      (["--pages", "label:no"], "--pages: no page has the label \"no\""),
      (["--alone", "1,label:no"], "--alone: no page has the label \"no\""),
      (["--page", "label:no"], "no page has the label \"no\""),
    ]
  )
  func missingLabel(options: [String], message: String) throws {
    let result = try sandbox.recto(["layout", fixture("labels")] + options)
    #expect(result.code == 64)
    #expect(result.messages == ["recto: \(fixture("labels")): \(message)"])
  }

  @Test("An invalid list is refused with the entry that is wrong", arguments: ["pages", "alone"])
  func invalid(option: String) throws {
    let result = try layout("--\(option)", "1,5-x")
    #expect(result.code == 64)
    #expect(result.messages.count == 1)
    #expect(result.errors.contains("--\(option)"))
    #expect(result.errors.contains("\"x\" is not a page"))
  }

  @Test("Thumbnails of labels have the numbers of their pages")
  func thumbnails() throws {
    let result = try sandbox.recto(
      "thumbs",
      fixture("labels"),
      "-o",
      "out",
      "--size",
      "16",
      "--pages",
      "label:iii,11-"
    )
    #expect(result.code == 0, "\(result.errors)")
    #expect(
      sandbox.folder.files == ["out/labels-03.png", "out/labels-11.png", "out/labels-12.png"]
    )
  }

  @Test("A page that the labels leave out has its number as label")
  func unlabeled() throws {
    let text = """
      %PDF-1.4
      1 0 obj << /Pages 2 0 R /PageLabels << /Nums [] >> >> endobj
      2 0 obj << /Kids [3 0 R 4 0 R] /Count 2 >> endobj
      3 0 obj << /Parent 2 0 R /Type /Page /MediaBox [0 0 10 20] >> endobj
      4 0 obj << /Parent 2 0 R /Type /Page /MediaBox [0 0 10 20] >> endobj
      trailer << /Root 1 0 R /Size 5 >>
      """
    let plain = try sandbox.file("plain.pdf", text)
    let path = sandbox.folder.path("labels.pdf")
    // Writes a cross-reference table; the document has none.
    _ = try Program.runInPath("qpdf", [plain, path])
    let result = try sandbox.recto("layout", path, "--pages", "label:2", "--all")
    #expect(try result.decoded(RenderOutput.self).pages.map(\.number) == [2])
    #expect(try sandbox.recto("layout", path, "--pages", "label:3").code == 64)
  }

  @Test("Labels of a document that poppler reads are the same")
  func encrypted() throws {
    let plain = try layout("--pages", "label:iii,label:Y", "--all")
    let poppler = try layout("--pages", "label:iii,label:Y", "--all", "--page-reader", "poppler")
    #expect(poppler.code == 0, "\(poppler.errors)")
    #expect(
      try poppler.decoded(RenderOutput.self).pages.map(\.number)
        == plain.decoded(RenderOutput.self).pages.map(\.number)
    )
  }

  @Test("Labels name pages in the layout of requests of serve, and in its options")
  func serve() throws {
    let client = try ServeClient(sandbox, [fixture("labels"), "--alone", "label:ii"])
    let scene = try #require(try client.event())
    #expect(scene["error"] == nil, "\(scene)")
    let changed = try client.done("layout", ["layout": ["pages": ["label:AA-", 1]]])
    #expect(changed.number("current") == 1, "the page is kept")
    let opened = try client.done(
      "open",
      ["path": fixture("labels"), "layout": ["pages": ["label:AA-", 1]]]
    )
    #expect(opened.scenePages.first?.number("number") == 8)
    let refused = try client.ask("layout", ["document": 1, "layout": ["pages": "label:no"]])
    let error = refused["error"] as? ServeClient.Line
    #expect(error?["code"] as? String == "usage")
    #expect((error?["message"] as? String)?.contains("no page has the label \"no\"") == true)
  }

  @Test("A label among two hundred thousand pages is found without reading them")
  func manyPages() throws {
    try ManyPages.write(200_000, to: sandbox.folder.path("many.pdf"))
    let result = try sandbox.recto("layout", "many.pdf", "--page", "label:150000")
    #expect(result.code == 0, "\(result.errors)")
    #expect(try result.decoded(RenderOutput.self).anchor?.page == 150_000)
    let odd = try sandbox.recto("layout", "many.pdf", "--pages", "odd", "--page", "150001")
    #expect(odd.code == 0, "\(odd.errors)")
    #expect(try odd.decoded(RenderOutput.self).anchor?.page == 150_001)
  }
}
