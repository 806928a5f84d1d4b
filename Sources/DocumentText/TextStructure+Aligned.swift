internal import DocumentModel

/// The text as it stands on the page, in characters of one width.
extension TextStructure {
  /// Words of a line that are not apart.
  private struct Piece {
    var string: String
    var box: TextBox
    var left: Double { Double(box.minX) }
    var width: Double { Double(box.maxX) - Double(box.minX) }
    var height: Double { Double(box.maxY) - Double(box.minY) }
    var middle: Double { (Double(box.minY) + Double(box.maxY)) / 2 }
  }

  /// A distance in a line, in its heights, from which words are apart: wider than the space of justified text.
  private static let apart = 0.8
  /// The most columns of characters.
  private static let mostColumns = 1000
  /// The most spaces in front of the pieces of a page together.
  private static let mostSpaces = 1 << 24
  /// The most empty lines between two rows.
  private static let mostEmptyLines = 2

  /// The text with its columns and tables as they stand on the page.
  ///
  /// Each row of the page is a line. In a row, words that are apart by more than 0.8 times their height are separated by
  /// at least two spaces, and begin at the column of characters that corresponds to their left edge. A column is so
  /// narrow that nine of ten characters fit, so what stands below each other on the page does so here. Larger distances
  /// between rows become one or two empty lines. A line that does not run along the x axis is one piece.
  ///
  /// - Returns: Lines that end with a line feed, without spaces at their ends; empty for a page without text.
  /// - Complexity: O(*n* log *n*) in the number of words.
  public func aligned() -> String {
    let pieces = lines.flatMap(pieces)
    guard let left = pieces.map(\.left).min() else { return "" }
    let unit = Self.columnWidth(of: pieces, from: left)
    let rows = Self.rows(of: pieces)
    let heights = pieces.map(\.height).sorted()
    let spacing = max(heights[heights.count / 2], 1) * 1.2
    var text = ""
    var last: Double?
    for row in rows {
      if let last {
        let skipped = Int(max(0, min(1000, ((row[0].middle - last) / spacing).rounded()))) - 1
        text += String(repeating: "\n", count: min(Self.mostEmptyLines, max(0, skipped)))
      }
      last = row[0].middle
      text += Self.line(row.sorted { $0.left < $1.left }, from: left, unit) + "\n"
    }
    return text
  }

  /// The pieces of a line.
  private func pieces(of line: TextLine) -> [Piece] {
    guard line.angle == nil, line.direction.isHorizontal else {
      return [Piece(string: string(of: line.element.scalars), box: line.element.box)]
    }
    var pieces: [Piece] = []
    for word in words[line.words] {
      let piece = Piece(string: string(of: word.scalars), box: word.box)
      guard let last = pieces.last, Self.distance(last.box, piece.box) <= Self.apart * last.height
      else {
        pieces.append(piece)
        continue
      }
      pieces[pieces.count - 1].string += " " + piece.string
      pieces[pieces.count - 1].box = last.box.union(piece.box)
    }
    return pieces
  }

  /// The distance of two boxes along the x axis; 0 if they overlap.
  private static func distance(_ one: TextBox, _ other: TextBox) -> Double {
    max(0, Double(max(one.minX, other.minX)) - Double(min(one.maxX, other.maxX)))
  }

  /// The width of a column: nine of ten characters are at least as wide, on average over their piece.
  private static func columnWidth(of pieces: [Piece], from left: Double) -> Double {
    let widths = pieces.map { (width: $0.width / Double(max(1, $0.string.count)), $0.string.count) }
      .filter { $0.width > 0 }.sorted { $0.width < $1.width }
    var narrow = widths.reduce(0) { $0 + $1.1 } / 10
    let unit = widths.first { _, count in
      narrow -= count
      return narrow < 0
    }
    let right = pieces.reduce(left) { max($0, $1.left + $1.width) }
    let most = Double(min(mostColumns, max(1, mostSpaces / pieces.count)))
    return max(unit?.width ?? 1, (right - left) / most, .leastNormalMagnitude)
  }

  /// The pieces by rows, from the top: the middles of a row's pieces are less than half their height apart.
  private static func rows(of pieces: [Piece]) -> [[Piece]] {
    var rows: [[Piece]] = []
    for piece in pieces.sorted(by: { $0.middle < $1.middle }) {
      if let first = rows.last?[0],
        piece.middle - first.middle < min(first.height, piece.height) / 2
      {
        rows[rows.count - 1].append(piece)
      } else {
        rows.append([piece])
      }
    }
    return rows
  }

  private static func line(_ row: [Piece], from left: Double, _ unit: Double) -> String {
    var line = ""
    var length = 0
    for piece in row {
      let column = Int(max(0, min(Double(mostColumns), ((piece.left - left) / unit).rounded())))
      let spaces = max(column - length, length == 0 ? 0 : 2)
      line += String(repeating: " ", count: spaces) + piece.string
      length += spaces + piece.string.count
    }
    return line
  }
}
