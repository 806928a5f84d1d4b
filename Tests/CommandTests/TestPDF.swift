import Foundation

/// Small documents: with pages of given sizes, or of given objects.
enum TestPDF {
  /// Writes a document of empty pages.
  ///
  /// - Parameters:
  ///   - sizes: Width and height of each page in points.
  ///   - labels: The /Nums of the page labels, if there are any.
  ///   - trailer: Entries of the trailer besides /Size and /Root.
  ///   - path: The path of the file.
  /// - Throws: The error of the file.
  static func write(
    _ sizes: [(width: Double, height: Double)],
    labels: String? = nil,
    trailer: String = "",
    to path: String
  ) throws {
    let tree = labels.map { " /PageLabels << /Nums [\($0)] >>" } ?? ""
    let kids = sizes.indices.map { "\($0 + 3) 0 R" }.joined(separator: " ")
    var objects = [
      "<< /Type /Catalog /Pages 2 0 R\(tree) >>",
      "<< /Type /Pages /Kids [\(kids)] /Count \(sizes.count) >>",
    ]
    objects += sizes.map { size in
      "<< /Type /Page /Parent 2 0 R /Resources << >> /MediaBox [0 0 \(size.width) \(size.height)] >>"
    }
    try write(objects: objects, trailer: trailer, to: path)
  }

  /// Writes a document of objects, numbered from 1; the first is the catalog.
  ///
  /// - Throws: The error of the file.
  static func write(objects: [String], trailer: String = "", to path: String) throws {
    var text = "%PDF-1.7\n"
    var table = "0000000000 65535 f \n"
    for (index, object) in objects.enumerated() {
      let offset = String(text.utf8.count)
      table += String(repeating: "0", count: 10 - offset.count) + offset + " 00000 n \n"
      text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let start = text.utf8.count
    text += "xref\n0 \(objects.count + 1)\n\(table)"
    text += "trailer\n<< /Size \(objects.count + 1) /Root 1 0 R \(trailer) >>\n"
    text += "startxref\n\(start)\n%%EOF\n"
    try Data(text.utf8).write(to: URL(filePath: path))
  }
}
