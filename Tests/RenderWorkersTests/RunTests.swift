import DocumentModel
import Foundation
import RectoGeometry
import RenderWorkers
import Synchronization
import TestSupport
import Testing

/// Pages that a worker draws one after the other, each of which it has before it is done with the one in front.
@Suite(.timeLimit(.minutes(10))) struct RunTests {
  @Test func `pages of a run are drawn in order, each once, and look as if asked for alone`()
    async throws
  {
    try await poolOfOwn("book") { pool, _ in
      let rasters = try await rasters(pool, 0..<12)
      let run = Run(rasters)
      await pool.draw(run, subset: nil)
      #expect(run.finished.map(\.number) == Array(0..<12))
      for (raster, finished) in zip(rasters, run.finished) {
        let alone = try await pool.page(raster, isOneOff: true)
        #expect(try finished.result.get() == alone)
      }
    }
  }

  @Test func `several workers draw each page of a run once`() async throws {
    try await poolOfOwn("book", workers: 3) { pool, file in
      let run = Run(try await rasters(pool, 0..<12))
      await withTaskGroup { group in
        for _ in 0..<3 { group.addTask { await pool.draw(run, subset: nil) } }
      }
      #expect(run.finished.map(\.number).sorted() == Array(0..<12))
      #expect(run.failures.isEmpty)
    }
  }

  @Test func `a page that kills its worker while the next has been asked for costs itself only`()
    async throws
  {
    try await poolOfOwn("endless-forms", limits: WorkerLimits(draw: 2)) { pool, file in
      let rasters = try await rasters(pool, 0..<3)
      for _ in 0..<2 {
        let run = Run(rasters)
        await pool.draw(run, subset: nil)
        #expect(run.finished.map(\.number) == [0, 1, 2])
        #expect(run.failures == [1: .timeLimit])
      }
      // Now it is set aside, and no other is: it costs no worker.
      let workers = ProcessTable.workers(of: file)
      let run = Run(rasters)
      await pool.draw(run, subset: nil)
      #expect(run.failures == [1: .timeLimit])
      #expect(!workers.isEmpty && ProcessTable.workers(of: file) == workers)
    }
  }

  @Test func `a page that needs too much memory costs itself only`() async throws {
    try await poolOfOwn("book", limits: WorkerLimits(memory: 200_000_000)) { pool, _ in
      let pages = try await pool.measure(0..<5).map { try $0.get() }
      let rasters = try pages.enumerated().map { index, info in
        let isLarge = index % 2 == 1
        let scale = isLarge ? 9000 / max(info.size.width, info.size.height) : 1
        return try raster(PageIndex(index), info, scale: scale)
      }
      let run = Run(rasters)
      await pool.draw(run, subset: nil)
      #expect(run.finished.map(\.number) == [0, 1, 2, 3, 4])
      #expect(run.failures == [1: .memoryLimit, 3: .memoryLimit])
    }
  }

  @Test func `a page at which cairo fails in a run is drawn with Splash`() async throws {
    let limits = WorkerLimits(draw: 20, memory: 300_000_000)
    try await poolOfOwn("endless-shading", limits: limits) { pool, _ in
      let rasters = try await rasters(pool, 0..<3)
      let run = Run(rasters)
      await pool.draw(run, subset: nil)
      #expect(run.finished.map(\.number) == [0, 1, 2])
      #expect(run.failures.isEmpty)
    }
  }

  @Test(arguments: [false, true])
  func `a worker that stands still for most of its time draws with cairo all the same`(
    isRun: Bool
  ) async throws {
    try await poolOfOwn("book", limits: WorkerLimits(draw: 4)) { pool, file in
      let rasters = try await rasters(pool, 0..<1)
      let expected = try await pool.page(rasters[0], isOneOff: true)
      let worker = try #require(ProcessTable.workers(of: file).first)
      kill(worker, SIGSTOP)
      let drawing = Task {
        guard isRun else { return try await pool.page(rasters[0], isOneOff: true) }
        let run = Run(rasters)
        await pool.draw(run, subset: nil)
        return try run.finished[0].result.get()
      }
      // A second is left for Splash, in another worker.
      _ = await eventually(seconds: 3.3) { ProcessTable.isGone(worker) }
      kill(worker, SIGCONT)
      #expect(try await drawing.value.pictures == expected.pictures)
      #expect(ProcessTable.workers(of: file) == [worker])
    }
  }

  @Test func `a worker that is killed in a run costs the page it has begun`() async throws {
    try await poolOfOwn("book") { pool, file in
      let run = Run(try await rasters(pool, 0..<12)) { number in
        guard number == 3 else { return }
        for worker in ProcessTable.workers(of: file) { kill(worker, SIGKILL) }
      }
      await pool.draw(run, subset: nil)
      #expect(run.finished.map(\.number) == Array(0..<12))
      // It may have gone on to the page that was sent ahead, before it was killed.
      #expect(run.failures.count <= 1, "\(run.failures)")
      #expect(run.failures.allSatisfy { (4...5).contains($0.key) && $0.value == .crash })
    }
  }

  @Test func `a worker is replaced in a run after so many pages`() async throws {
    try await poolOfOwn("book", limits: WorkerLimits(pages: 3)) { pool, file in
      let workers = Mutex<[Set<pid_t>]>([])
      let run = Run(try await rasters(pool, 0..<12)) { _ in
        workers.withLock { $0.append(ProcessTable.workers(of: file)) }
      }
      await pool.draw(run, subset: nil)
      #expect(run.failures.isEmpty)
      // It is gone when its third page is handed back.
      let seen = workers.withLock(\.self)
      #expect(seen.map(\.count) == [1, 1, 0, 1, 1, 0, 1, 1, 0, 1, 1, 0])
      #expect(Set(seen.filter { !$0.isEmpty }).count == 4)
    }
  }

  @Test func `a worker that has grown too large is replaced in a run`() async throws {
    try await poolOfOwn("book", limits: WorkerLimits(growth: 100_000)) { pool, file in
      let workers = Mutex<Set<pid_t>>([])
      let run = Run(try await rasters(pool, 0..<12)) { _ in
        workers.withLock { $0.formUnion(ProcessTable.workers(of: file)) }
      }
      await pool.draw(run, subset: nil)
      #expect(run.finished.count == 12 && run.failures.isEmpty)
      #expect(ProcessTable.workers(of: file).isEmpty)
    }
  }

  @Test func `a run that is taken back ends with its worker, and takes no other page`() async throws
  {
    try await poolOfOwn("endless-forms", limits: WorkerLimits(draw: 600)) { pool, file in
      let rasters = try await rasters(pool, 0..<3)
      let run = Run([rasters[1], rasters[0], rasters[2], rasters[0]])
      let task = Task { await pool.draw(run, subset: nil) }
      let worker = try #require(await busyWorker(of: file))
      task.cancel()
      await task.value
      #expect(!ProcessTable.exists(worker))
      #expect(ProcessTable.workers(of: file).isEmpty)
      // The second had been asked for.
      #expect(run.failures == [0: .cancelled, 1: .cancelled])
      _ = try await pool.page(rasters[0])
    }
  }

  @Test func `a request does not wait for the end of a run`() async throws {
    try await poolOfOwn("book") { pool, _ in
      let rasters = try await rasters(pool, 0..<12)
      let run = Run((0..<200).flatMap { _ in rasters })
      let task = Task { await pool.draw(run, subset: nil) }
      while run.finished.isEmpty { await Task.yield() }
      _ = try await pool.page(rasters[0])
      #expect(!run.isOver)
      task.cancel()
      await task.value
    }
  }

  /// Pages of a document at 72 dpi.
  private func rasters(
    _ pool: WorkerPool,
    _ pages: Range<PageIndex>
  ) async throws -> [PageRaster] {
    try zip(pages, await pool.measure(pages)).map { try raster($0, try $1.get()) }
  }

  /// Pages with room for all of them.
  private final class Run: DrawingQueue {
    private let rasters: [PageRaster]
    private let taken = Mutex(0)
    private let results = Mutex<[(number: Int, result: Result<DrawnPage, DocumentError>)]>([])
    private let didFinish: @Sendable (Int) -> Void

    init(_ rasters: [PageRaster], didFinish: @escaping @Sendable (Int) -> Void = { _ in }) {
      self.rasters = rasters
      self.didFinish = didFinish
    }

    var isOver: Bool { taken.withLock { $0 == rasters.count } }
    var finished: [(number: Int, result: Result<DrawnPage, DocumentError>)] {
      results.withLock(\.self)
    }
    var failures: [Int: DocumentError.Code] {
      var failures: [Int: DocumentError.Code] = [:]
      for (number, result) in finished {
        if case .failure(let error) = result { failures[number] = error.code }
      }
      return failures
    }

    func next(isAhead: Bool) -> (number: Int, drawing: PageDrawing)? {
      taken.withLock { taken in
        guard taken < rasters.count else { return nil }
        let raster = rasters[taken]
        defer { taken += 1 }
        return (taken, PageDrawing(raster, .parts([whole(raster)]), style: .tile))
      }
    }

    func wait() async -> Bool { !isOver }

    func finish(_ number: Int, _ result: Result<DrawnPage, DocumentError>) {
      results.withLock { $0.append((number, result)) }
      didFinish(number)
    }
  }
}
