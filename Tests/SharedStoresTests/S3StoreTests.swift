import Foundation
import RectoTiles
import TestSupport
import Testing
import recto_shared_cache

/// A bucket of a server that checks whether requests are signed, and nothing else of S3.
@Suite(.timeLimit(.minutes(10))) struct S3StoreTests {
  @Test func `values come back, and what is too long or no value is missing`() async throws {
    let bucket = try Bucket()
    let store = S3Store(bucket.address())
    try await store.put("short", [1, 2, 3])
    try await store.put("long", Array(repeating: 7, count: 3_000_000))
    let names = ["long", "none", "short", "short", "long"]
    let values = try await store.get(names, limits: [3_000_000, 10, 3, 2, 99_999])
    #expect(values == [Array(repeating: 7, count: 3_000_000), nil, [1, 2, 3], nil, nil])
  }

  @Test func `a prefix may have any characters`() async throws {
    let bucket = try Bucket()
    for prefix in ["", "a/b", "é & %2F+?#"] {
      let store = S3Store(bucket.address { $0.prefix = prefix })
      try await store.put(prefix.isEmpty ? "none" : "some", Array(prefix.utf8))
      let name = prefix.isEmpty ? "none" : "some"
      #expect(try await store.get([name], limits: [100]) == [Array(prefix.utf8)])
    }
  }

  @Test func `lookups at the same time have each its own values`() async throws {
    let bucket = try Bucket()
    let store = S3Store(bucket.address())
    await withTaskGroup { group in
      for number in UInt8(0)..<100 {
        group.addTask {
          await #expect(throws: Never.self) {
            let value = [UInt8](repeating: number, count: 1 + Int(number) * 50)
            try await store.put("\(number)", value)
            let values = try await store.get(["\(number)", "none"], limits: [20_000, 1])
            #expect(values == [value, nil])
          }
        }
      }
    }
  }

  @Test func `who is refused, and a server that is not there, are errors without credentials`()
    async throws
  {
    let bucket = try Bucket()
    let gone = bucket.address { $0.endpoint = "http://127.0.0.1:9" }
    for (address, words) in [(bucket.address { $0.accessKey = "other" }, "403"), (gone, "connect")]
    {
      for isGet in [true, false] {
        let error = await #expect(throws: StoreError.self) {
          if isGet {
            _ = try await S3Store(address).get(["a"], limits: [1])
          } else {
            try await S3Store(address).put("a", [1])
          }
        }
        let text = try #require(error?.description)
        #expect(text.contains(words), "\(text)")
        #expect(!text.contains("hunter2"))
      }
    }
  }
}

/// A server on the loopback with one bucket in memory, for requests signed by `key`.
private final class Bucket {
  private let server: LoopbackServer

  private static let program = """
    import http.server, sys
    objects = {}
    class Handler(http.server.BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        def log_message(self, *words): pass
        def answer(self, status, body=b""):
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)
        def is_signed(self):
            words = self.headers["Authorization"] or ""
            signed = words.partition("SignedHeaders=")[2].partition(",")[0].split(";")
            return (words.startswith("AWS4-HMAC-SHA256 Credential=key/")
                    and "x-amz-content-sha256" in signed and all(name in self.headers for name in signed))
        def do_GET(self):
            if not self.is_signed(): return self.answer(403, b"no")
            body = objects.get(self.path)
            self.answer(404, b"none") if body is None else self.answer(200, body)
        def do_PUT(self):
            body = self.rfile.read(int(self.headers["Content-Length"]))
            if not self.is_signed(): return self.answer(403, b"no")
            objects[self.path] = body
            self.answer(200)
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    print(server.server_port, flush=True)
    server.serve_forever()
    """

  init() throws { server = try LoopbackServer(["python3", "-c", Self.program]) }

  /// Its address, changed.
  func address(_ change: (inout S3Address) -> Void = { _ in }) -> S3Address {
    var address = S3Address(
      bucket: "tiles",
      prefix: "p",
      endpoint: server.root,
      region: "us-east-1",
      accessKey: "key",
      secretKey: "hunter2"
    )
    change(&address)
    return address
  }
}
