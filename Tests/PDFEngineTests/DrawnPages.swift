import DocumentModel
import Foundation
import PDFEngine
import RectoGeometry
import TestSupport
import Testing

/// Pages made for one test, and pictures of pages.
extension PopplerTests {
  /// Runs `body` with a document of one page of 200 × 300 points.
  func withPage(_ content: String, _ resources: String, _ body: (URL) throws -> Void) throws {
    let folder = try TemporaryFolder()
    let file = folder.url.appending(path: "page.pdf")
    var pdf = PDFFile()
    pdf.add("<</Type/Catalog/Pages 2 0 R>>")
    pdf.add("<</Type/Pages/Kids[3 0 R]/Count 1>>")
    pdf.add(
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 300]/Contents 4 0 R/Resources<<\(resources)>>>>"
    )
    pdf.add("<</Length \(content.utf8.count)>>", stream: Data(content.utf8))
    try pdf.finished().write(to: file)
    try body(file)
  }

  func withDocument(
    _ file: URL,
    _ text: TextPlacement,
    _ body: (PDFDocument) throws -> Void
  ) throws {
    let handle = try FileHandle(forReadingFrom: file)
    defer { try? handle.close() }
    try body(try PDFDocument(descriptor: handle.fileDescriptor, text: text))
  }

  /// A page, drawn directly.
  func picture(
    of file: URL,
    _ index: PageIndex,
    scale: Double,
    _ text: TextPlacement
  ) throws -> Picture {
    var picture: Picture?
    try withDocument(file, text) { document in
      let page = try document.page(at: index)
      let raster = try PageRaster(page: index, info: page.info(), scale: scale, rotation: .none)
      picture = Picture(try page.bitmap(of: raster.whole, raster: raster))
    }
    return try #require(picture)
  }
}
