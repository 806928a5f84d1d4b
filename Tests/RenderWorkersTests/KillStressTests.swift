import DocumentModel
import Foundation
import PNGCoding
import RectoGeometry
import RectoTiles
import RenderWorkers
import SystemPackage
import TestSupport
import Testing

/// Workers killed at random while tiles are asked for. In a process of its own, where nothing else
/// opens files, takes memory or starts processes.
@Suite(.timeLimit(.minutes(10))) struct KillStressTests {
  /// Requests: `RECTO_KILL_STRESS`, as `scripts/dev/kill-stress` sets it, else enough for a few seconds.
  static var requests: Int {
    ProcessInfo.processInfo.environment["RECTO_KILL_STRESS"].flatMap { Int($0) } ?? 200
  }

  @Test func `killing workers at random leaves tiles or errors, and nothing else`() async {
    await #expect(processExitsWith: .success) {
      try await Self.stress(requests: Self.requests, seed: 5)
    }
  }

  @Test func `killing copies of a template at random leaves tiles or errors, and nothing else`()
    async
  {
    await #expect(processExitsWith: .success) {
      let template = WorkerTemplate(FilePath(TestPaths.worker.path))
      try await Self.stress(requests: Self.requests, seed: 6, template: template)
    }
  }

  private static func stress(
    requests: Int,
    seed: UInt64,
    template: WorkerTemplate? = nil
  ) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "book.pdf")
    try FileManager.default.copyItem(at: TestPaths.fixture("book"), to: file)
    let descriptor = try FileDescriptor.open(file.path, .readOnly)
    defer { try? descriptor.close() }
    let lanes = 2
    let settings = WorkerPool.Settings(
      executable: FilePath(TestPaths.worker.path),
      workers: lanes,
      template: template
    )
    let pool = WorkerPool(settings, document: descriptor)
    var random = SeededGenerator(seed: seed)
    let pages = try await pool.measure(0..<12).map { try $0.get() }

    var killer = Killer(file: file, random: SeededGenerator(seed: seed))
    var counts = Counts()
    var quiet: (descriptors: Int, memory: Int)?
    // In rounds: after each the pool is at rest and can be looked at.
    let rounds = 10
    for round in 0..<rounds {
      let tiles = try (0..<(requests / rounds)).map { _ in
        let page = Int(random.next() % 12)
        let scale = 1 + Double(random.next() % 4) / 4
        return (try raster(PageIndex(page), pages[page], scale: scale), random.next())
      }
      killer.killed = []
      counts += await ask(pool, for: tiles, killer: &killer)
      // At rest there are as many workers as places.
      #expect(await isComplete(pool, lanes, file, without: killer.killed))
      if round == rounds / 2 { quiet = (descriptorsInUse(), residentBytes()) }
    }
    #expect(counts.tiles + counts.errors.values.reduce(0, +) == requests / rounds * rounds)
    #expect(counts.tiles > 0)
    #expect(killer.count > 0)
    #expect(Set(counts.errors.keys).isSubset(of: [.crash]))

    let before = try #require(quiet)
    let now = (descriptors: descriptorsInUse(), memory: residentBytes())
    #expect(now.descriptors == before.descriptors)
    #expect(now.memory <= before.memory + 8_000_000)
    #expect(children(without: template) == ProcessTable.workers(of: file))
    report("\(counts.tiles) tiles, \(counts.errors.values.reduce(0, +)) errors,")
    report("\(killer.count) kills; \(before) half way, \(now) at the end\n")
    await pool.close()
    #expect(children(without: template).isEmpty)
    #expect((template == nil) == (template?.process == nil))
  }

  /// The processes that this one has started, without the template.
  private static func children(without template: WorkerTemplate?) -> Set<pid_t> {
    Set(ProcessTable.children(of: getpid())).subtracting([template?.process].compactMap(\.self))
  }

  /// Whether all places of the pool have a worker again: one killed last may still be about to die, which
  /// looks alive until the system gets to it, and one killed at its start is not started again at once.
  private static func isComplete(
    _ pool: WorkerPool,
    _ lanes: Int,
    _ file: URL,
    without killed: Set<pid_t>
  ) async -> Bool {
    await eventually {
      await pool.prepare()
      let workers = ProcessTable.workers(of: file)
      return workers.count == lanes && workers.isDisjoint(with: killed)
    }
  }

  /// Appends to the file named by `RECTO_KILL_REPORT`: what an exit test prints is not shown.
  private static func report(_ words: String) {
    guard let path = ProcessInfo.processInfo.environment["RECTO_KILL_REPORT"],
      let file = FileHandle(forWritingAtPath: path)
    else { return }
    file.seekToEndOfFile()
    file.write(Data("\(words) ".utf8))
  }

  private struct Counts {
    var tiles = 0
    var errors: [DocumentError.Code: Int] = [:]

    static func += (one: inout Counts, other: Counts) {
      one.tiles += other.tiles
      one.errors.merge(other.errors, uniquingKeysWith: +)
    }
  }

  /// Asks for a tile of each raster, six at a time.
  private static func ask(
    _ pool: WorkerPool,
    for tiles: [(PageRaster, UInt64)],
    killer: inout Killer
  ) async -> Counts {
    await withTaskGroup(of: DocumentError?.self) { group in
      var waiting = tiles.makeIterator()
      func next() {
        guard let (raster, number) = waiting.next() else { return }
        group.addTask {
          let grid = TileGrid(page: raster.size, tileSide: 256)
          let column = Int(number % UInt64(grid.columns))
          let tile = grid.rect(of: TileIndex(column: column, row: Int(number >> 32) % grid.rows))
          return await failure {
            let drawn = try await pool.draw(
              PageDrawing(raster, .parts([tile]), purpose: .tiles),
              subset: nil
            )
            #expect(drawn.pictures.count == 1)
            #expect(try decoded(drawn.pictures[0]).size == tile.size)
          }
        }
      }
      for _ in 0..<6 { next() }
      var counts = Counts()
      for await error in group {
        if let error { counts.errors[error.code, default: 0] += 1 } else { counts.tiles += 1 }
        killer.tileEnded()
        next()
      }
      return counts
    }
  }

  /// Kills workers of a file while others of them draw.
  private struct Killer {
    let file: URL
    var random: SeededGenerator
    var count = 0
    /// The workers killed since this was emptied.
    var killed: Set<pid_t> = []

    /// A tile is done; one time in ten a worker is killed, whatever it is at.
    mutating func tileEnded() {
      guard random.next() % 10 == 0 else { return }
      let workers = ProcessTable.workers(of: file).sorted()
      guard !workers.isEmpty else { return }
      let worker = workers[Int(random.next() % UInt64(workers.count))]
      kill(worker, SIGKILL)
      count += 1
      killed.insert(worker)
    }
  }

  private static func descriptorsInUse() -> Int {
    (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count ?? 0
  }

  private static func residentBytes() -> Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let fields = text.split(separator: " ")
    return fields.count > 1 ? (Int(fields[1]) ?? 0) * Int(sysconf(Int32(_SC_PAGESIZE))) : 0
  }
}
