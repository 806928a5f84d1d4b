package import Foundation

/// Documents that claim far more pages than they have.
package enum ClaimedPages {
  /// A document with one real page whose page tree counts `count`; there are that many objects,
  /// because readers refuse the claim otherwise.
  package static func pdf(_ count: Int, size: String = "200 300") -> Data {
    var bytes = Data("%PDF-1.7\n".utf8)
    var entries = Data([0, 0, 0, 0, 0, 0])
    func add(_ number: Int, _ body: String) {
      entries.append(contentsOf: [1, 0, 0, UInt8(bytes.count >> 8), UInt8(bytes.count & 255), 0])
      bytes.append(Data("\(number) 0 obj\n\(body)\nendobj\n".utf8))
    }
    add(1, "<< /Type /Catalog /Pages 2 0 R >>")
    add(2, "<< /Type /Pages /Count \(count) /Kids [3 0 R] >>")
    add(3, "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(size)] /Resources << >> >>")
    let start = bytes.count
    entries.append(contentsOf: [1, 0, 0, UInt8(start >> 8), UInt8(start & 255), 0])
    let table =
      "<< /Type /XRef /W [1 4 1] /Size \(max(count, 5)) /Index [0 5] /Root 1 0 R"
      + " /Length \(entries.count) >>"
    bytes.append(Data("4 0 obj\n\(table)\nstream\n".utf8))
    bytes.append(entries)
    bytes.append(Data("\nendstream\nendobj\nstartxref\n\(start)\n%%EOF\n".utf8))
    return bytes
  }
}
