import Foundation
import TestSupport
import Testing

/// `recto search`.
@Suite(.timeLimit(.minutes(10))) struct SearchCommandTests {
  private let sandbox: CommandSandbox

  init() throws { sandbox = try CommandSandbox() }

  private func search(_ words: String, _ options: String...) throws -> ProgramResult {
    try sandbox.recto(["search", fixture("book"), words] + options)
  }

  /// The pages of the hits in JSON, each as often as it has hits.
  private func pages(_ words: String, _ options: String...) throws -> [Int] {
    let result = try sandbox.recto(["search", "--json", fixture("book"), words] + options)
    return try result.jsonLines().flatMap { line in
      Array(repeating: line["page"] as? Int ?? 0, count: (line["hits"] as? [Any])?.count ?? 0)
    }
  }

  @Test("A hit is a line of page and context, and nothing found is exit code 1")
  func lines() throws {
    let found = try search("leaves", "--context", "12")
    #expect(found.code == 0)
    #expect(
      found.text.split(separator: "\n").first == "1:  account of leaves, measures a"
    )
    #expect(found.text.split(separator: "\n").count == 4)
    let none = try search("no such words")
    #expect(none.code == 1)
    #expect(none.text.isEmpty && none.errors.isEmpty)
  }

  @Test("The areas of a hit are the boxes of its words")
  func areas() throws {
    let hits = try sandbox.recto("search", "--json", fixture("book"), "leaves").jsonLines()
    for line in hits {
      let page = try #require(line["page"] as? Int)
      for hit in line["hits"] as? [[String: Any]] ?? [] {
        let area = try #require((hit["areas"] as? [[String: Any]])?.first)
        let values = ["x", "y", "width", "height"].map { "\(area.number($0) ?? 0)" }
        let text = try sandbox.recto(
          "text",
          fixture("book"),
          "\(page)",
          "--area",
          values.joined(separator: ",")
        ).text
        #expect(text == "leaves\n\n\u{C}")
      }
    }
  }

  @Test("Case, diacritics and whole words matter when they are asked for")
  func options() throws {
    let all = try pages("leaves")
    #expect(try pages("LEAVES") == all)
    #expect(try pages("léaves") == all)
    #expect(try pages("LEAVES", "--case-sensitive").isEmpty)
    #expect(try pages("LEAVES", "-s").isEmpty)
    #expect(try pages("léaves", "--diacritics").isEmpty)
    #expect(try pages("leav", "--whole-words").isEmpty)
    #expect(try pages("leav", "-w").isEmpty)
    #expect(try pages("leav").count >= all.count)
  }

  @Test("Words are found across the end of a line")
  func acrossLines() throws {
    let hits = try sandbox.recto("search", "--json", fixture("book"), "turning of the page")
      .jsonLines()
    let first = try #require((hits.first?["hits"] as? [[String: Any]])?.first)
    #expect((first["areas"] as? [Any])?.count == 2)
    #expect(first["match"] as? String == "Turning of the Page")
  }

  @Test("A search ends after as many hits as are wanted, in the order of the pages")
  func count() throws {
    let all = try pages("leaves")
    #expect(try pages("leaves", "--max-count", "2") == Array(all.prefix(2)))
    #expect(try pages("leaves", "-m", "1") == Array(all.prefix(1)))
    #expect(try pages("leaves", "--pages", "10,1") == [10, 1])
    #expect(try search("leaves", "--max-count", "0").code == 64)
  }

  @Test("Words that cannot be found are usage errors")
  func wrong() throws {
    for words in ["", "  ", "\u{A0}\n"] {
      let result = try search(words)
      #expect(result.code == 64)
      #expect(result.errors == "recto: words: must not be empty\n")
    }
    let long = try search(String(repeating: "a", count: 4097))
    #expect(long.code == 64)
    #expect(long.errors == "recto: words: 4097 bytes; the limit is 4096\n")
    #expect(try search(String(repeating: "a", count: 4096)).code == 1)
    #expect(try search("leaves", "--context", "1001").code == 64)
    #expect(try search("leaves", "--pages", "99").code == 64)
  }

  @Test("A second search starts no worker and finds the same")
  func cached() throws {
    let worker = try sandbox.countingWorker()
    let arguments = ["search", fixture("book"), "leaves", "--json"]
    let first = try sandbox.recto(arguments, environment: ["RECTO_WORKER": worker.path])
    #expect(try worker.starts() > 0)
    let again = try sandbox.recto(arguments, environment: ["RECTO_WORKER": worker.path])
    #expect(try worker.starts() == 0)
    #expect(again.text == first.text)
    #expect(try search("leaves", "--json", "--no-cache").text == first.text)
  }

  @Test("Pages that fail are reported, and hits on the others are printed")
  func failures() throws {
    #expect(try sandbox.recto("search", "missing.pdf", "a").code == 66)
    #expect(try sandbox.recto("search", fixture("not-a-pdf"), "a").code == 65)
    #expect(try sandbox.recto("search", fixture("encrypted"), "a").code == 77)
    let result = try sandbox.recto(
      "search",
      "--json",
      fixture("book"),
      "leaves",
      "--pages",
      "1,99-101"
    )
    #expect(result.code == 1)
    let lines = try result.jsonLines()
    #expect(lines.map { $0["page"] as? Int } == [1, 99])
    #expect(lines.last?["lastPage"] as? Int == 101)
    #expect(result.messages.count == 1)
    let full = try sandbox.shell(#""$recto" search '\#(fixture("book"))' leaves > /dev/full"#)
    #expect(full.code == 74)
  }

  @Test("Control characters of the text do not reach a terminal")
  func controls() throws {
    // A font whose codes 1 and 2 stand for a control of C1 and an override of direction.
    let map = "1 beginbfchar <01> <009B> endbfchar 1 beginbfchar <02> <202E> endbfchar"
    let path = try sandbox.file("controls.pdf", TextPages.one("(a\\001b\\002c) Tj", map: map))
    let text = try sandbox.recto("search", path, "a")
    #expect(text.code == 0, "\(text.errors)")
    #expect(!text.text.unicodeScalars.contains { (0x80...0x9F).contains($0.value) })
    #expect(!text.text.unicodeScalars.contains("\u{202E}"))
  }
}
