import DocumentModel
import Foundation
import RectoGeometry
import SystemPackage
import TestSupport
import Testing

@testable import RenderWorkers

/// Pools that share processes.
@Suite(.timeLimit(.minutes(10))) struct WorkerBudgetTests {
  /// Pools over copies of a fixture, so that no other test has workers for these files.
  private struct Pools {
    let folder: TemporaryFolder
    let budget: WorkerBudget
    var files: [URL] = []
    var pools: [WorkerPool] = []
    private var descriptors: [FileDescriptor] = []

    init(
      _ fixtures: [String],
      _ limits: WorkerBudget.Limits,
      workers: Int = 2,
      draw: Double = 600
    ) throws {
      folder = try TemporaryFolder()
      budget = WorkerBudget(limits)
      for (index, fixture) in fixtures.enumerated() {
        let file = folder.url.appending(path: "\(index).pdf")
        try FileManager.default.copyItem(at: TestPaths.fixture(fixture), to: file)
        let descriptor = try FileDescriptor.open(file.path, .readOnly)
        files.append(file)
        descriptors.append(descriptor)
        pools.append(
          WorkerPool(
            WorkerPool.Settings(
              executable: FilePath(TestPaths.worker.path),
              workers: workers,
              limits: WorkerLimits(draw: draw),
              budget: budget
            ),
            document: descriptor
          )
        )
      }
    }

    /// How many processes each document has.
    var processes: [Int] { files.map { ProcessTable.workers(of: $0).count } }

    func close() async throws {
      for pool in pools { await pool.close() }
      #expect(budget.statistics == .init(processes: 0, busy: 0, bytes: 0))
      for descriptor in descriptors { try descriptor.close() }
    }
  }

  @Test func `the process that was used least recently ends first`() async throws {
    let pools = try Pools(Array(repeating: "book", count: 4), .init(processes: 2))
    for pool in pools.pools[..<2] { _ = try await pool.open() }
    #expect(pools.processes == [1, 1, 0, 0])
    _ = try await pools.pools[0].open()
    _ = try await pools.pools[2].open()
    #expect(pools.processes == [1, 0, 1, 0])
    _ = try await pools.pools[3].open()
    #expect(pools.processes == [0, 0, 1, 1])
    _ = try await pools.pools[0].open()
    #expect(pools.processes == [1, 0, 0, 1])
    try await pools.close()
  }

  /// The processes that were there throughout: a look at all of them takes a while.
  private static func processCount(_ files: [URL]) -> Int {
    let first = files.map { ProcessTable.workers(of: $0) }
    let second = files.map { ProcessTable.workers(of: $0) }
    return zip(first, second).map { $0.intersection($1).count }.reduce(0, +)
  }

  @Test func `many pools at once have no more processes than allowed, and all are served`()
    async throws
  {
    let pools = try Pools(Array(repeating: "book", count: 8), .init(processes: 3, background: 2))
    let files = pools.files
    let most = await withTaskGroup(of: Int.self) { group in
      for pool in pools.pools + pools.pools {
        group.addTask {
          var count = 0
          let error = await failure {
            let info = try await pool.measure(0..<1)[0].get()
            count = Self.processCount(files)
            _ = try await pool.page(try raster(0, info, scale: 0.2))
          }
          #expect(error == nil)
          return max(count, Self.processCount(files))
        }
      }
      return await group.reduce(0, max)
    }
    #expect((1...3).contains(most))
    try await pools.close()
  }

  @Test func `a request that waits for a process can be cancelled, and so can its pool`()
    async throws
  {
    let pools = try Pools(["endless-forms", "book", "book"], .init(processes: 1))
    let info = try await pools.pools[0].measure(0..<2)[1].get()
    let (slow, other, third) = (pools.pools[0], pools.pools[1], pools.pools[2])
    let busy = Task { try await slow.page(try raster(1, info)) }
    #expect(await eventually { pools.budget.statistics.busy == 1 })
    let waiting = Task { await failure { try await other.open() } }
    let closing = Task { await failure { try await third.open() } }
    #expect(await eventually { pools.budget.waitingCount == 2 })
    waiting.cancel()
    #expect(await waiting.value?.code == .cancelled)
    await pools.pools[2].close()
    #expect(await closing.value?.code == .cancelled)
    #expect(pools.processes == [1, 0, 0])
    busy.cancel()
    _ = await failure { try await busy.value }
    _ = try await pools.pools[1].open()
    try await pools.close()
  }

  @Test func `tiles go before thumbnails, and these before opening`() async throws {
    let pools = try Pools(["endless-forms", "book", "book", "book"], .init(processes: 1))
    let book = try await pools.pools[2].measure(0..<1)[0].get()
    let info = try await pools.pools[0].measure(0..<2)[1].get()
    let (done, finished) = AsyncStream<String>.makeStream()
    let (slow, other) = (pools.pools[0], pools.pools[1])
    let (third, fourth) = (pools.pools[2], pools.pools[3])
    let busy = Task { try await slow.page(try raster(1, info)) }
    #expect(await eventually { pools.budget.statistics.busy == 1 })
    let opening = Task {
      _ = try await other.open()
      finished.yield("open")
    }
    #expect(await eventually { pools.budget.waitingCount == 1 })
    let thumbnail = Task {
      _ = try await third.page(try raster(0, book), isOneOff: true)
      finished.yield("thumbnail")
    }
    #expect(await eventually { pools.budget.waitingCount == 2 })
    let tile = Task {
      _ = try await fourth.page(try raster(0, book))
      finished.yield("tile")
    }
    #expect(await eventually { pools.budget.waitingCount == 3 })
    busy.cancel()
    try await opening.value
    try await thumbnail.value
    try await tile.value
    finished.finish()
    #expect(await done.reduce(into: []) { $0.append($1) } == ["tile", "thumbnail", "open"])
    try await pools.close()
  }

  @Test func `a tile goes before the thumbnails of its document that wait`() async throws {
    let pools = try Pools(["endless-forms"], .init(processes: 1), workers: 1)
    let pool = pools.pools[0]
    let infos = try await pool.measure(0..<2)
    let (page, endless) = try (infos[0].get(), infos[1].get())
    let (done, finished) = AsyncStream<String>.makeStream()
    let busy = Task { try await pool.page(try raster(1, endless)) }
    #expect(await eventually { pools.budget.statistics.busy == 1 })
    let thumbnails = (1...3).map { count in
      Task {
        let raster = try raster(0, page, scale: 0.1 * Double(count))
        _ = try await pool.page(raster, isOneOff: true)
        finished.yield("thumbnail")
      }
    }
    #expect(await eventually { await pool.waitingCount == 3 })
    let tile = Task {
      _ = try await pool.page(try raster(0, page))
      finished.yield("tile")
    }
    #expect(await eventually { await pool.waitingCount == 4 })
    busy.cancel()
    for thumbnail in thumbnails { try await thumbnail.value }
    try await tile.value
    finished.finish()
    let order = await done.reduce(into: []) { $0.append($1) }
    #expect(order == ["tile", "thumbnail", "thumbnail", "thumbnail"])
    try await pools.close()
  }

  @Test func `opening leaves processes for drawing`() async throws {
    let pools = try Pools(
      ["book", "book", "book"],
      .init(processes: 3, background: 1)
    )
    let book = try await pools.pools[0].measure(0..<1)[0].get()
    // The one permit for the background is taken, as by a document that takes long to open.
    let held = try await pools.budget.enter(nil, for: .background, Cancellation())
    let other = pools.pools[1]
    let opening = Task { try await other.open() }
    #expect(await eventually { pools.budget.waitingCount == 1 })
    _ = try await pools.pools[0].page(try raster(0, book))
    #expect(pools.budget.waitingCount == 1)
    withExtendedLifetime(held) {}
    _ = consume held
    _ = try await opening.value
    try await pools.close()
  }

  @Test func `idle processes end above the memory limit`() async throws {
    let pools = try Pools(["book", "book"], .init(processes: 8, memory: 1))
    for pool in pools.pools { _ = try await pool.open() }
    #expect(await eventually { pools.processes == [0, 0] })
    try await pools.close()
  }

  @Test func `a process that was killed gives its place back`() async throws {
    let pools = try Pools(["book", "book"], .init(processes: 1))
    for round in 0..<3 {
      let pool = pools.pools[round % 2]
      _ = try await pool.open()
      let workers = ProcessTable.workers(of: pools.files[round % 2])
      #expect(workers.count == 1)
      for worker in workers { kill(worker, SIGKILL) }
    }
    _ = try await pools.pools[0].open()
    try await pools.close()
  }

  @Test func `a pool that is gone leaves no process in the budget`() async throws {
    var pools = try Pools(["book"], .init(processes: 2))
    _ = try await pools.pools[0].open()
    #expect(pools.budget.statistics.processes == 1)
    pools.pools = []
    #expect(await eventually { pools.budget.statistics.processes == 0 })
    #expect(pools.processes == [0])
    try await pools.close()
  }

  @Test func `where idle processes are kept, another pool waits for one to be closed`() async throws
  {
    let pools = try Pools(["book", "book"], .init(processes: 1, endsIdle: false))
    _ = try await pools.pools[0].open()
    async let opening = pools.pools[1].open()
    #expect(await eventually { pools.budget.waitingCount == 1 })
    // The process stays for the pool that has it.
    _ = try await pools.pools[0].measure(0..<1)
    #expect(pools.processes == [1, 0])
    await pools.pools[0].close()
    _ = try await opening
    #expect(pools.processes == [0, 1])
    try await pools.close()
  }

  @Test func `where idle processes are kept, a pool takes another one only if there is room`()
    async throws
  {
    let pools = try Pools(["book", "book"], .init(processes: 2, endsIdle: false))
    for pool in pools.pools { _ = try await pool.open() }
    func measureTwice() async throws {
      async let first = pools.pools[1].measure(0..<1)
      async let second = pools.pools[1].measure(0..<1)
      _ = try await (first, second)
    }
    try await measureTwice()
    #expect(pools.processes == [1, 1])
    await pools.pools[0].close()
    try await measureTwice()
    #expect(pools.processes == [0, 2])
    try await pools.close()
  }
}
