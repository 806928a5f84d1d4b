import DocumentModel
import RectoGeometry
import Testing

@testable import PDFStructure

@Suite struct PageGeometryTests {
  private func page(_ entries: String, root: String = "") throws -> PageNode {
    let bytes = PDFBuilder.flat(1, root: root) { _ in entries }.table()
    return try #require(try PageTreeReader(bytes).page(at: 0))
  }

  private func box(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) -> PageBox {
    PageBox(x1: x1, y1: y1, x2: x2, y2: y2)
  }

  @Test func `a page without a box is a letter`() throws {
    #expect(try page("").mediaBox == .letter)
    #expect(try page("").info.size == Size(width: 612, height: 792))
  }

  @Test func `corners come in any order`() throws {
    #expect(try page("/MediaBox [30 40 10 20]").mediaBox == box(10, 20, 30, 40))
  }

  @Test(arguments: [
    "[1 2 3]", "[1 2 3 4 5]", "[0 0 0 0]", "[/A 2 3 4]", "[(a) 2 3 4]", "[null 2 3 4]", "null",
    "7", "<< >>", "[ ]",
  ])
  func `a malformed box is inherited or a letter`(text: String) throws {
    #expect(try page("/MediaBox \(text)").mediaBox == .letter)
    #expect(
      try page("/MediaBox \(text)", root: "/MediaBox [0 0 7 9]").mediaBox == box(0, 0, 7, 9)
    )
  }

  @Test func `a box knows no upper limit`() throws {
    let digits = String(repeating: "9", count: 400)
    let page = try page("/MediaBox [0 0 \(digits) 100000000000000000000]")
    #expect(page.mediaBox.width == .infinity)
    #expect(page.mediaBox.height == 1e20)
    #expect(!page.info.size.isProper)
  }

  @Test func `there are no exponents, so that such a box has five elements`() throws {
    #expect(try page("/MediaBox [0 0 7 1e38]").mediaBox == .letter)
  }

  @Test func `a crop box that overhangs is moved to the media box as poppler does it`() throws {
    // Too wide: the whole axis falls back. The specification would intersect: 100…612.
    let wide = try page("/MediaBox [0 0 612 792] /CropBox [100 100 800 200]")
    #expect(wide.cropBox == box(0, 100, 612, 200))
    // Not too wide, but outside in part: clipped.
    let shifted = try page("/MediaBox [0 0 612 792] /CropBox [400 100 900 200]")
    #expect(shifted.cropBox == box(400, 100, 612, 200))
  }

  @Test func `a crop box of which nothing is left is ignored`() throws {
    for crop in ["[700 800 900 900]", "[612 0 700 792]", "[10 10 10 50]"] {
      let page = try page("/MediaBox [0 0 612 792] /CropBox \(crop)")
      #expect(page.cropBox == box(0, 0, 612, 792))
      #expect(page.repairs.kinds == [.cropBox])
    }
    let point = try page("/MediaBox [9 9 9 9] /CropBox [0 0 5 5]")
    #expect(point.info.size == Size(width: 0, height: 0))
    #expect(point.repairs.isEmpty)
  }

  @Test func `only a page that says it is one has its crop box taken back`() throws {
    let builder = PDFBuilder([
      1: "<< /Pages 2 0 R >>",
      2: "<< /Count 1 /Kids [3 0 R] >>",
      3: "<< /MediaBox [10 10 100 100] /CropBox [0 20 200 30] >>",
    ])
    let page = try PageTreeReader(builder.table()).page(at: 0)
    #expect(page?.cropBox == box(10, 20, 100, 30))
  }

  @Test func `a crop box is inherited past a media box`() throws {
    let page = try page("/MediaBox [0 0 50 60]", root: "/CropBox [10 10 20 20]")
    #expect(page.cropBox == box(10, 10, 20, 20))
    let own = try self.page("/MediaBox [0 0 50 60]", root: "/MediaBox [0 0 9 9]")
    #expect(own.cropBox == box(0, 0, 50, 60))
  }

  @Test(arguments: [
    ("90", 90), ("-90", 270), ("450", 90), ("45", 45), ("-45", 315), ("(90)", 0),
    ("2147483647", 127), ("-2147483648", 232), ("2147483648", 0),
  ])
  func `rotation is an integer modulo 360`(text: String, degrees: Int) throws {
    #expect(try page("/Rotate \(text)").rotation == degrees)
  }

  @Test func `only quarter turns take effect`() throws {
    let page = try page("/Rotate 45 /MediaBox [0 0 7 9]")
    #expect(page.effectiveRotation == .none)
    #expect(page.info.size == Size(width: 7, height: 9))
  }

  @Test func `size is the crop box after rotation, times the unit`() throws {
    let page = try page("/Rotate 90 /MediaBox [0 0 100 50] /CropBox [10 10 30 20] /UserUnit 2")
    #expect(page.info.cropBox.size == Size(width: 20, height: 10))
    #expect(page.info.size == Size(width: 20, height: 40))
    #expect(page.info.rotation == .quarter)
    #expect(page.info.userUnit == 2)
  }

  @Test(arguments: ["0", "-2", "(3)", "null", "/Two"])
  func `a unit that is no positive number is one`(text: String) throws {
    #expect(try page("/UserUnit \(text)").userUnit == 1)
  }

  @Test func `the last of two equal keys counts`() throws {
    #expect(try page("/Rotate 90 /Rotate 180").rotation == 180)
  }
}
