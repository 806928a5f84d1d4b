import Foundation
import TestSupport
import Testing

/// Memory of the command does not follow the number of pages or tiles that a window would show.
@Suite(.serialized, .timeLimit(.minutes(10))) struct WindowLimitTests {
  /// The most that poppler believes.
  private static let count = 1 << 25
  /// What the command may take, in bytes.
  private static let limit = 100_000_000

  private func sandbox(size: String = "200 300") throws -> CommandSandbox {
    let sandbox = try CommandSandbox()
    let document = ClaimedPages.pdf(Self.count, size: size)
    try document.write(to: sandbox.folder.url.appending(path: "claim.pdf"))
    return sandbox
  }

  private static func message(_ count: Int) -> String {
    "lay out: the window shows \(count) pages; the limit is 16384"
  }

  // MARK: Pages

  @Test(arguments: [
    ("200 300", ["--zoom", "0.01", "--viewport", "2000x2000"], 657_360),
    ("0.1 0.1", ["--viewport", "2000x2000"], count),
    ("0 0", ["--zoom", "0.01", "--viewport", "2000x2000", "--sizes", "estimated"], 81_396),
  ])
  func `a window that shows too many pages is wrong usage`(
    size: String,
    options: [String],
    pages: Int
  ) throws {
    let sandbox = try sandbox(size: size)
    for command in [["layout", "claim.pdf"], ["render", "claim.pdf", "--no-cache", "-o", "out"]] {
      let window = ["--mode", "grid", "--gap", "0"] + options
      let (result, peak) = try MemoryUse.run(sandbox, command + window)
      #expect(result.code == 64)
      #expect(result.output.isEmpty)
      #expect(result.messages == ["recto: claim.pdf: \(Self.message(pages))"])
      #expect(peak < Self.limit)
    }
  }

  @Test func `a viewport can show many pages`() throws {
    let window = ["--mode", "grid", "--gap", "0", "--zoom", "0.1", "--viewport", "2520x3600"]
    let (result, peak) = try MemoryUse.run(try sandbox(), ["layout", "claim.pdf"] + window)
    #expect(result.code == 1, "\(result.errors)")
    #expect(try (result.decoded() as RenderOutput).pages.count == 15_000)
    #expect(peak < Self.limit)
  }

  @Test func `--all prints every spread, regardless of the viewport`() throws {
    let window = ["--mode", "grid", "--gap", "0", "--zoom", "0.03", "--viewport", "2000x2000"]
    let sandbox = try sandbox()
    let command = try RunningCommand(sandbox, ["layout", "claim.pdf", "--all"] + window)
    try command.read(20_000_000)
    #expect(try command.peakMemory < Self.limit)
    #expect(command.end(with: SIGTERM) == 128 + SIGTERM)
  }

  @Test func `serve refuses such a viewport and keeps the current one`() throws {
    let sandbox = try sandbox()
    let client = try ServeClient(sandbox, ["--mode", "grid", "--gap", "0", "claim.pdf"])
    _ = try client.eventsUntilIdle()
    let before = try client.done("view")
    let requests: [(String, ServeClient.Line)] = [
      ("zoom", ["zoom": 0.01]), ("view", ["zoom": 0.01, "anchor": ["page": 3], "scale": 3]),
      ("layout", ["layout": ["zoom": 0.01]]),
      ("view", ["viewport": ["width": 50_000, "height": 50_000]]),
    ]
    for (operation, members) in requests {
      let reply = try client.ask(operation, members)
      let error = try #require(reply["error"] as? ServeClient.Line, "\(operation) \(members)")
      #expect(error["code"] as? String == "usage")
      let message = try #require(error["message"] as? String)
      #expect(message.hasSuffix("pages; the limit is 16384"))
    }
    var after = try client.done("view")
    after["id"] = before["id"]
    #expect(after as NSDictionary == before as NSDictionary)
    // Nor does a page that is not shown change anything.
    let missing = try client.ask("view", ["zoom": 2, "anchor": ["page": Self.count + 1]])
    #expect(missing["error"] != nil)
    after = try client.done("view")
    after["id"] = before["id"]
    #expect(after as NSDictionary == before as NSDictionary)
    #expect(try #require(MemoryUse.bytes(of: client.processIdentifier)) < Self.limit)
    #expect(try client.end().code == 0)
  }

  @Test func `serve refuses a document whose first viewport has too many pages`() throws {
    let sandbox = try sandbox(size: "0.1 0.1")
    let client = try ServeClient(sandbox, ["--mode", "grid", "--gap", "0", "claim.pdf"])
    let reply = try #require(try client.event())
    let error = try #require(reply["error"] as? ServeClient.Line)
    #expect(error["code"] as? String == "usage")
    #expect(error["message"] as? String == Self.message(Self.count))
    #expect(try #require(MemoryUse.bytes(of: client.processIdentifier)) < Self.limit)
    #expect(try client.end().code == 0)
  }

  @Test func `a scene with too many pages is refused`() throws {
    let sandbox = try CommandSandbox()
    try Self.smallPages(20_000).write(to: sandbox.folder.url.appending(path: "small.pdf"))
    let client = try ServeClient(
      sandbox,
      [
        "--gap", "0", "--fit", "none", "--viewport", "600x2000", "--sizes", "estimated",
        "small.pdf",
      ]
    )
    _ = try client.eventsUntilIdle()
    let scene = try client.done("view", ["anchor": ["page": 2]])
    _ = try client.eventsUntilIdle()
    let late = try client.ask("view")
    #expect((scene["refusal"] as? ServeClient.Line)?["code"] as? String == "usage")
    #expect(scene.scenePages.isEmpty)
    // Now it is known beforehand.
    #expect((late["error"] as? ServeClient.Line)?["code"] as? String == "usage")
    let back = try client.done("view", ["anchor": ["page": 1]])
    #expect(back["refusal"] == nil)
    #expect(back.scenePages.first?.number("number") == 1)
    #expect(try #require(MemoryUse.bytes(of: client.processIdentifier)) < Self.limit)
    #expect(try client.end().code == 0)
  }

  /// A large page in front of small ones.
  private static func smallPages(_ count: Int) -> Data {
    var bytes = Data("%PDF-1.7\n".utf8)
    var places: [Int] = []
    func add(_ body: String) {
      places.append(bytes.count)
      bytes.append(Data("\(places.count) 0 obj\n\(body)\nendobj\n".utf8))
    }
    let pages = (0..<count).map { "\($0 + 3) 0 R" }.joined(separator: " ")
    add("<< /Type /Catalog /Pages 2 0 R >>")
    add("<< /Type /Pages /Count \(count) /Kids [\(pages)] /MediaBox [0 0 0.1 0.1] >>")
    add("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 2000] >>")
    for _ in 1..<count { add("<< /Type /Page /Parent 2 0 R >>") }
    let start = bytes.count
    var table = "xref\n0 \(count + 3)\n0000000000 65535 f \n"
    for place in places {
      let digits = String(place)
      table += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n \n"
    }
    table += "trailer << /Size \(count + 3) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n"
    bytes.append(Data(table.utf8))
    return bytes
  }

  // MARK: Tiles

  @Test func `serve lists no more tiles than it keeps in memory`() throws {
    let sandbox = try CommandSandbox()
    let client = try ServeClient(sandbox, [fixture("book")])
    _ = try client.eventsUntilIdle()
    func errors(_ scene: ServeClient.Line) -> [String?] {
      scene.scenePages.map { ($0["error"] as? ServeClient.Line)?["code"] as? String }
    }
    let far = try client.done("view", ["scale": 1000])
    #expect(errors(far) == ["page-size", "page-size"])
    #expect(far.scenePages.allSatisfy { $0["tiles"] == nil })
    #expect(try client.eventsUntilIdle().allSatisfy { $0.servedTile == nil })
    #expect(try #require(MemoryUse.bytes(of: client.processIdentifier)) < Self.limit)
    let usual = try client.done("view", ["scale": 1])
    #expect(errors(usual) == [nil, nil])
    #expect(!usual.wantedTiles.isEmpty)
    _ = try client.eventsUntilIdle()
    #expect(try client.end().code == 0)
  }
}
