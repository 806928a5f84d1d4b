internal import CLinux

/// Finds a folded pattern in a folded text.
struct TextMatcher {
  /// The folded text.
  let bytes: UnsafeBufferPointer<UInt8>
  let source: UnsafeBufferPointer<UInt8>
  let text: FoldedText
  let query: TextQuery
  /// Whether the pattern has a hyphen, which can match at the end of a line.
  let hasHyphen: Bool

  /// The matches, in order and without overlap.
  func matches(of pattern: UnsafeBufferPointer<UInt8>, limit: Int) -> [TextMatch] {
    var matches: [TextMatch] = []
    var counter = ScalarCounter(source, isASCII: text.isASCII)
    var from = 0
    var sourceEnd = 0
    while matches.count < limit, let found = next(pattern, from: from) {
      from = found.lowerBound + 1
      let utf8 = text.sourceStart(of: found.lowerBound)..<text.sourceEnd(of: found.upperBound)
      guard utf8.lowerBound >= sourceEnd, isWhole(found) else { continue }
      let first = counter.scalars(before: utf8.lowerBound)
      matches.append(
        TextMatch(scalars: first..<counter.scalars(before: utf8.upperBound), utf8: utf8)
      )
      sourceEnd = utf8.upperBound
      from = found.upperBound
    }
    return matches
  }

  /// The next place that has the bytes of the pattern.
  private func next(_ pattern: UnsafeBufferPointer<UInt8>, from: Int) -> Range<Int>? {
    guard let base = bytes.baseAddress, let first = pattern.first, from < bytes.count else {
      return nil
    }
    if !hasHyphen {
      guard let found = memmem(base + from, bytes.count - from, pattern.baseAddress, pattern.count)
      else { return nil }
      let start = UnsafeRawPointer(base).distance(to: found)
      return start..<start + pattern.count
    }
    for start in from..<bytes.count {
      let byte = bytes[start]
      let canBegin =
        byte == first || byte == FoldedText.hyphenation && first == UInt8(ascii: "-")
      if canBegin, let end = hyphenatedEnd(pattern, from: start) { return start..<end }
    }
    return nil
  }

  /// The end of the shortest match that begins at an offset, where each hyphen at the end of a line matches nothing, a
  /// hyphen, or a hyphen and a space.
  private func hyphenatedEnd(_ pattern: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var first = start
    while first < bytes.count, bytes[first] != FoldedText.hyphenation {
      guard bytes[first] == pattern[first - start] else { return nil }
      first += 1
      if first - start == pattern.count { return first }
    }
    // How many bytes of the pattern can be matched so far, in ascending order.
    var states = [first - start]
    for offset in first..<bytes.count {
      let byte = bytes[offset]
      if byte == FoldedText.hyphenation {
        // A match does not begin with a removed hyphen.
        var next = offset == start ? [] : states
        for state in states where pattern[state] == UInt8(ascii: "-") {
          next.append(state + 1)
          if state + 1 < pattern.count, pattern[state + 1] == 0x20 { next.append(state + 2) }
        }
        states = Set(next).sorted()
      } else {
        states = states.compactMap { pattern[$0] == byte ? $0 + 1 : nil }
      }
      if states.last == pattern.count { return offset + 1 }
      if states.isEmpty { return nil }
    }
    return nil
  }

  /// Whether a match splits no letter from its marks and, if whole words are asked for, no word.
  private func isWhole(_ found: Range<Int>) -> Bool {
    if query.isDiacriticSensitive {
      for edge in [found.lowerBound, found.upperBound] where edge < bytes.count {
        if bytes[edge] >= 0xCC, scalar(at: edge).isCombining { return false }
      }
    }
    guard query.isWholeWords else { return true }
    return isEdgeOfWord(found.lowerBound) && isEdgeOfWord(found.upperBound)
  }

  /// Whether an offset of the folded text is at the edge of a word.
  private func isEdgeOfWord(_ offset: Int) -> Bool {
    guard offset > 0, offset < bytes.count else { return true }
    if text.hasHyphenation(at: offset) { return true }
    let (before, behind) = (scalar(before: offset), scalar(at: offset))
    if text.isInsideChange(offset) { return !(before.isOfWord && behind.isOfWord) }
    return !(before.isOfWord && behind.isOfWord) || before.isWithoutSpaces
      || behind.isWithoutSpaces
  }

  private func scalar(at offset: Int) -> Unicode.Scalar { bytes.scalar(at: offset).scalar }

  private func scalar(before offset: Int) -> Unicode.Scalar {
    var start = offset - 1
    while start > 0, offset - start < 4, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return scalar(at: start)
  }
}

/// Counts scalars up to offsets that ascend.
private struct ScalarCounter {
  private let source: UnsafeBufferPointer<UInt8>
  private let isASCII: Bool
  private var offset = 0
  private var count = 0

  init(_ source: UnsafeBufferPointer<UInt8>, isASCII: Bool) {
    self.source = source
    self.isASCII = isASCII
  }

  mutating func scalars(before end: Int) -> Int {
    if isASCII { return end }
    guard end > offset else { return count }
    var continuations = 0
    for byte in UnsafeBufferPointer(rebasing: source[offset..<end]) {
      continuations += byte & 0xC0 == 0x80 ? 1 : 0
    }
    count += end - offset - continuations
    offset = end
    return count
  }
}

extension Unicode.Scalar {
  /// Whether it is a letter, a digit or a mark.
  fileprivate var isOfWord: Bool {
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark, .enclosingMark, .decimalNumber, .letterNumber, .otherNumber:
      true
    default: false
    }
  }

  /// Whether it is of a script that is written without spaces.
  fileprivate var isWithoutSpaces: Bool {
    switch value {
    case 0x0E00...0x0EFF, 0x1000...0x109F, 0x1780...0x17FF, 0x2E80...0x2FDF, 0x3005...0x3007,
      0x3021...0x3029, 0x3038...0x30FF, 0x3105...0x312F, 0x31A0...0x31BF, 0x31F0...0x31FF,
      0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFAFF, 0x1B000...0x1B16F, 0x20000...0x3FFFF:
      true
    default: false
    }
  }
}
