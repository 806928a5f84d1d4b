import Foundation
import RectoBase
import TestSupport
import Testing

@testable import RectoCommand

/// Standard streams that are missing, terminals of any width, and what is written to standard error.
@Suite(.serialized, .timeLimit(.minutes(10))) struct StandardStreamTests {
  // MARK: Streams

  @Test(arguments: ["info", "layout", "render", "render --image -", "cache path"])
  func `a closed standard output is an I/O error, and no file gets the data`(
    command: String
  ) throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("rotate", to: "a.pdf")
    let before = try Data(contentsOf: sandbox.folder.url.appending(path: "a.pdf"))
    let file = command.hasPrefix("cache") ? "" : "a.pdf"
    let result = try sandbox.shell("\"$recto\" \(command) \(file) >&-")
    #expect(result.code == 74)
    #expect(result.errors == "recto: standard output: Bad file descriptor\n")
    #expect(try Data(contentsOf: sandbox.folder.url.appending(path: "a.pdf")) == before)
    #expect(sandbox.folder.files == ["a.pdf"])
    try expectWholePictures(in: sandbox.cache)
  }

  @Test func `a closed standard input or error does not matter`() throws {
    let sandbox = try CommandSandbox()
    let expected: RenderOutput = try sandbox.recto("render", fixture("rotate")).decoded()
    for closed in ["<&-", "2>&-", "<&- 2>&-"] {
      let result = try sandbox.shell("\"$recto\" render '\(fixture("rotate"))' \(closed)")
      #expect(result.code == 0)
      let output: RenderOutput = try result.decoded()
      #expect(output.tiles.count == expected.tiles.count)
    }
    #expect(try sandbox.shell("\"$recto\" info no.pdf >&- 2>&-").code == 66)
  }

  @Test(arguments: ["info", "layout", "render"])
  func `a path is printed as it was typed`(command: String) throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("rotate", to: "c/x.pdf")
    for path in ["c//x.pdf", "./c/./x.pdf", "c/../c/x.pdf"] {
      let options = command == "info" ? ["--json"] : []
      let result = try sandbox.recto([command, path] + options)
      let document = try #require(try result.json()["document"] as? [String: Any])
      #expect(document["path"] as? String == path)
    }
    let missing = try sandbox.recto(command, "c//no.pdf")
    #expect(missing.errors == "recto: c//no.pdf: No such file or directory\n")
  }

  // MARK: Terminals

  /// What a terminal gets on standard error while thumbnails are made.
  private static func terminal(
    _ sandbox: CommandSandbox,
    columns: Int,
    type: String,
    _ options: String = ""
  ) throws -> String {
    let command =
      "stty cols \(columns); TERM=\(type) \"$recto\" thumbs a.pdf 北京.pdf c.pdf -o out \(options) > lines"
    let result = try sandbox.shell("script -qec '\(command)' /dev/null")
    #expect(result.code == 0, "\(result.text)")
    return result.text
  }

  @Test func `documents that were not opened yet count as those that were`() {
    var expected = ExpectedPages(documents: 40)
    #expect(expected.unseen == 0)
    expected.takeOpened(pages: 50)
    #expect(expected.unseen == 39 * 49)
    expected.takeUnopened()
    #expect(expected.unseen == 38 * 49)
    expected.takeOpened(pages: 1)
    #expect(expected.unseen == 37 * 24.5)
    for _ in 0..<37 { expected.takeUnopened() }
    #expect(expected.unseen == 0)
  }

  @Test func `a progress bar is one line of any terminal`() throws {
    let sandbox = try CommandSandbox()
    for name in ["a", "北京", "c"] { try sandbox.copy("rotate", to: "\(name).pdf") }
    for columns in [1, 2, 5, 12, 24, 30, 39, 40, 80, 200] {
      let text = try Self.terminal(sandbox, columns: columns, type: "xterm")
      let drawn = text.split(separator: "\r").map { $0.replacing("\u{1B}[K", with: "") }
      #expect(drawn.count >= 4)
      for line in drawn {
        let wide = line.unicodeScalars.count { $0.value > 0x2E80 }
        #expect(line.count + wide < max(columns, 2), "\(columns): \(line)")
      }
      #expect(!text.contains("\n"))
    }
  }

  @Test(arguments: [("dumb", ""), ("", ""), ("xterm", "--no-progress"), ("xterm", "--quiet")])
  func `no progress bar is drawn where it is not wanted`(type: String, option: String) throws {
    let sandbox = try CommandSandbox()
    for name in ["a", "北京", "c"] { try sandbox.copy("rotate", to: "\(name).pdf") }
    #expect(try Self.terminal(sandbox, columns: 80, type: type, option).isEmpty)
  }

  @Test(arguments: ["pages a.pdf -o -", "pages a.pdf -o /dev/stdout", "render a.pdf --image -"])
  func `a picture is not printed to a terminal`(command: String) throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("form", to: "a.pdf")
    let result = try sandbox.shell("script -qec '\"$recto\" \(command) 2>errors' /dev/null")
    #expect(result.code == 64)
    #expect(result.output.isEmpty)
    let errors = try String(contentsOfFile: sandbox.folder.path("errors"), encoding: .utf8)
    #expect(errors.hasPrefix("recto: standard output is a terminal"), "\(errors)")
    #expect(try sandbox.shell("\"$recto\" \(command) | wc -c").text != "0\n")
  }

  @Test func `the first Ctrl-C says what a second one does, and no bar is left`() throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("endless-forms", to: "a.pdf")
    // Types Ctrl-C once there is a bar, and again once that is answered.
    let script = """
      import os, pty, sys
      pid, terminal = pty.fork()
      if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
      text = b''
      def wait(words):
        global text
        while words not in text:
          try: more = os.read(terminal, 4096)
          except OSError: return
          if not more: return
          text += more
      wait(b'[')
      wait(b'/3')
      os.write(terminal, b'\\x03')
      wait(b'Ctrl-C ends at once\\r\\n')
      os.write(terminal, b'\\x03')
      wait(b'never')
      sys.stdout.buffer.write(text)
      sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
      """
    let file = try sandbox.file("terminal.py", script)
    let result = try sandbox.shell(
      "TERM=xterm python3 '\(file)' \"$recto\" thumbs a.pdf -o out --pages all --timeout 60"
    )
    #expect(result.code == 130, "\(result.errors)")
    #expect(result.text.contains("recto: finishing the pages that are being drawn; Ctrl-C ends at"))
    let bar = try #require(result.text.range(of: "] ", options: .backwards))
    #expect(result.text[bar.upperBound...].contains("\r\u{1B}[K"), "\(result.text)")
  }

  // MARK: Messages

  @Test func `progress as JSON counts to the end`() throws {
    struct Line: Decodable {
      struct Progress: Decodable {
        var done: Int
        var total: Int
        var unit: String
      }

      var progress: Progress
    }
    let sandbox = try CommandSandbox()
    let commands: [(arguments: [String], unit: String)] = [
      (["render", fixture("book"), "--viewport", "700x5000"], "tiles"),
      (["layout", fixture("book"), "--all"], "pages"),
    ]
    for (arguments, unit) in commands {
      let result = try sandbox.recto(arguments + ["--json-progress"])
      #expect(result.code == 0)
      let lines = try result.messages.map {
        try JSONDecoder().decode(Line.self, from: Data($0.utf8)).progress
      }
      let last = try #require(lines.last)
      #expect(last.done == last.total && last.total > 1)
      #expect(lines.allSatisfy { $0.unit == unit && $0.total == last.total })
      #expect(lines.map(\.done) == Set(lines.map(\.done)).sorted())
      #expect(lines.count <= 101)
    }
  }

  @Test func `quiet leaves out warnings and keeps errors`() throws {
    let sandbox = try CommandSandbox()
    let options = ["layout", fixture("page-missing"), "--viewport", "400x3000"]
    let plain = try sandbox.recto(options)
    #expect(plain.messages.count == 2)
    let quiet = try sandbox.recto(options + ["--quiet"])
    #expect(quiet.code == 1)
    #expect(quiet.messages == plain.messages.suffix(1))
    #expect(quiet.output == plain.output)
    let usage = try sandbox.recto("layout", "-q", "--zoom", "x", "a.pdf")
    #expect(usage.messages.count == 1)
  }

  @Test func `verbose says what was done`() throws {
    let sandbox = try CommandSandbox()
    let first = try sandbox.recto("render", fixture("book"), "-v", "--viewport", "700x700")
    #expect(first.messages.count == 2)
    #expect(first.errors.contains(/pages read by tree, drawn by poppler [0-9.]+ cairo [0-9.]+/))
    #expect(first.errors.contains(/tiles rendered: 3, from the cache: 0, in [0-9]+ ms/))
    let second = try sandbox.recto("render", fixture("book"), "-v", "--viewport", "700x700")
    #expect(second.errors.contains(/tiles rendered: 0, from the cache: 3, in [0-9]+ ms/))
    let poppler = try sandbox.recto(
      ["layout", fixture("book"), "--verbose", "--all", "--page-reader", "poppler"]
    )
    #expect(poppler.errors.contains("pages read by poppler"))
    #expect(poppler.errors.contains("all pages measured in "))
  }

  @Test(arguments: [
    ["--quiet", "--verbose"], ["--quiet", "--json-progress"], ["--no-progress", "--json-progress"],
  ]) func `options that contradict each other are refused`(options: [String]) throws {
    let result = try CommandSandbox().recto(["info", "a.pdf"] + options)
    #expect(result.code == 64)
    #expect(result.errors == "recto: \(options[0]) cannot be used with \(options[1])\n")
  }

  // MARK: JSON

  /// Options, and the members of `layout` that they give.
  static let readBack: [[String]] = [
    ["--zoom", "0.0123456789012"], ["--zoom", "1.5e-2"], ["--gap", "0.1234567890123"],
    ["--margin", "1e-7,2"], ["--spread-columns", "3", "--start-column", "2"], ["--spread", "book"],
    ["--spread", "book", "--start-column", "1"], ["--wide-alone", "1.00000000001"],
    ["--mode", "grid", "--grid-tile", "33.33333333333333"], ["--gap-before", "2:0.00000001"],
    ["--mode", "carousel", "--carousel", "0.7,0.1234567891,0.3"], ["--min-content", "1e-9x7"],
  ]

  @Test(arguments: readBack) func `the layout in JSON is one that requests accept`(
    options: [String]
  ) throws {
    let sandbox = try CommandSandbox()
    let printed = try sandbox.recto(["layout", fixture("book")] + options)
    #expect(printed.code == 0, "\(printed.errors)")
    var layout = try #require(try printed.json()["layout"] as? [String: Any])
    layout["sizes"] = nil
    let client = try ServeClient(sandbox, [fixture("book")])
    _ = try client.event()
    let reply = try client.done("layout", ["layout": layout])
    #expect(reply["error"] == nil)
    let used = try #require(reply["layout"] as? [String: Any])
    for (key, value) in layout {
      #expect(used[key] as? NSObject == value as? NSObject, "\(key)")
    }
  }

  @Test func `numbers of options read back exactly`() {
    for value in [
      1e-10, 1.5e-7, 0.1, 1 / 3, 123_456.789_012_345, .leastNonzeroMagnitude, 1e9 / 7, 0, 1,
      33.33333333333333,
      -2.5e-8, .leastNormalMagnitude,
    ] {
      let text = value.exactDecimal
      #expect(Double(text) == value, "\(text)")
      #expect(!text.contains("e"))
    }
  }
}
