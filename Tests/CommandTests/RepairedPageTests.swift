import TestSupport
import Testing

/// What was repaired of a page is said where the page is.
@Suite(.timeLimit(.minutes(10))) struct RepairedPageTests {
  private static let document = """
    %PDF-1.4
    1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
    2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj
    3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 100 50] >> endobj
    trailer << /Size 4 /Root 1 R >>

    """

  @Test func `repairs are members of pages in JSON, and lines with --verbose`() throws {
    let sandbox = try CommandSandbox()
    let file = try sandbox.file("a.pdf", Self.document)
    let member = "\"repairs\":{\"cross-reference\":1}"
    let line = "recto: \(file): page 1: repaired: cross-reference 1"
    for arguments in [["pages", file, "--json", "-o", "a.png"], ["render", file]] {
      let result = try sandbox.recto(arguments + ["--verbose"])
      #expect(result.code == 0)
      #expect(String(decoding: result.output, as: UTF8.self).contains(member), "\(arguments)")
      #expect(result.messages.contains { $0 == line }, "\(arguments)")
    }
    let thumbs = try sandbox.recto("thumbs", file, "-o", "thumbs", "--verbose")
    #expect(thumbs.code == 0)
    #expect(thumbs.messages.contains { $0.hasSuffix("page 1: repaired: cross-reference 1") })
  }
}
