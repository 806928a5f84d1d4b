import Foundation
import TestSupport
import Testing

/// The conversation of the viewer over HTTP.
@Suite(.timeLimit(.minutes(10))) struct ConversationTests {
  private let server: ServerProcess
  private let session = String(repeating: "0123456789abcdef", count: 2)

  init() throws { server = try ServerProcess() }

  private func events(until text: String, after requests: [String]) throws -> [[String: Any]] {
    try server.events(of: session, until: text, after: requests)
  }

  @Test func `a viewer opens a document by its name, and fetches the tiles that it is told`() throws
  {
    let id = try server.id("book")
    let lines = try events(
      until: #""event":"idle""#,
      after: [#"{"op":"open","id":1,"path":"\#(id)","viewport":{"width":400,"height":300}}"#]
    )
    let opened = try #require(lines.first { $0["reply"] as? String == "open" })
    #expect(opened["error"] == nil)
    #expect(opened["path"] as? String == "book.pdf")
    let tiles = lines.filter { $0["event"] as? String == "tile" }
    #expect(!tiles.isEmpty)
    for tile in tiles {
      let address = try #require(tile["url"] as? String)
      let answer = try server.get(address)
      #expect(answer.status == 200)
      #expect(answer.body.count == tile["bytes"] as? Int)
      #expect(answer.headers["cache-control"]?.contains("immutable") == true)
    }
    let thumbnail = try #require(opened["thumbnails"] as? String)
      .replacing("{size}", with: "128").replacing("{page}", with: "12")
    #expect(try server.get(thumbnail).status == 200)
    let page = try #require(opened["pictures"] as? String)
      .replacing("{dpi}", with: "72").replacing("{page}", with: "1")
    #expect(try server.get(page).status == 200)
    #expect(try server.get(page.replacing("/72/", with: "/9999/")).status == 404)
  }

  @Test func `paths are no names of documents, and files of the machine are not sent`() throws {
    let path = TestPaths.fixture("book").path
    let lines = try events(
      until: "\"id\":3",
      after: [
        #"{"op":"open","id":1,"path":"\#(path)"}"#, #"{"op":"open","id":2,"path":"/etc/passwd"}"#,
        #"{"op":"settings","id":3,"pictures":"file"}"#, #"{"op":"stats","id":4}"#,
      ]
    )
    for id in [1, 2] {
      let reply = try #require(lines.first { $0["id"] as? Int == id })
      let error = try #require(reply["error"] as? [String: Any])
      #expect(error["message"] as? String == "open.path: there is no such document")
    }
  }

  @Test func `a session that does not exist, or has a name of another form, is a problem`() throws {
    #expect(try server.get("/api/sessions/\(session)/requests", ["--data", "{}"]).status == 404)
    for name in ["x", "..", String(repeating: "g", count: 32), String(repeating: "A", count: 32)] {
      #expect((400..<500).contains(try server.get("/api/sessions/\(name)/events").status))
    }
  }
}
