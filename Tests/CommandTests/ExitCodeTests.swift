import Foundation
import TestSupport
import Testing

/// Each code of the reference, provoked.
@Suite(.serialized, .timeLimit(.minutes(2))) struct ExitCodeTests {
  static let readers: [[String]] = [
    ["info"], ["layout"], ["render"], ["thumbs", "-o", "out"],
  ]

  @Test(arguments: readers) func `0 when all is done`(command: [String]) throws {
    let desk = try Desk()
    let result = try desk.recto(command + [fixture("rotate")])
    #expect(result.code == 0)
    #expect(result.errors.isEmpty)
  }

  @Test(arguments: ["layout", "render"])
  func `1 when a page is missing, and the others are there`(command: String) throws {
    let result = try Desk().recto(
      command,
      fixture("page-missing"),
      "--offset",
      "300",
      "--viewport",
      "400x2000"
    )
    #expect(result.code == 1)
    let answer: Answer = try result.decoded()
    #expect(answer.pages.map(\.number) == [1, 2, 3])
    #expect(answer.pages.map { $0.error?.code } == [nil, nil, "page-missing"])
    if command == "render" {
      #expect(answer.pages.map { $0.tiles == nil } == [false, false, true])
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

  @Test func `1 when a page takes for ever, and the others are there`() throws {
    let result = try Desk().recto(
      "render",
      fixture("endless-forms"),
      "--viewport",
      "400x1400",
      "--timeout",
      "2"
    )
    #expect(result.code == 1)
    let answer: Answer = try result.decoded()
    #expect(answer.pages.map { $0.error?.code } == [nil, "time-limit", nil])
    #expect(answer.pages.map { $0.tiles?.isEmpty } == [false, nil, false])
    #expect(result.messages.count == 1)
  }

  @Test func `1 when a window shows more tiles than are drawn at once`() throws {
    let result = try Desk().recto(
      ["render", fixture("book"), "--no-cache", "-o", "out", "--scale", "1000"]
        + ["--viewport", "3000x700", "--timeout", "1"]
    )
    #expect(result.code == 1)
    let answer: Answer = try result.decoded()
    #expect(!answer.pages.isEmpty)
    #expect(answer.pages.allSatisfy { $0.error?.code == "page-size" })
  }

  static let wrongUsage: [[String]] = [
    ["unknown"], ["info"], ["layout", "a.pdf", "b.pdf"], ["layout", "a.pdf", "--unknown"],
    ["layout", "a.pdf", "--mode", "circular"], ["layout", "a.pdf", "--zoom", "wide"],
    ["layout", "a.pdf", "--zoom"], ["layout", "a.pdf", "--offset", "1", "--page", "1"],
    ["layout", "a.pdf", "--viewport", "1280"], ["layout", "a.pdf", "--offset", "nan"],
    ["layout", "a.pdf", "--page", "0"], ["layout", "a.pdf", "--page", "1+x"],
    ["layout", "a.pdf", "--rotate", "45"], ["layout", "a.pdf", "--pages", "1-"],
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

  @Test(arguments: wrongUsage) func `64 for wrong usage`(arguments: [String]) throws {
    let desk = try Desk()
    let result = try desk.recto(arguments)
    #expect(result.code == 64)
    #expect(result.output.isEmpty)
    #expect(result.messages.count == 1, "\(result.errors)")
    #expect(result.errors.hasPrefix("recto: "))
    #expect(desk.folder.files.isEmpty)
  }

  static let impossible: [[String]] = [
    ["--page", "13"], ["--pages", "1-13"], ["--pages", "13"], ["--zoom", "0"], ["--zoom", "-1"],
    ["--zoom", "nan"], ["--gap", "inf"], ["--margin", "nan"],
    ["--viewport", "nanx100"], ["--viewport", "-5x100"],
  ]

  @Test(arguments: impossible)
  func `64 for what does not fit the document or any layout`(options: [String]) throws {
    for command in ["layout", "render"] {
      let result = try Desk().recto([command, fixture("book")] + options)
      #expect(result.code == 64)
      #expect(result.output.isEmpty)
      #expect(result.messages.count == 1, "\(result.errors)")
    }
  }

  @Test func `64 says how many pages there are`() throws {
    let path = fixture("book")
    let result = try Desk().recto("layout", path, "--page", "13")
    #expect(result.errors == "recto: \(path): page 13: the document has 12 pages\n")
  }

  @Test(arguments: readers) func `65 for what is no PDF`(command: [String]) throws {
    for name in ["not-a-pdf", "truncated"] {
      let result = try Desk().recto(command + [fixture(name)])
      #expect(result.code == 65)
      #expect(result.messages.count == 1)
      #expect(result.errors.hasPrefix("recto: \(fixture(name)): "))
    }
  }

  @Test(arguments: readers) func `65 for an empty file`(command: [String]) throws {
    let desk = try Desk()
    #expect(try desk.recto(command + [desk.file("empty.pdf", "")]).code == 65)
  }

  @Test(arguments: readers) func `66 for what is no readable file`(command: [String]) throws {
    let desk = try Desk()
    #expect(try desk.shell("mkfifo fifo.pdf; mkdir -p folder.pdf").code == 0)
    var names = ["missing.pdf", "fifo.pdf", "/dev/zero", "/dev/null"]
    // A folder is what thumbs searches.
    if command[0] != "thumbs" { names.append("folder.pdf") }
    for name in names {
      let result = try desk.recto(command + [name])
      #expect(result.code == 66, "\(name)")
      #expect(result.messages.count == 1)
      #expect(result.errors.hasPrefix("recto: \(name): "))
    }
  }

  @Test(.disabled(if: isRoot, "root may read everything"), arguments: readers)
  func `66 for a file that may not be read`(command: [String]) throws {
    let desk = try Desk()
    try desk.copy("rotate", to: "closed.pdf")
    #expect(try desk.shell("chmod 0 closed.pdf").code == 0)
    #expect(try desk.recto(command + ["closed.pdf"]).code == 66)
  }

  @Test func `70 when there is no worker`() throws {
    let result = try Desk().recto(
      ["info", fixture("rotate")],
      environment: ["RECTO_WORKER": "/nowhere/recto-worker"]
    )
    #expect(result.code == 70)
    #expect(result.messages.count == 1)
  }

  @Test func `a worker that is none costs one message`() throws {
    for program in ["/bin/true", "/bin/cat", "/bin/ls"] {
      let result = try Desk().recto(
        ["layout", fixture("encrypted"), "--timeout", "1"],
        environment: ["RECTO_WORKER": program]
      )
      #expect(result.code != 0)
      #expect(result.code < 128)
      #expect(result.messages.count == 1)
    }
  }

  @Test(arguments: readers) func `75 for a document that hangs while it is opened`(
    command: [String]
  ) throws {
    let desk = try Desk()
    // Nothing known hangs as early as this, so the worker does.
    let worker = try desk.file("worker", "#!/bin/sh\nexec sleep 1000\n")
    #expect(try desk.shell("chmod +x worker").code == 0)
    // Of an encrypted file nothing at all is known without a worker.
    let result = try desk.recto(
      command + [fixture("encrypted"), "--password", "secret", "--timeout", "1"],
      environment: ["RECTO_WORKER": worker]
    )
    #expect(result.code == 75, "\(result.errors)")
    #expect(result.messages.count == 1)
  }

  @Test func `form fields without end cost a page at most`() throws {
    let desk = try Desk()
    let path = try desk.file("hang.pdf", HostileFiles.endlessFields)
    for command in Self.readers {
      let result = try desk.recto(command + [path, "--timeout", "1"])
      #expect([0, 1, 75].contains(result.code), "\(command) \(result.errors)")
      #expect(result.messages.count == (result.code == 0 ? 0 : 1))
    }
  }

  @Test func `a document that hangs while it is measured fails in time`() throws {
    let desk = try Desk()
    let path = try desk.file("hang.pdf", HostileFiles.hangsAtMeasuring)
    for command in Self.readers {
      let result = try desk.recto(command + [path, "--timeout", "1"])
      // Whether the document or all of its pages fail depends on who reads the page tree.
      #expect([1, 65, 75].contains(result.code), "\(command) \(result.code) \(result.errors)")
      #expect(!result.errors.isEmpty)
    }
    #expect(desk.cachedTiles.isEmpty)
  }

  @Test(arguments: readers) func `77 for a password that is missing or wrong`(command: [String])
    throws
  {
    let desk = try Desk()
    let file = fixture("encrypted")
    let missing = try desk.recto(command + [file])
    #expect(missing.code == 77)
    #expect(missing.messages.count == 1)
    let wrong = try desk.recto(command + [file, "--password", "swordfish"])
    #expect(wrong.code == 77)
    #expect(missing.errors != wrong.errors)
    #expect(!wrong.errors.contains("swordfish"))
  }

  @Test(arguments: readers) func `the right password opens, typed or from a file`(
    command: [String]
  ) throws {
    let desk = try Desk()
    let file = fixture("encrypted")
    #expect(try desk.recto(command + [file, "--password", "secret"]).code == 0)
    let path = try desk.file("password", "secret\r\nmore\n")
    #expect(try desk.recto(command + [file, "--password-file", path]).code == 0)
    let missing = try desk.recto(command + [file, "--password-file", "missing"])
    #expect(missing.code == 66)
    // What a password opened stays closed to those who do not know it, cached or not.
    #expect(try desk.recto(command + [file]).code == 77)
    #expect(try desk.shell("grep -rlF secret \"$XDG_CACHE_HOME\"").text.isEmpty)
  }

  @Test func `a password is read from a stream`() throws {
    let desk = try Desk()
    let command = "\"$recto\" info '\(fixture("encrypted"))' --no-cache --password-file"
    for line in [
      "\(command) <(echo secret)", "echo secret | \(command) /dev/stdin",
      "echo secret | \(command) -", "mkfifo fifo; (echo secret > fifo) & \(command) fifo",
    ] {
      let result = try desk.shell(line)
      #expect(result.code == 0, "\(line) \(result.errors)")
    }
    // More than a line can be is not read; a zero byte would end the password too early.
    let endless = try desk.shell("\(command) /dev/zero")
    #expect(endless.code == 66)
    let zero = try desk.shell("printf 'secret\\0more' | \(command) -")
    #expect(zero.code == 64)
    #expect(zero.messages.count == 1)
  }

  @Test func `a served client and a password share standard input`() throws {
    let desk = try Desk()
    let request = #"{"op":"open","path":"\#(fixture("encrypted"))"}"#
    let result = try desk.recto(
      ["serve", "--stdio", "--password-file", "-"],
      input: Data("secret\n\(request)\n".utf8)
    )
    #expect(result.code == 0)
    let lines = try result.jsonLines()
    #expect(lines.first?["pages"] as? Int != nil, "\(result.text)")
  }
}
