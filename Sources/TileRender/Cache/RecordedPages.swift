internal import ByteCoding
internal import DocumentModel

/// What one file of a record says of consecutive pages.
struct RecordedPages: Equatable {
  /// The most pages in one file.
  static let count = 256

  /// The first page that the file has room for.
  let first: Int
  /// The pages known, by index; all from `first` on, and fewer than ``count`` behind it.
  let pages: [Int: PageFacts]

  /// Pages that are known.
  init(first: Int, pages: [Int: PageFacts]) {
    self.first = first
    self.pages = pages
  }

  /// Reads the pages from `first` on; those of another place are refused.
  init(_ reader: inout ByteReader, first: Int) throws(ByteCodingError) {
    guard try reader.readInt() == first, first >= 0 else { throw ByteCodingError.unknown }
    var pages: [Int: PageFacts] = [:]
    for _ in 0..<(try reader.readCount(ofSize: 8)) {
      let index = try reader.readInt()
      guard index >= first, index - first < Self.count else { throw ByteCodingError.unknown }
      pages[index] = try reader.readPageFacts()
    }
    self.init(first: first, pages: pages)
  }

  /// Writes the pages in order.
  func write(to writer: inout ByteWriter) {
    writer.write(first)
    writer.write(pages.count)
    for (index, facts) in pages.sorted(by: { $0.key < $1.key }) {
      writer.write(index)
      writer.write(facts)
    }
  }
}
