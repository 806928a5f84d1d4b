import DocumentModel
import Foundation
import Glibc
import RectoBase
import RectoGeometry
import RectoKit
import RectoTiles
import SystemPackage
import TestSupport
import Testing

/// Documents that are identified in the cache by their bytes.
@Suite(.timeLimit(.minutes(10))) struct ContentIdentityTests {
  private let part = PixelRect(x: 0, y: 0, width: 100, height: 100)

  private func raster(_ page: PageIndex, of document: Document) async throws -> PageRaster {
    let info = try await document.page(at: page)
    return try PageRaster(page: page, info: info, scale: 1, rotation: .none)
  }

  @Test func `a file that is written to while it is open leaves nothing under its key`()
    async throws
  {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "book.pdf")
    try FileManager.default.copyItem(at: TestPaths.fixture("book"), to: file)
    let settings = DocumentSettings(
      cache: CacheDirectory(root: FilePath(folder.path("cache"))),
      identity: .content,
      workerProgram: FilePath(TestPaths.worker.path)
    )
    let document = try Document(FilePath(file.path), settings: settings)
    let first = try await document.pictures(of: raster(0, of: document), parts: [part])
    #expect(first.pictures[0].cached != nil)

    // The same bytes and the same time of modification: only the time of any change tells.
    var status = stat()
    #expect(lstat(file.path, &status) == 0)
    let handle = try FileHandle(forUpdating: file)
    try handle.write(contentsOf: Data("%PDF".utf8))
    try handle.close()
    var times = [status.st_mtim, status.st_mtim]
    #expect(utimensat(AT_FDCWD, file.path, &times, 0) == 0)

    let error = await #expect(throws: DocumentError.self) {
      _ = try await document.pictures(of: raster(1, of: document), parts: [part])
    }
    #expect(error?.code == .changed)
    let again = try Document(FilePath(file.path), settings: settings)
    let found = try await again.pictures(of: raster(0, of: again), parts: [part])
    #expect(found.pictures[0].source == .disk)
    let drawn = try await again.pictures(of: raster(1, of: again), parts: [part])
    #expect(drawn.pictures[0].source == .rendered && drawn.pictures[0].cached != nil)
  }
}
