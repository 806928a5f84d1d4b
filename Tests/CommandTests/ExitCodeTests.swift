import Foundation
import TestSupport
import Testing

/// Each code of the reference, provoked.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ExitCodeTests {
  static let readers: [[String]] = [
    ["info"], ["layout"], ["render"], ["thumbs", "-o", "out"],
  ]

  @Test(arguments: readers) func `exit code 0 on success`(command: [String]) throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(command + [fixture("rotate")])
    #expect(result.code == 0)
    #expect(result.errors.isEmpty)
  }

  @Test(arguments: ["layout", "render"])
  func `exit code 1 if a page is missing, with the other pages printed`(command: String) throws {
    let result = try CommandSandbox().recto(
      command,
      fixture("page-missing"),
      "--offset",
      "300",
      "--viewport",
      "400x2000"
    )
    #expect(result.code == 1)
    let output: RenderOutput = try result.decoded()
    #expect(output.pages.map(\.number) == [1, 2, 3])
    #expect(output.pages.map { $0.error?.code } == [nil, nil, "page-missing"])
    if command == "render" {
      #expect(output.pages.map { $0.tiles == nil } == [false, false, true])
    }
    // The tree names an object that the file does not have, so poppler reads the document: a
    // warning, and then the error of the page.
    #expect(result.messages.count == 2)
    #expect(
      result.messages.first?.hasPrefix(
        "recto: \(fixture("page-missing")): using poppler to read this document: "
      ) == true
    )
    #expect(
      result.messages.last?.hasPrefix("recto: \(fixture("page-missing")): page 3: ") == true
    )
  }

  @Test func `exit code 1 if a page exceeds the time limit, with the other pages rendered`() throws
  {
    let result = try CommandSandbox().recto(
      "render",
      fixture("endless-forms"),
      "--viewport",
      "400x1400",
      "--timeout",
      "2"
    )
    #expect(result.code == 1)
    let output: RenderOutput = try result.decoded()
    #expect(output.pages.map { $0.error?.code } == [nil, "time-limit", nil])
    #expect(output.pages.map { $0.tiles?.isEmpty } == [false, nil, false])
    #expect(result.messages.count == 1)
  }

  @Test func `exit code 1 if a viewport has more tiles than the limit`() throws {
    let result = try CommandSandbox().recto(
      ["render", fixture("book"), "--no-cache", "-o", "out", "--scale", "1000"]
        + ["--viewport", "3000x700", "--timeout", "1"]
    )
    #expect(result.code == 1)
    let output: RenderOutput = try result.decoded()
    #expect(!output.pages.isEmpty)
    #expect(output.pages.allSatisfy { $0.error?.code == "page-size" })
  }

  static let wrongUsage: [[String]] = [
    ["unknown"], ["page", "a.pdf"], ["help", "page"], ["info"], ["layout", "a.pdf", "b.pdf"],
    ["layout", "a.pdf", "--unknown"],
    ["layout", "a.pdf", "--mode", "circular"], ["layout", "a.pdf", "--zoom", "wide"],
    ["layout", "a.pdf", "--zoom"], ["layout", "a.pdf", "--offset", "1", "--page", "1"],
    ["layout", "a.pdf", "--viewport", "1280"], ["layout", "a.pdf", "--offset", "nan"],
    ["layout", "a.pdf", "--page", "0"], ["layout", "a.pdf", "--page", "1+x"],
    ["layout", "a.pdf", "--rotate", "45"], ["layout", "a.pdf", "--pages", "1,"],
    ["layout", "a.pdf", "--pages", ""], ["layout", "a.pdf", "--margin", "1,2,3"],
    ["layout", "a.pdf", "--scale", "0"], ["layout", "a.pdf", "--timeout", "0"],
    ["layout", "a.pdf", "--timeout", "nan"], ["layout", "a.pdf", "--memory", "1"],
    ["layout", "a.pdf", "--password", "x", "--password-file", "y"],
    ["render", "a.pdf", "--no-cache"], ["render", "a.pdf", "--tile", "15"],
    ["render", "a.pdf", "--background", "blue-ish"], ["render", "a.pdf", "--prefetch", "-1"],
    ["render", "a.pdf", "--no-cache", "--image", "a.png", "--prefetch", "1"],
    ["thumbs", "a.pdf"], ["thumbs", "-o", "out"], ["thumbs", "a.pdf", "-o", "out", "--size", "0"],
    ["thumbs", "a.pdf", "-o", "out", "--jobs", "0"], ["cache", "burn"],
  ]

  @Test(arguments: wrongUsage) func `exit code 64 for usage errors`(arguments: [String]) throws {
    let sandbox = try CommandSandbox()
    let result = try sandbox.recto(arguments)
    #expect(result.code == 64)
    #expect(result.output.isEmpty)
    #expect(result.messages.count == 1, "\(result.errors)")
    #expect(result.errors.hasPrefix("recto: "))
    #expect(sandbox.folder.files.isEmpty)
  }

  static let impossible: [[String]] = [
    ["--page", "13"], ["--pages", "13-14"], ["--pages", "13"], ["--zoom", "0"], ["--zoom", "-1"],
    ["--zoom", "nan"], ["--gap", "inf"], ["--margin", "nan"],
    ["--viewport", "nanx100"], ["--viewport", "-5x100"],
  ]

  @Test(arguments: impossible)
  func `64 for what does not fit the document or any layout`(options: [String]) throws {
    for command in ["layout", "render"] {
      let result = try CommandSandbox().recto([command, fixture("book")] + options)
      #expect(result.code == 64)
      #expect(result.output.isEmpty)
      #expect(result.messages.count == 1, "\(result.errors)")
    }
  }

  @Test func `the message for a page out of range states the page count`() throws {
    let path = fixture("book")
    let result = try CommandSandbox().recto("layout", path, "--page", "13")
    #expect(result.errors == "recto: \(path): page 13: the document has 12 pages\n")
  }

  @Test(arguments: readers) func `exit code 65 for a file that is not a PDF`(command: [String])
    throws
  {
    for name in ["not-a-pdf", "truncated"] {
      let result = try CommandSandbox().recto(command + [fixture(name)])
      #expect(result.code == 65)
      #expect(result.messages.count == 1)
      #expect(result.errors.hasPrefix("recto: \(fixture(name)): "))
    }
  }

  @Test(arguments: readers) func `exit code 65 for an empty file`(command: [String]) throws {
    let sandbox = try CommandSandbox()
    #expect(try sandbox.recto(command + [sandbox.file("empty.pdf", "")]).code == 65)
  }

  @Test(arguments: readers) func `exit code 66 for a file that cannot be read`(command: [String])
    throws
  {
    let sandbox = try CommandSandbox()
    #expect(try sandbox.shell("mkfifo fifo.pdf; mkdir -p folder.pdf").code == 0)
    var names = ["missing.pdf"]
    // A folder is what thumbs searches; streams are what the others read.
    names += command[0] == "thumbs" ? ["fifo.pdf", "/dev/zero", "/dev/null"] : ["folder.pdf"]
    for name in names {
      let result = try sandbox.recto(command + [name])
      #expect(result.code == 66, "\(name)")
      #expect(result.messages.count == 1)
      #expect(result.errors.hasPrefix("recto: \(name): "))
    }
  }

  @Test(.disabled(if: isRoot, "root may read everything"), arguments: readers)
  func `66 for a file that may not be read`(command: [String]) throws {
    let sandbox = try CommandSandbox()
    try sandbox.copy("rotate", to: "closed.pdf")
    #expect(try sandbox.shell("chmod 0 closed.pdf").code == 0)
    #expect(try sandbox.recto(command + ["closed.pdf"]).code == 66)
  }

  @Test func `exit code 70 if the worker is missing`() throws {
    let result = try CommandSandbox().recto(
      ["info", fixture("rotate")],
      environment: ["RECTO_WORKER": "/nowhere/recto-worker"]
    )
    #expect(result.code == 70)
    #expect(result.messages.count == 1)
  }

  @Test func `a program that is not a worker is reported with one message`() throws {
    for program in ["/bin/true", "/bin/cat", "/bin/ls"] {
      let result = try CommandSandbox().recto(
        ["layout", fixture("encrypted"), "--timeout", "1"],
        environment: ["RECTO_WORKER": program]
      )
      #expect(result.code != 0)
      #expect(result.code < 128)
      #expect(result.messages.count == 1)
    }
  }

  @Test(arguments: readers) func `exit code 75 for a document that hangs while opening`(
    command: [String]
  ) throws {
    let sandbox = try CommandSandbox()
    // Nothing known hangs as early as this, so the worker does.
    let worker = try sandbox.file("worker", "#!/bin/sh\nexec sleep 1000\n")
    #expect(try sandbox.shell("chmod +x worker").code == 0)
    // Of an encrypted file nothing at all is known without a worker.
    let result = try sandbox.recto(
      command + [fixture("encrypted"), "--password", "secret", "--timeout", "1"],
      environment: ["RECTO_WORKER": worker]
    )
    #expect(result.code == 75, "\(result.errors)")
    #expect(result.messages.count == 1)
  }

  @Test func `endless form fields fail a page at most`() throws {
    let sandbox = try CommandSandbox()
    let path = try sandbox.file("hang.pdf", HostileFiles.endlessFields)
    for command in Self.readers {
      let result = try sandbox.recto(command + [path, "--timeout", "1"])
      #expect([0, 1, 75].contains(result.code), "\(command) \(result.errors)")
      #expect(result.messages.count == (result.code == 0 ? 0 : 1))
    }
  }

  @Test func `a document that hangs while being measured reaches the time limit`() throws {
    let sandbox = try CommandSandbox()
    let path = try sandbox.file("hang.pdf", HostileFiles.hangsAtMeasuring)
    for command in Self.readers {
      let result = try sandbox.recto(command + [path, "--timeout", "1"])
      // Whether the document or all of its pages fail depends on who reads the page tree.
      #expect([1, 65, 75].contains(result.code), "\(command) \(result.code) \(result.errors)")
      #expect(!result.errors.isEmpty)
    }
    #expect(sandbox.cachedTiles.isEmpty)
  }

  @Test(arguments: ["", "--password=secret"])
  func `a document that no password opens is not said to need one`(option: String) throws {
    let sandbox = try CommandSandbox()
    try TestPDF.write(
      [(100, 100)],
      trailer: "/Encrypt << /Filter /Unknown.Handler /V 4 >> /ID [<00><00>]",
      to: sandbox.folder.path("a.pdf")
    )
    let result = try sandbox.recto(["info", "a.pdf", option].filter { !$0.isEmpty })
    #expect(result.code == 65)
    #expect(result.errors.contains("security handler"))
  }

  @Test(arguments: readers) func `exit code 77 for a missing or wrong password`(command: [String])
    throws
  {
    let sandbox = try CommandSandbox()
    let file = fixture("encrypted")
    let missing = try sandbox.recto(command + [file])
    #expect(missing.code == 77)
    #expect(missing.messages.count == 1)
    let wrong = try sandbox.recto(command + [file, "--password", "swordfish"])
    #expect(wrong.code == 77)
    #expect(missing.errors != wrong.errors)
    #expect(!wrong.errors.contains("swordfish"))
  }

  @Test(arguments: readers)
  func `the right password opens the document, as an option or from a file`(
    command: [String]
  ) throws {
    let sandbox = try CommandSandbox()
    let file = fixture("encrypted")
    #expect(try sandbox.recto(command + [file, "--password", "secret"]).code == 0)
    let path = try sandbox.file("password", "secret\r\nmore\n")
    #expect(try sandbox.recto(command + [file, "--password-file", path]).code == 0)
    let missing = try sandbox.recto(command + [file, "--password-file", "missing"])
    #expect(missing.code == 66)
    // What a password opened stays closed to those who do not know it, cached or not.
    #expect(try sandbox.recto(command + [file]).code == 77)
    #expect(try sandbox.shell("grep -rlF secret \"$XDG_CACHE_HOME\"").text.isEmpty)
  }

  @Test func `a password is read from a stream`() throws {
    let sandbox = try CommandSandbox()
    let command = "\"$recto\" info '\(fixture("encrypted"))' --no-cache --password-file"
    for line in [
      "\(command) <(echo secret)", "echo secret | \(command) /dev/stdin",
      "echo secret | \(command) -", "mkfifo fifo; (echo secret > fifo) & \(command) fifo",
    ] {
      let result = try sandbox.shell(line)
      #expect(result.code == 0, "\(line) \(result.errors)")
    }
    // More than a line can be is not read; a zero byte would end the password too early.
    let endless = try sandbox.shell("\(command) /dev/zero")
    #expect(endless.code == 66)
    let zero = try sandbox.shell("printf 'secret\\0more' | \(command) -")
    #expect(zero.code == 64)
    #expect(zero.messages.count == 1)
  }

  @Test func `requests follow the password on standard input`() throws {
    let sandbox = try CommandSandbox()
    let request = #"{"op":"open","path":"\#(fixture("encrypted"))"}"#
    let result = try sandbox.recto(
      ["serve", "--stdio", "--password-file", "-"],
      input: Data("secret\n\(request)\n".utf8)
    )
    #expect(result.code == 0)
    // After the event hello.
    let reply = try result.jsonLines().dropFirst().first
    #expect(reply?["pages"] as? Int != nil, "\(result.text)")
  }
}
