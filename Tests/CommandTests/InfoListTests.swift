import Foundation
import TestSupport
import Testing

/// `info --fonts`, `--images`, `--destinations`, `--annotations`, `--attachments` and `--metadata`, compared with
/// poppler-utils.
@Suite(.timeLimit(.minutes(10))) struct InfoListTests {
  /// Fixtures that Recto's own reader reads, with fonts, images and destinations of several kinds.
  private static let names = [
    "book", "links", "layers", "form", "annotations", "object-streams", "text-scripts",
    "transparency", "rasterizers", "inherited", "updated",
  ]

  private func info(_ path: String, _ options: String...) throws -> [String: Any] {
    let result = try CommandSandbox().recto(["info", path, "--json"] + options)
    #expect(result.code == 0, "\(result.errors)")
    return try result.json()
  }

  /// The rows of a table that a program of poppler-utils prints: the lines after the dashes.
  private func table(_ line: String) throws -> [[Substring]] {
    let result = try CommandSandbox().shell(line)
    #expect(result.code == 0, "\(result.errors)")
    let lines = result.text.split(separator: "\n")
    guard let rule = lines.firstIndex(where: { $0.hasPrefix("----") }) else { return [] }
    return lines[(rule + 1)...].map { $0.split(separator: " ") }
  }

  @Test(arguments: names) func `fonts are those of pdffonts`(name: String) throws {
    let fonts = try #require(try info(fixture(name), "--fonts")["fonts"] as? [[String: Any]])
    let own = Set(
      fonts.map { font in
        let flags = ["embedded", "subset", "unicode"].map {
          font[$0] as? Bool == true ? "yes" : "no"
        }
        return flags.joined(separator: " ") + " \(font["object"] as? Int ?? 0)"
      }
    )
    // Names and kinds may contain spaces, so the columns are counted from the right.
    let others = Set(
      try table("pdffonts '\(fixture(name))'").map { row in
        // A font inside another object has no number.
        let isDirect = row.last == "[none]"
        let flags = row.dropLast(isDirect ? 1 : 2).suffix(3).joined(separator: " ")
        return "\(flags) \(isDirect ? "0" : row[row.count - 2])"
      }
    )
    #expect(own == others)
  }

  @Test(arguments: names) func `images are those of pdfimages, and those that are not drawn`(
    name: String
  ) throws {
    let images = try #require(try info(fixture(name), "--images")["images"] as? [[String: Any]])
    let own = Set(
      images.map { image in
        let numbers = ["page", "width", "height", "object"].map { image[$0] as? Int ?? 0 }
        return numbers.map(String.init).joined(separator: " ")
      }
    )
    let others = Set(
      try table("pdfimages -list '\(fixture(name))'").compactMap { row -> String? in
        // An image inside content has no object.
        guard row.count > 10, row[10] != "[inline]" else { return nil }
        return [row[0], row[3], row[4], row[10]].joined(separator: " ")
      }
    )
    #expect(own.isSuperset(of: others), "\(others.subtracting(own))")
  }

  @Test(arguments: names) func `destinations are those of pdfinfo`(name: String) throws {
    let found = try #require(
      try info(fixture(name), "--destinations")["destinations"] as? [[String: Any]]
    )
    let own = Set(
      found.compactMap { entry in (entry["page"] as? Int).map { "\($0) \(entry["name"] ?? "")" } }
    )
    let printed = try CommandSandbox().shell("pdfinfo -dests '\(fixture(name))'")
    let others = Set(
      printed.text.split(separator: "\n").compactMap { line -> String? in
        guard let match = line.firstMatch(of: /^ *([0-9]+) .*"(.*)"$/) else { return nil }
        return "\(match.1) \(match.2)"
      }
    )
    #expect(own == others)
  }

  @Test func `metadata are printed as they are in the file, and nothing else`() throws {
    let packet = "<?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x>\u{E9}</x>"
    let folder = try TemporaryFolder()
    let path = folder.path("metadata.pdf")
    try TestPDF.write(
      objects: [
        "<< /Type /Catalog /Pages 2 0 R /Metadata 4 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
        "<< /Type /Metadata /Subtype /XML /Length \(packet.utf8.count) >> stream\n\(packet)\nendstream",
      ],
      to: path
    )
    let result = try CommandSandbox().recto("info", path, "--metadata")
    #expect(result.code == 0 && result.text == packet)
    #expect(try info(path, "--metadata")["metadata"] as? String == packet)
    let none = try CommandSandbox().recto("info", fixture("book"), "--metadata")
    #expect(none.code == 0 && none.output.isEmpty)
    #expect(try info(fixture("book"), "--metadata")["metadata"] == nil)
  }

  @Test func `lists can be combined, but metadata alone are printed alone`() throws {
    let all = try info(fixture("book"), "--fonts", "--images", "--destinations", "--metadata")
    #expect(all["fonts"] is [Any] && all["images"] is [Any] && all["destinations"] is [Any])
    let refused = try CommandSandbox().recto("info", fixture("book"), "--metadata", "--fonts")
    #expect(refused.code == 64 && refused.errors.contains("--fonts"))
  }

  @Test func `only the listed pages count`() throws {
    let images = try info(fixture("book"), "--images", "--pages", "2")["images"] as? [[String: Any]]
    #expect(images?.allSatisfy { $0["page"] as? Int == 2 } == true)
    let fonts = try info(fixture("book"), "--fonts", "--pages", "3")["fonts"] as? [[String: Any]]
    #expect(fonts?.isEmpty == false && fonts?.allSatisfy { $0["page"] as? Int == 3 } == true)
  }

  @Test func `resources that go round in a circle end`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("circle.pdf")
    try TestPDF.write(
      objects: [
        "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Resources 4 0 R >>",
        "<< /XObject << /A 5 0 R >> /Font << /F 6 0 R >> >>",
        "<< /Type /XObject /Subtype /Form /BBox [0 0 1 1] /Resources 4 0 R /Length 0 >> stream\n\nendstream",
        "<< /Type /Font /Subtype /Type3 /Resources 4 0 R /CharProcs << >> /FontBBox [0 0 1 1] >>",
      ],
      to: path
    )
    let fonts = try info(path, "--fonts")["fonts"] as? [[String: Any]]
    #expect(fonts?.count == 1 && fonts?.first?["kind"] as? String == "Type 3")
  }

  @Test func `an encrypted document is refused with the reason`() throws {
    for option in [
      "--fonts", "--images", "--destinations", "--annotations", "--attachments", "--metadata",
    ] {
      let result = try CommandSandbox().recto(
        "info",
        fixture("encrypted"),
        "--password",
        "secret",
        option
      )
      #expect(result.code == 64 && result.errors.contains("encrypted"), "\(result.errors)")
    }
  }

  @Test func `attached files are those of pdfdetach`() throws {
    let found = try info(fixture("notes"), "--annotations", "--attachments")
    let attached = try #require(found["attachments"] as? [[String: Any]])
    let annotations = try #require(found["annotations"] as? [[String: Any]])
    let own = (attached + annotations.compactMap { $0["file"] as? [String: Any] })
      .map { $0["name"] as? String }
    let printed = try CommandSandbox().shell("pdfdetach -list '\(fixture("notes"))'").text
    let others = printed.split(separator: "\n").dropFirst().map {
      $0.drop { $0 != " " }.dropFirst()
    }
    // pdfdetach also lists a name without a file.
    #expect(own == others.map(String.init).filter { $0 != "elsewhere" })
    let first = attached[0]
    #expect(first["description"] as? String == "The first file" && first["bytes"] as? Int == 5)
    #expect(first["mediaType"] as? String == "text/plain")
    #expect(first["modified"] as? String == "2026-02-28T12:00:00+01:00")
  }

  @Test func `annotations have their text, author, date and place on the page as displayed`() throws
  {
    let found = try info(fixture("notes"), "--annotations")["annotations"] as? [[String: Any]]
    let all = try #require(found)
    #expect(
      all.map { $0["kind"] as? String } == ["text", "highlight", "freeText", "fileAttachment"]
    )
    #expect(all.map { $0["page"] as? Int } == [1, 1, 2, 2])
    #expect(
      all.map { $0["text"] as? String } == [
        "A remark", "Größe \u{1F4A1}\nsecond line", "On a turned page", nil,
      ]
    )
    #expect(all.map { $0["author"] as? String } == ["Ada", "Bo", nil, nil])
    #expect(all[0]["modified"] as? String == "2026-03-01T09:15:00Z")
    let areas = all.map { $0["area"] as? [String: Double] }
    #expect(areas[0] == ["x": 20, "y": 30, "width": 20, "height": 20])
    // The page is turned by a quarter.
    #expect(areas[2] == ["x": 20, "y": 30, "width": 30, "height": 100])
    let one = try info(fixture("notes"), "--annotations", "--pages", "2,3")["annotations"] as? [Any]
    #expect(one?.count == 2)
    let text = try CommandSandbox().recto("info", fixture("notes"), "--annotations").text
    #expect(text.contains("page 1, text, Ada, 2026-03-01T09:15:00Z: A remark\n"))
  }

  @Test func `lists that would not end, or take much memory, are an error`() throws {
    let folder = try TemporaryFolder()
    let many = String(repeating: "<</Kids 4 0 R>>", count: 60_000)
    let note = String(repeating: "5 0 R ", count: 20_000)
    let long = String(repeating: "author ", count: 580)
    let path = folder.path("many.pdf")
    try TestPDF.write(
      objects: [
        "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Kids 4 0 R >> >> >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Annots [\(note)] >>", "[\(many)]",
        "<< /Subtype /Text /Contents (a) /T (\(long)) >>",
      ],
      to: path
    )
    for option in ["--annotations", "--attachments"] {
      let result = try CommandSandbox().recto("info", path, option)
      #expect(result.code != 0 && result.errors.contains("too large"), "\(result.errors)")
      #expect(result.output.count < 1 << 16)
    }
  }

  @Test func `a file is found where one of its two places is null`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("null.pdf")
    try TestPDF.write(
      objects: [
        "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles << /Names [(a) 4 0 R] >> >> >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] >>",
        "<< /F (x.txt) /EF << /UF null /F 5 0 R >> >>", "<< /Length 1 >> stream\nx\nendstream",
      ],
      to: path
    )
    let found = try info(path, "--attachments")["attachments"] as? [[String: Any]]
    #expect(found?.map { $0["name"] as? String } == ["x.txt"])
  }

  @Test func `name trees and lists that go round in a circle end`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("circle.pdf")
    try TestPDF.write(
      objects: [
        "<< /Type /Catalog /Pages 2 0 R /Names << /EmbeddedFiles 4 0 R >> >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 9 9] /Annots 5 0 R >>",
        "<< /Kids [4 0 R 4 0 R << /Kids [4 0 R] >>] /Names [(a) 6 0 R (b)] >>",
        "[5 0 R << /Subtype /Text /Contents (a) /Rect [9 9] /FS 4 0 R >> 7 null]",
        "<< /EF << /F 7 0 R >> /F 5 0 R >>",
        "<< /Length 0 /Subtype (x) /Params [1] >> stream\n\nendstream",
      ],
      to: path
    )
    let found = try info(path, "--annotations", "--attachments")
    #expect((found["attachments"] as? [[String: Any]])?.map { $0["name"] as? String } == ["a"])
    let annotations = found["annotations"] as? [[String: Any]]
    #expect(annotations?.count == 1 && annotations?[0]["area"] == nil)
  }
}
