import DocumentModel
import Foundation
import RectoGeometry
import RectoKit
import RectoTiles
import SystemPackage
import TestSupport
import Testing

/// When workers start before a page is requested.
@Suite(.timeLimit(.minutes(10))) struct PreparationTests {
  private func withDocument(
    ahead: Int,
    _ body: (Document, URL, DocumentSettings) async throws -> Void
  ) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "book.pdf")
    try FileManager.default.copyItem(at: TestPaths.fixture("book"), to: file)
    let settings = DocumentSettings(
      cache: CacheDirectory(root: FilePath(folder.path("cache"))),
      workersAhead: ahead,
      workerProgram: FilePath(TestPaths.worker.path)
    )
    let document = try Document(FilePath(file.path), settings: settings)
    try await body(document, file, settings)
  }

  @Test func `a document new to the cache starts its worker while it is read`() async throws {
    try await withDocument(ahead: 1) { document, file, settings in
      _ = try await document.info()
      #expect(await eventually { ProcessTable.workers(of: file).count == 1 })
      // The next one finds what was kept, perhaps all tiles, and starts none.
      let known = try Document(document.path, settings: settings)
      _ = try await known.info()
      _ = try await known.page(at: 3)
      #expect(ProcessTable.workers(of: file).count == 1)
    }
  }

  @Test func `no worker starts for a command that does not draw`() async throws {
    try await withDocument(ahead: 0) { document, file, _ in
      _ = try await document.info()
      _ = try await document.measure([0..<12])
      #expect(ProcessTable.workers(of: file).isEmpty)
    }
  }

  @Test func `workers prepared for a page draw it`() async throws {
    try await withDocument(ahead: 0) { document, file, _ in
      await document.prepareToDraw(page: 4)
      let prepared = ProcessTable.workers(of: file)
      #expect(prepared.count == 2)
      let info = try await document.page(at: 4)
      let raster = try PageRaster(page: 4, info: info, scale: 1, rotation: .none)
      let part = PixelRect(x: 0, y: 0, width: 100, height: 100)
      _ = try await document.pictures(of: raster, parts: [part])
      #expect(ProcessTable.workers(of: file) == prepared)
    }
  }
}
