import Foundation
import TestSupport

/// Documents with text.
enum TextPages {
  /// A page with text operators, and a /ToUnicode map for its font.
  static func one(_ content: String, map: String) -> String { pages(1, content, map: map) }

  /// Pages that all show the same.
  ///
  /// - Parameters:
  ///   - count: The number of pages.
  ///   - content: The operators between BT and ET.
  ///   - map: The characters of a /ToUnicode map; nil for none.
  /// - Returns: The document.
  static func pages(_ count: Int, _ content: String, map: String? = nil) -> String {
    let stream = "BT /F 12 Tf 20 100 Td \(content) ET"
    let unicode =
      "/CIDInit /ProcSet findresource begin 12 dict begin begincmap "
      + "1 begincodespacerange <00> <FF> endcodespacerange \(map ?? "") endcmap end end"
    let kids = (0..<count).map { "\(6 + $0) 0 R" }.joined(separator: " ")
    var objects = [
      "<< /Type /Catalog /Pages 2 0 R >>",
      "<< /Type /Pages /Count \(count) /Kids [\(kids)] /MediaBox [0 0 200 200] "
        + "/Resources << /Font << /F 4 0 R >> >> >>",
      "<< /Length \(stream.utf8.count) >>\nstream\n\(stream)\nendstream",
      "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica \(map == nil ? "" : "/ToUnicode 5 0 R") >>",
      "<< /Length \(unicode.utf8.count) >>\nstream\n\(unicode)\nendstream",
    ]
    objects += (0..<count).map { _ in "<< /Type /Page /Parent 2 0 R /Contents 3 0 R >>" }
    var text = "%PDF-1.7\n"
    var table = "0000000000 65535 f \n"
    for (index, object) in objects.enumerated() {
      let offset = String(text.utf8.count)
      table += String(repeating: "0", count: 10 - offset.count) + offset + " 00000 n \n"
      text += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let size = objects.count + 1
    return text + "xref\n0 \(size)\n\(table)trailer\n<< /Size \(size) /Root 1 0 R >>\n"
      + "startxref\n\(text.utf8.count)\n%%EOF\n"
  }
}

/// A worker that writes down that it was started.
struct CountingWorker {
  /// The program.
  let path: String
  private let record: URL

  fileprivate init(path: String, record: URL) {
    self.path = path
    self.record = record
  }

  /// How often it was started since this was asked last.
  func starts() throws -> Int {
    guard FileManager.default.fileExists(atPath: record.path) else { return 0 }
    defer { try? FileManager.default.removeItem(at: record) }
    return try String(contentsOf: record, encoding: .utf8).split(separator: "\n").count
  }
}

extension CommandSandbox {
  /// A worker in the folder that counts how often it is started.
  func countingWorker() throws -> CountingWorker {
    let record = folder.url.appending(path: "starts")
    let path = try file(
      "worker",
      "#!/bin/sh\necho start >> '\(record.path)'\nexec '\(TestPaths.worker.path)' \"$@\"\n"
    )
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
    return CountingWorker(path: path, record: record)
  }
}
