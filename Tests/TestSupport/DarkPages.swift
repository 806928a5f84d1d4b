package import Foundation

/// A PDF of black pages, on which uncovered paper at an edge is a lighter pixel.
package struct DarkPages {
  private let folder: TemporaryFolder
  /// The file.
  package let file: URL

  /// Makes the file.
  ///
  /// - Parameter sizes: Width and height of each page in points; written unchanged.
  /// - Throws: An error if the file cannot be written.
  package init(_ sizes: [(width: Double, height: Double)]) throws {
    folder = try TemporaryFolder()
    file = folder.url.appending(path: "dark.pdf")
    var pdf = PDFFile()
    let kids = sizes.indices.map { "\(3 + 2 * $0) 0 R" }.joined(separator: " ")
    pdf.add("<</Type/Catalog/Pages 2 0 R>>")
    pdf.add("<</Type/Pages/Kids[\(kids)]/Count \(sizes.count)>>")
    for size in sizes {
      let contents = pdf.count + 2
      pdf.add(
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 \(size.width) \(size.height)]/Resources<<>>"
          + "/Contents \(contents) 0 R>>"
      )
      // Beyond the page on all sides: its box alone decides where the black ends.
      let content = "0 g -20 -20 \(size.width + 40) \(size.height + 40) re f"
      pdf.add("<</Length \(content.utf8.count)>>", stream: Data(content.utf8))
    }
    try pdf.finished().write(to: file)
  }

  /// A mix of sizes, most of them not whole points.
  ///
  /// - Throws: An error if the file cannot be written.
  package static func mixed() throws -> DarkPages {
    let sizes = [
      (595.276, 841.89), (595.276, 841.89), (612.0, 792.0), (841.89, 595.276), (419.53, 595.28),
      (419.53, 595.28), (300.4, 200.6), (595.276, 841.89), (612.0, 792.0),
    ]
    return try DarkPages(sizes.map { (width: $0.0, height: $0.1) })
  }
}
