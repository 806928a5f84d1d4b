import Foundation
import TestSupport
import Testing

/// The server as clients of HTTP see it.
@Suite(.timeLimit(.minutes(10))) struct HTTPTests {
  @Test func `thumbnails are immutable, have a validator, and answer HEAD, 304 and ranges`() throws
  {
    let server = try ServerProcess()
    let id = try server.id("book")
    let manifest = try server.get("/iiif/3/\(id);1/info.json")
    #expect(manifest.status == 200)
    let version = try #require(manifest.headers["etag"]?.split(separator: "\"").first)
    let path = "/thumbnails/\(id)/\(version)/256/3.png"
    let whole = try server.get(path)
    #expect(whole.status == 200)
    #expect(whole.headers["content-type"] == "image/png")
    #expect(whole.headers["cache-control"]?.contains("immutable") == true)
    #expect(whole.body.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    let tag = try #require(whole.headers["etag"])
    let head = try server.get(path, ["--head"])
    #expect(head.status == 200 && head.body.isEmpty)
    #expect(head.headers["content-length"] == String(whole.body.count))
    let same = try server.get(path, ["-H", "If-None-Match: W/\"x\", \(tag)"])
    #expect(same.status == 304 && same.body.isEmpty)
    let part = try server.get(path, ["-H", "Range: bytes=10-19"])
    #expect(part.status == 206 && part.body == whole.body.dropFirst(10).prefix(10))
    #expect(part.headers["content-range"] == "bytes 10-19/\(whole.body.count)")
    let last = try server.get(path, ["-H", "Range: bytes=-5"])
    #expect(last.status == 206 && last.body == whole.body.suffix(5))
    #expect(try server.get(path, ["-H", "Range: bytes=9999999-"]).status == 416)
    #expect(try server.get(path, ["-H", "Range: lines=1-2"]).status == 200)
  }

  @Test func `an address of another build is answered with what this one draws, and not kept`()
    throws
  {
    let server = try ServerProcess()
    let id = try server.id("book")
    let info = try server.get("/iiif/3/\(id);1/info.json")
    let version = try #require(info.headers["etag"]?.split(separator: "\"").first)
    let zeros = String(repeating: "0", count: 12)
    for name in ["3.png", "3.webp", "1-3.png"] {
      let whole = try server.get("/thumbnails/\(id)/\(version)/128/\(name)")
      #expect(whole.headers["cache-control"]?.contains("immutable") == true)
      let other = try server.get("/thumbnails/\(id)/\(version.prefix(12))\(zeros)/128/\(name)")
      #expect(other.status == 200 && other.body == whole.body)
      #expect(other.headers["cache-control"] == "no-store")
      // The content is another one.
      for wrong in ["\(zeros)\(version.dropFirst(12))", "\(version.prefix(12))", ""] {
        #expect(try server.get("/thumbnails/\(id)/\(wrong)/128/\(name)").status == 404, "\(wrong)")
      }
    }
  }

  @Test func `a document of the list has its title, pages and thumbnails`() throws {
    let server = try ServerProcess()
    let id = try server.id("book")
    let answer = try server.get("/api/documents/\(id)")
    let found = try answer.json()
    #expect(found["id"] as? String == id)
    #expect(found["name"] as? String == "book.pdf")
    #expect(found["title"] as? String == "The Turning of the Page")
    #expect(found["pages"] as? Int ?? 0 > 1)
    let cover = try #require(found["thumbnails"] as? String)
      .replacing("{size}", with: "256").replacing("{page}", with: "1")
    #expect(try server.get(cover).status == 200)
    let tag = try #require(answer.headers["etag"])
    #expect(try server.get("/api/documents/\(id)", ["-H", "If-None-Match: \(tag)"]).status == 304)
    #expect(try server.get("/api/documents/0000000000000000").status == 404)
  }

  @Test func `an address without an extension has the format that a client likes best`() throws {
    let server = try ServerProcess()
    let id = try server.id("book")
    let info = try server.get("/iiif/3/\(id);1/info.json")
    let version = try #require(info.headers["etag"]?.split(separator: "\"").first)
    let path = "/thumbnails/\(id)/\(version)/128/1"
    for (accept, type) in [
      ("image/avif,image/webp,*/*;q=0.8", "image/webp"), ("image/jpeg", "image/jpeg"),
      ("image/jpeg;q=0.5, image/png", "image/png"), ("*/*", "image/png"),
    ] {
      let answer = try server.get(path, ["-H", "Accept: \(accept)"])
      #expect(answer.status == 200)
      #expect(answer.headers["content-type"] == type)
      #expect(answer.headers["vary"] == "Accept")
    }
  }

  @Test func `other hosts, and pages of other origins, get nothing`() throws {
    let server = try ServerProcess()
    #expect(try server.get("/health").text == "ok\n")
    for host in ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "[::2]"] {
      #expect(try server.get("/", ["-H", "Host: \(host)"]).status == 421)
    }
    for host in ["localhost:80@evil.example", "localhost:x", "[::1", "[::1]x", "localhost/", ":80"]
    {
      #expect(try server.get("/", ["-H", "Host: \(host)"]).status == 400, "\(host)")
    }
    // curl sends one of several Host options: this is a second field.
    let two = ["-H", "X-Other: 1\r\nHost: evil.example"]
    #expect(try server.get("/", two).status == 400)
    #expect(try server.get("/health", ["-H", "Host: [::1]:80"]).status == 200)
    #expect(try server.get("/health", ["-H", "Host: LOCALHOST:80"]).status == 200)
    let session = "/api/sessions/\(String(repeating: "a", count: 32))/requests"
    let post = ["-X", "POST", "--data", "{}"]
    #expect(try server.get(session, post + ["-H", "Origin: http://evil.example"]).status == 403)
    #expect(try server.get(session, post).status == 404)
    let answer = try server.get("/api/documents", ["-H", "Origin: http://evil.example"])
    #expect(answer.headers["access-control-allow-origin"] == nil)
    #expect(answer.headers["cross-origin-resource-policy"] == "same-origin")
  }

  @Test func `origins that are allowed may read, and no other one`() throws {
    let server = try ServerProcess(["book"], ["--allow-origin", "https://viewer.example"])
    let path = "/iiif/3/\(try server.id("book"));1/info.json"
    let allowed = try server.get(path, ["-H", "Origin: https://viewer.example"])
    #expect(allowed.headers["access-control-allow-origin"] == "https://viewer.example")
    let other = try server.get(path, ["-H", "Origin: https://other.example"])
    #expect(other.headers["access-control-allow-origin"] == nil)
    #expect(other.headers["vary"]?.contains("Origin") == true)
    let preflight = try server.get(
      path,
      [
        "-X", "OPTIONS", "-H", "Origin: https://viewer.example", "-H",
        "Access-Control-Request-Method: GET",
      ]
    )
    #expect(preflight.status == 204)
    #expect(preflight.headers["access-control-allow-methods"] == "GET, HEAD")
  }

  @Test func `with a token nothing but the health is answered without it`() throws {
    let folder = URL(filePath: NSTemporaryDirectory()).appending(path: "token-\(UUID().uuidString)")
    try Data("0123456789abcdef-token\n".utf8).write(to: folder)
    defer { try? FileManager.default.removeItem(at: folder) }
    let server = try ServerProcess(["book"], ["--token-file", folder.path])
    #expect(try server.get("/health").status == 200)
    let refused = try server.get("/api/documents")
    #expect(refused.status == 401 && refused.headers["www-authenticate"] == "Bearer")
    #expect(try server.get("/?token=wrong-wrong-wrong").status == 401)
    for scheme in ["Bearer", "bearer", "BEARER", "Bearer  "] {
      let bearer = ["-H", "Authorization: \(scheme) 0123456789abcdef-token"]
      #expect(try server.get("/api/documents", bearer).status == 200, "\(scheme)")
    }
    for wrong in ["Basic 0123456789abcdef-token", "Bearer", "Bearer0123456789abcdef-token"] {
      let header = ["-H", "Authorization: \(wrong)"]
      #expect(try server.get("/api/documents", header).status == 401, "\(wrong)")
    }
    let entered = try server.get("/?token=0123456789abcdef-token")
    #expect(entered.status == 303 && entered.headers["location"] == "./")
    let inner = try server.get("/view/a%2Fb?token=0123456789abcdef-token")
    #expect(inner.status == 303 && inner.headers["location"] == "./a%2Fb")
    let cookie = try #require(entered.headers["set-cookie"])
    #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
    let value = String(cookie.prefix { $0 != ";" })
    #expect(try server.get("/api/documents", ["-H", "Cookie: \(value)"]).status == 200)
  }

  @Test(arguments: [
    "/../../etc/passwd", "/viewer/../../../etc/passwd", "/viewer/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
    "/view/..%2f..%2fetc", "/tiles/../../etc/passwd", "/iiif/3/..%2f..%2fetc;1/info.json",
    "/thumbnails/x/y/256/1.png", "/view/0000000000000000", "/viewer/", "/api/sessions/../documents",
    "//etc/passwd", "/viewer/index.html%00.js",
  ]) func `no path reaches the file system`(path: String) throws {
    let server = try ServerProcess()
    let answer = try server.get(path)
    #expect(answer.status == 404)
    #expect(answer.headers["content-type"] == "application/problem+json")
    #expect(try answer.json()["status"] as? Int == 404)
    #expect(!answer.text.contains("root:"))
  }

  @Test func `parts of paths are decoded, once, and have to be encoded text`() throws {
    let server = try ServerProcess()
    let id = try server.id("book")
    for path in [
      "/iiif/3/\(id)%3B1/info.json", "/iiif/3/\(id);1/full/%5E!100,100/0/default.png",
      "/iiif/3/\(id);1/pct%3A10,10,10,10/max/0/default.png", "/%68ealth",
    ] {
      #expect(try server.get(path).status == 200, "\(path)")
    }
    for path in ["/iiif/3/\(id)%253B1/info.json", "/iiif%2F3/\(id);1/info.json"] {
      #expect(try server.get(path).status == 404, "\(path)")
    }
    for path in ["/iiif/3/\(id);1/full/%zz/0/default.png", "/%", "/%ff"] {
      #expect(try server.get(path).status == 400, "\(path)")
    }
  }

  @Test func `the viewer has no code inside of its pages, and none of other origins`() throws {
    let server = try ServerProcess()
    let page = try server.get("/view/\(try server.id("book"))")
    #expect(page.status == 200)
    let policy = try #require(page.headers["content-security-policy"])
    // Compiled code is allowed, from the server itself as all code: the layout engine.
    #expect(policy.contains("script-src 'self' 'wasm-unsafe-eval';"))
    let others = policy.replacing("'wasm-unsafe-eval'", with: "")
    #expect(others.contains("default-src 'none'") && !others.contains("unsafe"))
    #expect(
      !page.text.contains("<style") && !page.text.contains(" style=") && !page.text.contains(" on")
    )
    for match in page.text.matches(of: /(?:src|href)="([^"#]+)"/) {
      // Relative to `/view/`, so that the server can be below a path of another one.
      let path = String(match.1)
      #expect(path.hasPrefix("../"))
      #expect([200, 303].contains(try server.get("/\(path.dropFirst(3))").status))
    }
  }

  @Test func `every file of the viewer is in the executable as it is in the sources`() throws {
    let server = try ServerProcess()
    let folder = TestPaths.root.appending(path: "Sources/RectoServer/Viewer/Files")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
    #expect(names.count > 10)
    for name in names {
      let answer = try server.get("/viewer/\(name)")
      #expect(answer.status == 200)
      #expect(answer.body == (try Data(contentsOf: folder.appending(path: name))))
    }
  }

  @Test func `a signal ends the server and its workers, and conversations with it`() throws {
    let server = try ServerProcess()
    _ = try server.get("/iiif/3/\(try server.id("book"));1/full/200,/0/default.png")
    let children = try Self.children(of: server.processIdentifier)
    #expect(!children.isEmpty)
    #expect(server.end() == 128 + SIGTERM)
    for child in children { #expect(kill(child, 0) != 0 || Self.isZombie(child)) }
  }

  @Test func `the access log has a line for each request, also for those right before a signal`()
    throws
  {
    let log = FileManager.default.temporaryDirectory.appending(path: "recto-log-\(UUID())")
    defer { try? FileManager.default.removeItem(at: log) }
    let server = try ServerProcess(["book"], ["--access-log", log.path])
    #expect(try server.get("/health").status == 200)
    #expect(try server.get("/none\"%0A", ["-A", "agent \"a\""]).status == 404)
    let spoofed = ["-H", "Recto-HTTP-Version: 7"]
    #expect(try server.get("/health", ["--http1.0"] + spoofed).status == 200)
    #expect(try server.get("/health", spoofed).status == 200)
    #expect(server.end() == 128 + SIGTERM)
    let lines = try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
    #expect(lines.count == 4)
    let first = try #require(lines.first)
    #expect(first.contains(#""GET /health HTTP/1.1" 200 3 "-" "curl/"#))
    #expect(lines[2].contains(#""GET /health HTTP/1.0" 200 3 "#))
    #expect(lines[3].contains(#""GET /health HTTP/1.1" 200 3 "#))
    #expect(lines[1].contains(" 404 "))
    // Milliseconds and the name of the request, behind the fields of the Combined Log Format.
    let form = /^[0-9.]+ - - \[[^\]]+\] "[^"]*" \d{3} [\d-]+ "[^"]*" "[^"]*" [\d.]+ [0-9a-f]{32}$/
    #expect(lines.allSatisfy { $0.firstMatch(of: form) != nil })
    #expect(Set(lines.map { $0.suffix(32) }).count == lines.count)
  }

  @Test func `after SIGHUP the access log continues in a new file`() throws {
    let log = FileManager.default.temporaryDirectory.appending(path: "recto-log-\(UUID())")
    let renamed = log.appendingPathExtension("1")
    defer { for file in [log, renamed] { try? FileManager.default.removeItem(at: file) } }
    let server = try ServerProcess(["book"], ["--access-log", log.path])
    #expect(try server.get("/health").status == 200)
    try FileManager.default.moveItem(at: log, to: renamed)
    kill(server.processIdentifier, SIGHUP)
    #expect(poll { FileManager.default.fileExists(atPath: log.path) })
    #expect(try server.get("/viewer/icon.svg").status == 200)
    #expect(server.end() == 128 + SIGTERM)
    let texts = try [renamed, log].map { try String(contentsOf: $0, encoding: .utf8) }
    #expect(texts[0].contains("GET /health ") && texts[0].last == "\n")
    #expect(texts[1].contains("GET /viewer/icon.svg ") && !texts[1].contains("GET /health "))
  }

  @Test func `without an access log SIGHUP ends the server`() throws {
    let server = try ServerProcess()
    kill(server.processIdentifier, SIGHUP)
    #expect(server.waitForEnd() == 128 + SIGHUP)
  }

  private static func children(of process: Int32) throws -> [Int32] {
    let tasks = "/proc/\(process)/task"
    let text = try FileManager.default.contentsOfDirectory(atPath: tasks).map { task in
      (try? String(contentsOfFile: "\(tasks)/\(task)/children", encoding: .utf8)) ?? ""
    }.joined(separator: " ")
    return text.split(separator: " ").compactMap {
      Int32($0.trimmingCharacters(in: .whitespacesAndNewlines))
    }
  }

  private static func isZombie(_ process: Int32) -> Bool {
    let text = (try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)) ?? ""
    return text.contains(") Z ")
  }
}
