import DocumentModel
import Foundation
import Glibc
import RectoGeometry
import SystemPackage
import TestSupport
import Testing

@testable import RenderWorkers

/// Workers that a template starts by copying itself.
@Suite(.serialized, .timeLimit(.minutes(10))) struct WorkerTemplateTests {
  /// Runs `body` with a pool over a copy of a fixture, and a template that is ready.
  private func withTemplate(
    _ fixture: String,
    workers: Int = 1,
    limits: WorkerLimits = WorkerLimits(),
    program: FilePath = FilePath(TestPaths.worker.path),
    rasterizer: Rasterizer = .auto,
    _ body: (WorkerPool, WorkerTemplate, URL) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "\(fixture).pdf")
    try FileManager.default.copyItem(at: TestPaths.fixture(fixture), to: file)
    let descriptor = try FileDescriptor.open(file.path, .readOnly)
    defer { try? descriptor.close() }
    let template = WorkerTemplate(program)
    template.start()
    _ = await eventually { template.isReady || template.process == nil }
    let settings = WorkerPool.Settings(
      executable: program,
      workers: workers,
      limits: limits,
      template: template,
      rasterizer: rasterizer
    )
    let pool = WorkerPool(settings, document: descriptor)
    try await body(pool, template, file)
    await pool.close()
  }

  /// The arguments of a process; copies have those of their template.
  private func arguments(of process: pid_t) -> [Substring] {
    let text = try? String(contentsOfFile: "/proc/\(process)/cmdline", encoding: .utf8)
    return text?.split(separator: "\0") ?? []
  }

  /// What the descriptors of a process refer to, by number.
  private func descriptors(of process: pid_t) throws -> [Int: String] {
    let folder = "/proc/\(process)/fd"
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    return try Dictionary(
      uniqueKeysWithValues: names.compactMap { name in
        try Int(name).map {
          ($0, try FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)"))
        }
      }
    )
  }

  @Test func `a copy draws the same pictures as a worker started by itself`() async throws {
    for fixture in ["book", "transparency", "rotate", "form"] {
      var pictures: [[[UInt8]]] = []
      func draw(_ pool: WorkerPool) async throws {
        let raster = try raster(0, try await pool.measure(0..<1)[0].get())
        pictures.append(try await pool.page(raster).pictures)
      }
      try await withTemplate(fixture) { pool, _, file in
        try await draw(pool)
        let worker = try #require(ProcessTable.workers(of: file).first)
        #expect(arguments(of: worker).last == "--template")
      }
      try await pool(TestPaths.fixture(fixture)) { try await draw($0) }
      #expect(pictures.count == 2 && pictures[0] == pictures[1], "\(fixture)")
    }
  }

  @Test func `a copy has the descriptors of a worker and no way to the template`() async throws {
    try await withTemplate("book", workers: 2) { pool, template, file in
      await pool.prepare()
      // A copy says that it is there before it takes its descriptors.
      let areReady = await eventually {
        let workers = ProcessTable.workers(of: file)
        return workers.count == 2
          && workers.allSatisfy { (try? descriptors(of: $0).count) == 5 }
      }
      #expect(areReady)
      let workers = ProcessTable.workers(of: file)
      let socket = try descriptors(of: try #require(template.process))[0]
      for worker in workers {
        let own = try descriptors(of: worker)
        #expect(own.keys.sorted() == [0, 1, 2, 3, 4])
        #expect(own[0]?.hasPrefix("socket:") == true && own[0] != socket)
        #expect(own[1] == "/dev/null" && own[4]?.hasPrefix("pipe:") == true)
        #expect(getpgid(worker) == worker)
      }
      #expect(
        try descriptors(of: try #require(template.process)).values.allSatisfy { $0 != file.path }
      )
    }
  }

  @Test func `a worker started by itself has the same descriptors`() async throws {
    try await poolOfOwn("book") { pool, file in
      _ = try await pool.open()
      let worker = try #require(ProcessTable.workers(of: file).first)
      #expect(try descriptors(of: worker).keys.sorted() == [0, 1, 2, 3, 4])
    }
  }

  @Test func `a copy that crashes, hangs or grows costs its page`() async throws {
    let limits = WorkerLimits(memory: 300_000_000)
    try await withTemplate("memory", limits: limits, rasterizer: .cairo) { pool, _, _ in
      let pages = try await pool.measure(0..<3)
      for (index, page) in pages.enumerated() {
        let error = await failure {
          try await pool.page(try raster(PageIndex(index), page.get()))
        }
        #expect(error?.code == (index == 1 ? .memoryLimit : nil))
      }
    }
    try await withTemplate("endless-forms", limits: WorkerLimits(draw: 1)) { pool, template, _ in
      let pages = try await pool.measure(0..<3)
      #expect(
        await failure { try await pool.page(raster(1, pages[1].get())) }?.code == .timeLimit
      )
      _ = try await pool.page(raster(0, pages[0].get()))
      #expect(template.process != nil)
    }
    try await withTemplate("book") { pool, template, file in
      let raster = try raster(0, try await pool.measure(0..<1)[0].get())
      for signal in [SIGKILL, SIGTERM] {
        let worker = try #require(ProcessTable.workers(of: file).first)
        kill(worker, signal)
        #expect(await eventually { ProcessTable.isGone(worker) })
        _ = try await pool.page(raster)
      }
      #expect(template.process != nil)
    }
  }

  @Test(arguments: [SIGKILL, SIGSTOP])
  func `without a template that answers, workers are started by themselves`(
    _ signal: Int32
  ) async throws {
    try await withTemplate("book") { pool, template, file in
      let raster = try raster(0, try await pool.measure(0..<1)[0].get())
      let process = try #require(template.process)
      kill(process, signal)
      // What it started before goes on.
      _ = try await pool.page(raster)
      let copy = try #require(ProcessTable.workers(of: file).first)
      #expect(arguments(of: copy).last == "--template")
      kill(copy, SIGKILL)
      #expect(await eventually { ProcessTable.isGone(copy) })
      _ = try await pool.page(raster)
      let worker = try #require(ProcessTable.workers(of: file).first)
      #expect(arguments(of: worker).count == 1)
      #expect(template.process == nil)
      #expect(await eventually { ProcessTable.isGone(process) })
    }
  }

  @Test(arguments: ["/bin/true", "/bin/cat", "/nowhere"])
  func `a program that is no template fails as it does without one`(_ program: String) async throws
  {
    try await withTemplate("book", program: FilePath(program)) { pool, template, _ in
      let error = await failure { try await pool.open() }
      #expect(error?.code == (program == "/nowhere" ? .fault : .crash) || program == "/bin/cat")
      #expect(error != nil)
    }
  }

  @Test func `the process of a template ends with it`() async throws {
    var process: pid_t = 0
    try await withTemplate("book") { pool, template, _ in
      _ = try await pool.open()
      process = try #require(template.process)
    }
    #expect(await eventually { !ProcessTable.exists(process) })
  }

  @Test func `a template of another program is not used`() async throws {
    let template = WorkerTemplate("/bin/true")
    let file = TestPaths.fixture("book")
    let descriptor = try FileDescriptor.open(file.path, .readOnly)
    defer { try? descriptor.close() }
    let settings = WorkerPool.Settings(
      executable: FilePath(TestPaths.worker.path),
      workers: 1,
      template: template
    )
    let pool = WorkerPool(settings, document: descriptor)
    _ = try await pool.open()
    #expect(template.process == nil)
    await pool.close()
  }
}
