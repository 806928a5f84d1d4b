import DocumentModel
import Foundation
import PDFEngine
import RectoGeometry
import SystemPackage
import TestSupport
import Testing

/// What a window promises of its pages is compared with what poppler finds.
extension PopplerTests {
  /// The second page of the fixture, which is turned by 90 degrees, as it is.
  private func turnedPage() throws -> (file: FileDescriptor, info: PageInfo, bytes: Int) {
    let url = TestPaths.fixture("rotate")
    let file = try FileDescriptor.open(FilePath(url.path), .readOnly)
    let document = try PDFDocument(descriptor: file.rawValue)
    return (file, try document.page(at: 1).info(), try Data(contentsOf: url).count)
  }

  /// Draws the page through a window whose second page is promised to be as given.
  private func draw(_ promise: DocumentSubset.Page, count: Int = 4) throws {
    let (file, info, bytes) = try turnedPage()
    defer { try? file.close() }  // opened for reading: closing cannot lose anything
    var pages = Range(pageCount: count).map {
      DocumentSubset.Page(index: $0, cropBox: .zero, rotation: .none)
    }
    pages[1] = promise
    let session = try DrawingSession(
      descriptor: file.rawValue,
      password: nil,
      subset: DocumentSubset(pages: pages, pieces: [.file(0..<bytes)])
    )
    let raster = try PageRaster(page: 1, info: info, scale: 0.5, rotation: .none)
    _ = try session.draw(
      PageDrawing(raster, .parts([PixelRect(x: 0, y: 0, width: 20, height: 20)]))
    ) { _ in }
  }

  private func code(_ body: () throws -> Void) throws -> DocumentError.Code? {
    do {
      try body()
      return nil
    } catch let error as DocumentError {
      return error.code
    }
  }

  @Test func `a page that is what was promised is drawn, and no other`() throws {
    let (file, info, _) = try turnedPage()
    try file.close()
    #expect(info.rotation == .quarter)
    let promise = DocumentSubset.Page(index: 1, cropBox: info.cropBox, rotation: .quarter)
    #expect(try code { try draw(promise) } == nil)
    for rotation in [Rotation.none, .half, .threeQuarters] {
      var other = promise
      other.rotation = rotation
      #expect(try code { try draw(other) } == .pageMismatch)
    }
    var shifted = promise
    shifted.cropBox.origin.x += 1
    #expect(try code { try draw(shifted) } == .pageMismatch)
    #expect(try code { try draw(promise, count: 3) } == .pageMismatch)
  }

  @Test func `a page of another size than it was asked for is not drawn`() throws {
    let (file, info, _) = try turnedPage()
    defer { try? file.close() }  // as above
    let session = try DrawingSession(descriptor: file.rawValue, password: nil, subset: nil)
    var raster = try PageRaster(page: 1, info: info, scale: 0.5, rotation: .none)
    let part = PixelRect(x: 0, y: 0, width: 20, height: 20)
    _ = try session.draw(PageDrawing(raster, .parts([part]))) { _ in }
    raster.size.width += 1
    #expect(
      try code { _ = try session.draw(PageDrawing(raster, .parts([part]))) { _ in } }
        == .pageMismatch
    )
  }
}
