import DocumentModel
import Foundation
import RectoGeometry
import RectoKit
import RectoTiles
import SystemPackage
import TestSupport
import Testing

/// A document whose cross-reference cannot be read, or leads to no page, is drawn by the objects in its file.
@Suite(.timeLimit(.minutes(2))) struct RebuiltDocumentTests {
  private static func document(root: String, count: String) -> Data {
    let content = "1 0 0 rg 0 0 50 50 re f"
    return Data(
      """
      %PDF-1.4
      1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
      2 0 obj << /Type /Pages \(count) /Kids [3 0 R] >> endobj
      3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 100 50] /Contents 4 0 R >> endobj
      4 0 obj << /Length \(content.utf8.count) >>
      stream
      \(content)
      endstream
      endobj
      trailer << /Size 5 \(root) >>

      """.utf8
    )
  }

  @Test(arguments: [("/Root 1 R", "/Count 1"), ("/Root 1 0 R", "")])
  func `pages are measured, drawn and read, also by a second document`(
    root: String,
    count: String
  ) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "a.pdf")
    try Self.document(root: root, count: count).write(to: file)
    let cache = CacheDirectory(root: FilePath(folder.path("cache")))
    for _ in 0..<2 {
      let document = try Document(
        FilePath(file.path),
        settings: DocumentSettings(
          cache: cache,
          workerProgram: FilePath(TestPaths.worker.path)
        )
      )
      #expect(try await document.info().pageCount == 1)
      #expect(try await document.page(at: 0).size == Size(width: 100, height: 50))
      #expect(try await document.engineVersion().hasPrefix("poppler"))
      let size = PictureGeometry(size: .longestSide(20))
      let picture = try await document.picture(of: 0, geometry: size)
      #expect(picture.warnings.count == 0)
      #expect(picture.warnings.repairs[.crossReference] == 1)
      #expect(try await document.text(of: 0..<1).count == 1)
      #expect(await document.repairs[0]?[.crossReference] == 1)
      await document.close()
    }
  }

  @Test func `a document of which only the count is known is opened by its objects`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "a.pdf")
    try Self.document(root: "/Root 1 R", count: "/Count 1").write(to: file)
    let settings = DocumentSettings(
      cache: CacheDirectory(root: FilePath(folder.path("cache"))),
      workerProgram: FilePath(TestPaths.worker.path)
    )
    let first = try Document(FilePath(file.path), settings: settings)
    #expect(try await first.info().pageCount == 1)
    await first.close()
    let second = try Document(FilePath(file.path), settings: settings)
    #expect(try await second.info().pageCount == 1)
    #expect(try await second.engineVersion().hasPrefix("poppler"))
    await second.close()
  }

  @Test(arguments: ["", "/Length 0", "/Length 5"])
  func `what poppler would rebuild has its other faults mended too`(length: String) async throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "a.pdf")
    try Data(
      """
      %PDF-1.4
      1 0 obj << /Type /Catalog /Pages 2 0 R >> endobj
      2 0 obj << /Type /Pages /Count 1 /Kids [3 0 R] >> endobj
      3 0 obj << /Type /Page /Parent 2 0 R /MediaBox [0 0 100 50] /Contents 4 0 R >> endobj
      4 0 obj << \(length) >>
      stream
      BT /F0 36 Tf 5 10 Td (HHH) Tj ET
      endstream
      endobj
      trailer << /Size 5 /Root 1 0 R >>
      startxref
      7
      %%EOF

      """.utf8
    ).write(to: file)
    let document = try Document(
      FilePath(file.path),
      settings: DocumentSettings(workerProgram: FilePath(TestPaths.worker.path))
    )
    let size = PictureGeometry(size: .longestSide(100))
    let picture = try await document.picture(of: 0, geometry: size)
    #expect(await document.pageReader.name == "tree")
    #expect(picture.warnings.repairs[.crossReference] == 1)
    #expect(picture.warnings.repairs[.fontResource] == 1)
    let text = try #require(try await document.text(of: 0..<1).first).get()
    #expect(text.string.contains("HHH"))
    await document.close()
  }
}
