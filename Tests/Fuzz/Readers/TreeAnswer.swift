import DocumentModel
import PDFStructure
import RectoGeometry

/// What the page tree reader says of a document, in the words that the oracle uses.
struct TreeAnswer {
  /// Pages up to which all are asked for.
  let limit: Int
  /// Pages at the beginning that are asked for otherwise.
  let ends: Int
  /// Pages at the end that are asked for otherwise.
  let tail: Int

  /// One line: `ok count title layout page…`, or `no reason: detail`. Of a page whose box or rotation is repaired it has
  /// `repaired` instead of both.
  func line(_ file: [UInt8]) -> String {
    do throws(StructureError) {
      let reader = try PageTreeReader(bytes: MemoryBytes(file))
      let info = reader.documentInfo()
      var line = "ok \(reader.pageCount) \(hex(info.title)) \(info.pageLayout?.rawValue ?? "-")"
      let count = reader.pageCount
      let ranges = count <= limit ? [0..<count] : [0..<ends, (count - tail)..<count]
      for range in ranges.map(Range<PageIndex>.init(indices:)) {
        for (index, page) in zip(range, try reader.pages(in: range)) {
          line += " \(index.value):"
          guard let page else {
            line += "missing"
            continue
          }
          line +=
            (page.repairs.isEmpty ? words(page) : "repaired:") + hex(try reader.label(of: index))
        }
      }
      return line
    } catch {
      return "no \(error)"
    }
  }

  /// Box, size after rotation, both without /UserUnit, which poppler does not know; rotation.
  private func words(_ page: PageNode) -> String {
    let box = page.cropBox
    let size = Size(width: box.width, height: box.height).rotated(by: page.effectiveRotation)
    var words = ""
    for value in [box.x1, box.y1, box.x2, box.y2, size.width, size.height] {
      words += String((value + 0.0).bitPattern, radix: 16) + ","
    }
    return words + "\(page.rotation):"
  }

  /// Bytes of a text that are compared, as in the oracle.
  private static let textLimit = 256

  private func hex(_ text: String?) -> String {
    guard let text, !text.isEmpty else { return "-" }
    return text.utf8.prefix(Self.textLimit).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
      .joined()
  }
}
