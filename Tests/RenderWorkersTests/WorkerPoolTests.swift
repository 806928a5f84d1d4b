import DocumentModel
import Foundation
import PNGCoding
import RectoGeometry
import RectoTiles
import RenderWorkers
import SystemPackage
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(10))) struct WorkerPoolTests {
  @Test func `a page that never ends costs itself only`() async throws {
    try await pool(TestPaths.fixture("endless-forms"), limits: WorkerLimits(draw: 3)) { pool in
      let pages = try await pool.measure(0..<3)
      for index in 0..<3 {
        let raster = try raster(PageIndex(index), try pages[index].get())
        let error = await failure {
          try await pool.draw(
            PageDrawing(raster, .parts([whole(raster)]), purpose: .tiles),
            subset: nil
          )
        }
        #expect(error?.code == (index == 1 ? .timeLimit : nil))
      }
    }
  }

  @Test func `a page that eats memory costs itself only`() async throws {
    let limits = WorkerLimits(memory: 300_000_000)
    try await pool(TestPaths.fixture("memory"), limits: limits, rasterizer: .cairo) { pool in
      let pages = try await pool.measure(0..<3)
      for index in 0..<3 {
        let raster = try raster(PageIndex(index), try pages[index].get())
        let error = await failure {
          try await pool.draw(
            PageDrawing(raster, .parts([whole(raster)]), purpose: .tiles),
            subset: nil
          )
        }
        #expect(error?.code == (index == 1 ? .memoryLimit : nil))
      }
    }
  }

  @Test func `a page at which cairo fails is drawn with Splash, in what is left of its time`()
    async throws
  {
    let limits = WorkerLimits(draw: 120, memory: 300_000_000)
    for isOneOff in [false, true] {
      try await pool(TestPaths.fixture("endless-shading"), limits: limits) { pool in
        let info = try await pool.measure(1..<2)[0].get()
        for scale in [1, 2, 0.5] {
          let raster = try raster(1, info, scale: scale)
          let drawn = try await pool.page(raster, isOneOff: isOneOff)
          #expect(try decoded(drawn.pictures[0]).size == raster.size)
        }
      }
    }
  }

  @Test func `a file cut short under a worker is an error`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "book.pdf")
    try FileManager.default.copyItem(at: TestPaths.fixture("book"), to: file)
    try await pool(file) { pool in
      let info = try await pool.measure(0..<1)[0].get()
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 10)
      let raster = try raster(0, info)
      let error = await failure {
        try await pool.draw(PageDrawing(raster, .parts([whole(raster)])), subset: nil)
      }
      #expect(error?.code == .changed)
    }
  }

  @Test func `a program that is no worker is an error`() async throws {
    let descriptor = try FileDescriptor.open(TestPaths.fixture("book").path, .readOnly)
    defer { try? descriptor.close() }
    // Not written here: a process that is started elsewhere at that moment would hold it open for
    // writing, and such a file cannot be run.
    let crasher = TestPaths.root.appending(path: "Tests/FalseWorker/crasher")
    let programs: [(String, DocumentError.Code)] = [
      ("/bin/true", .crash), (crasher.path, .crash), ("/nowhere", .fault),
    ]
    for (program, code) in programs {
      let pool = WorkerPool(.init(executable: FilePath(program)), document: descriptor)
      #expect(await failure { try await pool.open() }?.code == code, "\(program)")
    }
  }
}
