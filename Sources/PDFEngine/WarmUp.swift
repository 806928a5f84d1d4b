internal import CLinux
public import DocumentModel
internal import Geometry
internal import Glibc
internal import PageNumbers

extension DrawingSession {
  /// Draws a page of its own, so that all that is loaded once in a process has been loaded: the fonts
  /// of the system, those in place of the standard fonts, poppler's tables, the encoder.
  ///
  /// - Returns: The session, which has to be kept: poppler forgets its tables with the last document.
  /// - Throws: `DocumentError` when the page cannot be drawn.
  public static func warmed() throws(DocumentError) -> DrawingSession {
    let file = memfd_create("page", 1)
    guard file >= 0 else { throw DocumentError(.fault, during: "warm up", "memfd_create") }
    defer { close(file) }
    let page = warmingPage
    let written = page.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    guard written == page.count else { throw DocumentError(.fault, during: "warm up", "write") }
    let session = try DrawingSession(descriptor: file, password: nil, subset: nil)
    _ = session.properties
    let raster = PageRaster(
      pageIndex: PageIndex(0),
      scale: 1,
      rotation: .none,
      userUnit: 1,
      size: PixelSize(width: 200, height: 200)
    )
    let part = PixelRect(x: 0, y: 0, width: 200, height: 200)
    _ = try session.draw(raster, parts: [part], isOneOff: true) { _ in }
    return session
  }

  /// A PDF of one page: a line in each of the standard fonts, a filled and a stroked rectangle.
  private static var warmingPage: [UInt8] {
    let fonts = [
      "Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique", "Times-Roman",
      "Times-Bold", "Times-Italic", "Times-BoldItalic", "Courier", "Courier-Bold",
      "Courier-Oblique", "Courier-BoldOblique", "Symbol", "ZapfDingbats",
    ]
    var drawing = "0.5 g 10 10 40 40 re f 1 0 0 RG 60 10 40 40 re S 0 g\n"
    var names = ""
    for (index, font) in fonts.enumerated() {
      drawing += "BT /F\(index) 10 Tf 10 \(60 + 10 * index) Td (Aa 1.,) Tj ET\n"
      names += "/F\(index)<</Type/Font/Subtype/Type1/BaseFont/\(font)>>"
    }
    let objects = [
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R"
        + "/Resources<</Font<<\(names)>>>>>>",
      "<</Length \(drawing.utf8.count)>>stream\n\(drawing)\nendstream",
    ]
    var file = "%PDF-1.4\n"
    var table = "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
    for (index, body) in objects.enumerated() {
      let digits = String(file.utf8.count)
      table += String(repeating: "0", count: 10 - digits.count) + "\(digits) 00000 n \n"
      file += "\(index + 1) 0 obj\(body)\nendobj\n"
    }
    let start = file.utf8.count
    file += table + "trailer<</Size \(objects.count + 1)/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n"
    return Array(file.utf8)
  }
}
