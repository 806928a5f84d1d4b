// SPDX-License-Identifier: GPL-2.0-or-later

internal import CPoppler
internal import Glibc

/// Finds lines that are neither upright nor turned by quarters.
///
/// poppler measures such text along the nearest axis. It starts a word whenever the baseline is more than half a point
/// from that of the word's first character, and joins some of these words again; their characters then have the extent
/// of the whole word across the axis. So a slanted line is a row of short pieces: their first characters are on a
/// straight line, each piece begins where the previous one ends, and all have the same height, apart from the rise
/// within a piece.
struct SlantedLines {
  /// The fewest pieces of a line: any two are on one, and three that are apart can be numbers of a chart.
  private static let fewest = 3
  /// How far the baseline may move before poppler starts a word, in points, with rounding.
  private static let drift = 0.55
  /// Fractions of the height: how far a piece may begin before the end of another, and after it; the size of a space.
  private static let overlap = 0.3, reach = 1.6, space = 0.12
  /// Fractions of the height: the greatest width of characters, and the narrowest gap of a row of letters. The fraction
  /// of the width that is a space in narrow fonts.
  private static let widest = 1.2, widestGap = 0.6, spaceOfWidth = 0.25
  /// The fraction of the height above the baseline in most fonts: poppler does not tell.
  private static let ascent = 0.77
  /// The steepest line along an axis.
  private static let steepest = 1.02

  /// The most positions to check on a page: a page of text has some ten thousand.
  private static let mostLooks = 10_000_000

  private let pieces: SlantedPieces
  private var isTaken: [Bool]
  /// How many places may still be looked at.
  private var looks: Int

  /// The slanted lines.
  ///
  /// A row that can be read in both directions, as in a monospaced font, is read to the right, or upward if it is
  /// steep.
  ///
  /// - Parameters:
  ///   - scalars: The characters, with spaces and line feeds.
  /// - Returns: Lines that have no character in common.
  /// - Complexity: O(*n* log *n*) for evenly spread characters; otherwise some lines may not be found.
  static func lines(
    _ scalars: [Unicode.Scalar],
    _ rectangles: [PopplerRectangle]
  ) -> [JoinedLine] {
    var runs = CharacterRun.runs(scalars, rectangles)
    var lines: [JoinedLine] = []
    var looks = mostLooks
    while true {
      var found: [JoinedLine] = []
      for axis in ReadingAxis.allCases {
        let pieces = SlantedPieces(runs, rectangles, along: axis)
        var search = SlantedLines(pieces, looks: looks - runs.count)
        for chain in search.chains() { found.append(line(chain, rectangles, along: axis)) }
        looks = search.looks
      }
      guard !found.isEmpty else { return lines }
      // The correct direction gives the longest lines.
      var taken = Set<Int>()
      let order = found.indices.sorted {
        (-found[$0].glyphs.count, $0) < (-found[$1].glyphs.count, $1)
      }
      for line in order.map({ found[$0] })
      where taken.isDisjoint(with: line.glyphs.map(\.index)) {
        taken.formUnion(line.glyphs.map(\.index))
        lines.append(line)
      }
      runs.removeAll { taken.contains($0.range.lowerBound) }
    }
  }

  private init(_ pieces: SlantedPieces, looks: Int) {
    self.pieces = pieces
    self.looks = looks
    isTaken = Array(repeating: false, count: pieces.all.count)
  }

  /// The longest rows of pieces.
  private mutating func chains() -> [[SlantedPiece]] {
    var chains: [[SlantedPiece]] = []
    for first in pieces.fromStart where looks > 0 && !isTaken[first] {
      var longest: [Int] = []
      for next in followers(of: first) {
        guard let slope = slope(first, next) else { continue }
        let chain = chain(first, next, slope)
        if chain.count > longest.count { longest = chain }
      }
      guard isLine(longest) else { continue }
      for index in longest { isTaken[index] = true }
      chains.append(longest.map { pieces.all[$0] })
    }
    return chains
  }

  /// Whether a row is long enough, and its characters have a plausible width.
  private func isLine(_ chain: [Int]) -> Bool {
    guard chain.count >= Self.fewest else { return false }
    let row = chain.map { pieces.all[$0] }
    // An upright character is higher along a steep axis than it is wide across it, and stacked words of the same length
    // would have no height left.
    let (first, last) = (row[0], row[row.count - 1])
    let slope = (last.middle - first.middle) / (last.start - first.start)
    let height = row.map { $0.height(at: slope) }.max() ?? 0
    guard Self.width(row) <= Self.widest * height else { return false }
    let gaps = zip(row, row.dropFirst()).map { ($1.start - $0.end) / $0.height }
    return chain.count > Self.fewest
      ? Self.isInWords(row) || gaps.contains { $0 <= Self.widestGap }
      : gaps.allSatisfy { abs($0) <= 0.15 }
  }

  /// The number of characters of a row.
  private static func count(_ row: [SlantedPiece]) -> Int {
    row.reduce(0) { $0 + $1.run.range.count }
  }

  /// The mean width of the characters of a row along the axis.
  private static func width(_ row: [SlantedPiece]) -> Double {
    row.reduce(0) { $0 + $1.end - $1.start } / Double(count(row))
  }

  /// Whether the pieces of a row are long, so that they are words.
  private static func isInWords(_ row: [SlantedPiece]) -> Bool { count(row) >= 3 * row.count }

  /// The pieces that begin near the end of one.
  private mutating func followers(of index: Int) -> [Int] {
    let piece = pieces.all[index]
    let low = max(piece.start.nextUp, piece.end - Self.overlap * piece.height)
    let high = piece.end + Self.reach * piece.height
    guard low <= high, looks > 0 else { return [] }
    // The line rises by less than its height within a piece.
    let slope = min(Self.steepest, piece.height / max(piece.last - piece.start, 0.1))
    let rise = slope * (high - piece.start) + piece.height
    let near = pieces.near(low...high, piece.middle - rise...piece.middle + rise, looks: &looks)
    return near.filter { $0 != index && !isTaken[$0] }
  }

  /// The slope of a line through two pieces; nil if they cannot be on one.
  private func slope(_ first: Int, _ second: Int) -> Double? {
    let (piece, next) = (pieces.all[first], pieces.all[second])
    let along = next.start - piece.start
    // The first character is at the upper edge of a falling piece, and at the lower edge of a rising one.
    let slopes = [
      max(0, (next.low - piece.low) / along), min(0, (next.high - piece.high) / along),
    ]
    return slopes.first { slope in
      abs(slope) * along > Self.drift - 0.1 && abs(slope) <= Self.steepest
        && isAlike(piece, next, slope)
    }
  }

  /// Whether two pieces of a line have the same height.
  private func isAlike(_ piece: SlantedPiece, _ next: SlantedPiece, _ slope: Double) -> Bool {
    let (height, other) = (piece.height(at: slope), next.height(at: slope))
    let tolerance = max(0.02 * piece.height, min(Self.drift, 0.15 * piece.height))
    return height > 0 && abs(height - other) <= tolerance
  }

  /// The row that begins with two pieces: each next piece is the nearest one that begins on the
  /// line.
  ///
  /// - Parameters:
  ///   - slope: The slope of the line on which they are.
  /// - Returns: The indices of the pieces.
  private mutating func chain(_ first: Int, _ second: Int, _ slope: Double) -> [Int] {
    let origin = pieces.all[first]
    let height = origin.height(at: slope)
    let reach = Self.reach * height / (1 + slope * slope).squareRoot()
    var chain = [first, second]
    var last = second
    while true {
      let end = pieces.all[last]
      // The slope becomes more exact with the length of the row.
      let exact = end.edge(slope) - origin.edge(slope)
      let line = exact / (end.start - origin.start)
      let next = followers(of: last).filter { index in
        let piece = pieces.all[index]
        let rise = piece.edge(slope) - origin.edge(slope)
        return abs(rise - line * (piece.start - origin.start)) <= max(0.05, 0.03 * height)
          && (end.end - Self.overlap * height...end.end + reach).contains(piece.start)
          && isAlike(origin, piece, line)
      }
      guard let next = next.min(by: { pieces.all[$0].start < pieces.all[$1].start }) else {
        return chain
      }
      chain.append(next)
      last = next
    }
  }

  /// The line that a row is.
  private static func line(
    _ chain: [SlantedPiece],
    _ rectangles: [PopplerRectangle],
    along axis: ReadingAxis
  ) -> JoinedLine {
    let (first, last) = (chain[0], chain[chain.count - 1])
    let isFalling = last.middle > first.middle
    func edge(_ piece: SlantedPiece) -> Double { isFalling ? piece.low : piece.high }
    let slope = (edge(last) - edge(first)) / (last.start - first.start)
    let height = chain.map { $0.height(at: slope) }.max() ?? 0
    let baseline = edge(first) + (isFalling ? ascent : ascent - 1) * height

    let (x, y) = (first.start, baseline)
    let angle = atan(slope)
    let (sine, cosine) = (sin(angle), cos(angle))
    let (startX, base) = (x * cosine + y * sine, y * cosine - x * sine)
    let spaces = spaces(chain, slope)
    let glyphs = chain.flatMap(\.run.range).map { index in
      let edges = axis.edges(of: rectangles[index])
      return JoinedLine.Glyph(
        index: index,
        hasSpace: spaces.contains(index),
        box: PopplerRectangle(
          x1: startX + (edges.start - x) / cosine,
          y1: base - ascent * height,
          x2: startX + (edges.end - x) / cosine,
          y2: base + (1 - ascent) * height
        )
      )
    }
    return JoinedLine(glyphs: glyphs, angle: axis.angle + angle * 180 / .pi)
  }

  /// The characters of a row after gaps that are larger than between letters.
  private static func spaces(_ chain: [SlantedPiece], _ slope: Double) -> Set<Int> {
    let stretch = (1 + slope * slope).squareRoot()
    let gaps = zip(chain, chain.dropFirst()).map { ($1.start - $0.end) * stretch }
    // Gaps between words are spaces, even if they are all equal.
    let usual = isInWords(chain) ? 0 : max(0, gaps.min() ?? 0)
    let height = chain.map(\.height).min() ?? 0
    let least = usual + min(space * height, spaceOfWidth * width(chain) * stretch)
    var spaces = Set<Int>()
    for (gap, piece) in zip(gaps, chain.dropFirst()) where gap > least {
      spaces.insert(piece.run.range.lowerBound)
    }
    return spaces
  }
}
