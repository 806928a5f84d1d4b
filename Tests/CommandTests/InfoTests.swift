import Foundation
import TestSupport
import Testing

/// `recto info`, compared with `pdfinfo`.
@Suite(.timeLimit(.minutes(10))) struct InfoTests {
  private let sandbox: CommandSandbox

  init() throws { sandbox = try CommandSandbox() }

  private func document(_ arguments: String...) throws -> [String: Any] {
    let result = try sandbox.recto(["info", "--json"] + arguments)
    return try #require(try result.json()["document"] as? [String: Any], "\(result.errors)")
  }

  /// What `pdfinfo` prints, by the name in front of the colon; nil if it cannot open the file.
  private func pdfinfo(_ file: String, _ arguments: String...) throws -> [String: String]? {
    let result = try Program.runInPath("pdfinfo", ["-isodates"] + arguments + [file])
    guard result.code == 0 else { return nil }
    var values: [String: String] = [:]
    for line in result.text.split(separator: "\n") {
      guard let colon = line.firstIndex(of: ":") else { continue }
      values[String(line[..<colon])] = line[line.index(after: colon)...]
        .trimmingCharacters(in: .whitespaces)
    }
    return values
  }

  /// `pdfinfo` writes no minutes of an offset that has none.
  private func isoDate(_ text: String?) -> String? {
    text?.replacing(/([+-]\d\d)$/) { "\($0.1):00" }
  }

  @Test(
    "Properties are those that pdfinfo prints, with both page readers",
    arguments: Corpus.files(below: TestPaths.fixtures, options: .skipsSubdirectoryDescendants)
  )
  func properties(file: URL) throws {
    guard let expected = try pdfinfo(file.path), !expected.isEmpty else { return }
    for reader in ["auto", "poppler"] {
      let found = try document(file.path, "--page-reader", reader)
      let name = "\(file.lastPathComponent) by \(reader)"
      for (member, line) in [
        ("title", "Title"), ("author", "Author"), ("subject", "Subject"),
        ("keywords", "Keywords"), ("creator", "Creator"), ("producer", "Producer"),
        ("pdfVersion", "PDF version"),
      ] {
        let text = (found[member] as? String)?.trimmingCharacters(in: .whitespaces)
        #expect(text == expected[line].flatMap { $0.isEmpty ? nil : $0 }, "\(name): \(member)")
      }
      for (member, line) in [("created", "CreationDate"), ("modified", "ModDate")] {
        #expect(found[member] as? String == isoDate(expected[line]), "\(name): \(member)")
      }
      for (member, line) in [
        ("linearized", "Optimized"), ("tagged", "Tagged"), ("encrypted", "Encrypted"),
      ] {
        // Unknown for some documents that poppler reads.
        guard let value = found[member] as? Bool else { continue }
        #expect(value == expected[line]?.hasPrefix("yes"), "\(name): \(member)")
      }
      if let form = found["form"] as? String { #expect(form == expected["Form"], "\(name)") }
    }
  }

  @Test("All properties of a document made for the purpose", arguments: ["auto", "poppler"])
  func everyProperty(reader: String) throws {
    let text = """
      %PDF-1.4
      1 0 obj << /Pages 2 0 R /Version /1.6 /MarkInfo << /Marked true >>
      /AcroForm << /Fields [] /XFA [] >> >> endobj
      2 0 obj << /Kids [3 0 R] /Count 1 >> endobj
      3 0 obj << /Parent 2 0 R /Type /Page /MediaBox [0 0 10 20] >> endobj
      4 0 obj << /Author (A\\344) /Subject <FEFF20AC> /Keywords () /Creator (c) /Producer (p)
      /CreationDate (D:20240229235958-09'30') /ModDate (D:2024) >> endobj
      trailer << /Root 1 0 R /Info 4 0 R /Size 5 >>
      """
    let plain = try sandbox.file("plain.pdf", text)
    let path = sandbox.folder.path("whole.pdf")
    // Writes a cross-reference table; the document has none.
    _ = try Program.runInPath(
      "qpdf",
      [plain, path, "--object-streams=disable", "--force-version=1.4"]
    )
    let found = try document(path, "--page-reader", reader)
    #expect(found["author"] as? String == "Aä")
    #expect(found["subject"] as? String == "€")
    #expect(found["keywords"] == nil)
    #expect(found["creator"] as? String == "c")
    #expect(found["producer"] as? String == "p")
    #expect(found["created"] as? String == "2024-02-29T23:59:58-09:30")
    #expect(found["modified"] as? String == "2024-01-01T00:00:00Z")
    #expect(found["pdfVersion"] as? String == (try pdfinfo(path)?["PDF version"]))
    if reader == "auto" {
      #expect(found["tagged"] as? Bool == true)
      #expect(found["form"] as? String == "XFA")
      #expect(found["encrypted"] as? Bool == false)
    } else {
      #expect(found["tagged"] == nil)
      #expect(found["form"] == nil)
    }
  }

  @Test("Permissions of an encrypted document are those that were given")
  func permissions() throws {
    let path = sandbox.folder.path("encrypted.pdf")
    let result = try Program.runInPath(
      "qpdf",
      [
        "--encrypt", "user", "owner", "256", "--print=low", "--modify=annotate", "--extract=n",
        "--accessibility=y", "--", fixture("book"), path,
      ]
    )
    try #require(result.code == 0, "\(result.errors)")
    let user = try document(path, "--password", "user")
    #expect(user["encrypted"] as? Bool == true)
    let permissions = try #require(user["permissions"] as? [String: Bool])
    #expect(permissions["print"] == true)
    #expect(permissions["printHighQuality"] == false)
    #expect(permissions["copy"] == false)
    #expect(permissions["annotate"] == true)
    #expect(permissions["change"] == false)
    let owner = try document(path, "--password", "owner")
    // Poppler does not except the owner from the limit on quality.
    let refused = (owner["permissions"] as? [String: Bool])?.filter { !$0.value }.keys
    #expect(refused.map(Array.init) == ["printHighQuality"])
    let text = try sandbox.recto("info", path, "--password", "user").text
    #expect(text.contains(/Encrypted: +yes\n/))
    #expect(text.contains(/Permitted: +print, annotate/))
  }

  @Test("Pages are listed with their sizes and labels, in the order asked for")
  func pages() throws {
    let result = try sandbox.recto("info", "--json", fixture("labels"), "--pages", "z,label:ii-1")
    let pages = try #require(try result.json()["pages"] as? [[String: Any]])
    #expect(pages.compactMap { $0["number"] as? Int } == [12, 2, 1])
    #expect(pages.compactMap { $0["index"] as? Int } == [11, 1, 0])
    #expect(pages.compactMap { $0["label"] as? String } == ["§a", "ii", "i"])
    let text = try sandbox.recto("info", fixture("rotate"), "--all").text
    #expect(
      text.split(separator: "\n").count {
        $0.contains(/^Page [1-4]: +300 x 420|^Page [1-4]: +420 x 300/)
      } == 4
    )
    #expect(text.contains(", rotated 90 degrees\n"))
  }

  @Test("The sizes of the pages are counted, in the order in which they appear")
  func sizes() throws {
    let result = try sandbox.recto("info", "--json", fixture("book"))
    let sizes = try #require(try result.json()["pageSizes"] as? [[String: Any]])
    #expect(sizes.compactMap { $0["count"] as? Int } == [11, 1])
    let listed = try sandbox.recto("info", "--json", fixture("mixed-sizes"), "--pages", "2,2,3")
    let counts = try #require(try listed.json()["pageSizes"] as? [[String: Any]])
    #expect(counts.compactMap { $0["count"] as? Int } == [2, 1])
  }

  @Test("Consecutive missing pages are one entry and one message")
  func missing() throws {
    let path = sandbox.folder.path("claim.pdf")
    try ClaimedPages.pdf(1_000_000).write(to: URL(filePath: path))
    let result = try sandbox.recto("info", "--json", path, "--all")
    #expect(result.code == 1)
    #expect(result.messages.count == 1)
    #expect(result.errors.contains("pages 2-1000000: "), "\(result.errors)")
    let pages = try #require(try result.json()["pages"] as? [[String: Any]])
    #expect(pages.count == 2)
    #expect(pages.last?["number"] as? Int == 2)
    #expect(pages.last?["lastNumber"] as? Int == 1_000_000)
    #expect(((pages.last?["error"] as? [String: Any])?["code"] as? String) == "page-missing")
    let backward = try sandbox.recto("info", path, "--pages", "z-1")
    #expect(backward.text.contains("Pages 2-1000000: "))
  }

  @Test("Options and pages that do not fit are usage errors")
  func usage() throws {
    let both = try sandbox.recto("info", fixture("book"), "--all", "--pages", "1")
    #expect(both.code == 64)
    let beyond = try sandbox.recto("info", fixture("book"), "--pages", "13")
    #expect(beyond.code == 64)
    #expect(
      beyond.messages == [
        "recto: \(fixture("book")): --pages: page 13: the document has 12 pages"
      ]
    )
  }
}
