import DocumentModel
import Foundation
import Testing

@testable import RectoServer

/// What the server tells those who operate it.
@Suite(.timeLimit(.minutes(10))) struct MonitoringTests {
  /// The objects of a log in JSON, without their time.
  private static func log(_ options: [String], _ use: (ServerProcess) throws -> Void) throws
    -> [[String: Any]]
  {
    let log = FileManager.default.temporaryDirectory.appending(path: "recto-log-\(UUID())")
    defer { try? FileManager.default.removeItem(at: log) }
    let server = try ServerProcess(
      ["book"],
      ["--access-log", log.path, "--access-log-format", "json"] + options
    )
    try use(server)
    #expect(server.end() == 128 + SIGTERM)
    return try String(contentsOf: log, encoding: .utf8).split(separator: "\n").map { line in
      let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
      var members = try #require(object)
      let time = try #require(members.removeValue(forKey: "time") as? String)
      #expect(time.contains(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/))
      #expect(members.removeValue(forKey: "milliseconds") is Double)
      return members
    }
  }

  @Test func `the access log in JSON has an object for each request, whatever the client sends`()
    throws
  {
    var name = ""
    let lines = try Self.log([]) { server in
      let answer = try server.get("/health")
      name = try #require(answer.headers["x-request-id"])
      _ = try server.get("/none\"%0A", ["-A", "agent \"a\"", "-H", "Referer: http://é/"])
    }
    #expect(lines.count == 2)
    let first = try #require(lines.first)
    #expect(first["request"] as? String == name)
    #expect(first["client"] as? String == "127.0.0.1")
    #expect(first["method"] as? String == "GET" && first["path"] as? String == "/health")
    #expect(first["status"] as? Int == 200 && first["bytes"] as? Int == 3)
    #expect(first["version"] as? String == "1.1" && first["referer"] == nil)
    #expect(lines[1]["agent"] as? String == "agent \"a\"")
    #expect(lines[1]["status"] as? Int == 404)
  }

  @Test func `a request has the name that a trusted proxy gives it, if it is one`() throws {
    let given = ["proxy-1.a_B", "with space", String(repeating: "a", count: 65), "\"", ""]
    func names(_ options: [String]) throws -> [String] {
      var answered: [String] = []
      let lines = try Self.log(options) { server in
        for name in given {
          let answer = try server.get("/health", ["-H", "X-Request-ID: \(name)"])
          answered.append(answer.headers["x-request-id"] ?? "")
        }
      }
      #expect(lines.compactMap { $0["request"] as? String } == answered)
      return answered
    }
    let trusted = try names(["--trusted-proxy", "127.0.0.0/8"])
    #expect(trusted.first == "proxy-1.a_B")
    let random = try trusted.dropFirst() + names([])
    #expect(random.allSatisfy { $0.contains(/^[0-9a-f]{32}$/) })
    #expect(Set(random).count == random.count)
  }

  @Test func `metrics are text that Prometheus reads`() throws {
    let server = try ServerProcess(["book", "truncated"])
    _ = try server.get("/health")
    _ = try server.get("/iiif/3/\(try server.id("truncated"));1/info.json")
    let metrics = try server.get("/metrics").text
    #expect(metrics.contains("recto_http_requests_total{route=\"health\",status=\"200\"} 1"))
    #expect(metrics.contains(/recto_errors_total\{code="[a-z-]+"\} 1\n/))
    #expect(metrics.contains(/recto_build_info\{version="[0-9.]+[^"]*"\} 1\n/))
    #expect(metrics.contains(/recto_connections [1-9]/))
    let lines = metrics.split(separator: "\n")
    for line in lines where !line.hasPrefix("#") {
      #expect(line.contains(/^[a-z_]+(\{[^}]*\})? [0-9.e+-]+$/), "\(line)")
    }
    // Every name has a help and a type, once, and a counter says so by its name.
    var types: [Substring: Substring] = [:]
    for line in lines where line.hasPrefix("# TYPE ") {
      let words = line.split(separator: " ")
      #expect(types.updateValue(words[3], forKey: words[2]) == nil, "\(line)")
      #expect(lines.count { $0.hasPrefix("# HELP \(words[2]) ") } == 1, "\(line)")
      #expect((words[3] == "counter") == words[2].hasSuffix("_total"), "\(line)")
    }
    for line in lines where !line.hasPrefix("#") {
      let name = line.prefix { $0 != "{" && $0 != " " }
      let base = name.replacing(/_(bucket|sum|count)$/, with: "")
      #expect(types[name] ?? types[base[...]] != nil, "\(line)")
    }
  }

  @Test func `the process says what Prometheus expects of every process`() throws {
    let metrics = ProcessMetrics.current()
    func value(_ name: String) throws -> Double {
      try #require(metrics.first { $0.name == name }?.value)
    }
    #expect(try value("process_cpu_seconds_total") > 0)
    #expect(try value("process_resident_memory_bytes") > 1_000_000)
    let resident = try value("process_resident_memory_bytes")
    #expect(try value("process_virtual_memory_bytes") > resident)
    let limit = try value("process_max_fds")
    #expect(try (3...limit).contains(value("process_open_fds")))
    let start = try value("process_start_time_seconds")
    #expect(start < Date.now.timeIntervalSince1970)
    #expect(start > Date.now.timeIntervalSince1970 - 86_400)
  }

  @Test func `the server is ready while a worker can draw, and not without one`() throws {
    let server = try ServerProcess(["book"], ["--allow-host", "a.example"])
    #expect(try server.get("/ready").text == "ready\n")
    #expect(try server.get("/ready", ["-H", "Sec-Fetch-Site: cross-site"]).status == 200)
    let lame = try ServerProcess(["book"], environment: ["RECTO_WORKER": "/bin/true"])
    let answer = try lame.get("/ready")
    #expect(answer.status == 503)
    #expect(try answer.json()["code"] as? String != nil)
    #expect(try lame.get("/health").status == 200)
  }

  @Test func `the server is not ready while it ends`() async throws {
    let readiness = Readiness(.auto)
    await readiness.end()
    await #expect(throws: Problem.self) { try await readiness.check() }
  }
}
