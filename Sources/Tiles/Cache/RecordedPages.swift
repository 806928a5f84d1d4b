internal import ByteCoding
internal import DocumentModel

/// What one file of a record says of consecutive pages.
struct RecordedPages {
  /// The most pages in one file.
  static let count = 256

  /// The first page that there is room for.
  private let first: Int
  /// What is known of each page from ``first`` on; nil for those that nothing is known of.
  private var pages: [PageInfo?]

  /// Room for pages, none of them known.
  init(first: Int) {
    self.first = first
    pages = Array(repeating: nil, count: Self.count)
  }

  /// The pages that something is known of, in order, by their index in the document.
  var known: [(index: Int, info: PageInfo)] {
    pages.enumerated().compactMap { offset, info in info.map { (first + offset, $0) } }
  }

  /// Takes in what is known of a page, if there is room for it.
  ///
  /// - Returns: whether that is news.
  mutating func take(_ info: PageInfo, at index: Int) -> Bool {
    guard pages.indices.contains(index - first), pages[index - first] != info else { return false }
    pages[index - first] = info
    return true
  }

  /// Reads the pages from `first` on; those of other indices are refused.
  init(_ reader: inout ByteReader, first: Int) throws(ByteCodingError) {
    guard try reader.readInt() == first, first >= 0 else { throw ByteCodingError.unknown }
    self.init(first: first)
    for _ in 0..<(try reader.readCount(ofSize: 8)) {
      let index = try reader.readInt()
      guard index >= first, index - first < Self.count else { throw ByteCodingError.unknown }
      pages[index - first] = try reader.readPageInfo()
    }
  }

  /// Writes the pages in order.
  func write(to writer: inout ByteWriter) {
    let known = known
    writer.write(first)
    writer.write(known.count)
    for (index, info) in known {
      writer.write(index)
      writer.write(info)
    }
  }
}
