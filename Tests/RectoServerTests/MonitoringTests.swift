import DocumentModel
import Foundation
import Testing

@testable import RectoServer

/// What the server tells those who operate it.
@Suite(.timeLimit(.minutes(10))) struct MonitoringTests {
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
