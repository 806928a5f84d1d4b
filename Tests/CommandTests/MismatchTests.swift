import Foundation
import TestSupport
import Testing

/// The worker finds other pages than the page tree reader promised: the document is read by poppler.
@Suite(.timeLimit(.minutes(10))) struct MismatchTests {
  private let sandbox: CommandSandbox
  /// A worker that disagrees about each page of a window, and draws from whole documents.
  private let environment = [
    "RECTO_WORKER": TestPaths.root.appending(path: "Tests/FalseWorker/disagreeing-worker").path,
    "RECTO_WORKER_PROGRAM": TestPaths.worker.path,
  ]

  init() throws {
    sandbox = try CommandSandbox()
    try sandbox.copy("mixed-sizes", to: "sizes.pdf")
  }

  private func isWarning(_ line: some StringProtocol) -> Bool {
    line.hasPrefix("recto: sizes.pdf: using poppler to read this document: ")
      && line.contains("page 1 is another one")
  }

  @Test func `a viewport is rendered with poppler as the reader, after one warning`() throws {
    let options = ["--spread", "double", "--viewport", "900x900", "--shadow"]
    let plain = try sandbox.recto(
      ["render", "sizes.pdf", "--image", "plain.png", "--page-reader", "poppler"] + options
    )
    #expect(plain.code == 0)
    let result = try sandbox.recto(
      ["render", "sizes.pdf", "--image", "own.png"] + options,
      environment: environment
    )
    #expect(result.code == 0)
    #expect(result.messages.count == 1 && result.messages.allSatisfy(isWarning))
    let pictures = try ["plain.png", "own.png"].map {
      try Data(contentsOf: sandbox.folder.url.appending(path: $0))
    }
    #expect(pictures[0] == pictures[1])
    // What the page tree reader said is not kept.
    #expect(!sandbox.cache.files.contains { $0.contains("/documents/") })
  }

  @Test func `thumbnails are made with poppler as the reader`() throws {
    let result = try sandbox.recto(
      ["thumbs", "sizes.pdf", "--pages", "all", "-o", "out"],
      environment: environment
    )
    #expect(result.code == 0)
    #expect(result.messages.count == 1 && result.messages.allSatisfy(isWarning))
    #expect(sandbox.folder.files.filter { $0.hasPrefix("out/") }.count == 8)
  }

  @Test func `a page mismatch is an error with --page-reader tree`() throws {
    let result = try sandbox.recto(
      ["render", "sizes.pdf", "-o", "out", "--page-reader", "tree"],
      environment: environment
    )
    #expect(result.code == 65)
    #expect(result.output.isEmpty)
    #expect(result.messages.count == 1)
    #expect(sandbox.folder.files.allSatisfy { !$0.hasSuffix(".png") })
  }

  @Test func `a reopened document is reported to the viewer`() throws {
    let client = try ServeClient(sandbox, ["sizes.pdf"], environment: environment)
    var events: [ServeClient.Line] = []
    while !events.contains(where: { $0["event"] as? String == "tile" }) {
      events.append(try #require(try client.event()))
    }
    let reopened = events.filter { $0["event"] as? String == "reopened" }
    #expect(reopened.count == 1)
    #expect(reopened.first?["pages"] as? Int == 8)
    #expect((reopened.first?["message"] as? String)?.contains("page 1 is another one") == true)
    // Offsets of before are told apart from those of now.
    let geometries = events.compactMap { $0.number("geometry") }
    #expect(geometries == geometries.sorted() && Set(geometries).count > 1)
    #expect(!events.contains { $0["event"] as? String == "error" })
    let reply = try client.done("view", ["anchor": ["page": 3]])
    #expect(reply.number("current") == 3)
    #expect(try client.end().code == 0)
  }
}
