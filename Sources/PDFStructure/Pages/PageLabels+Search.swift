internal import RectoGeometry

/// From a label to its page.
extension PageLabels {
  /// The first page with a label; nil when no page has it.
  ///
  /// Each range gives candidate pages whose number could produce the label; then their labels are compared.
  ///
  /// - Complexity: O(*ranges*), and the length of the label for each.
  func page(labeled label: String) -> PageIndex? {
    for (range, start) in zip(ranges, starts) where range.length > 0 {
      let places = Self.candidates(label, in: range)
        // Numbers wrap around, as poppler's do.
        .map { Int(UInt32(truncatingIfNeeded: $0 - Int(range.first))) }
        .filter { $0 < range.length }
      for place in [0] + places.sorted() {
        let page = PageIndex(start + place)
        if self.label(of: page) == label { return page }
      }
    }
    return nil
  }

  /// The numbers, beside the first, of pages that could have a label.
  private static func candidates(_ label: String, in range: Range) -> [Int] {
    // Compares scalars, because a prefix can end inside a grapheme cluster.
    guard let prefix = TextString.popplerText(range.prefix)?.unicodeScalars,
      label.unicodeScalars.starts(with: prefix)
    else { return [] }
    let rest = label.unicodeScalars.dropFirst(prefix.count)
    switch range.style {
    case .none: return []
    case .decimal: return Int(String(rest)).map { [$0] } ?? []
    case .upperRoman, .lowerRoman:
      // Numbers without Roman numerals have no candidates.
      return rest.isEmpty
        ? [4000, Int(Int32.min), 0] : roman(String(rest).uppercased()).map { [$0] } ?? []
    case .upperLetters: return letters(rest, from: 0x41, in: range)
    case .lowerLetters: return letters(rest, from: 0x61, in: range)
    }
  }

  /// The value of Roman numerals, read from the left; nil if they are invalid.
  private static func roman(_ text: String) -> Int? {
    var rest = text[...]
    var number = 0
    for (value, letters) in romanLetters {
      // No numeral is repeated more often.
      for _ in 0..<3 where rest.hasPrefix(letters) {
        rest.removeFirst(letters.count)
        number += value
      }
    }
    return rest.isEmpty ? number : nil
  }

  /// The numbers of a repeated letter: A is 1, AA is 27. A character before A is a number below 1, see ``write(_:_:)``.
  private static func letters(
    _ rest: some Collection<Unicode.Scalar>,
    from first: Int,
    in range: Range
  ) -> [Int] {
    // Far below 1 there are no letters.
    guard let letter = rest.first else { return [Int(Int32.min), Int(Int32.min) + 1] }
    let offset = Int(letter.value) - first
    guard (-25...25).contains(offset), rest.allSatisfy({ $0 == letter }) else { return [] }
    guard rest.count < longestLabel else {
      // All higher numbers are truncated to two lengths.
      let cut = [Int(range.first), (longestLabel - 1) * 26 + 1]
      return cut.flatMap { $0..<$0 + 2 * 26 }
    }
    return offset < 0 ? [offset + 1] : [(rest.count - 1) * 26 + offset + 1]
  }
}
