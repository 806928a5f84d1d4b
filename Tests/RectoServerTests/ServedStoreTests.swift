import Foundation
import TestSupport
import Testing

/// Documents on servers, and prefixes of stores, that are served.
@Suite(.timeLimit(.minutes(10))) struct ServedStoreTests {
  private let store: DocumentServer
  /// The folder of the store; `library` in it is a bucket.
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    store = try DocumentServer(folder.url)
  }

  private func put(_ key: String, _ fixture: String = "book") throws {
    let file = folder.url.appending(path: "library").appending(path: key)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(contentsOf: TestPaths.fixture(fixture)).write(to: file)
  }

  private func serve(_ addresses: [String], from kind: String = "plain") throws -> ServerProcess {
    let own = ["AWS_ENDPOINT_URL": "\(store.root)/\(kind)", "HOME": folder.url.path]
    return try ServerProcess(
      addresses,
      environment: DocumentServer.environment.merging(own) { $1 }
    )
  }

  private func documents(_ server: ServerProcess) throws -> [[String: Any]] {
    try #require(
      try server.get("/api/documents").json()["documents"] as? [[String: Any]]
    )
  }

  private func picture(_ server: ServerProcess, _ name: String) throws -> Data {
    let answer = try server.get("/iiif/3/\(try server.id(name));1/full/max/0/default.png")
    #expect(answer.status == 200)
    return answer.body
  }

  @Test func `a prefix is served with its folders, and its pictures are those of the files`() throws
  {
    try put("2026/book.pdf")
    try put("2026/a é+b/links.pdf", "links")
    try put("2026/note.txt")
    try put("2027/crop.pdf", "crop")
    let server = try serve(["s3://library/2026/", "s3://library/2027/crop.pdf"])
    let found = try documents(server).map { entry in
      [entry["folder"] as? String ?? "", entry["name"] as? String ?? ""].joined(separator: "/")
    }
    #expect(found == ["a é+b/links.pdf", "/book.pdf", "/crop.pdf"])
    let local = try ServerProcess(["book", "links", "crop"])
    for name in ["book", "links", "crop"] {
      #expect(try picture(server, name) == picture(local, name), "\(name)")
    }
    #expect(store.requests.allSatisfy { !$0.contains("note") })
  }

  @Test func `a reader gets the version that the store has now`() throws {
    try put("book.pdf")
    let server = try serve(["s3://library/"])
    let id = try server.id("book")
    func pages(_ number: Int) throws -> Int? {
      let digits = String(number, radix: 16)
      let session = String(repeating: "0", count: 32 - digits.count) + digits
      let lines = try server.events(
        of: session,
        until: "\"event\":\"idle\"",
        after: [#"{"op":"open","id":1,"path":"\#(id)"}"#],
        // Nothing comes after an error, as when the document is replaced in this moment.
        seconds: 10
      )
      return lines.first { $0["reply"] as? String == "open" }?["pages"] as? Int
    }
    let before = try #require(try pages(1))
    try put("book.pdf", "links")
    let local = try ServerProcess(["links"])
    let links = try local.get("/api/documents/\(try local.id("links"))").json()["pages"] as? Int
    var number = 1
    #expect(
      poll {
        number += 1
        return (try? pages(number)) == links && before != links
      }
    )
  }

  @Test func `a document that was replaced is opened again once`() throws {
    try put("book.pdf")
    let server = try serve(["s3://library/"])
    let id = try server.id("book")
    try put("book.pdf", "links")
    let (info, page) = ("/iiif/3/\(id);1/info.json", "/iiif/3/\(id);1/full/100,/0/default.png")
    #expect(try server.get(info).status == 200)
    #expect(try server.get(page).status == 200)
    let before = store.requests.count
    for _ in 0..<10 { #expect(try server.get(info).status == 200) }
    #expect(store.requests.count == before)
  }

  @Test func `responses and events have no secrets of an address`() throws {
    try put("book.pdf")
    let place = store.root.dropFirst("http://".count)
    let secret = "http://reader:secret-word@\(place)/plain/library/book.pdf?secret-query"
    let server = try serve([secret])
    let id = try server.id("book")
    let texts = try ["/api/documents", "/api/documents/\(id)", "/metrics", "/"].map {
      try server.get($0).text
    }
    let lines = try server.events(
      of: String(repeating: "5", count: 32),
      until: "\"event\":\"idle\"",
      after: [#"{"op":"open","id":1,"path":"\#(id)"}"#]
    )
    #expect(!texts.joined().contains("secret") && !"\(lines)".contains("secret"))
    #expect(try server.get("/iiif/3/\(id);1/info.json").status == 200)
  }

  @Test(arguments: [("forbidden", 502), ("broken", 503)])
  func `a document whose server refuses, or is broken, is a problem`(
    _ kind: String,
    _ status: Int
  ) throws {
    let server = try serve(["\(store.root)/\(kind)/book.pdf"])
    #expect(try server.get("/iiif/3/\(try server.id("book"));1/info.json").status == status)
  }

  @Test func `more than a thousand objects are served`() throws {
    for number in 0..<2100 { try put("many/\(number).txt", "links") }
    try put("many/a.pdf")
    try put("many/9.pdf")
    let server = try serve(["s3://library/many/", "s3://library/many/a.pdf"])
    #expect(poll { (try? documents(server))?.count == 3 })
  }

  @Test(arguments: [("forbidden", 77), ("missing", 66), ("plain", 66)])
  func `a store with nothing to serve ends the server`(_ kind: String, _ code: Int32) throws {
    try put("note.txt")
    let server = try ChildProcess(
      TestPaths.server,
      ["serve", "s3://library/", "--http", "0"],
      environment: DocumentServer.environment.merging(
        ["AWS_ENDPOINT_URL": "\(store.root)/\(kind)", "HOME": folder.url.path]
      ) { $1 }
    )
    #expect(server.wait() == code)
  }
}
