import Foundation
import Testing

@testable import RectoServer

/// Connections, documents and workers share the files that the process may have open.
@Suite(.timeLimit(.minutes(10))) struct OpenFilesTests {
  @Test(arguments: ["-S -n 200", "-n 300"])
  func `connections leave documents and workers the files that they need`(limit: String) throws {
    let names = ["book", "crop", "labels", "links", "rotate", "transparency"]
    let server = try ServerProcess(names, openFiles: limit)
    let ids = try names.map { try server.id($0) }
    let idle = try (0..<400).map { _ in try RawConnection(to: server.address) }
    for id in ids {
      #expect(try server.get("/iiif/3/\(id);1/full/100,/0/default.png").status == 200)
    }
    withExtendedLifetime(idle) {}
  }

  @Test func `there are as many connections as wanted, or as many as files are left for`() {
    func connections(_ limit: Int) -> Int {
      OpenFiles(limit: limit).connections(wanted: 1024, workers: 4, documents: 64)
    }
    #expect(connections(1 << 20) == 1024 && connections(.max) == 1024)
    #expect(connections(0) == 1)
    for limit in stride(from: 0, through: 4096, by: 7) {
      let count = connections(limit)
      #expect((1...1024).contains(count))
      #expect(count == 1 || count + count / 4 + 64 + 4 * 8 < limit)
      #expect(connections(limit + 7) >= count)
    }
  }
}
