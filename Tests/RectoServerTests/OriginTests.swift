import Foundation
import Testing

@testable import RectoServer

/// What pages of other sites can have the server do.
@Suite(.timeLimit(.minutes(10))) struct OriginTests {
  /// A port of the loopback interface, as in the server's own origin.
  private static func port(of server: ServerProcess) throws -> Int {
    try #require(URL(string: server.address)?.port)
  }

  @Test func `an origin has the scheme, the host and the port of ours, or it is another one`()
    throws
  {
    let own = try #require(Origin(scheme: "http", authority: "127.0.0.1:8080"))
    for text in ["http://127.0.0.1:8080", "http://127.0.0.1:8080/view"] {
      #expect(Origin(text) == own, "\(text)")
    }
    for text in [
      "http://127.0.0.1", "http://127.0.0.1:1", "https://127.0.0.1:8080", "http://localhost:8080",
      "null", "", "http:", "http://", "http:/127.0.0.1:8080", "ftp://127.0.0.1:8080",
      "127.0.0.1:8080", "http://evil@127.0.0.1:8080", "http://127.0.0.1:8080:8080",
      "http://127.0.0.1:99999999999999999999", "http://127.0.0.1:8080.evil.example",
    ] {
      #expect(Origin(text) != own, "\(text)")
    }
    #expect(Origin("https://A.example") == Origin(scheme: "https", authority: "a.example:443"))
    #expect(Origin("http://a.example:80") == Origin(scheme: "http", authority: "a.example"))
    #expect(Origin("http://[::1]:80") == Origin(scheme: "http", authority: "[::1]"))
    #expect(Origin("http://a.example") != Origin("https://a.example"))
  }

  @Test func `pages of other origins neither begin conversations nor have anything drawn`() throws {
    let server = try ServerProcess()
    let (id, port) = (try server.id("book"), try Self.port(of: server))
    let session = "/api/sessions/\(String(repeating: "a", count: 32))"
    let paths = [
      "\(session)/events", "/%61pi/sessions/\(String(repeating: "a", count: 32))/events",
      "/iiif/3/\(id);1/full/100,/0/default.png", "/iiif/search/2/\(id)?q=a",
      "/deepzoom/\(id);1.dzi",
    ]
    for origin in [
      "null", "http://evil.example", "http://127.0.0.1:1", "https://127.0.0.1",
      "https://127.0.0.1:\(port)", "http://localhost:\(port)",
    ] {
      for path in paths {
        let answer = try server.get(path, ["-H", "Origin: \(origin)", "--max-time", "5"])
        #expect(answer.status == 403, "\(origin) \(path)")
      }
      let post = ["-X", "POST", "--data", "{}", "-H", "Origin: \(origin)"]
      #expect(try server.get("\(session)/requests", post).status == 403, "\(origin)")
    }
    for site in ["cross-site", "same-site"] {
      for fields in [
        ["Sec-Fetch-Mode: no-cors", "Sec-Fetch-Dest: image"],
        ["Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe"],
      ] {
        let options = (fields + ["Sec-Fetch-Site: \(site)"]).flatMap { ["-H", $0] }
        for path in paths {
          #expect(try server.get(path, options + ["--max-time", "5"]).status == 403, "\(path)")
        }
      }
    }
  }

  @Test func `our own pages, links from other sites and clients without pages are answered`() throws
  {
    let server = try ServerProcess()
    let (id, port) = (try server.id("book"), try Self.port(of: server))
    let picture = "/iiif/3/\(id);1/full/100,/0/default.png"
    for fields in [
      [], ["Origin: http://127.0.0.1:\(port)"], ["Sec-Fetch-Site: none"],
      ["Origin: http://127.0.0.1:\(port)", "Sec-Fetch-Site: same-origin"],
      // A proxy ends TLS: the browser knows what the server cannot.
      ["Origin: https://127.0.0.1", "Sec-Fetch-Site: same-origin"],
      ["Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: document"],
    ] {
      let options = fields.flatMap { ["-H", $0] }
      #expect(try server.get(picture, options).status == 200, "\(fields)")
      #expect(try server.get("/view/\(id)", options).status == 200, "\(fields)")
    }
    let own = ["-X", "POST", "--data", "{}", "-H", "Origin: http://127.0.0.1:\(port)"]
    let session = "/api/sessions/\(String(repeating: "a", count: 32))/requests"
    #expect(try server.get(session, own).status == 404)
    #expect(try server.get("/health", ["-H", "Origin: http://evil.example"]).status == 200)
  }

  @Test func `allowed origins and that of the base URI are answered`() throws {
    let server = try ServerProcess(
      ["book"],
      ["--allow-origin", "https://viewer.example", "--base-uri", "https://room.example/recto"]
    )
    let picture = "/iiif/3/\(try server.id("book"));1/full/100,/0/default.png"
    let session = "/api/sessions/\(String(repeating: "a", count: 32))/requests"
    for (origin, isAllowed) in [
      ("https://viewer.example", true), ("https://room.example", true),
      ("https://other.example", false), ("http://room.example", false),
    ] {
      let field = ["-H", "Origin: \(origin)"]
      #expect(try server.get(picture, field).status == (isAllowed ? 200 : 403), "\(origin)")
      let post = field + ["-X", "POST", "--data", "{}"]
      #expect(try server.get(session, post).status == (isAllowed ? 404 : 403), "\(origin)")
    }
    let image = ["-H", "Sec-Fetch-Site: cross-site", "-H", "Sec-Fetch-Mode: no-cors"]
    #expect(try server.get(picture, image).status == 200)
  }

  @Test func `with * all pages may read pictures, and none may begin conversations`() throws {
    let server = try ServerProcess(["book"], ["--allow-origin", "*"])
    let field = ["-H", "Origin: https://other.example"]
    let picture = "/iiif/3/\(try server.id("book"));1/full/100,/0/default.png"
    #expect(try server.get(picture, field).status == 200)
    let session = "/api/sessions/\(String(repeating: "a", count: 32))"
    #expect(try server.get("\(session)/events", field + ["--max-time", "5"]).status == 403)
    let encoded = "/%61pi/%73essions/\(String(repeating: "a", count: 32))/events"
    #expect(try server.get(encoded, field + ["--max-time", "5"]).status == 403)
  }

  @Test func `pages of origins that are named may have the viewer in a frame, and no others`()
    throws
  {
    let own = "frame-ancestors 'none'"
    for (options, expected) in [
      ([], own), (["--allow-origin", "*"], own),
      (
        ["--allow-origin", "https://b.example", "--allow-origin", "https://a.example:8443"],
        "frame-ancestors https://a.example:8443 https://b.example"
      ),
      (["--allow-origin", "https://a.example;script-src"], own),
    ] {
      let server = try ServerProcess(["book"], options)
      for path in ["/view/\(try server.id("book"))", "/viewer/library.html", "/service.js"] {
        let policy = try server.get(path).headers["content-security-policy"]
        #expect(policy?.hasSuffix("; \(expected)") == true, "\(options) \(policy ?? "")")
      }
    }
    let server = try ServerProcess(["book"], ["--allow-origin", "https://a.example"])
    let frame = [
      "Sec-Fetch-Site: cross-site", "Sec-Fetch-Mode: navigate", "Sec-Fetch-Dest: iframe",
    ]
    let address = "/view/\(try server.id("book"))"
    #expect(try server.get(address, frame.flatMap { ["-H", $0] }).status == 200)
  }
}
