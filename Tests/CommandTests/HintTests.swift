import RectoKit
import TestSupport
import Testing

@testable import RectoCommand

/// What people type who come from other programs.
@Suite struct HintTests {
  @Test(arguments: [
    ("ftp://example.org/a.pdf", "No such file or directory"),
    ("file://elsewhere/no.pdf", "No such file or directory; write it as a path, without file://"),
  ])
  func `an address in place of a file is told`(path: String, hint: String) throws {
    let result = try CommandSandbox().recto("info", path)
    #expect(result.code == 66)
    #expect(result.errors.hasPrefix("recto: \(path): \(hint)"), "\(result.errors)")
  }

  @Test func `options of messages can stand in front of the command`() throws {
    let sandbox = try CommandSandbox()
    let (before, after) = (
      try sandbox.recto("-q", "--verbose", "info", fixture("book")),
      try sandbox.recto("info", fixture("book"), "-q", "--verbose")
    )
    #expect((before.code, before.errors) == (after.code, after.errors))
    let verbose = try sandbox.recto("-v", "info", fixture("book"))
    #expect(verbose.code == 0)
    #expect(verbose.output == (try sandbox.recto("info", fixture("book"), "-v")).output)
    #expect(try sandbox.recto("-v").code == 64)
  }

  @Test func `a color with a digit for each channel has each digit twice`() {
    #expect(Color(argument: "#1aF") == Color(argument: "#11aaff"))
    #expect(Color(argument: "#fff") == Color(argument: "white"))
    for wrong in ["#", "#ff", "#ffff", "#+ff", "#-12345", "#ggg", "1af"] {
      #expect(Color(argument: wrong) == nil, "\(wrong)")
    }
  }
}
