package import Foundation
package import RectoGeometry

/// What `pdfinfo` prints about a document and its pages.
package struct PopplerPages: Sendable {
  /// A page, in points; boxes are left, bottom, right, top.
  package struct Page: Sendable {
    package var size: (width: Double, height: Double) = (0, 0)
    package var rotation = 0
    /// Nil for a page that is counted but missing.
    package var media: [Double]?
    /// Nil for a page that is counted but missing.
    package var crop: [Double]?
  }

  package var count = 0
  package var pages: [PageIndex: Page] = [:]
  package var isEncrypted = false
  /// Whether poppler opened the file without a word about damage and without rebuilding it.
  package var isUndamaged = false

  /// Nil when poppler cannot open the file or does not come back.
  ///
  /// - Throws: `ChildProcessError` if no program can be started.
  package init?(_ file: URL) throws {
    let answer = try Program.runInPath("pdfinfo", ["-f", "1", "-l", "-1", "-box", file.path])
    // 99: no such page, which here means that there are none.
    guard answer.code == 0 || answer.code == 99 else { return nil }
    isUndamaged = answer.code == 0 && answer.errors.isEmpty
    for line in answer.text.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 1 else { continue }
      if words[0] == "Pages:" { count = Int(words[1]) ?? 0 }
      if words[0] == "Encrypted:" { isEncrypted = words[1] == "yes" }
      guard words[0] == "Page", words.count > 3,
        let index = Int(words[1]).flatMap(PageIndex.init(number:))
      else { continue }
      var page = pages[index] ?? Page()
      switch words[2] {
      case "size:":
        page.size = (Double(words[3]) ?? .nan, words.count > 5 ? Double(words[5]) ?? .nan : .nan)
      case "rot:": page.rotation = Int(words[3]) ?? -1
      case "MediaBox:": page.media = words[3...].compactMap { Double($0) }
      case "CropBox:": page.crop = words[3...].compactMap { Double($0) }
      default: break
      }
      pages[index] = page
    }
  }
}
