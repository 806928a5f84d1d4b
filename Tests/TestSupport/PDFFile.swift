package import Foundation

/// The bytes of a PDF that is written object by object; the first one is the catalog.
package struct PDFFile {
  private var bytes = Data("%PDF-1.4\n".utf8)
  private var offsets: [Int] = []

  /// A file without objects.
  package init() {}

  /// The number of objects so far, which is that of the last one.
  package var count: Int { offsets.count }

  /// Adds an object.
  package mutating func add(_ body: String, stream: Data? = nil) {
    offsets.append(bytes.count)
    bytes += Data("\(offsets.count) 0 obj\n\(body)\n".utf8)
    if let stream { bytes += Data("stream\n".utf8) + stream + Data("\nendstream\n".utf8) }
    bytes += Data("endobj\n".utf8)
  }

  /// The file, with its cross-reference table and its trailer.
  package func finished() -> Data {
    var file = bytes + Data("xref\n0 \(count + 1)\n0000000000 65535 f \n".utf8)
    for offset in offsets {
      let digits = String(offset)
      let padding = String(repeating: "0", count: 10 - digits.count)
      file += Data("\(padding)\(digits) 00000 n \n".utf8)
    }
    return file
      + Data("trailer\n<</Size \(count + 1)/Root 1 0 R>>\nstartxref\n\(bytes.count)\n%%EOF\n".utf8)
  }
}
