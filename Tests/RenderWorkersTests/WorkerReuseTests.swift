import DocumentModel
import Foundation
import Glibc
import RectoGeometry
import SystemPackage
import TestSupport
import Testing

@testable import RenderWorkers

/// Workers that pools pass on to each other.
@Suite(.serialized, .timeLimit(.minutes(10))) struct WorkerReuseTests {
  /// The processes that a pool over a copy of a fixture had when `body` was done.
  private func processes(
    _ fixture: String,
    _ reuse: WorkerReuse?,
    password: String? = nil,
    _ body: (WorkerPool) async throws -> Void
  ) async throws -> Set<pid_t> {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "\(fixture).pdf")
    try FileManager.default.copyItem(at: TestPaths.fixture(fixture), to: file)
    let descriptor = try FileDescriptor.open(file.path, .readOnly)
    defer { try? descriptor.close() }
    let settings = WorkerPool.Settings(
      executable: FilePath(TestPaths.worker.path),
      password: password,
      workers: 1,
      limits: WorkerLimits(draw: 2),
      budget: WorkerBudget(.init(processes: 1, endsIdle: false)),
      reuse: reuse
    )
    let pool = WorkerPool(settings, document: descriptor)
    try await body(pool)
    let processes = ProcessTable.workers(of: file)
    await pool.close()
    return processes
  }

  /// A picture of a page.
  private func draw(_ pool: WorkerPool, _ page: PageIndex = 0) async throws -> [[UInt8]] {
    let info = try await pool.measure(page..<page.advanced(by: 1))[0].get()
    return try await pool.page(try raster(page, info, scale: 0.3)).pictures
  }

  @Test func `documents share a worker, and their pictures are those of workers of their own`()
    async throws
  {
    let reuse = WorkerReuse()
    var shared: Set<pid_t> = []
    for name in ["book", "transparency", "rotate", "form", "text-scripts", "book"] {
      var pictures: [[[UInt8]]] = []
      shared.formUnion(
        try await processes(name, reuse) { pictures.append(try await draw($0)) }
      )
      _ = try await processes(name, nil) { pictures.append(try await draw($0)) }
      #expect(pictures.count == 2 && pictures[0] == pictures[1], "\(name)")
    }
    #expect(shared.count == 1)
  }

  @Test func `a worker ends after its documents, and all end with their owner`() async throws {
    var reuse: WorkerReuse? = WorkerReuse(documents: 2)
    var all: Set<pid_t> = []
    for _ in 0..<5 {
      all.formUnion(try await processes("book", reuse) { _ = try await $0.open() })
    }
    #expect(all.count == 3)
    reuse = nil
    #expect(await eventually { all.allSatisfy(ProcessTable.isGone) })
  }

  @Test
  func `what fails in a shared worker is done again in one of its own, which is not passed on`()
    async throws
  {
    let reuse = WorkerReuse()
    let first = try await processes("book", reuse) { _ = try await $0.open() }
    var error: DocumentError?
    let second = try await processes("endless-forms", reuse) { pool in
      let info = try await pool.measure(0..<2)[1].get()
      error = await failure { try await pool.page(try raster(1, info)) }
      _ = try await draw(pool)
    }
    #expect(error?.code == .timeLimit)
    #expect(second.isDisjoint(with: first))
    let third = try await processes("not-a-pdf", reuse) { pool in
      #expect(await failure { try await pool.open() }?.code == .notPDF)
    }
    let last = try await processes("crop", reuse) { _ = try await $0.open() }
    #expect(last.isDisjoint(with: third.union(first)))
  }

  @Test func `documents with a password have workers of their own`() async throws {
    let reuse = WorkerReuse()
    let first = try await processes("book", reuse) { _ = try await $0.open() }
    let second = try await processes("encrypted", reuse, password: "secret") {
      _ = try await $0.open()
    }
    #expect(!second.subtracting(first).isEmpty)
    let third = try await processes("book", reuse) { _ = try await $0.open() }
    #expect(third == first)
  }
}
