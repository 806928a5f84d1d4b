package import Foundation

/// A PDF of black pages, on which uncovered paper at an edge is a lighter pixel.
package struct DarkPages {
  private let folder: TemporaryFolder
  /// The file.
  package let file: URL

  /// Makes the file.
  ///
  /// - Parameter sizes: width and height of each page in points; written unchanged.
  package init(_ sizes: [(width: Double, height: Double)]) throws {
    folder = try TemporaryFolder()
    file = folder.url.appending(path: "dark.pdf")
    var pdf = Data("%PDF-1.4\n".utf8)
    var offsets: [Int] = []
    func object(_ body: String) {
      offsets.append(pdf.count)
      pdf += Data("\(offsets.count) 0 obj\n\(body)\nendobj\n".utf8)
    }
    let kids = sizes.indices.map { "\(3 + 2 * $0) 0 R" }.joined(separator: " ")
    object("<</Type/Catalog/Pages 2 0 R>>")
    object("<</Type/Pages/Kids[\(kids)]/Count \(sizes.count)>>")
    for size in sizes {
      let contents = offsets.count + 2
      object(
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 \(size.width) \(size.height)]/Resources<<>>"
          + "/Contents \(contents) 0 R>>"
      )
      // Beyond the page on all sides: its box alone decides where the black ends.
      let content = "0 g -20 -20 \(size.width + 40) \(size.height + 40) re f"
      object("<</Length \(content.utf8.count)>>\nstream\n\(content)\nendstream")
    }
    let start = pdf.count
    pdf += Data("xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n".utf8)
    for offset in offsets {
      let digits = String(offset)
      let padding = String(repeating: "0", count: 10 - digits.count)
      pdf += Data("\(padding)\(digits) 00000 n \n".utf8)
    }
    pdf += Data(
      "trailer\n<</Size \(offsets.count + 1)/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF\n".utf8
    )
    try pdf.write(to: file)
  }

  /// A mix of sizes, most of them not whole points.
  package static func mixed() throws -> DarkPages {
    let sizes = [
      (595.276, 841.89), (595.276, 841.89), (612.0, 792.0), (841.89, 595.276), (419.53, 595.28),
      (419.53, 595.28), (300.4, 200.6), (595.276, 841.89), (612.0, 792.0),
    ]
    return try DarkPages(sizes.map { (width: $0.0, height: $0.1) })
  }
}
