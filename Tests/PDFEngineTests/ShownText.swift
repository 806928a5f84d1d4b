import DocumentModel
import Foundation
import RectoGeometry
import RenderWorkers
import TestSupport

/// Pages that show text in Helvetica.
enum ShownText {
  /// The text of pages with contents.
  static func texts(_ contents: [String]) async throws -> [PageText] {
    var file = PDFFile()
    file.add("<</Type/Catalog/Pages 2 0 R>>")
    let kids = contents.indices.map { "\(4 + 2 * $0) 0 R" }.joined(separator: " ")
    file.add("<</Type/Pages/Count \(contents.count)/Kids[\(kids)]>>")
    file.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    for content in contents {
      let stream = Data(content.utf8)
      file.add(
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 1000 1000]/Resources<</Font<</F 3 0 R>>>>"
          + "/Contents \(file.count + 2) 0 R>>"
      )
      file.add("<</Length \(stream.count)>>", stream: stream)
    }
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "slanted.pdf")
    try file.finished().write(to: url)
    return try await withPool(url) { pool in
      try await pool.text(of: Range(pageCount: contents.count), hasStyles: false, subset: nil)
        .map { try $0.get() }
    }
  }

  /// Shows a line.
  ///
  /// - Parameters:
  ///   - text: The line.
  ///   - angle: Its direction in degrees, counterclockwise.
  ///   - size: The size of the font in points.
  ///   - spacing: What is added between letters, in ems.
  ///   - down: How far it is below the place, across its direction.
  ///   - x: The place.
  ///   - y: The place.
  /// - Returns: What a content stream has of it.
  static func line(
    _ text: String,
    _ angle: Double,
    size: Double,
    spacing: Double = 0,
    down: Double = 0,
    x: Double = 500,
    y: Double = 500
  ) -> String {
    let (sine, cosine) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
    let matrix = [cosine, sine, -sine, cosine, x + sine * down, y - cosine * down]
    let numbers = matrix.map { String(format: "%.6f", $0) }.joined(separator: " ")
    return "BT /F \(size) Tf \(spacing * size) Tc \(numbers) Tm (\(text)) Tj ET\n"
  }
}
