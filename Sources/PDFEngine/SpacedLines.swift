// SPDX-License-Identifier: GPL-2.0-or-later

internal import CPoppler

/// Finds lines with spaced letters, as in headings.
///
/// poppler treats some or all gaps between such letters as spaces, and the wider gaps between words as gaps between
/// columns. If a line has only spaced letters, with equal gaps and letters of different widths, the letters form words:
/// in columns the gaps would vary with the letters. A gap between words is as wide as two gaps between letters and a
/// space.
struct SpacedLines {
  /// The fewest letters; the fewest for one word with narrow gaps, which may be letters with spaces.
  private static let fewest = 4, fewestOfWord = 6
  /// Fractions of the height: the tolerance of gaps; the least difference of letter widths; the narrowest gap of spaced
  /// letters; the narrowest gap that is not a space; the widest gap; the width of a space between words.
  private static let same = 0.02, different = 0.05
  private static let narrowest = 0.06, wide = 0.35, widest = 1.5, space = 0.1...0.6

  /// A letter along an axis.
  private struct Letter {
    var index: Int
    var edges: ReadingAxis.Edges

    var height: Double { edges.high - edges.low }

    /// The gap to the next letter; nil if it is not on the same baseline.
    func gap(to next: Letter) -> Double? {
      guard edges.isOnBaseline(of: next.edges) else { return nil }
      let gap = next.edges.start - edges.end
      return gap >= narrowest * height ? gap : nil
    }
  }

  /// The lines of spaced letters.
  ///
  /// - Parameters:
  ///   - scalars: The characters, with spaces and line feeds.
  /// - Returns: Lines that have no character in common.
  /// - Complexity: O(*n*), except for spaced letters, which are sorted.
  static func lines(
    _ scalars: [Unicode.Scalar],
    _ rectangles: [PopplerRectangle]
  ) -> [JoinedLine] {
    let rows = rows(scalars, rectangles)
    guard !rows.isEmpty else { return [] }
    var lines: [JoinedLine] = []
    var taken = Set<Int>()
    for axis in ReadingAxis.allCases {
      let letters = rows.map { row in
        row.map { Letter(index: $0, edges: axis.edges(of: rectangles[$0])) }
      }
      let along = letters.filter { row in
        zip(row, row.dropFirst()).allSatisfy { $0.gap(to: $1) != nil }
      }
      for chain in chains(along.joined()) where taken.isDisjoint(with: chain.map(\.index)) {
        guard let line = line(chain, scalars, rectangles) else { continue }
        taken.formUnion(chain.map(\.index))
        lines.append(line)
      }
    }
    return lines
  }

  /// The letters of lines that have only letters, the first two of which are apart.
  private static func rows(
    _ scalars: [Unicode.Scalar],
    _ rectangles: [PopplerRectangle]
  ) -> [[Int]] {
    var rows: [[Int]] = []
    var start = 0
    while start < scalars.count {
      let end = scalars[start...].firstIndex(of: "\n") ?? scalars.count
      var letters: [Int] = []
      for index in start..<end where scalars[index] != " " {
        let isApart =
          letters.count != 1
          || rectangles[letters[0]].isApart(from: rectangles[index], by: narrowest)
        guard isApart, scalars[index].properties.isAlphabetic else {
          letters = []
          break
        }
        letters.append(index)
      }
      if !letters.isEmpty { rows.append(letters) }
      start = end + 1
    }
    return rows
  }

  /// Letters on the same baseline with gaps like those between letters and words.
  private static func chains(_ letters: some Sequence<Letter>) -> [[Letter]] {
    let letters = letters.sorted {
      ($0.edges.low, $0.edges.start, $0.index) < ($1.edges.low, $1.edges.start, $1.index)
    }
    var chains: [[Letter]] = []
    var start = 0
    while start < letters.count {
      var chain = [letters[start]]
      let gaps = zip(letters[start...], letters[start...].dropFirst()).prefix(2).map {
        $0.gap(to: $1)
      }
      if let gap = gaps.compactMap(\.self).min() {
        for next in letters[(start + 1)...] {
          let last = chain[chain.count - 1]
          guard let own = last.gap(to: next), isGap(own, gap, last.height) else { break }
          chain.append(next)
        }
      }
      chains.append(chain)
      start += chain.count
    }
    return chains
  }

  /// Whether a gap is between letters or words.
  private static func isGap(_ gap: Double, _ usual: Double, _ height: Double) -> Bool {
    usual <= widest * height
      && (abs(gap - usual) <= same * height || space.contains((gap - 2 * usual) / height))
  }

  /// The line of letters; nil if they may be something else.
  private static func line(
    _ chain: [Letter],
    _ scalars: [Unicode.Scalar],
    _ rectangles: [PopplerRectangle]
  ) -> JoinedLine? {
    guard chain.count >= fewest else { return nil }
    let height = chain[0].height
    let gaps = zip(chain, chain.dropFirst()).map { $1.edges.start - $0.edges.end }
    let usual = gaps.min() ?? 0
    let isBreak = gaps.map { $0 - usual > same * height }
    let isPlain = usual < wide * height && !isBreak.contains(true)
    guard !isPlain || chain.count >= fewestOfWord else { return nil }
    let widths = chain.map { $0.edges.end - $0.edges.start }
    guard (widths.max() ?? 0) - (widths.min() ?? 0) > different * height else { return nil }
    // The alphabet has spaces.
    let values = chain.map { scalars[$0.index].value }
    guard zip(values, values.dropFirst()).contains(where: { $0 + 1 != $1 }) else { return nil }
    let steps = zip(chain, chain.dropFirst()).map { $1.index - $0.index }
    guard zip(steps, isBreak).contains(where: { $0 != ($1 ? 2 : 1) }) else { return nil }
    let glyphs = zip(chain, [false] + isBreak).map { letter, hasSpace in
      JoinedLine.Glyph(index: letter.index, hasSpace: hasSpace, box: rectangles[letter.index])
    }
    return JoinedLine(glyphs: glyphs, angle: nil)
  }
}
