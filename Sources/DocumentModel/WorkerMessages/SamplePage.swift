internal import RectoGeometry

/// A built-in document, drawn to warm up or to test a worker.
package enum SamplePage {
  /// The requests for a thumbnail of the page: open it, and draw it.
  package static var requests: [WorkerRequest] {
    let index = PageIndex(0)
    let size = PixelSize(width: side, height: side)
    let subset = DocumentSubset(
      pages: [
        .init(
          index: index,
          cropBox: Rect(x: 0, y: 0, width: Double(side), height: Double(side)),
          rotation: .none
        )
      ],
      pieces: [.file(0..<file.count)]
    )
    let raster = PageRaster(
      pageIndex: index,
      scale: 1,
      rotation: .none,
      userUnit: 1,
      size: size
    )
    let part = PixelRect(x: 0, y: 0, width: side, height: side)
    return [
      .open(password: nil, subset: subset),
      .draw(PageDrawing(raster, .parts([part]))),
    ]
  }

  /// The width and height of the page, in points.
  private static let side = 200

  /// A PDF of one page: a line in each of the standard fonts, a filled and a stroked rectangle.
  package static var file: [UInt8] {
    let fonts = [
      "Helvetica", "Helvetica-Bold", "Helvetica-Oblique", "Helvetica-BoldOblique", "Times-Roman",
      "Times-Bold", "Times-Italic", "Times-BoldItalic", "Courier", "Courier-Bold",
      "Courier-Oblique", "Courier-BoldOblique", "Symbol", "ZapfDingbats",
    ]
    var drawing = "0.5 g 10 10 40 40 re f 1 0 0 RG 60 10 40 40 re S 0 g\n"
    var names = ""
    // Invisible (`3 Tr`), so that pixman's glyph table stays empty: glyphs are spread over all of its memory pages, and
    // each copy of this process would have to copy them.
    for (index, font) in fonts.enumerated() {
      drawing += "BT 3 Tr /F\(index) 10 Tf 10 \(60 + 10 * index) Td (Aa 1.,) Tj ET\n"
      names += "/F\(index)<</Type/Font/Subtype/Type1/BaseFont/\(font)>>"
    }
    return document([
      "<</Type/Catalog/Pages 2 0 R>>",
      "<</Type/Pages/Kids[3 0 R]/Count 1>>",
      "<</Type/Page/Parent 2 0 R/MediaBox[0 0 \(side) \(side)]/Contents 4 0 R"
        + "/Resources<</Font<<\(names)>>>>>>",
      "<</Length \(drawing.utf8.count)>>stream\n\(drawing)\nendstream",
    ])
  }

  /// A PDF of objects that are numbered from 1; the first is the catalog.
  private static func document(_ objects: [String]) -> [UInt8] {
    var file = "%PDF-1.4\n"
    var table = "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
    for (index, body) in objects.enumerated() {
      let digits = String(file.utf8.count)
      table += String(repeating: "0", count: 10 - digits.count) + "\(digits) 00000 n \n"
      file += "\(index + 1) 0 obj\(body)\nendobj\n"
    }
    let trailer = "trailer<</Size \(objects.count + 1)/Root 1 0 R>>"
    let end = "\(trailer)\nstartxref\n\(file.utf8.count)\n%%EOF\n"
    return Array((file + table + end).utf8)
  }
}
