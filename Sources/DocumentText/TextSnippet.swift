/// A match and the text around it, in one line.
public struct TextSnippet: Hashable, Sendable {
  /// The text before the match.
  public var before: String
  /// The match.
  public var match: String
  /// The text after the match.
  public var after: String

  /// The text around a part of a text.
  ///
  /// Line feeds and other control characters become spaces. A character of more than 32 bytes at the edge is
  /// left out.
  ///
  /// - Parameters:
  ///   - range: The offsets of the part's bytes; those beyond the text are omitted.
  ///   - utf8: The text.
  ///   - count: The largest number of characters (extended grapheme clusters) on either side.
  /// - Complexity: O(`count` + bytes of the part).
  public init(around range: Range<Int>, of utf8: [UInt8], characters count: Int) {
    let range = range.clamped(to: 0..<utf8.count)
    let reach = max(0, min(count, utf8.count)) * 8 + 32
    var first = max(0, range.lowerBound - reach)
    while first < range.lowerBound, utf8[first] & 0xC0 == 0x80 { first += 1 }
    var end = min(utf8.count, range.upperBound + reach)
    while end > range.upperBound, end < utf8.count, utf8[end] & 0xC0 == 0x80 { end -= 1 }

    // A character cut by the window is dropped.
    let whole = Self.line(utf8[first..<range.lowerBound])
    before = String((first > 0 ? whole.dropFirst() : whole[...]).suffix(max(0, count)))
    match = Self.line(utf8[range])
    let rest = Self.line(utf8[range.upperBound..<end])
    after = String((end < utf8.count ? rest.dropLast() : rest[...]).prefix(max(0, count)))
  }

  private static func line(_ bytes: ArraySlice<UInt8>) -> String {
    String(decoding: bytes.map { $0 < 0x20 || $0 == 0x7F ? 0x20 : $0 }, as: UTF8.self)
  }
}
