import DocumentText

/// Search by the words of ``TextQuery``'s documentation, for texts of a small alphabet: every reading of the
/// hyphens at the ends of lines is written out and compared scalar by scalar.
struct NaiveSearch {
  /// A scalar as it is compared, and the scalars of the text it stands for.
  private struct Element {
    var scalar: Unicode.Scalar
    var source: Range<Int>
    /// Whether it is a hyphen that is left out at the end of a line.
    var isLeftOut = false
    /// Whether it is the space of a hyphen and a space that stand for one hyphen at the end of a line.
    var isSecond = false
  }

  /// Compatibility decompositions of the alphabet.
  static let decompositions: [Unicode.Scalar: [Unicode.Scalar]] = [
    "é": ["e", "\u{301}"], "É": ["E", "\u{301}"], "\u{FB01}": ["f", "i"], "\u{2011}": ["\u{2010}"],
    "\u{17F}": ["s"], "²": ["2"], "Ⅷ": ["V", "I", "I", "I"],
  ]
  private static let foldings: [Unicode.Scalar: [Unicode.Scalar]] = [
    "ß": ["s", "s"], "Ω": ["ω"],
  ]
  private static let classes: [Unicode.Scalar: Int] = ["\u{301}": 230, "\u{323}": 220]
  private static let ignored: Set<Unicode.Scalar> = ["\u{AD}", "\u{200D}", "\u{FE0F}"]
  private static let hyphens: Set<Unicode.Scalar> = ["-", "\u{AD}", "\u{2010}", "\u{2011}"]

  let query: TextQuery

  /// The matches as ranges of scalars.
  func matches(in text: String) -> [Range<Int>] {
    let pattern = Self.elements(query.words, query, readings: [:]).map(\.scalar)
    guard pattern.contains(where: { $0 != " " }) else { return [] }
    var found: Set<Range<Int>> = []
    for readings in Self.readings(of: text) {
      found.formUnion(places(of: pattern, in: Self.elements(text, query, readings: readings), text))
    }
    var matches: [Range<Int>] = []
    for place in found.sorted(by: {
      ($0.lowerBound, $0.upperBound) < ($1.lowerBound, $1.upperBound)
    })
    where place.lowerBound >= (matches.last?.upperBound ?? 0) { matches.append(place) }
    return matches
  }

  private func places(
    of pattern: [Unicode.Scalar],
    in elements: [Element],
    _ text: String
  ) -> [Range<Int>] {
    let compared = elements.filter { !$0.isLeftOut }
    guard compared.count >= pattern.count else { return [] }
    return (0...compared.count - pattern.count).compactMap { start in
      let end = start + pattern.count
      guard compared[start..<end].map(\.scalar) == pattern else { return nil }
      let source = compared[start].source.lowerBound..<compared[end - 1].source.upperBound
      guard isWhole(start, compared, elements), isWhole(end, compared, elements) else { return nil }
      return source.lowerBound..<behindIgnored(source.upperBound, text)
    }
  }

  /// Whether a match can begin or end in front of an element.
  private func isWhole(_ index: Int, _ compared: [Element], _ all: [Element]) -> Bool {
    guard index > 0, index < compared.count else { return true }
    let (before, behind) = (compared[index - 1], compared[index])
    if behind.isSecond { return false }
    if query.isDiacriticSensitive, Self.classes[behind.scalar] != nil { return false }
    guard query.isWholeWords else { return true }
    let isHyphenated = all.contains {
      $0.isLeftOut && $0.source.lowerBound >= before.source.upperBound
        && $0.source.upperBound <= behind.source.lowerBound
    }
    if isHyphenated { return true }
    func isOfWord(_ scalar: Unicode.Scalar) -> Bool {
      scalar.properties.isAlphabetic || scalar.properties.numericType != nil
        || Self.classes[scalar] != nil
    }
    return !isOfWord(before.scalar) || !isOfWord(behind.scalar) || before.scalar == "中"
      || behind.scalar == "中"
  }

  private func behindIgnored(_ end: Int, _ text: String) -> Int {
    let scalars = Array(text.unicodeScalars)
    var end = end
    while end < scalars.count, Self.folded(scalars[end], query).isEmpty,
      Self.endOfHyphenation(scalars, at: end) == nil
    { end += 1 }
    return end
  }

  private static func folded(_ scalar: Unicode.Scalar, _ query: TextQuery) -> [Unicode.Scalar] {
    if ignored.contains(scalar) { return [] }
    if hyphens.contains(scalar) { return ["-"] }
    var scalars = decompositions[scalar] ?? [scalar]
    if !query.isDiacriticSensitive { scalars.removeAll { classes[$0] != nil } }
    if !query.isCaseSensitive { scalars = scalars.flatMap { foldings[$0] ?? lowercased($0) } }
    return scalars
  }

  private static func lowercased(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    Array(scalar.properties.lowercaseMapping.unicodeScalars)
  }

  /// Where a hyphen at the end of a line ends, with the white space behind it; nil if there is none.
  private static func endOfHyphenation(_ scalars: [Unicode.Scalar], at index: Int) -> Int? {
    guard hyphens.contains(scalars[index]), index + 1 < scalars.count, scalars[index + 1] == "\n"
    else { return nil }
    return endOfSpace(scalars, from: index + 1)
  }

  /// Where a run of white space ends; ignored scalars between white space belong to it.
  private static func endOfSpace(_ scalars: [Unicode.Scalar], from start: Int) -> Int {
    var end = start
    var index = start
    while index < scalars.count {
      if scalars[index].properties.isWhitespace {
        end = index + 1
      } else if !ignored.contains(scalars[index]) && classes[scalars[index]] == nil
        || endOfHyphenation(scalars, at: index) != nil
      {
        break
      }
      index += 1
    }
    return end
  }

  /// What hyphens at the ends of lines can be read as, by their places.
  private static func readings(of text: String) -> [[Int: [Unicode.Scalar]]] {
    let scalars = Array(text.unicodeScalars)
    var readings: [[Int: [Unicode.Scalar]]] = [[:]]
    var index = 0
    while index < scalars.count {
      if let end = endOfHyphenation(scalars, at: index) {
        readings = readings.flatMap { reading in
          [[], ["-"], ["-", " "]].map { reading.merging([index: $0]) { $1 } }
        }
        index = end
      } else {
        index += 1
      }
    }
    return readings
  }

  private static func elements(
    _ text: String,
    _ query: TextQuery,
    readings: [Int: [Unicode.Scalar]]
  ) -> [Element] {
    let scalars = Array(text.unicodeScalars)
    var elements: [Element] = []
    var index = 0
    while index < scalars.count {
      let start = index
      if let reading = readings[index] {
        index = endOfHyphenation(scalars, at: index) ?? index + 1
        elements += reading.map { Element(scalar: $0, source: start..<index, isSecond: $0 == " ") }
        if reading.isEmpty {
          elements.append(Element(scalar: "-", source: start..<index, isLeftOut: true))
        }
        continue
      }
      index += 1
      if scalars[start].properties.isWhitespace {
        addSpace(start, to: &elements)
      } else {
        elements += folded(scalars[start], query).map { Element(scalar: $0, source: start..<index) }
      }
    }
    return sortingMarks(elements)
  }

  /// Adds a space, or what is left out behind a space to the run.
  private static func addSpace(_ index: Int, to elements: inout [Element]) {
    if let last = elements.lastIndex(where: { !$0.isLeftOut }), elements[last].scalar == " " {
      elements[last].source = elements[last].source.lowerBound..<index + 1
      elements.removeSubrange((last + 1)...)
    } else {
      elements.append(Element(scalar: " ", source: index..<index + 1))
    }
  }

  private static func sortingMarks(_ elements: [Element]) -> [Element] {
    var elements = elements
    var isSorted = false
    while !isSorted {
      isSorted = true
      for index in elements.indices.dropFirst() {
        guard let first = classes[elements[index - 1].scalar],
          let second = classes[elements[index].scalar], first > second
        else { continue }
        // Sources stay where they are: no match begins or ends between marks.
        (elements[index - 1].scalar, elements[index].scalar) =
          (elements[index].scalar, elements[index - 1].scalar)
        isSorted = false
      }
    }
    return elements
  }
}
