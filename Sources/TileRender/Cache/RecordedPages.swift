internal import ByteCoding
public import DocumentModel

/// What one file of a record says of consecutive pages.
public struct RecordedPages: Equatable, Sendable {
  /// The most pages in one file.
  static let count = 256

  /// The first page that there is room for.
  public let first: Int
  /// What is known of each page from ``first`` on; nil for those that nothing is known of.
  public private(set) var pages: [PageFacts?]

  /// Room for pages, none of them known.
  init(first: Int) {
    self.first = first
    pages = Array(repeating: nil, count: Self.count)
  }

  /// Whether nothing is known of any page.
  public var isEmpty: Bool { pages.allSatisfy { $0 == nil } }

  /// What is known of a page, by its index in the document.
  public subscript(index: Int) -> PageFacts? {
    pages.indices.contains(index - first) ? pages[index - first] : nil
  }

  /// Takes in what is known of a page, if there is room for it.
  ///
  /// - Returns: whether that is news.
  mutating func take(_ facts: PageFacts, at index: Int) -> Bool {
    guard pages.indices.contains(index - first), pages[index - first] != facts else { return false }
    pages[index - first] = facts
    return true
  }

  /// Reads the pages from `first` on; those of another place are refused.
  init(_ reader: inout ByteReader, first: Int) throws(ByteCodingError) {
    guard try reader.readInt() == first, first >= 0 else { throw ByteCodingError.unknown }
    self.init(first: first)
    for _ in 0..<(try reader.readCount(ofSize: 8)) {
      let index = try reader.readInt()
      guard index >= first, index - first < Self.count else { throw ByteCodingError.unknown }
      pages[index - first] = try reader.readPageFacts()
    }
  }

  /// Writes the pages in order.
  func write(to writer: inout ByteWriter) {
    writer.write(first)
    writer.write(pages.count { $0 != nil })
    for (place, facts) in pages.enumerated() {
      guard let facts else { continue }
      writer.write(first + place)
      writer.write(facts)
    }
  }
}
