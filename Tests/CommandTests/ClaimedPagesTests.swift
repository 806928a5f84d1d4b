import Foundation
import TestSupport
import Testing

/// Time and memory of the command do not follow the number of pages that a file claims.
@Suite(.serialized, .timeLimit(.minutes(10))) struct ClaimedPagesTests {
  /// The most that poppler believes.
  private static let count = 1 << 25
  /// What the command may take, in bytes.
  private static let limit = 100_000_000

  private let sandbox: CommandSandbox

  init() throws {
    sandbox = try CommandSandbox()
    try ClaimedPages.pdf(Self.count).write(to: sandbox.folder.url.appending(path: "claim.pdf"))
  }

  @Test(arguments: [
    [], ["--page", "z"], ["--offset", "1e12"], ["--mode", "grid", "--page", "z"],
    ["--mode", "carousel", "--page", "z"], ["--mode", "flow", "--page", "z"],
    ["--mode", "paged", "--spread", "double", "--page", "z"],
    ["--axis", "horizontal", "--rtl", "--page", "1000"], ["--sticky", "1,z", "--offset", "9999"],
    ["--alone", "1,z", "--together", "2", "--spread", "double", "--page", "z"],
    ["--wide-alone", "1.2", "--spread", "double", "--page", "z"],
  ])
  func `a layout takes what its window takes`(options: [String]) throws {
    let (result, peak) = try MemoryUse.run(sandbox, ["layout", "claim.pdf"] + options)
    #expect(result.code == 1, "\(result.errors)")
    #expect(peak < Self.limit)
    let output: RenderOutput = try result.decoded()
    #expect(output.document.pages == Self.count)
    // Everything in front is measured, or known to be missing.
    #expect(output.content.exact)
    #expect(output.pages.allSatisfy { $0.exact && $0.size.height == 300 })
    #expect(output.pages.allSatisfy { ($0.error?.code == "page-missing") == ($0.number > 1) })
  }

  @Test(arguments: [["z-1"], ["z-1,1-z", "--spread", "book"]])
  func `pages in any order take no more`(options: [String]) throws {
    let (result, peak) = try MemoryUse.run(sandbox, ["layout", "claim.pdf", "--pages"] + options)
    #expect(result.code == 1, "\(result.errors)")
    #expect(peak < Self.limit)
    let output: RenderOutput = try result.decoded()
    #expect(output.pages.first?.number == Self.count)
    #expect(output.pages.allSatisfy { $0.exact && $0.error?.code == "page-missing" })
  }

  @Test func `consecutive missing pages give one message`() throws {
    let result = try sandbox.recto("layout", "claim.pdf", "--viewport", "400x1000")
    let error = "find: the document counts more pages than it has"
    #expect(result.messages == ["recto: claim.pdf: pages 2-4: \(error)"])
    let last = try sandbox.recto("layout", "claim.pdf", "--page", "z", "--viewport", "400x100")
    #expect(last.messages == ["recto: claim.pdf: page \(Self.count): \(error)"])
  }

  @Test func `all spreads are printed as they are made`() throws {
    let command = try RunningCommand(sandbox, ["layout", "claim.pdf", "--all", "--pages", "z-1"])
    try command.read(20_000_000)
    #expect(try command.peakMemory < Self.limit)
    #expect(command.end(with: SIGTERM) == 128 + SIGTERM)
  }

  @Test func `consecutive missing pages share one thumbnail entry`() throws {
    let (result, peak) = try MemoryUse.run(
      sandbox,
      ["thumbs", "claim.pdf", "-o", "out", "--pages", "5-3,3-z"]
    )
    #expect(result.code == 1)
    #expect(peak < Self.limit)
    let line = try #require(try result.jsonLines().first)
    let entries = try #require(line["thumbnails"] as? [[String: Any]])
    #expect(entries.map { $0["page"] as? Int } == [3, 3])
    #expect(entries.map { $0["lastPage"] as? Int } == [5, Self.count])
    #expect(result.messages.count == 2)
  }

  @Test func `a list of single pages is limited`() throws {
    for option in ["--alone", "--together", "--sticky"] {
      let result = try sandbox.recto("layout", "claim.pdf", option, "1-z")
      #expect(result.code == 64)
      #expect(result.messages.count == 1)
      #expect(try sandbox.recto("layout", "claim.pdf", option, "1-10000").code == 1)
    }
  }

  @Test func `serve measures all missing pages at once`() throws {
    let client = try ServeClient(sandbox, ["--sizes", "exact", "claim.pdf"])
    _ = try client.eventsUntilIdle()
    for page in [2, Self.count] {
      let reply = try client.done("view", ["anchor": ["page": page]])
      #expect(reply.scenePages.contains { $0.number("number") == Double(page) })
      #expect((reply["content"] as? ServeClient.Line)?["exact"] as? Bool == true)
      _ = try client.eventsUntilIdle()
    }
    #expect(try #require(MemoryUse.bytes(of: client.processIdentifier)) < Self.limit)
    #expect(try client.end().code == 0)
  }

  @Test func `cache files larger than possible are not read`() throws {
    try sandbox.copy("book", to: "book.pdf")
    let render = ["render", "book.pdf", "--viewport", "300x300"]
    #expect(try sandbox.recto(render).code == 0)
    for name in sandbox.cache.files where !name.hasSuffix("CACHEDIR.TAG") {
      let file = try FileHandle(forWritingTo: sandbox.cache.url.appending(path: name))
      try file.truncate(atOffset: 500 << 20)  // sparse
      try file.close()
    }
    let (result, peak) = try MemoryUse.run(sandbox, render)
    #expect(result.code == 0, "\(result.errors)")
    #expect(peak < Self.limit)
    let again: RenderOutput = try sandbox.recto(render).decoded()
    #expect(again.tiles.allSatisfy { $0.source == "disk" })
  }
}
