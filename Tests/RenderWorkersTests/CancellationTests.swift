import DocumentModel
import Foundation
import RectoGeometry
import RenderWorkers
import TestSupport
import Testing

/// Taking requests back: page 2 of the fixture never ends, so only cancelling ends it in time.
@Suite(.timeLimit(.minutes(10))) struct CancellationTests {
  /// Other tests may hold all threads for longer than the ordinary limit.
  private static let patient = WorkerLimits(draw: 600)

  @Test func `a request taken back while a worker draws kills that worker and no more`()
    async throws
  {
    try await poolOfOwn("endless-forms", limits: Self.patient) { pool, file in
      let pages = try await pool.measure(0..<3)
      let endless = try raster(1, try pages[1].get())
      let first = try raster(0, try pages[0].get())
      let request = Task { await failure { try await pool.page(endless) } }
      let worker = try #require(await busyWorker(of: file))
      request.cancel()
      #expect(await request.value?.code == .cancelled)
      // Waited for as well: not even a zombie is left.
      #expect(!ProcessTable.exists(worker))
      // The lane is free, and what was taken back says nothing about the page or the document.
      _ = try await pool.page(first)
      let workers = ProcessTable.workers(of: file)
      #expect(workers.count == 1 && !workers.contains(worker))
    }
  }

  @Test func `a request taken back while it waits leaves at once`() async throws {
    try await poolOfOwn("endless-forms", limits: Self.patient) { pool, file in
      let pages = try await pool.measure(0..<3)
      let endless = try raster(1, try pages[1].get())
      let first = try raster(0, try pages[0].get())
      let running = Task { await failure { try await pool.page(endless) } }
      let worker = try #require(await busyWorker(of: file))
      let waiting = Task { await failure { try await pool.page(first) } }
      while await pool.waitingCount == 0 { await Task.yield() }
      waiting.cancel()
      #expect(await waiting.value?.code == .cancelled)
      #expect(await pool.waitingCount == 0)
      // The worker was not disturbed.
      #expect(ProcessTable.workers(of: file) == [worker])
      running.cancel()
      #expect(await running.value?.code == .cancelled)
    }
  }

  @Test func `a request of a task that is cancelled already starts nothing`() async throws {
    try await poolOfOwn("book") { pool, file in
      let request = Task { () -> DocumentError? in
        withUnsafeCurrentTask { $0?.cancel() }
        return await failure { try await pool.open() }
      }
      #expect(await request.value?.code == .cancelled)
      #expect(ProcessTable.workers(of: file).isEmpty)
    }
  }

  @Test func `taking back a measurement says nothing about the pages`() async throws {
    try await poolOfOwn("book") { pool, _ in
      let request = Task { () -> DocumentError? in
        withUnsafeCurrentTask { $0?.cancel() }
        return await failure { try await pool.measure(0..<12) }
      }
      #expect(await request.value?.code == .cancelled)
      for page in try await pool.measure(0..<12) { _ = try page.get() }
    }
  }

  @Test func `those who wait are served in the order of asking, over one who left`() async throws {
    try await poolOfOwn("endless-forms", limits: Self.patient) { pool, file in
      let pages = try await pool.measure(0..<3)
      let endless = try raster(1, try pages[1].get())
      let first = try raster(0, try pages[0].get())
      let running = Task { await failure { try await pool.page(endless) } }
      _ = try #require(await busyWorker(of: file))
      let served = Served()
      var requests: [Task<Void, Never>] = []
      for number in 0..<4 {
        requests.append(
          Task {
            let error = await failure { try await pool.page(first) }
            await served.add(number, error?.code)
          }
        )
        while await pool.waitingCount <= number { await Task.yield() }
      }
      requests[1].cancel()
      await requests[1].value
      running.cancel()
      for request in requests { await request.value }
      #expect(await served.numbers == [1, 0, 2, 3])
      #expect(await served.codes == [.cancelled, nil, nil, nil])
      #expect(await running.value?.code == .cancelled)
    }
  }

  @Test func `closing ends what runs, what waits and all processes`() async throws {
    try await poolOfOwn("endless-forms", limits: Self.patient) { pool, file in
      let pages = try await pool.measure(0..<3)
      let endless = try raster(1, try pages[1].get())
      let running = Task { await failure { try await pool.page(endless) } }
      _ = try #require(await busyWorker(of: file))
      let waiting = Task { await failure { try await pool.page(endless) } }
      while await pool.waitingCount == 0 { await Task.yield() }
      await pool.close()
      #expect(ProcessTable.workers(of: file).isEmpty)
      #expect(await running.value?.code == .cancelled)
      #expect(await waiting.value?.code == .cancelled)
      #expect(await failure { try await pool.page(endless) }?.code == .cancelled)
    }
  }

  /// Who was served, in order.
  private actor Served {
    var numbers: [Int] = []
    var codes: [DocumentError.Code?] = []

    func add(_ number: Int, _ code: DocumentError.Code?) {
      numbers.append(number)
      codes.append(code)
    }
  }
}

/// The one worker of a file, once it has computed for a tenth of a second; nil if it does not.
func busyWorker(of file: URL) async -> pid_t? {
  var worker: pid_t?
  let isBusy = await eventually {
    let workers = ProcessTable.workers(of: file)
    worker = workers.first { (ProcessTable.processorSeconds(of: $0) ?? 0) >= 0.1 }
    return worker != nil
  }
  return isBusy ? worker : nil
}
