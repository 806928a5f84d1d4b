import Foundation
import Glibc
import TestSupport
import Testing

/// Documents from pipes, FIFOs and standard input.
@Suite(.timeLimit(.minutes(10))) struct StreamInputTests {
  private let sandbox: CommandSandbox

  /// Writes the book into a pipe that holds a page of memory.
  private static let slowly =
    #"python3 -c 'import fcntl, os, sys; fcntl.fcntl(1, 1031, 4096); sys.stdout.buffer.write(open(os.environ["book"], "rb").read())'"#

  init() throws {
    sandbox = try CommandSandbox()
    // Where copies are made; nothing may be left there.
    try FileManager.default.createDirectory(
      at: sandbox.folder.url.appending(path: "tmp"),
      withIntermediateDirectories: false
    )
  }

  private func shell(_ line: String) throws -> ProgramResult {
    try sandbox.shell(
      line,
      environment: ["book": fixture("book"), "TMPDIR": sandbox.folder.path("tmp")]
    )
  }

  private func leftovers() -> [String] { sandbox.folder.files.filter { $0.hasPrefix("tmp/") } }

  @Test(
    "A document is the same from a file and from every stream",
    arguments: [
      #"cat "$book" | "$recto" COMMAND -"#,
      #"cat "$book" | "$recto" COMMAND /dev/stdin"#,
      #""$recto" COMMAND - < "$book""#,
      #""$recto" COMMAND /dev/stdin < "$book""#,
      #""$recto" COMMAND <(cat "$book")"#,
      #"mkfifo fifo; cat "$book" > fifo & "$recto" COMMAND fifo"#,
      // In parts, each of which is read before the next is written: the pipe holds no more than one.
      #"\#(slowly) | "$recto" COMMAND -"#,
      // The rest of a file that something else has begun to read.
      #"cat <(printf 12345) "$book" > longer; { dd bs=5 count=1 status=none of=/dev/null; "$recto" COMMAND -; } < longer"#,
    ]
  )
  func streams(line: String) throws {
    for command in ["info --json", "layout --page 5 --fit width"] {
      let arguments = command.split(separator: " ").map(String.init)
      let plain = try sandbox.recto(arguments + [fixture("book")])
      let result = try shell("rm -f fifo; " + line.replacing("COMMAND", with: command))
      #expect(result.code == 0, "\(result.errors)")
      // All but the path as typed.
      let paths = /"path":"[^"]*"/
      #expect(
        result.text.replacing(paths, with: "") == plain.text.replacing(paths, with: "")
      )
      #expect(result.messages.isEmpty)
    }
    #expect(leftovers().isEmpty)
  }

  @Test("A picture from a pipe is the picture from the file")
  func picture() throws {
    let options = "--page 3 --viewport 300x300 --image"
    let result = try shell(
      #"cat "$book" | "$recto" render - \#(options) a.png && "$recto" render "$book" \#(options) b.png"#
    )
    #expect(result.code == 0, "\(result.errors)")
    let pictures = try ["a.png", "b.png"].map {
      try Data(contentsOf: URL(filePath: sandbox.folder.path($0)))
    }
    #expect(pictures[0] == pictures[1])
    #expect(leftovers().isEmpty)
  }

  @Test("The path in messages and JSON is the one that was typed")
  func path() throws {
    let result = try shell(#"cat "$book" | "$recto" layout -"#)
    #expect(try result.decoded(RenderOutput.self).document.path == "-")
    let failed = try shell(#"echo no | "$recto" layout -"#)
    #expect(failed.messages == ["recto: -: open: this is not a PDF"])
    #expect(failed.code == 65)
  }

  @Test("A copy is not cached, a file on standard input is")
  func cache() throws {
    _ = try shell(#"cat "$book" | "$recto" render - --image a.png"#)
    #expect(
      sandbox.cache.files.filter { $0.contains("/documents/") || $0.contains("/tiles/") }.isEmpty
    )
    let result = try shell(#""$recto" render - < "$book""#)
    #expect(result.code == 0)
    #expect(!sandbox.cachedTiles.isEmpty)
    let again = try sandbox.recto("render", fixture("book"))
    #expect(try again.decoded(RenderOutput.self).tiles.allSatisfy { $0.source == "disk" })
  }

  @Test(
    "What a copy cannot do is refused before anything is read",
    arguments: [
      (
        "render -",
        "recto: -: a document from a stream is not cached, and needs --output or --image"
      ),
      (
        "render - -o out --prefetch 1",
        "recto: -: a document from a stream is not cached: --prefetch has no effect"
      ),
      (
        "info - --password-file -",
        "recto: -: --password-file: one stream cannot be both the password and the document"
      ),
      (
        "info /dev/stdin --password-file -",
        "recto: /dev/stdin: --password-file: one stream cannot be both the password and the document"
      ),
      (
        "serve - --stdio",
        "recto: -: standard input has the requests, and cannot be the document"
      ),
    ]
  )
  func refused(command: String, message: String) throws {
    // The stream never ends: it has a writer as long as it has a reader.
    let result = try shell(#"mkfifo endless; exec 3<>endless; "$recto" \#(command) <&3"#)
    #expect(result.code == 64)
    #expect(result.messages.map(String.init) == [message])
  }

  @Test("An encrypted document can come from a pipe, and its password from a file")
  func password() throws {
    let result = try sandbox.shell(
      #"cat "$file" | "$recto" info --json - --password-file <(echo "$password")"#,
      environment: ["file": fixture("encrypted"), "password": "secret"]
    )
    #expect(result.code == 0, "\(result.errors)")
  }

  @Test("A stream that is longer than the limit is refused, and one as long as the limit is not")
  func limit() throws {
    let long = try shell(#""$recto" info - --max-input 3 < /dev/zero"#)
    #expect(long.code == 66)
    #expect(long.messages == ["recto: -: more than 3 MB; --max-input sets the limit"])
    let fits = try shell(#"head -c 3000000 /dev/zero | "$recto" info - --max-input 3"#)
    #expect(fits.code == 65)
    #expect(fits.messages == ["recto: -: open: this is not a PDF"])
    #expect(leftovers().isEmpty)
  }

  @Test(
    "What is no stream and no document has an error of its own",
    arguments: [
      (#""$recto" info - < /tmp"#, 66, "recto: -: this is a directory"),
      (#""$recto" info - < /dev/null"#, 65, "recto: -: open: the file is empty"),
      (#"true | "$recto" info -"#, 65, "recto: -: open: the file is empty"),
      (
        #"cat "$book" | TMPDIR=/nowhere "$recto" info -"#, 73,
        "recto: /nowhere: create: No such file or directory"
      ),
      (#""$recto" info ./-"#, 66, "recto: ./-: No such file or directory"),
    ]
  )
  func failing(line: String, code: Int32, message: String) throws {
    let result = try shell(line)
    #expect(result.code == code)
    #expect(result.messages.map(String.init) == [message])
  }

  @Test("A full disk ends the copy with an I/O error")
  func fullDisk() throws {
    // A limit on the size of files: the same path through the code as a full disk.
    let result = try shell(#"ulimit -f 8; cat "$book" | "$recto" info -"#)
    #expect(result.code == 74)
    #expect(result.messages.count == 1)
    #expect(result.errors.contains("write: File too large"), "\(result.errors)")
    #expect(leftovers().isEmpty)
  }

  @Test("A non-blocking pipe is waited for")
  func nonBlocking() throws {
    let result = try shell(
      #"""
      \#(Self.slowly) | { python3 -c 'import os, sys
      os.set_blocking(0, False)
      os.execv(sys.argv[1], ["recto", "info", "-"])' "$recto"; }
      """#
    )
    #expect(result.code == 0, "\(result.errors)")
  }

  @Test("A signal ends the copy and leaves nothing", arguments: [SIGINT, SIGTERM])
  func signal(number: Int32) throws {
    let fifo = sandbox.folder.path("fifo")
    try #require(mkfifo(fifo, 0o600) == 0)
    let command = try RunningCommand(
      sandbox,
      ["info", fifo],
      environment: ["TMPDIR": sandbox.folder.path("tmp")]
    )
    // Opening it returns when the command has it open; more than a pipe holds is written when the
    // command has read some of it.
    let writer = open(fifo, O_WRONLY)
    try #require(writer >= 0)
    defer { close(writer) }
    let bytes = [UInt8](repeating: 0x20, count: 1 << 20)
    #expect(write(writer, bytes, bytes.count) == bytes.count)
    #expect(command.end(with: number) == 128 + number)
    #expect(command.messages.isEmpty)
    #expect(leftovers().isEmpty)
  }
}
