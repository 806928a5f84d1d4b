// SPDX-License-Identifier: GPL-2.0-or-later

internal import CPoppler
internal import DocumentModel

/// Restores the visual order of the words of a line, and adds spaces between words that are apart.
///
/// For a page that is mostly right-to-left, poppler-glib returns words from right to left, each with its characters
/// from left to right, and whether a space follows to the right of a word. It does not tell this for words of a row
/// that it assigns to different columns. The rectangles do: those of a word touch each other.
struct GlyphLines {
  /// The characters.
  private(set) var scalars: [Unicode.Scalar] = []
  /// The rectangle of each character, and the index of poppler's character that it is or follows.
  private(set) var glyphs: [(box: PopplerRectangle, place: Int)] = []
  /// The slanted lines, with rectangles on the page turned until the line reads to the right.
  private(set) var slants: [TextSlant] = []
  private let visual: [Unicode.Scalar]
  private let rectangles: UnsafeBufferPointer<PopplerRectangle>
  /// Whether a direction mark begins or ends before a character.
  private let isMarked: [Bool]

  /// The fraction of the character height from which a gap is a space: poppler's `minWordBreakSpace`.
  private static let space = 0.1

  /// Lines of characters.
  ///
  /// - Parameters:
  ///   - visual: The characters without marks.
  ///   - isMarked: Whether a direction mark begins or ends before each; empty if there are no
  ///     marks.
  init(
    _ visual: [Unicode.Scalar],
    _ rectangles: UnsafeBufferPointer<PopplerRectangle>,
    isMarked: [Bool]
  ) {
    (self.visual, self.rectangles, self.isMarked) = (visual, rectangles, isMarked)
    scalars.reserveCapacity(visual.count)
    glyphs.reserveCapacity(visual.count)
    var start = 0
    while start < visual.count {
      let end = visual[start...].firstIndex(of: "\n") ?? visual.count
      append(start..<end)
      if end < visual.count { append(scalar: end) }
      start = end + 1
    }
  }

  /// Joins each line that poppler has split, and puts it after the line of its first character.
  mutating func joinLines() -> Bool {
    let boxes = glyphs.map { $0.box }
    var joined = SpacedLines.lines(scalars, boxes)
    var moved = Set(joined.flatMap(\.glyphs).map(\.index))
    for line in SlantedLines.lines(scalars, boxes)
    where moved.isDisjoint(with: line.glyphs.map(\.index)) {
      moved.formUnion(line.glyphs.map(\.index))
      joined.append(line)
    }
    guard !joined.isEmpty else { return false }
    let behind = Dictionary(grouping: joined) { line in
      let first = line.glyphs.map(\.index).min() ?? 0
      return scalars[first...].firstIndex(of: "\n") ?? scalars.count
    }
    let (oldScalars, oldGlyphs) = (scalars, glyphs)
    (scalars, glyphs) = ([], [])
    var start = 0
    while start < oldScalars.count {
      let end = oldScalars[start...].firstIndex(of: "\n") ?? oldScalars.count
      let isWhole = moved.isDisjoint(with: start..<end)
      var isFirst = true
      for index in start..<end where !moved.contains(index) {
        // Keeps only one of the spaces around moved characters.
        let isDouble = oldScalars[index] == " " && (isFirst || scalars.last == " ")
        guard isWhole || !isDouble else { continue }
        if isFirst { endLine() }
        isFirst = false
        add(oldScalars[index], oldGlyphs[index])
      }
      for line in behind[end] ?? [] {
        endLine()
        let first = scalars.count
        for glyph in line.glyphs {
          if glyph.hasSpace, let front = glyphs.last {
            add(" ", (front.box.gap(to: glyph.box), front.place))
          }
          add(oldScalars[glyph.index], (glyph.box, oldGlyphs[glyph.index].place))
        }
        if let angle = line.angle {
          slants.append(TextSlant(scalars: first..<scalars.count, angle: Float(angle)))
        }
      }
      start = end + 1
    }
    dropSpace()
    return true
  }

  private mutating func add(_ scalar: Unicode.Scalar, _ glyph: (PopplerRectangle, Int)) {
    scalars.append(scalar)
    glyphs.append(glyph)
  }

  private mutating func dropSpace() {
    guard scalars.last == " " else { return }
    scalars.removeLast()
    glyphs.removeLast()
  }

  /// Adds a line feed to a nonempty line, replacing a space at its end.
  private mutating func endLine() {
    dropSpace()
    guard let last = glyphs.last, scalars.last != "\n" else { return }
    let (x, y) = (last.box.x2, last.box.y2)
    add("\n", (PopplerRectangle(x1: x, y1: y, x2: x, y2: y), last.place))
    // The end of a slanted line is rotated with it.
    guard let slant = slants.last?.scalars, slant.upperBound == scalars.count - 1 else { return }
    slants[slants.count - 1].scalars = slant.lowerBound..<scalars.count
  }

  private mutating func append(_ line: Range<Int>) {
    guard line.contains(where: { !isMarked.isEmpty && isMarked[$0] }) else {
      for index in line { append(scalar: index) }
      return
    }
    let words = words(of: line)
    let order = order(of: words)
    guard order != Array(words.indices) else {
      for index in line { append(scalar: index) }
      return
    }
    // Poppler's spaces are on the other side of their words.
    for index in order { for scalar in words[index] { append(scalar: scalar) } }
  }

  /// The words of a line: the text between spaces and marks.
  private func words(of line: Range<Int>) -> [Range<Int>] {
    var words: [Range<Int>] = []
    var start = line.lowerBound
    for index in line {
      if visual[index] == " " {
        if start < index { words.append(start..<index) }
        start = index + 1
      } else if isMarked[index], start < index {
        words.append(start..<index)
        start = index
      }
    }
    if start < line.upperBound { words.append(start..<line.upperBound) }
    return words
  }

  /// The order of words along the line, which has the direction of its longest word.
  private func order(of words: [Range<Int>]) -> [Int] {
    guard let longest = words.max(by: { $0.count < $1.count }), words.count > 1 else {
      return Array(words.indices)
    }
    let (first, last) = (middle(longest.lowerBound), middle(longest.upperBound - 1))
    var (x, y) = (last.x - first.x, last.y - first.y)
    if longest.count == 1 { (x, y) = (1, 0) }
    let places = words.map { word in
      let (start, end) = (middle(word.lowerBound), middle(word.upperBound - 1))
      return (start.x + end.x) * x + (start.y + end.y) * y
    }
    return words.indices.sorted { (places[$0], $0) < (places[$1], $1) }
  }

  private func middle(_ index: Int) -> (x: Double, y: Double) {
    let box = rectangles[index]
    return ((box.x1 + box.x2) / 2, (box.y1 + box.y2) / 2)
  }

  /// Adds a character, and a space before it if it is apart from the previous one.
  private mutating func append(scalar index: Int) {
    let box = rectangles[index]
    if let last = scalars.last, last != " ", last != "\n", visual[index] != " ",
      visual[index] != "\n", let front = glyphs.last, front.box.isApart(from: box, by: Self.space)
    {
      scalars.append(" ")
      glyphs.append((front.box.gap(to: box), front.place))
    }
    scalars.append(visual[index])
    glyphs.append((box, index))
  }
}

extension PopplerRectangle {
  /// The distance to another rectangle on each axis; negative where they overlap.
  private func distance(to other: PopplerRectangle) -> (x: Double, y: Double) {
    (max(other.x1 - x2, x1 - other.x2), max(other.y1 - y2, y1 - other.y2))
  }

  /// Whether there is a gap of more than a fraction of the height.
  func isApart(from other: PopplerRectangle, by share: Double) -> Bool {
    let distance = distance(to: other)
    return distance.x > share * min(y2 - y1, other.y2 - other.y1)
      && distance.x >= distance.y
      || distance.y > share * min(x2 - x1, other.x2 - other.x1) && distance.y > distance.x
  }

  /// The gap between this rectangle and another one, as high as this one.
  fileprivate func gap(to other: PopplerRectangle) -> PopplerRectangle {
    let distance = distance(to: other)
    var gap = self
    if distance.x >= distance.y {
      (gap.x1, gap.x2) = other.x1 >= x2 ? (x2, other.x1) : (other.x2, x1)
    } else {
      (gap.y1, gap.y2) = other.y1 >= y2 ? (y2, other.y1) : (other.y2, y1)
    }
    return gap
  }
}
