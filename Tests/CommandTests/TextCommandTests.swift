import Foundation
import TestSupport
import Testing

/// `recto text`.
@Suite(.timeLimit(.minutes(10))) struct TextCommandTests {
  private let sandbox: CommandSandbox

  init() throws { sandbox = try CommandSandbox() }

  private static let formFeed = "\u{C}"

  @Test("The pages of a list are printed in its order, with a form feed behind each")
  func order() throws {
    let all = try sandbox.recto("text", fixture("book"))
    let pages = all.text.components(separatedBy: Self.formFeed)
    #expect(all.code == 0)
    #expect(pages.count == 13 && pages.last?.isEmpty == true)
    let some = try sandbox.recto("text", fixture("book"), "z,3,3,1-2")
    #expect(
      some.text == [11, 2, 2, 0, 1].map { pages[$0] + Self.formFeed }.joined()
    )
    #expect(try sandbox.recto("text", fixture("page-empty")).text.allSatisfy { $0 == "\u{C}" })
  }

  @Test("The words of a page are those of pdftotext")
  func words() throws {
    let other = try Program.runInPath("pdftotext", [fixture("book"), "-"])
    try #require(other.code == 0)
    func words(_ text: String) -> [[Substring]] {
      text.components(separatedBy: Self.formFeed).map { $0.split { $0.isWhitespace } }
    }
    #expect(words(try sandbox.recto("text", fixture("book")).text) == words(other.text))
  }

  @Test("Words in JSON are parts of the text, inside of their lines, blocks and pages")
  func structure() throws {
    let arguments = ["text", "--json", "--characters", fixture("book")]
    let lines = try sandbox.recto(arguments).jsonLines()
    #expect(lines.map { $0["page"] as? Int } == Array(1...12))
    #expect(lines[4]["label"] as? String == "1")
    for line in lines {
      let text = Array(try #require(line["text"] as? String).unicodeScalars)
      let page = try #require(Edges(line["size"], origin: true))
      for block in Self.objects(line, "blocks") {
        let outer = try #require(Edges(block))
        #expect(page.holds(outer))
        for row in Self.objects(block, "lines") {
          #expect(outer.holds(try #require(Edges(row))))
          for word in Self.objects(row, "words") {
            let scalars = Array(try #require(word["text"] as? String).unicodeScalars)
            let start = try #require(word["start"] as? Int)
            #expect(Array(text[start..<start + scalars.count]) == scalars)
            let boxes = Self.objects(word, "characters")
            #expect(boxes.count == scalars.count)
            let edges = try #require(Edges(word))
            #expect(boxes.allSatisfy { Edges($0).map(edges.holds) == true })
          }
        }
      }
    }
  }

  /// The rectangle of a JSON object.
  private struct Edges {
    var left, top, right, bottom: Double

    init?(_ value: Any?, origin: Bool = false) {
      let object = value as? [String: Any]
      guard let width = object?.number("width"), let height = object?.number("height"),
        let x = origin ? 0 : object?.number("x"), let y = origin ? 0 : object?.number("y")
      else { return nil }
      (left, top, right, bottom) = (x, y, x + width, y + height)
    }

    init(left: Double, top: Double, right: Double, bottom: Double) {
      (self.left, self.top, self.right, self.bottom) = (left, top, right, bottom)
    }

    /// Whether another one is the same, but for what rounding adds.
    func isNear(_ other: Edges) -> Bool {
      let most = 1e-4
      return abs(other.left - left) < most && abs(other.top - top) < most
        && abs(other.right - right) < most && abs(other.bottom - bottom) < most
    }

    /// Whether another one is inside, but for what rounding adds.
    func holds(_ other: Edges) -> Bool {
      let most = 1e-5
      return other.left >= left - most && other.top >= top - most && other.right <= right + most
        && other.bottom <= bottom + most
    }
  }

  private static func objects(_ object: [String: Any], _ key: String) -> [[String: Any]] {
    object[key] as? [[String: Any]] ?? []
  }

  @Test("An area leaves the words in it, and the boxes are as without it")
  func area() throws {
    let whole = try sandbox.recto(["text", "--json", fixture("book"), "1"]).jsonLines()[0]
    let words = Self.objects(whole, "blocks").flatMap { Self.objects($0, "lines") }
      .flatMap { Self.objects($0, "words") }
    let word = try #require(words.first { $0["text"] as? String == "leaves," })
    let area = ["x", "y", "width", "height"].map { "\(word.number($0) ?? 0)" }
      .joined(separator: ",")
    #expect(
      try sandbox.recto("text", fixture("book"), "1", "--area", area).text == "leaves,\n\n\u{C}"
    )
    let part = try sandbox.recto(["text", "--json", fixture("book"), "1", "--area", area])
      .jsonLines()
    let found = Self.objects(part[0], "blocks").flatMap { Self.objects($0, "lines") }
      .flatMap { Self.objects($0, "words") }
    #expect(found.map { $0.number("x") } == [word.number("x")])
    #expect(found.map { $0.number("width") } == [word.number("width")])
  }

  @Test(
    "With a layout, boxes are where the frame of their page puts them",
    arguments: ["--zoom 2", "--mode grid --columns 3", "--rotate 90"]
  )
  func layout(options: String) throws {
    func words(_ line: [String: Any]) -> [Edges] {
      Self.objects(line, "blocks").flatMap { Self.objects($0, "lines") }
        .flatMap { Self.objects($0, "words") }.compactMap { Edges($0) }
    }
    for name in ["book", "text-geometry"] {
      let plain = try sandbox.recto("text", "--json", fixture(name)).jsonLines()
      let placed = try sandbox.recto("text", "--json", "--layout", options, fixture(name))
        .jsonLines()
      #expect(plain.count == placed.count && !plain.isEmpty)
      for (plain, placed) in zip(plain, placed) {
        let page = try #require(Edges(plain["size"], origin: true))
        let frame = try #require(Edges(placed["frame"]))
        let isTurned = options.contains("90")
        let scale = (frame.right - frame.left) / (isTurned ? page.bottom : page.right)
        let expected = words(plain).map { word in
          // A quarter turn clockwise: down the page is to the left.
          isTurned
            ? Edges(
              left: frame.right - word.bottom * scale,
              top: frame.top + word.left * scale,
              right: frame.right - word.top * scale,
              bottom: frame.top + word.right * scale
            )
            : Edges(
              left: frame.left + word.left * scale,
              top: frame.top + word.top * scale,
              right: frame.left + word.right * scale,
              bottom: frame.top + word.bottom * scale
            )
        }
        let found = words(placed)
        #expect(found.count == expected.count)
        #expect(zip(found, expected).allSatisfy { $0.isNear($1) })
      }
    }
  }

  @Test("Styles cover the text once, with font, size and color")
  func styles() throws {
    let line = try sandbox.recto(["text", "--json", "--styles", fixture("book"), "1"]).jsonLines()[
      0
    ]
    let styles = Self.objects(line, "styles")
    var end = 0
    for style in styles {
      #expect(style["start"] as? Int == end)
      end += style["count"] as? Int ?? 0
      #expect((style["color"] as? String)?.wholeMatch(of: /#[0-9a-f]{6}/) != nil)
    }
    #expect(end == (line["text"] as? String)?.unicodeScalars.count)
    #expect(styles.contains { !($0["font"] as? String ?? "").isEmpty })
  }

  @Test("Options that need --json say so", arguments: ["characters", "styles"])
  func needed(option: String) throws {
    let result = try sandbox.recto("text", fixture("book"), "--\(option)")
    #expect(result.code == 64)
    #expect(result.errors == "recto: --\(option) needs --json\n")
  }

  @Test("A document from standard input has the same text, and is not cached")
  func input() throws {
    let data = try Data(contentsOf: TestPaths.fixture("book"))
    let expected = try sandbox.recto("text", fixture("book"), "--no-cache").text
    #expect(try sandbox.recto(["text", "-"], input: data).text == expected)
    #expect(
      try sandbox.shell(#"cat "$0" | "$recto" text -"#.replacing("$0", with: fixture("book")))
        .text == expected
    )
  }

  @Test("The text in the cache is that which is read")
  func cached() throws {
    let worker = try sandbox.countingWorker()
    let environment = ["RECTO_WORKER": worker.path]
    let arguments = ["text", "--json", fixture("book")]
    let first = try sandbox.recto(arguments, environment: environment).text
    #expect(try worker.starts() > 0)
    let second = try sandbox.recto(arguments, environment: environment)
    #expect(try worker.starts() == 0)
    #expect(second.text == first)
    #expect(try sandbox.recto(["text", "--json", "--no-cache", fixture("book")]).text == first)
  }

  @Test("Documents and pages that cannot be read have the exit codes of other commands")
  func failures() throws {
    #expect(try sandbox.recto("text", "missing.pdf").code == 66)
    #expect(try sandbox.recto("text", fixture("not-a-pdf")).code == 65)
    #expect(try sandbox.recto("text", fixture("truncated")).code == 65)
    #expect(try sandbox.recto("text", fixture("zero-pages")).code == 65)
    #expect(try sandbox.recto("text", fixture("encrypted")).code == 77)
    #expect(try sandbox.recto("text", fixture("encrypted"), "--password", "secret").code == 0)
    let beyond = try sandbox.recto("text", fixture("book"), "99")
    #expect(beyond.code == 64 && beyond.text.isEmpty)
    let some = try sandbox.recto("text", "--json", fixture("book"), "12,99")
    #expect(some.code == 1)
    #expect(try some.jsonLines().map { $0["error"] != nil } == [false, true])
    let missing = try sandbox.recto("text", fixture("page-missing"), "3")
    #expect(missing.code == 65)
    #expect(missing.text == Self.formFeed)
    let area = try sandbox.recto("text", fixture("book"), "--area", "1,2,3")
    #expect(area.code == 64 && area.errors.hasPrefix("recto: --area: "))
  }

  @Test("A page that takes too long fails alone")
  func time() throws {
    let result = try sandbox.recto("text", fixture("endless-forms"), "--timeout", "0.5", "--json")
    #expect(result.code == 75 || result.code == 1, "\(result.code) \(result.errors)")
    #expect(try result.jsonLines().contains { $0["error"] != nil })
  }

  @Test("A full disk is an error, and a reader who has seen enough is none")
  func output() throws {
    let full = try sandbox.shell(#""$recto" text '\#(fixture("book"))' > /dev/full"#)
    #expect(full.code == 74)
    #expect(full.errors == "recto: standard output: No space left on device\n")
    let line = #"set -o pipefail; "$recto" text '\#(fixture("book"))' $(seq -s, 1 12) | head -c 1"#
    let closed = try sandbox.shell(line)
    #expect(closed.code == 0 && closed.errors.isEmpty)
  }
}
