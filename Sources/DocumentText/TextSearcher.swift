public import DocumentModel

/// Finds a query in the texts of many pages, reusing its memory.
///
/// It needs the UTF-8 of a page, but no boxes.
public struct TextSearcher: Sendable {
  /// The words to find.
  public let query: TextQuery
  /// The folded words; empty if nothing can match.
  private let pattern: [UInt8]
  private var folding: TextFolding
  private var text = FoldedText()

  /// A searcher for a query.
  public init(_ query: TextQuery) {
    self.query = query
    // In the query, white space after a hyphen stays white space.
    let words = query.words.utf8.map { $0 == UInt8(ascii: "\n") ? 0x20 : $0 }
    var folding = TextFolding(query, keepsHyphenation: false)
    var folded = FoldedText()
    if words.count <= Self.longestWords {
      words.withUnsafeBufferPointer { folding.fold($0, into: &folded) }
    }
    let pattern = Array(folded.bytes[..<folded.count])
    self.pattern = pattern.allSatisfy { $0 == 0x20 } ? [] : pattern
    let hasHyphen = pattern.contains(UInt8(ascii: "-"))
    self.folding = hasHyphen ? TextFolding(query, keepsHyphenation: true) : folding
  }

  /// The most bytes of UTF-8 that ``TextQuery/words`` can have; longer ones have no matches.
  public static let longestWords = 4096

  /// The matches in the text of a page, in order and without overlap.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - limit: The largest number of matches.
  /// - Returns: The matches, as ranges of scalars and of bytes.
  /// - Complexity: O(bytes of the text), if the words contain no hyphen, else also O(bytes of the words) for
  ///   each byte at which a match could begin.
  public mutating func matches(in text: PageText, limit: Int = .max) -> [TextMatch] {
    matches(in: text.utf8, limit: limit)
  }

  /// The matches in UTF-8. Invalid bytes do not match valid ones.
  ///
  /// - Parameters:
  ///   - utf8: The text, of less than 2 GB; a longer one has no matches.
  ///   - limit: The largest number of matches.
  /// - Returns: The matches, as ranges of scalars and of bytes.
  public mutating func matches(in utf8: [UInt8], limit: Int = .max) -> [TextMatch] {
    utf8.withUnsafeBufferPointer { matches(in: $0, limit: limit) }
  }

  /// The matches in UTF-8. Invalid bytes do not match valid ones.
  ///
  /// - Parameters:
  ///   - utf8: The text, of less than 2 GB; a longer one has no matches.
  ///   - limit: The largest number of matches.
  /// - Returns: The matches, as ranges of scalars and of bytes.
  public mutating func matches(
    in utf8: UnsafeBufferPointer<UInt8>,
    limit: Int = .max
  ) -> [TextMatch] {
    guard !pattern.isEmpty, limit > 0, utf8.count < Int32.max else { return [] }
    folding.fold(utf8, into: &text)
    return text.bytes.withUnsafeBufferPointer { bytes in
      let matcher = TextMatcher(
        bytes: UnsafeBufferPointer(rebasing: bytes[..<text.count]),
        source: utf8,
        text: text,
        query: query,
        hasHyphen: pattern.contains(UInt8(ascii: "-"))
      )
      return pattern.withUnsafeBufferPointer { matcher.matches(of: $0, limit: limit) }
    }
  }
}
