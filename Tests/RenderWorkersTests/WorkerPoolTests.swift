import DocumentModel
import Foundation
import Geometry
import PNGCoding
import RenderWorkers
import SystemPackage
import TestSupport
import Testing
import Tiles

@Suite(.timeLimit(.minutes(5))) struct WorkerPoolTests {
  @Test func `a document opens and its pages are measured and drawn`() async throws {
    try await pool(Places.fixture("mixed-sizes")) { pool in
      let opened = try await pool.open()
      #expect(opened.engine.hasPrefix("poppler "))
      let pages = try await pool.measure(0..<opened.facts.pageCount)
      #expect(pages.count == opened.facts.pageCount)
      let raster = try raster(0, try pages[0].get())
      let drawn = try await pool.draw(raster, parts: [whole(raster)], isOneOff: true, subset: nil)
      let picture = try decoded(drawn.pictures[0])
      #expect(picture.size == raster.size)
      #expect(Set(picture.pixels).count > 1)
    }
  }

  @Test func `the tiles of a page put together equal the page`() async throws {
    try await pool(Places.fixture("book")) { pool in
      let facts = try await pool.measure(4..<5)[0].get()
      let raster = try raster(4, facts, scale: 1.7)
      let page = try await pool.draw(raster, parts: [whole(raster)], isOneOff: false, subset: nil)
      let expected = try decoded(page.pictures[0])
      let grid = TileGrid(page: raster.size, tileSide: 200)
      let rects = grid.tiles(touching: whole(raster)).map(grid.rect(of:))
      let tiles = try await pool.draw(raster, parts: rects, isOneOff: false, subset: nil)
      for (rect, tile) in zip(rects, tiles.pictures) {
        let picture = try decoded(tile)
        #expect(picture.size == rect.size)
        for y in 0..<rect.height {
          let row = (rect.y + y) * raster.size.width + rect.x
          #expect(
            picture.pixels[(y * rect.width)..<((y + 1) * rect.width)]
              == expected.pixels[row..<(row + rect.width)]
          )
        }
      }
    }
  }

  @Test func `passwords are asked for, refused and accepted`() async throws {
    let file = Places.fixture("encrypted")
    try await pool(file) { pool in
      #expect(await failure { try await pool.open() }?.code == .passwordNeeded)
    }
    try await pool(file, password: "wrong") { pool in
      #expect(await failure { try await pool.open() }?.code == .passwordWrong)
    }
    for password in ["secret", "owner"] {
      try await pool(file, password: password) { pool in
        let opened = try await pool.open()
        #expect(opened.facts.pageCount == 6)
      }
    }
  }

  @Test func `what is no PDF is told from what is damaged`() async throws {
    try await pool(Places.fixture("not-a-pdf")) { pool in
      #expect(await failure { try await pool.open() }?.code == .notPDF)
    }
    try await pool(Places.fixture("truncated")) { pool in
      #expect(await failure { try await pool.open() }?.code == .damaged)
    }
  }

  @Test func `a page that never ends costs itself only`() async throws {
    try await pool(Places.fixture("endless-forms"), limits: WorkerLimits(draw: 3)) { pool in
      let pages = try await pool.measure(0..<3)
      for index in 0..<3 {
        let raster = try raster(index, try pages[index].get())
        let error = await failure {
          try await pool.draw(raster, parts: [whole(raster)], isOneOff: false, subset: nil)
        }
        #expect(error?.code == (index == 1 ? .timeLimit : nil))
      }
    }
  }

  @Test func `a page that eats memory costs itself only`() async throws {
    let limits = WorkerLimits(memory: 300_000_000)
    try await pool(Places.fixture("memory"), limits: limits) { pool in
      let pages = try await pool.measure(0..<3)
      for index in 0..<3 {
        let raster = try raster(index, try pages[index].get())
        let error = await failure {
          try await pool.draw(raster, parts: [whole(raster)], isOneOff: false, subset: nil)
        }
        #expect(error?.code == (index == 1 ? .memoryLimit : nil))
      }
    }
  }

  @Test func `a page nested deep enough to overflow an ordinary stack is drawn`() async throws {
    try await pool(Places.fixture("crash")) { pool in
      let raster = try raster(1, try await pool.measure(0..<3)[1].get())
      let drawn = try await pool.draw(raster, parts: [whole(raster)], isOneOff: false, subset: nil)
      #expect(drawn.pictures.count == 1)
    }
  }

  @Test func `a page that is counted but missing is an error of that page`() async throws {
    try await pool(Places.fixture("page-missing")) { pool in
      let count = try await pool.open().facts.pageCount
      let codes = try await pool.measure(0..<count).map { page in
        do {
          _ = try page.get()
          return DocumentError.Code?.none
        } catch {
          return (error as? DocumentError)?.code
        }
      }
      #expect(codes == [nil, nil, .pageMissing])
    }
  }

  @Test func `a file cut short under a worker is an error`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "book.pdf")
    try FileManager.default.copyItem(at: Places.fixture("book"), to: file)
    try await pool(file) { pool in
      let facts = try await pool.measure(0..<1)[0].get()
      let handle = try FileHandle(forWritingTo: file)
      try handle.truncate(atOffset: 10)
      let raster = try raster(0, facts)
      let error = await failure {
        try await pool.draw(raster, parts: [whole(raster)], isOneOff: true, subset: nil)
      }
      #expect(error?.code == .changed)
    }
  }

  @Test func `many requests at once share the workers`() async throws {
    try await pool(Places.fixture("book"), workers: 2) { pool in
      let pages = try await pool.measure(0..<12)
      try await withThrowingTaskGroup(of: Int.self) { group in
        for index in 0..<48 {
          group.addTask {
            let raster = try raster(index % 12, try pages[index % 12].get())
            let drawn = try await pool.draw(
              raster,
              parts: [whole(raster)],
              isOneOff: index % 2 == 0,
              subset: nil
            )
            return drawn.pictures.count
          }
        }
        for try await count in group { #expect(count == 1) }
      }
    }
  }

  @Test func `a program that is no worker is an error`() async throws {
    let descriptor = try FileDescriptor.open(Places.fixture("book").path, .readOnly)
    defer { try? descriptor.close() }
    // Not written here: a process that is started elsewhere at that moment would hold it open for
    // writing, and such a file cannot be run.
    let crasher = Places.root.appending(path: "Tests/FalseWorker/crasher")
    let programs: [(String, DocumentError.Code)] = [
      ("/bin/true", .crash), (crasher.path, .crash), ("/nowhere", .fault),
    ]
    for (program, code) in programs {
      let pool = WorkerPool(.init(executable: FilePath(program)), document: descriptor)
      #expect(await failure { try await pool.open() }?.code == code, "\(program)")
    }
  }
}
