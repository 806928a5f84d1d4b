import DocumentModel
import Foundation
import Glibc
import PDFStructure
import RectoGeometry
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import RenderWorkers

/// When workers start, are replaced and are given up.
@Suite(.timeLimit(.minutes(10))) struct SupervisionTests {
  @Test(arguments: [SIGTERM, SIGINT, SIGHUP])
  func `a worker that a signal from outside has ended did not crash`(signal: Int32) async throws {
    try await poolOfOwn("endless-forms") { pool, file in
      let raster = try raster(1, try await pool.measure(0..<2)[1].get())
      async let error = failure { try await pool.page(raster) }
      #expect(
        await eventually {
          ProcessTable.workers(of: file).contains {
            (ProcessTable.processorSeconds(of: $0) ?? 0) >= 0.3
          }
        }
      )
      for worker in ProcessTable.workers(of: file) { kill(worker, signal) }
      #expect(await error?.detail == "the worker was ended (signal \(signal))")
    }
  }

  @Test func `workers started ahead of need are the ones that draw`() async throws {
    try await poolOfOwn("book", workers: 2) { pool, file in
      let (subset, _) = try wholeBook()
      await pool.prepare(subset: subset)
      let prepared = ProcessTable.workers(of: file)
      #expect(prepared.count == 2)
      let info = try await pool.measure(0..<1)[0].get()
      let raster = try raster(0, info)
      for _ in 0..<3 {
        _ = try await pool.draw(PageDrawing(raster, .parts([whole(raster)])), subset: subset)
      }
      #expect(ProcessTable.workers(of: file) == prepared)
    }
  }

  @Test func `a request waits for the worker that is being started, and starts no other`()
    async throws
  {
    try await poolOfOwn("book", workers: 2) { pool, file in
      let (subset, info) = try wholeBook()
      let raster = try raster(0, info)
      async let prepared: Void = pool.prepare(subset: subset, workers: 1)
      while await pool.preparing == 0, ProcessTable.workers(of: file).isEmpty { await Task.yield() }
      _ = try await pool.draw(PageDrawing(raster, .parts([whole(raster)])), subset: subset)
      await prepared
      #expect(ProcessTable.workers(of: file).count == 1)
    }
  }

  @Test func `no more workers than asked for are started ahead`() async throws {
    try await poolOfOwn("book", workers: 3) { pool, file in
      await pool.prepare(workers: 1)
      #expect(ProcessTable.workers(of: file).count == 1)
      await pool.prepare(workers: 0)
      #expect(ProcessTable.workers(of: file).count == 1)
    }
  }

  @Test func `a worker is replaced after so many pages`() async throws {
    try await poolOfOwn("book", limits: WorkerLimits(pages: 2)) { pool, file in
      let raster = try raster(0, try await pool.measure(0..<1)[0].get())
      var workers: [Set<pid_t>] = []
      for _ in 0..<4 {
        workers.append(ProcessTable.workers(of: file))
        _ = try await pool.page(raster)
      }
      #expect(workers[0] == workers[1])
      #expect(workers[2].isEmpty)
      #expect(workers[3].count == 1 && workers[3] != workers[0])
    }
  }

  @Test func `a worker that has grown too large is replaced`() async throws {
    try await poolOfOwn("book", limits: WorkerLimits(growth: 100_000)) { pool, file in
      let raster = try raster(0, try await pool.measure(0..<1)[0].get())
      let before = ProcessTable.workers(of: file)
      #expect(before.count == 1)
      _ = try await pool.page(raster)
      #expect(ProcessTable.workers(of: file).isEmpty)
      _ = try await pool.page(raster)
    }
  }

  @Test func `a worker killed while idle costs no page`() async throws {
    try await poolOfOwn("book") { pool, file in
      let raster = try raster(0, try await pool.measure(0..<1)[0].get())
      for _ in 0..<3 {
        _ = try await pool.page(raster)
        let worker = try #require(ProcessTable.workers(of: file).first)
        kill(worker, SIGKILL)
        #expect(await eventually { ProcessTable.isGone(worker) })
      }
      _ = try await pool.page(raster)
    }
  }

  @Test(arguments: ["idle-is-busy", "idle-grows", "idle-grows-tables"])
  func `a worker that works while nothing is asked of it is ended`(_ behavior: String) async throws
  {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "book.pdf")
    try FileManager.default.copyItem(at: TestPaths.fixture("book"), to: file)
    let program = try falseWorker(behavior, in: folder)
    try await pool(file, limits: WorkerLimits(memory: 200_000_000), program: program) { pool in
      _ = try await pool.open()
      #expect(ProcessTable.workers(of: file).count == 1)
      #expect(await eventually { ProcessTable.workers(of: file).isEmpty })
      // It costs no request.
      _ = try await pool.open()
    }
  }

  @Test func `tables of pages count as memory of a page`() async throws {
    let folder = try TemporaryFolder()
    let program = try falseWorker("draw-grows-tables", in: folder)
    let limits = WorkerLimits(memory: 200_000_000)
    try await pool(TestPaths.fixture("book"), limits: limits, program: program) { pool in
      let raster = try raster(0, try await pool.measure(0..<1)[0].get())
      #expect(await failure { try await pool.page(raster) }?.code == .memoryLimit)
    }
  }

  @Test func `the libraries are those that a worker named before it had seen its document`()
    async throws
  {
    let folder = try TemporaryFolder()
    let program = try falseWorker("engine-changes", in: folder)
    try await pool(TestPaths.fixture("book"), program: program) { pool in
      for _ in 0..<3 {
        #expect(try await pool.open().engine == "poppler 0.0")
        // The next one opens the document once more.
        await pool.prepare(subset: try wholeBook().subset)
      }
    }
  }

  /// A worker that misbehaves.
  private func falseWorker(_ behavior: String, in folder: TemporaryFolder) throws -> FilePath {
    let script = TestPaths.root.appending(path: "Tests/FalseWorker/false-worker").path
    let file = folder.url.appending(path: "worker")
    try Executable.write(
      "RECTO_WORKER_BEHAVIOR=\(behavior) exec /usr/bin/python3 '\(script)'",
      to: file
    )
    return FilePath(file.path)
  }

  @Test func `a page that kills twice is set aside, at its scale and above`() async throws {
    try await poolOfOwn("endless-forms", limits: WorkerLimits(draw: 2)) { pool, file in
      let pages = try await pool.measure(0..<3)
      let endless = try pages[1].get()
      for _ in 0..<2 {
        #expect(await failure { try await pool.page(raster(1, endless)) }?.code == .timeLimit)
      }
      _ = try await pool.page(try raster(0, try pages[0].get()))
      let worker = ProcessTable.workers(of: file)
      #expect(worker.count == 1)
      // Had it been tried, the worker would have been killed.
      #expect(await failure { try await pool.page(raster(1, endless)) }?.code == .timeLimit)
      #expect(
        await failure { try await pool.page(raster(1, endless, scale: 2)) }?.code == .timeLimit
      )
      #expect(ProcessTable.workers(of: file) == worker)
      #expect(
        await failure { try await pool.page(raster(1, endless, scale: 0.5)) }?.code == .timeLimit
      )
      #expect(ProcessTable.workers(of: file) != worker)
    }
  }

  @Test func `a page whose recording does not fit is drawn without one`() async throws {
    // Forty images of 2000×2000 pixels make a recording of 640 MB; drawn one by one they come and
    // go in 16 MB.
    let sheet = try ImageSheet(count: 40, side: 2000)
    try await pool(sheet.file, limits: WorkerLimits(open: 120, draw: 120, memory: 400_000_000)) {
      pool in
      let raster = try raster(0, try await pool.measure(0..<1)[0].get())
      let tiles = [0, 1000].map { PixelRect(x: $0, y: 0, width: 1000, height: 1000) }
      var workers: Set<pid_t> = []
      for _ in 0..<2 {
        let drawn = try await pool.draw(
          PageDrawing(raster, .parts(tiles), purpose: .tiles),
          subset: nil
        )
        #expect(drawn.pictures.count == 2)
        workers.formUnion(ProcessTable.workers(of: sheet.file))
      }
      // The second request did not try in vain again.
      #expect(workers.count == 1)
    }
  }

  @Test func `pages set aside are told apart by page, scale and kind of death`() throws {
    let info = PageInfo(
      cropBox: Rect(x: 0, y: 0, width: 100, height: 100),
      rotation: nil,
      userUnit: 1,
      size: Size(width: 100, height: 100),
      label: nil
    )
    func at(_ scale: Double, page: PageIndex = 0) throws -> PageRaster {
      try raster(page, info, scale: scale)
    }
    let crash = DocumentError(.crash, during: "draw", "died")
    let slow = DocumentError(.timeLimit, during: "draw", "slow")
    var pages = PageQuarantine()
    pages.record(crash, drawing: try at(4))
    #expect(try pages.error(for: at(4)) == nil)
    pages.record(slow, drawing: try at(2))
    #expect(try pages.error(for: at(1)) == nil)
    #expect(try pages.error(for: at(2)) != nil)
    #expect(try pages.error(for: at(2, page: 1)) == nil)
    pages.record(crash, drawing: try at(1))
    #expect(try pages.error(for: at(0.1)) == crash)
    pages.forget(try at(0.5))
    #expect(try pages.error(for: at(0.5)) == nil)
    // Neither a cancelled request nor an error that the worker lived to tell is a death.
    for code in [DocumentError.Code.cancelled, .drawing, .pageMissing] {
      for _ in 0..<3 {
        pages.record(DocumentError(code, during: "", ""), drawing: try at(1, page: 7))
      }
    }
    #expect(try pages.error(for: at(1, page: 7)) == nil)
  }

  @Test func `a worker that does not come up is tried again, later each time`() async throws {
    let now = Mutex(0.0)
    let slept = Mutex<[Double]>([])
    let clock = PoolClock(
      now: { now.withLock { $0 } },
      sleep: { seconds in
        now.withLock { $0 += seconds }
        slept.withLock { $0.append(seconds) }
      }
    )
    let fixture = TestPaths.fixture("book")
    try await pool(fixture, program: "/bin/true", clock: clock) { pool in
      for _ in 0..<6 { #expect(await failure { try await pool.open() }?.code == .crash) }
      // Three waits, then errors at once until the delay is over.
      #expect(slept.withLock { $0 } == [0.0625, 0.125, 0.25])
      now.withLock { $0 += StartBackoff.longestDelay }
      #expect(await failure { try await pool.open() }?.code == .crash)
      #expect(slept.withLock { $0 }.count == 3)
    }
  }

  @Test func `the delay doubles up to a limit and ends with a success`() {
    let crash = DocumentError(.crash, during: "open", "died")
    var backoff = StartBackoff()
    #expect(backoff.advice(at: 0) == .start(after: 0))
    for _ in 0..<100 { backoff.failed(crash, at: 0) }
    #expect(backoff.advice(at: StartBackoff.longestDelay * 0.99) == .fail(crash))
    #expect(backoff.advice(at: StartBackoff.longestDelay) == .start(after: 0))
    backoff.succeeded()
    #expect(backoff.advice(at: 0) == .start(after: 0))
    backoff.failed(crash, at: 1)
    #expect(backoff.advice(at: 1) == .start(after: StartBackoff.firstDelay))
  }

  @Test func `crashes of a page do not hold up the next one`() async throws {
    let clock = PoolClock(
      now: { 0 },
      sleep: { _ in Issue.record("a start was delayed") }
    )
    let fixture = TestPaths.fixture("endless-forms")
    try await pool(fixture, limits: WorkerLimits(draw: 2), clock: clock) { pool in
      let pages = try await pool.measure(0..<3)
      for _ in 0..<2 {
        #expect(
          await failure { try await pool.page(raster(1, try pages[1].get())) }?.code == .timeLimit
        )
        _ = try await pool.page(raster(2, try pages[2].get()))
      }
    }
  }

  /// All pages of `book` as a part of it, and what its first page is like.
  private func wholeBook() throws -> (subset: DocumentSubset, first: PageInfo) {
    let bytes = Array(try Data(contentsOf: TestPaths.fixture("book")))
    let pages = try PageTreeReader(bytes: MemoryBytes(bytes)).pages(in: 0..<12).map { page in
      try #require(page)
    }
    let parts = pages.enumerated().map { index, page in
      DocumentSubset.Page(
        index: PageIndex(index),
        cropBox: page.info.cropBox,
        rotation: page.effectiveRotation
      )
    }
    return (DocumentSubset(pages: parts, pieces: [.file(0..<bytes.count)]), pages[0].info)
  }
}
