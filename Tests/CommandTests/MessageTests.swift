import ArgumentParser
import DocumentModel
import RectoBase
import RectoGeometry
import RectoKit
import SystemPackage
import Testing

@testable import RectoCommand

/// Messages on standard error, and the messages of malformed requests.
@Suite struct MessageTests {
  private static func line(
    _ style: MessageStyle,
    path: FilePath? = nil,
    page: PageIndex? = nil,
    lastPage: PageIndex? = nil,
    option: OptionName? = nil,
    _ message: String = "failed"
  ) -> String {
    MessagePrinter(style: style).line(
      code: "drawing",
      path: path,
      page: page,
      lastPage: lastPage,
      option: option,
      message
    )
  }

  @Test func `text names the file, the option and the page`() {
    #expect(Self.line(.text) == "recto: failed\n")
    #expect(Self.line(.text, path: "a.pdf", page: 2) == "recto: a.pdf: page 3: failed\n")
    #expect(
      Self.line(.text, path: "a.pdf", page: 2, lastPage: 8) == "recto: a.pdf: pages 3-9: failed\n"
    )
    #expect(
      Self.line(.text, path: "a.pdf", page: 12, option: OptionName("pages"))
        == "recto: a.pdf: --pages: page 13: failed\n"
    )
  }

  @Test func `JSON has a member for each part`() {
    #expect(
      Self.line(.json, path: "a.pdf", page: 2, lastPage: 8, option: OptionName("pageGap"))
        == #"{"code":"drawing","path":"a.pdf","page":3,"lastPage":9,"message":"--page-gap: failed"}"#
        + "\n"
    )
    #expect(Self.line(.json) == #"{"code":"drawing","message":"failed"}"# + "\n")
  }

  @Test func `a message is one line without control characters`() {
    #expect(
      Self.line(.text, path: "a\nb\u{1b}[2J.pdf", "x\r\u{202e}y\u{9b}")
        == "recto: a\\nb\\x1b[2J.pdf: x\\r\\u202ey\\u009b\n"
    )
    #expect(FilePath(bytes: [0x61, 0xE9, 0x0A, 0xC3, 0xA9]).printable == "a\\xe9\\né")
  }

  @Test func `document errors have documented exit codes`() {
    let expected: [(DocumentError.Code, Int32)] = [
      (.usage, 64), (.notPDF, 65), (.damaged, 65), (.pageMissing, 65), (.pageSize, 65),
      (.crash, 65),
      (.unreadable, 66), (.fault, 70), (.output, 73), (.io, 74), (.changed, 74), (.timeLimit, 75),
      (.memoryLimit, 75), (.passwordNeeded, 77), (.passwordWrong, 77),
    ]
    for (code, exitCode) in expected {
      #expect(ExitCode(code).rawValue == exitCode, "\(code.rawValue)")
    }
  }

  @Test func `a failure of consecutive pages has the first and the last number`() {
    let error = DocumentError(.pageMissing, during: "measure", "no page")
    let several = Failure(error, path: "a.pdf", pages: 2..<5)
    #expect(several.page?.number == 3 && several.lastPage?.number == 5)
    let one = Failure(error, path: "a.pdf", pages: 2..<3)
    #expect(one.page?.number == 3 && one.lastPage == nil)
  }

  @Test func `an input is not overwritten, which is a usage failure`() {
    let failure = Failure(output: FileError("write", "a.pdf", refusal: .isInput))
    #expect(failure.exitCode == .usage)
    #expect(failure.message == "this is the document itself; not overwritten")
  }

  /// Lines of a client, and the message of their reply.
  static let malformed: [(line: String, message: String)] = [
    ("nonsense", "invalid JSON at column 1: invalid literal"),
    ("[]", "a request must be an object"),
    ("{}", "op: missing"),
    (#"{"op":7}"#, "op: must be a string"),
    (#"{"op":"fly"}"#, #"op: unknown operation "fly""#),
    (#"{"op":"open"}"#, "open.path: missing"),
    (#"{"op":"open","path":"a","layout":3}"#, "open.layout: must be an object, is 3"),
    (#"{"op":"open","path":"a","tile":15}"#, "open.tile: must be at least 16, is 15"),
    (#"{"op":"open","path":"a","tile":4096}"#, "open.tile: must be at most 2048, is 4096"),
    (#"{"op":"open","path":"a\u0000"}"#, "open.path: must not contain U+0000"),
    (#"{"op":"view","ofset":{"y":1}}"#, #"view: unknown member "ofset""#),
    (#"{"op":"view","offset":{"z":1}}"#, #"view.offset: unknown member "z""#),
    (#"{"op":"view","offset":{}}"#, "view.offset: needs x, y or both"),
    (
      #"{"op":"view","offset":{"y":1},"anchor":{"page":1}}"#,
      "view.anchor: cannot be used with offset"
    ),
    (
      #"{"op":"view","progress":0.5,"anchor":{"page":1}}"#,
      "view.progress: cannot be used with anchor"
    ),
    (#"{"op":"view","anchor":{"page":0}}"#, "view.anchor.page: must be at least 1, is 0"),
    (#"{"op":"view","document":1.5}"#, "view.document: must be a whole number, is 1.5"),
    (#"{"op":"page","at":{"x":1}}"#, "page.at.y: missing"),
    (#"{"op":"cancel"}"#, "cancel.id: missing"),
    (#"{"op":"view","viewport":{"width":1}}"#, "view.viewport.height: missing"),
    (#"{"op":"view","scale":0}"#, "view.scale: must be above 0 and at most 1000, is 0"),
    (#"{"op":"view","transition":1}"#, "view.transition: must be true or false, is 1"),
    (
      #"{"op":"zoom","factor":1,"zoom":2}"#, "zoom.factor: exactly one of factor and zoom is needed"
    ),
    (#"{"op":"page"}"#, "page.at: missing"),
    (
      #"{"op":"destination","page":1,"type":"Fitt"}"#,
      "destination.type: must be XYZ, Fit, FitH, FitV, FitR, FitB, FitBH or FitBV, is \"Fitt\""
    ),
  ]

  @Test(arguments: malformed.indices) func `a malformed request is refused`(index: Int) {
    let (line, message) = Self.malformed[index]
    let request = ServeRequest(LineInput.Line.text(Array(line.utf8)))
    #expect(throws: RequestError(message)) { try request.operation.get() }
  }

  @Test func `a line that is too long is refused`() {
    let request = ServeRequest(.tooLong)
    #expect(throws: RequestError("line too long; the limit is 1048576 bytes")) {
      try request.operation.get()
    }
  }

  @Test func `null counts as missing`() throws {
    let line = #"{"op":"view","id":7,"offset":null,"anchor":{"page":2,"fraction":null}}"#
    let request = ServeRequest(.text(Array(line.utf8)))
    #expect(request.id == Array("7".utf8))
    guard case .view(nil, let move) = try request.operation.get() else {
      Issue.record("not a view request")
      return
    }
    #expect(move.place == .page(1, fraction: 0))
  }
}
