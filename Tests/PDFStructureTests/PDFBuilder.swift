import DocumentModel
import RectoGeometry

@testable import PDFStructure

/// Writes small PDFs for tests, with every table at the right place.
struct PDFBuilder {
  /// Bytes in front of the header.
  var junk: [UInt8] = []
  /// Objects by number; a stream's dictionary and data are part of the text.
  var objects: [Int: [UInt8]] = [:]
  /// More entries of the trailer.
  var trailer = ""
  /// Bytes behind the end.
  var suffix: [UInt8] = []

  init(_ objects: [Int: String] = [:]) {
    for (number, text) in objects { self.objects[number] = Array(text.utf8) }
  }

  /// A document of `count` pages below one node; `pages` says what is in each of them.
  static func flat(_ count: Int, root: String = "", pages: (Int) -> String = { _ in "" }) -> Self {
    var builder = PDFBuilder([1: "<< /Type /Catalog /Pages 2 0 R >>"])
    let kids = (0..<count).map { "\($0 + 3) 0 R" }.joined(separator: " ")
    builder[2] = "<< /Type /Pages /Count \(count) /Kids [\(kids)] \(root) >>"
    for page in 0..<count {
      builder[page + 3] = "<< /Type /Page /Parent 2 0 R \(pages(page)) >>"
    }
    return builder
  }

  subscript(number: Int) -> String {
    get { String(decoding: objects[number] ?? [], as: UTF8.self) }
    set { objects[number] = Array(newValue.utf8) }
  }

  var size: Int { (objects.keys.max() ?? 0) + 1 }

  /// The objects, and where each of them is, counted from the header.
  private func body() -> (bytes: [UInt8], offsets: [Int: Int]) {
    var bytes = Array("%PDF-1.7\n".utf8)
    var offsets: [Int: Int] = [:]
    for (number, object) in objects.sorted(by: { $0.key < $1.key }) {
      offsets[number] = bytes.count
      bytes += Array("\(number) 0 obj\n".utf8) + object + Array("\nendobj\n".utf8)
    }
    return (bytes, offsets)
  }

  /// The file with a cross-reference table.
  func table(entryEnd: String = " \n", first: Int = 0) -> [UInt8] {
    var (bytes, offsets) = body()
    let start = bytes.count
    var text = "xref\n\(first) \(size)\n"
    text += "0000000000 65535 f\(entryEnd)"
    for number in 1..<size {
      if let offset = offsets[number] {
        let digits = String(offset)
        text += String(repeating: "0", count: 10 - digits.count) + digits + " 00000 n\(entryEnd)"
      } else {
        text += "0000000000 00000 f\(entryEnd)"
      }
    }
    text += "trailer\n<< /Size \(size) /Root 1 0 R \(trailer) >>\nstartxref\n\(start)\n%%EOF\n"
    bytes += Array(text.utf8)
    return junk + bytes + suffix
  }

  /// The file with a cross-reference stream; the objects in `compressed` are in an object stream.
  func stream(
    compressed: [Int] = [],
    filter: (([UInt8]) -> (data: [UInt8], entries: String))? = nil
  ) -> [UInt8] {
    var plain = self
    var container = size
    if compressed.isEmpty { container -= 1 }
    var header = ""
    var content: [UInt8] = []
    for number in compressed {
      header += "\(number) \(content.count) "
      content += (objects[number] ?? []) + [0x0A]
      plain.objects[number] = nil
    }
    if !compressed.isEmpty {
      let data = Array(header.utf8) + content
      let filtered = filter?(data) ?? (data: data, entries: "")
      plain.objects[container] =
        Array(
          """
          << /Type /ObjStm /N \(compressed.count) /First \(header.utf8.count) \
          /Length \(filtered.data.count) \(filtered.entries) >>\nstream\n
          """.utf8
        ) + filtered.data + Array("\nendstream".utf8)
    }
    var (bytes, offsets) = plain.body()
    let own = container + 1
    let start = bytes.count
    var rows: [UInt8] = []
    for number in 0...own {
      if let index = compressed.firstIndex(of: number) {
        rows += [2] + Self.word(container) + [UInt8(index >> 8), UInt8(index & 255)]
      } else if let offset = number == own ? start : offsets[number] {
        rows += [1] + Self.word(offset) + [0, 0]
      } else {
        rows += [0, 0, 0, 0, 0, 0xFF, 0xFF]
      }
    }
    let filtered = filter?(rows) ?? (data: rows, entries: "")
    bytes += Array(
      """
      \(own) 0 obj\n<< /Type /XRef /Size \(own + 1) /W [1 4 2] /Root 1 0 R \
      /Length \(filtered.data.count) \(filtered.entries) \(trailer) >>\nstream\n
      """.utf8
    )
    bytes += filtered.data + Array("\nendstream\nendobj\nstartxref\n\(start)\n%%EOF\n".utf8)
    return junk + bytes + suffix
  }

  static func word(_ number: Int) -> [UInt8] {
    (0..<4).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }

  /// A zlib stream that stores its bytes as they are.
  static func stored(_ data: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x78, 0x01]
    var rest = data[...]
    repeat {
      let block = rest.prefix(65535)
      rest = rest.dropFirst(block.count)
      let length = UInt16(block.count)
      bytes.append(rest.isEmpty ? 1 : 0)
      bytes += [UInt8(length & 255), UInt8(length >> 8)]
      bytes += [UInt8(~length & 255), UInt8(~length >> 8)]
      bytes += block
    } while !rest.isEmpty
    return bytes + [0, 0, 0, 0]
  }
}

extension PageTreeReader {
  /// A reader of bytes in memory.
  convenience init(_ bytes: [UInt8], limits: ReaderLimits = .standard) throws(StructureError) {
    try self.init(bytes: MemoryBytes(bytes), limits: limits)
  }

  /// The object numbers of all pages; nil for those that are missing.
  func objectNumbers() throws(StructureError) -> [Int?] {
    try pages(in: Range(pageCount: pageCount)).map { $0?.objectNumber }
  }
}

extension PageNode {
  /// The same page as any document would number it.
  var unnumbered: PageNode {
    var page = self
    page.objectNumber = 0
    page.generation = 0
    return page
  }
}

/// The reason for which a document is left to poppler; nil when it is not.
func reason(_ body: () throws(StructureError) -> Void) -> StructureError.Reason? {
  do throws(StructureError) {
    try body()
    return nil
  } catch {
    return error.reason
  }
}

extension [DocumentSubset.Piece] {
  /// The subset's bytes, given those of the file.
  func bytes(over file: [UInt8]) -> [UInt8] {
    flatMap { piece -> [UInt8] in
      switch piece {
      case .bytes(let bytes): bytes
      case .file(let range): [UInt8](file[range])
      case .inflated(let range, let count): inflated(file[range], count)
      }
    }
  }

  /// What a zlib stream decodes to; nothing when that is not as long as the subset says.
  private func inflated(_ stream: ArraySlice<UInt8>, _ count: Int) -> [UInt8] {
    let meter = WorkMeter(limit: .max)
    let bytes = try? FlateDecoder().decode(stream, expecting: count, limit: count, meter: meter)
    return bytes.flatMap { $0.count == count ? $0 : nil } ?? []
  }

  /// The bytes that are not the file's.
  var ownText: String {
    let own = flatMap { piece -> [UInt8] in
      if case .bytes(let bytes) = piece { bytes } else { [] }
    }
    return String(decoding: own, as: UTF8.self)
  }
}
