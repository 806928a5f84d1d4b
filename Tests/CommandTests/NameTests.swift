import Foundation
import TestSupport
import Testing

/// Names are bytes: any of them but a slash and a zero.
@Suite(.serialized, .timeLimit(.minutes(10))) struct NameTests {
  @Test(arguments: [
    "two\nlines.pdf", "a b  c.pdf", "tab\there.pdf", "quote\"'.pdf", "ü€😀.pdf",
    "esc\u{1B}[31m.pdf", "back\\slash.pdf", "-o.pdf", "--help", "~.pdf", "*.pdf",
  ])
  func `any name can be opened`(name: String) throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("rotate", to: name)
    for command in ["info", "layout", "render", "text", "links", "outline"] {
      let result = try sandbox.recto([command, "--", name])
      #expect(result.code == 0, "\(result.errors)")
    }
    let output: RenderOutput = try sandbox.recto("layout", "--", name).decoded()
    #expect(output.document.path == name)
    #expect(output.document.pathBytes == nil)
  }

  @Test(arguments: ["two\nlines.pdf", "esc\u{1B}[31m.pdf", "return\r.pdf"])
  func `a message is one line whatever the name holds`(name: String) throws {
    let sandbox = try CommandSandbox()
    for command in [
      ["info"], ["layout"], ["render"], ["thumbs", "-o", "out"], ["text"], ["links"],
    ] {
      let result = try sandbox.recto(command + [name])
      #expect(result.code == 66)
      #expect(result.messages.count == 1)
      #expect(!result.errors.dropLast().utf8.contains { $0 < 0x20 })
      let json = try sandbox.recto(command + [name, "--errors", "json"])
      let line = try JSONDecoder().decode(MessageLine.self, from: Data(json.errors.utf8))
      #expect(line.path == name)
      #expect(line.code == "unreadable")
    }
    try sandbox.copy("rotate", to: name)
    let info = try sandbox.recto("info", name)
    #expect(info.text.split(separator: "\n").first?.hasPrefix("File:") == true)
    #expect(info.text.split(separator: "\n").dropFirst().first?.contains(":") == true)
  }

  @Test func `files whose names are not UTF-8 are opened, and reported with their bytes`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("rotate", to: "plain.pdf")
    let result = try sandbox.shell(
      """
      name=$(printf 'caf\\351.pdf'); cp plain.pdf "$name"
      "$recto" layout "$name" && "$recto" render "$name" -o "out$name" >/dev/null
      """
    )
    #expect(result.code == 0)
    let output: RenderOutput = try result.decoded()
    #expect(output.document.path == "caf\u{FFFD}.pdf")
    #expect(
      output.document.pathBytes
        == Data([0x63, 0x61, 0x66, 0xE9, 0x2E, 0x70, 0x64, 0x66])
        .base64EncodedString()
    )
    #expect(try sandbox.shell("ls \"$(printf 'outcaf\\351.pdf')\"").code == 0)
  }

  @Test func `a missing file whose name is not UTF-8 is reported on one line`() throws {
    let sandbox = try CommandSandbox()
    let text = try sandbox.shell("\"$recto\" info \"$(printf 'caf\\351.pdf')\"")
    #expect(text.code == 66)
    #expect(text.errors.hasPrefix("recto: caf\\xe9.pdf: "))
    let json = try sandbox.shell("\"$recto\" info --errors json \"$(printf 'caf\\351.pdf')\"")
    let line = try JSONDecoder().decode(MessageLine.self, from: Data(json.errors.utf8))
    #expect(line.pathBytes == "Y2Fm6S5wZGY=")
  }

  @Test func `thumbnails of files with unusual names`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("rotate", to: "plain.pdf")
    let made = try sandbox.shell(
      """
      mkdir in; cp plain.pdf "in/$(printf 'two\\nlines.pdf')"; cp plain.pdf "in/$(printf '\\377.PDF')"
      cp plain.pdf "in/ .pdf"; cp plain.pdf "in/-o.pdf"; "$recto" thumbs in -o out
      """
    )
    #expect(made.code == 0)
    let lines: [ThumbnailLine] = try made.decodedLines()
    #expect(lines.count == 4)
    #expect(lines.filter { $0.pathBytes != nil }.count == 1)
    #expect(try sandbox.shell("ls -1 out | wc -l; ls -b out").text.contains("\\377.png"))
  }

  /// Controls of C1, separators, marks and overrides of direction; and what must stay.
  static let controls =
    "\u{80}\u{9B}31m\u{9F}\u{61C}\u{200E}\u{200F}\u{2028}\u{2029}\u{202A}\u{202E}\u{2066}\u{2069}"
  static let plain = "é\u{A0}عב\u{200D}\u{2010}…€漢😀"

  @Test func `control characters are escaped, and all other Unicode is unchanged`() throws {
    let sandbox = try CommandSandbox()
    let title = Self.controls + Self.plain
    let hex = title.utf16.map { String(format: "%04X", $0) }.joined()
    let file = "\(title).pdf"
    _ = try sandbox.file(file, HostileFiles.titled("<FEFF\(hex)>"))
    let text = try sandbox.recto("info", file)
    #expect(text.code == 0)
    #expect(text.text.contains("Title:          \\u0080\\u009b31m\\u009f\\u061c\\u200e"))
    #expect(text.text.contains("\\u2069\(Self.plain)\n"))
    let json = try sandbox.recto("info", "--json", file)
    let document = try #require(try json.json()["document"] as? [String: Any])
    #expect(document["title"] as? String == title)
    #expect(document["path"] as? String == file)
    #expect(json.text.contains(Self.plain))
    // A file that is not there, in both styles of messages.
    let missing = try sandbox.recto("info", "missing\(file)")
    let message = try sandbox.recto("info", "--errors", "json", "missing\(file)")
    #expect(
      try JSONDecoder().decode(MessageLine.self, from: Data(message.errors.utf8)).path
        == "missing\(file)"
    )
    let usage = try sandbox.recto("info", file, "--password\(title)")
    #expect(usage.code == 64)
    for output in [text.text, json.text, missing.errors, message.errors, usage.errors] {
      #expect(
        !output.unicodeScalars.contains {
          Self.controls.unicodeScalars.contains($0) && $0.value > 0x7F
        }
      )
    }
  }

  @Test func `a line with a zero byte is rejected, and the others are processed`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("rotate", to: "a.pdf")
    let arguments = ["thumbs", "--from", "-", "-o", "out"]
    let result = try sandbox.recto(arguments, input: Data("a.pdf\u{0}evil\na.pdf\n".utf8))
    #expect(result.code == 1)
    let lines: [ThumbnailLine] = try result.decodedLines()
    #expect(lines.map(\.path) == ["a.pdf\u{0}evil", "a.pdf"])
    #expect(lines.map { $0.error?.code } == ["usage", nil])
    #expect(result.errors == "recto: a.pdf\\x00evil: a path cannot contain U+0000\n")
    // The only one of a stream is like one of many.
    #expect(try sandbox.recto(arguments, input: Data("a.pdf\u{0}".utf8)).code == 1)
  }
}
