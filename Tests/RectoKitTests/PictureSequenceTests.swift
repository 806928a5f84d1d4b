import DocumentModel
import Foundation
import PNGCoding
import RectoGeometry
import RectoKit
import SystemPackage
import TestSupport
import Testing

/// Pictures of pages in a few lines.
@Suite struct PictureSequenceTests {
  private static let settings = DocumentSettings(
    cache: nil,
    workers: 2,
    workerProgram: FilePath(TestPaths.worker.path)
  )
  private static let geometry = PictureGeometry(size: .longestSide(100))

  private func document(_ name: String = "book") throws -> Document {
    try Document(FilePath(TestPaths.fixture(name).path), settings: Self.settings)
  }

  @Test func `a page has the same pixels as a file and as an image`() async throws {
    let document = try document()
    let file = try await document.png(page: 4, dpi: 40)
    let geometry = PictureGeometry(size: .resolution(40))
    #expect(try await document.picture(of: 4, geometry: geometry).bytes == file)
    let image = try await document.image(page: 4, dpi: 40)
    let decoded = try PNGDecoder.decode(file, maxPixels: 1 << 20)
    #expect(image.size == decoded.size)
    let colors = decoded.pixels.flatMap {
      [UInt8($0 >> 16 & 255), UInt8($0 >> 8 & 255), UInt8($0 & 255)]
    }
    #expect(image.bytes == colors)
    await document.close()
  }

  @Test func `pictures come in order, and a page that fails does not affect the others`()
    async throws
  {
    let document = try document("page-missing")
    let count = try await document.info().pageCount
    var pages: [PageIndex] = []
    for await (page, picture) in document.pictures(
      of: 0..<PageIndex(count + 2),
      geometry: Self.geometry
    ) {
      pages.append(page)
      switch picture {
      case .success(let picture):
        let alone = try await document.picture(of: page, geometry: Self.geometry)
        #expect(picture.bytes == alone.bytes)
      case .failure(let error):
        #expect(page.value < count || error.code == .pageMissing, "\(error)")
      }
    }
    #expect(pages == (0..<count + 2).map { PageIndex($0) })
    await document.close()
  }

  @Test func `who stops reading can go on with the document`() async throws {
    let document = try document()
    for _ in 0..<20 {
      for await (page, _) in document.pictures(of: 0..<40, geometry: Self.geometry) where page == 1
      {
        break
      }
    }
    let cancelled = Task {
      while !Task.isCancelled { await Task.yield() }
      var pages = 0
      for await _ in document.pictures(of: 0..<100_000, geometry: Self.geometry) { pages += 1 }
      return pages
    }
    cancelled.cancel()
    #expect(await cancelled.value == 0)
    #expect(try await document.png(page: 0).isEmpty == false)
    await document.close()
  }

  @Test func `a document in memory is the one on the disk`() async throws {
    let path = TestPaths.fixture("book")
    let bytes = [UInt8](try Data(contentsOf: path))
    let memory = try Document(data: bytes, settings: Self.settings)
    let disk = try document()
    #expect(try await memory.info() == disk.info())
    #expect(try await memory.png(page: 3, dpi: 30) == disk.png(page: 3, dpi: 30))
    let damaged = try Document(data: [1, 2, 3], settings: Self.settings)
    await #expect(throws: DocumentError.self) { try await damaged.info() }
    for document in [memory, disk, damaged] { await document.close() }
  }
}
