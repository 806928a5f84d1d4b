internal import DocumentModel
internal import RectoBase
internal import RectoGeometry

/// What one file of a record says of consecutive pages.
struct RecordedPages {
  /// The most pages in one file.
  static let count = 256

  /// The first page that there is room for.
  private let first: PageIndex
  /// What is known of each page from ``first`` on; nil for those that nothing is known of.
  private var pages: [PageInfo?]

  /// Room for pages, none of them known.
  init(first: PageIndex) {
    self.first = first
    pages = Array(repeating: nil, count: Self.count)
  }

  /// The pages that something is known of, in order.
  var known: [(index: PageIndex, info: PageInfo)] {
    pages.enumerated().compactMap { offset, info in info.map { (first.advanced(by: offset), $0) } }
  }

  /// Takes in what is known of a page, if there is room for it.
  mutating func take(_ info: PageInfo, at index: PageIndex) -> Bool {
    let place = first.distance(to: index)
    guard pages.indices.contains(place), pages[place] != info else { return false }
    pages[place] = info
    return true
  }

  /// Reads the pages from `first` on; those of other indices are refused.
  ///
  /// - Throws: `ByteCodingError` when the bytes are not those of a record that begins with `first`.
  init(_ reader: inout ByteReader, first: PageIndex) throws(ByteCodingError) {
    guard try reader.readPageIndex() == first, first >= 0 else { throw ByteCodingError.unknown }
    self.init(first: first)
    for _ in 0..<(try reader.readCount(ofSize: 8)) {
      let index = try reader.readPageIndex()
      guard index >= first, first.distance(to: index) < Self.count else {
        throw ByteCodingError.unknown
      }
      pages[first.distance(to: index)] = try reader.readPageInfo()
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
