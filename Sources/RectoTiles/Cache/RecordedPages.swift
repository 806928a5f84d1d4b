internal import DocumentModel
internal import RectoBase
internal import RectoGeometry

/// The info of consecutive pages in one file of a record.
struct RecordedPages {
  /// The most pages in one file.
  static let count = 256

  /// The first page of the file.
  private let first: PageIndex
  /// The info of each page from ``first`` on; nil for unknown pages.
  private var pages: [PageInfo?]

  /// Room for pages, none of them known.
  init(first: PageIndex) {
    self.first = first
    pages = Array(repeating: nil, count: Self.count)
  }

  /// The known pages, in order.
  var known: [(index: PageIndex, info: PageInfo)] {
    pages.enumerated().compactMap { offset, info in info.map { (first.advanced(by: offset), $0) } }
  }

  /// Adds the info of a page, if the page belongs to the file.
  mutating func take(_ info: PageInfo, at index: PageIndex) -> Bool {
    let place = first.distance(to: index)
    guard pages.indices.contains(place), pages[place] != info else { return false }
    pages[place] = info
    return true
  }

  /// Reads the pages from `first` on; other pages are refused.
  ///
  /// - Throws: `ByteCodingError` when the bytes are not a record that begins with `first`.
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
