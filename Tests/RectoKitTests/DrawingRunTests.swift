import DocumentModel
import RectoGeometry
import Testing

@testable import RectoKit

/// How pages are handed to those who draw them.
@Suite(.timeLimit(.minutes(10))) struct DrawingRunTests {
  @Test func `no more pages are handed out than there is room for`() throws {
    let run = DrawingRun(try drawings(5), room: 2)
    let pages = DrawingRun.Stretch(run, 0..<5, workers: 1)
    #expect(pages.next(isAhead: false)?.number == 0)
    #expect(pages.next(isAhead: true)?.number == 1)
    #expect(pages.next(isAhead: false) == nil)
    run.makeRoom()
    #expect(pages.next(isAhead: false)?.number == 2)
    #expect(pages.next(isAhead: false) == nil)
  }

  @Test func `the last pages are left to workers that have none`() throws {
    let run = DrawingRun(try drawings(3), room: 8)
    let pages = DrawingRun.Stretch(run, 0..<3, workers: 2)
    #expect(pages.next(isAhead: true)?.number == 0)
    #expect(pages.next(isAhead: true) == nil)
    #expect(pages.next(isAhead: false)?.number == 1)
    #expect(pages.next(isAhead: false)?.number == 2)
    #expect(pages.next(isAhead: false) == nil)
  }

  @Test func `who waits goes on when there is room`() async throws {
    let run = DrawingRun(try drawings(2), room: 1)
    let pages = DrawingRun.Stretch(run, 0..<2, workers: 1)
    #expect(await pages.wait())
    _ = pages.next(isAhead: false)
    async let waits = pages.wait()
    run.makeRoom()
    #expect(await waits)
    _ = pages.next(isAhead: false)
    // None is left, so there is nothing to wait for.
    #expect(await !pages.wait())
  }

  @Test func `who waits ends when the run is stopped`() async throws {
    let run = DrawingRun(try drawings(2), room: 0)
    let pages = DrawingRun.Stretch(run, 0..<2, workers: 1)
    async let first = pages.wait()
    async let second = pages.wait()
    run.stop()
    #expect(await !first)
    #expect(await !second)
    #expect(pages.next(isAhead: false) == nil)
  }

  private func drawings(_ count: Int) throws -> [PageDrawing] {
    let info = PageInfo(
      cropBox: Rect(x: 0, y: 0, width: 100, height: 100),
      rotation: nil,
      userUnit: 1,
      size: Size(width: 100, height: 100),
      label: nil
    )
    return try (0..<count).map { index in
      let raster = try PageRaster(page: PageIndex(index), info: info, scale: 1, rotation: .none)
      return PageDrawing(raster, .parts([]), style: .tile)
    }
  }
}
