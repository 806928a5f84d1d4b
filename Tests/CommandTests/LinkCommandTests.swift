import Foundation
import TestSupport
import Testing

/// `recto links` and `recto outline`.
@Suite(.timeLimit(.minutes(10))) struct LinkCommandTests {
  private let sandbox: CommandSandbox

  init() throws { sandbox = try CommandSandbox() }

  @Test("Links are lines of page, rectangle and target")
  func links() throws {
    let result = try sandbox.recto("links", fixture("links"), "--pages", "1-2,6")
    let lines = result.text.split(separator: "\n").map(String.init)
    #expect(result.code == 0)
    #expect(lines.count == 19)
    #expect(lines.first == "1\t10,10,170,12\tpage 2 at 370,30")
    #expect(lines.contains("1\t10,90,170,12\tmissing no such name"))
    #expect(lines.contains("1\t10,268,120,12\thttps://example.org/résumé"))
    #expect(lines.last == "2\t30,20,30,100\tpage 1 at 30,50")
  }

  @Test(
    "Pages with links are JSON lines, by either reader of pages",
    arguments: ["tree", "poppler"]
  )
  func json(reader: String) throws {
    let arguments = ["links", "--json", fixture("links"), "--page-reader", reader]
    let result = try sandbox.recto(arguments)
    let lines = try result.jsonLines()
    #expect(result.code == 0)
    #expect(lines.map { $0["page"] as? Int } == [1, 2, 3, 4, 5])
    let links = try #require(lines[0]["links"] as? [[String: Any]])
    let target = try #require(links[0]["target"] as? [String: Any])
    #expect(target["kind"] as? String == "page")
    #expect(target["page"] as? Int == 2)
    #expect(target["label"] as? String == "2")
    #expect(target["zoom"] as? Double == 1.5)
    let kinds = Set(links.compactMap { ($0["target"] as? [String: Any])?["kind"] as? String })
    #expect(kinds == ["page", "missing", "file", "uri", "launch", "action", "other"])
  }

  /// Titles with their levels, as `mutool show FILE outline` prints them.
  private func titles(byMutool file: URL) throws -> [String]? {
    let result = try Program.runInPath("mutool", ["show", file.path, "outline"])
    guard result.code == 0 else { return nil }
    return result.text.components(separatedBy: "\n").compactMap { line -> String? in
      guard let match = line.firstMatch(of: /^[-+|](\t+)"(.*)"\t/) else { return nil }
      return String(repeating: " ", count: match.1.count - 1) + match.2
    }
  }

  private static let hasMutool =
    (try? Program.runInPath("mutool", ["-v"])).map { $0.errors.contains("mutool") } ?? false

  @Test(
    "The titles of an outline are those that mutool prints",
    .enabled(if: hasMutool, "mutool is not installed"),
    arguments: ["links", "book", "labels"]
  )
  func outline(name: String) throws {
    guard let expected = try titles(byMutool: TestPaths.fixture(name)) else { return }
    let result = try sandbox.recto("outline", fixture(name))
    let found = result.text.components(separatedBy: "\n").dropLast().map { line -> String in
      let title = line.prefix { $0 != "\t" }
      let spaces = title.prefix { $0 == " " }.count
      return String(repeating: " ", count: spaces / 2) + title.dropFirst(spaces)
    }
    #expect(result.code == 0)
    #expect(found == expected)
  }

  @Test("An outline is a tree in JSON, with the state of entries that have others below")
  func tree() throws {
    let object = try sandbox.recto("outline", "--json", fixture("links")).json()
    let items = try #require(object["items"] as? [[String: Any]])
    #expect(items.map { $0["title"] as? String } == ["Upright", "Address", "Closed", "Gone"])
    #expect(items.map { $0["open"] as? Bool } == [true, nil, false, nil])
    #expect((items[0]["items"] as? [[String: Any]])?.count == 2)
  }

  @Test("A destination is found by its name, and a name that there is not is a usage error")
  func destination() throws {
    let result = try sandbox.recto("outline", fixture("links"), "--destination", "fitr.1")
    #expect(result.text == "page 1 at 20,150\n")
    let missing = try sandbox.recto("outline", fixture("links"), "--destination", "a\u{1B}b")
    #expect(missing.code == 64)
    #expect(
      missing.errors.hasSuffix("--destination: the document has no destination 'a\\x1bb'\n")
    )
    #expect(missing.text.isEmpty)
  }

  @Test("Encrypted and damaged documents are read as well")
  func engine() throws {
    for name in ["encrypted", "damaged-xref"] {
      let password = ["--password", "secret"]
      #expect(try sandbox.recto(["links", fixture(name)] + password).code == 0)
      let outline = try sandbox.recto(["outline", "--json", fixture(name)] + password)
      #expect(try outline.json()["items"] as? [String] == [])
    }
    #expect(try sandbox.recto("links", fixture("not-a-pdf")).code == 65)
    #expect(try sandbox.recto("outline", fixture("encrypted")).code == 77)
    #expect(try sandbox.recto("links", "missing.pdf").code == 66)
  }

  @Test("Pages that a document does not have are one line, and the others are printed")
  func missingPages() throws {
    let result = try sandbox.recto("links", "--json", fixture("page-missing"))
    #expect(result.code == 1)
    #expect(try result.jsonLines().contains { $0["error"] != nil })
    // Behind the message that poppler reads the document from then on.
    let last = try #require(result.errors.split(separator: "\n").last)
    #expect(last.hasSuffix("page 3: find: the document counts more pages than it has"))
  }

  /// A document of objects, the first of which is the catalog.
  private static func file(_ objects: [String]) -> String {
    var text = "%PDF-1.7\n"
    var table = "0000000000 65535 f \n"
    for (index, object) in objects.enumerated() {
      let offset = String(text.utf8.count)
      table += String(repeating: "0", count: 10 - offset.count) + offset + " 00000 n \n"
      text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let start = text.utf8.count
    return text + "xref\n0 \(objects.count + 1)\n\(table)"
      + "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
  }

  @Test("Entries below an entry have the labels of their pages")
  func labels() throws {
    let objects = [
      "<< /Type /Catalog /Pages 2 0 R /Outlines 5 0 R /PageLabels << /Nums [0 << /S /r >>] >> >>",
      "<< /Type /Pages /Count 2 /Kids [3 0 R 4 0 R] >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
      "<< /First 6 0 R /Last 6 0 R /Count 2 >>",
      "<< /Title (a) /Parent 5 0 R /Dest [3 0 R /Fit] /First 7 0 R /Last 7 0 R /Count 1 >>",
      "<< /Title (b) /Parent 6 0 R /Dest [4 0 R /Fit] >>",
    ]
    let path = try sandbox.file("labels.pdf", Self.file(objects))
    let outline = try sandbox.recto("outline", "--json", path).json()
    let outer = try #require((outline["items"] as? [[String: Any]])?.first)
    let inner = try #require((outer["items"] as? [[String: Any]])?.first)
    #expect(
      [outer, inner].map { ($0["target"] as? [String: Any])?["label"] as? String } == ["i", "ii"]
    )
  }

  @Test("An outline of many levels is whole JSON, ends at the limit, and says so")
  func deep() throws {
    var objects = [
      "<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>",
      "<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
      "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
      "<< /First 5 0 R >>",
    ]
    for level in 0..<100 {
      let next = level < 99 ? "/First \(6 + level) 0 R" : ""
      objects.append("<< /Title (\(level)) /Dest [3 0 R /Fit] \(next) /Count 1 >>")
    }
    let path = try sandbox.file("deep.pdf", Self.file(objects))
    let result = try sandbox.recto("outline", "--json", path)
    #expect(result.code == 1)
    #expect(result.errors.contains("incomplete outline: more than 64 levels"))
    var items = try #require(try result.json()["items"] as? [[String: Any]])
    var levels = 0
    while let first = items.first {
      #expect(first["title"] as? String == "\(levels)")
      levels += 1
      items = first["items"] as? [[String: Any]] ?? []
    }
    #expect(levels == 64)
  }
}
