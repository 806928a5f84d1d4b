public import DocumentModel

/// Words to look for, and how they are compared.
///
/// Both sides are folded before they are compared:
/// - Compatibility decomposition (NFKD), so that "fi" finds the ligature and "2" finds "²". Decompositions that begin
///   with a space, like that of "´", are not applied.
/// - Without ``isDiacriticSensitive``, marks are removed: scalars of a canonical combining class other than 0
///   and 9. Vowel signs of Indic scripts and Thai have class 0 and are compared. With it, a match does not begin or end
///   between a letter and its marks.
/// - Without ``isCaseSensitive``, case folding, so that "strasse" finds "Straße".
/// - Ignorable scalars, such as soft hyphens, joiners and variation selectors, are removed.
/// - U+2010 and U+2011 are hyphens like U+002D.
/// - A run of white space of any kind is one space, so that matches can span lines.
///
/// A hyphen at the end of a line matches nothing, a hyphen, or a hyphen and a space: text with "exam-" above
/// "ple" has "example", "exam-ple" and "exam- ple". Such hyphens are U+002D, U+00AD, U+2010 and U+2011 directly before
/// a line feed; white space after it is included. A match covers all of it.
///
/// Matches are found from the start of the text: each at the first place after the previous match, and as short as
/// possible. A match that begins or ends inside a scalar, such as a ligature, covers all of it. Ignored scalars and
/// removed marks after a match belong to it.
///
/// Without the library utf8proc, only letters of ASCII are folded, and nothing is decomposed.
public struct TextQuery: Hashable, Sendable {
  /// The words to find. White space alone, or only ignored scalars, have no matches.
  public var words: String
  /// Whether "A" and "a" differ.
  public var isCaseSensitive: Bool
  /// Whether "é" and "e" differ.
  public var isDiacriticSensitive: Bool
  /// Whether a match has no letter, digit or mark on either side.
  ///
  /// Scripts that are written without spaces (Han, kana, Thai, Lao, Khmer, Burmese) have a word boundary at each
  /// character. So does a hyphen at the end of a line.
  public var isWholeWords: Bool

  /// A query.
  ///
  /// - Parameters:
  ///   - words: The words to find.
  ///   - isCaseSensitive: Whether "A" and "a" differ.
  ///   - isDiacriticSensitive: Whether "é" and "e" differ.
  ///   - isWholeWords: Whether a match has no letter, digit or mark on either side.
  public init(
    _ words: String,
    isCaseSensitive: Bool = false,
    isDiacriticSensitive: Bool = false,
    isWholeWords: Bool = false
  ) {
    self.words = words
    self.isCaseSensitive = isCaseSensitive
    self.isDiacriticSensitive = isDiacriticSensitive
    self.isWholeWords = isWholeWords
  }

  /// The matches in the text of a page, in order and without overlap.
  ///
  /// For many pages, ``TextSearcher`` is faster.
  ///
  /// - Complexity: O(bytes of the text), if the words contain no hyphen.
  public func matches(in text: PageText) -> [TextMatch] {
    var searcher = TextSearcher(self)
    return searcher.matches(in: text.utf8)
  }
}

/// A place where words were found.
public struct TextMatch: Hashable, Sendable {
  /// The indices of its Unicode scalars.
  public var scalars: Range<Int>
  /// The offsets of its bytes.
  public var utf8: Range<Int>

  /// A match from its parts.
  public init(scalars: Range<Int>, utf8: Range<Int>) {
    self.scalars = scalars
    self.utf8 = utf8
  }
}
