// SPDX-License-Identifier: GPL-2.0-or-later

/// The visual and the logical order of characters on a line with mixed directions.
enum VisualOrder {
  private static let embedLeft: UInt32 = 0x202A
  private static let embedRight: UInt32 = 0x202B
  private static let endEmbedding: UInt32 = 0x202C

  /// Whether a text in UTF-8 has a mark that begins an embedding.
  static func hasMarks(_ text: UnsafeBufferPointer<CChar>) -> Bool {
    let bytes = UnsafeRawBufferPointer(text)
    guard var place = bytes.firstIndex(of: 0xE2) else { return false }
    while place + 2 < bytes.count {
      if bytes[place] == 0xE2, bytes[place + 1] == 0x80, (0xAA...0xAB).contains(bytes[place + 2]) {
        return true
      }
      guard let next = bytes[(place + 1)...].firstIndex(of: 0xE2) else { return false }
      place = next
    }
    return false
  }

  /// The characters without marks, in their visual order in the word: right-to-left embeddings are reversed, except
  /// left-to-right embeddings in them.
  ///
  /// - Returns: The characters, and for each whether an outer mark begins or ends before it.
  /// - Complexity: O(*n*).
  static func undoingMarks(
    of text: [Unicode.Scalar]
  ) -> (scalars: [Unicode.Scalar], isMarked: [Bool]) {
    var result: [Unicode.Scalar] = []
    result.reserveCapacity(text.count)
    var edges: [Int] = []
    // poppler nests marks at most two deep.
    var outer: [Unicode.Scalar]?
    var inner: [Unicode.Scalar]?
    for scalar in text {
      switch scalar.value {
      case embedRight where outer == nil:
        outer = []
        edges.append(result.count)
      case embedLeft where outer != nil && inner == nil: inner = []
      case embedLeft: continue
      case endEmbedding:
        if let embedded = inner.take() {
          outer?.append(contentsOf: embedded.reversed())
        } else if let embedded = outer.take() {
          result.append(contentsOf: embedded.reversed())
          edges.append(result.count)
        }
      default:
        if inner != nil {
          inner?.append(scalar)
        } else if outer != nil {
          outer?.append(scalar)
        } else {
          result.append(scalar)
        }
      }
    }
    if let inner { outer?.append(contentsOf: inner.reversed()) }
    if let outer { result.append(contentsOf: outer.reversed()) }
    var isMarked = [Bool](repeating: false, count: result.count)
    for edge in edges where edge < result.count { isMarked[edge] = true }
    return (result, isMarked)
  }

  /// The reading order of characters on lines: for each one, its visual position.
  ///
  /// The direction of a line is that of most of its letters; without letters, that of most letters on the page. Runs of
  /// the other direction are reversed; white space and punctuation between the two directions belong to that of the
  /// line.
  ///
  /// - Complexity: O(*n*).
  static func logical(_ visual: [Unicode.Scalar]) -> [Int] {
    let directions = visual.map(Direction.init)
    let pageBalance = balance(directions[...])
    var order: [Int] = []
    order.reserveCapacity(visual.count)
    var start = 0
    while start < visual.count {
      let end = visual[start...].firstIndex(of: "\n") ?? visual.count
      let lineBalance = balance(directions[start..<end])
      if lineBalance > 0 || lineBalance == 0 && pageBalance >= 0 {
        appendLine(start..<end, directions, to: &order)
      } else {
        appendTurnedLine(start..<end, directions, to: &order)
      }
      if end < visual.count { order.append(end) }
      start = end + 1
    }
    return order
  }

  /// How many more letters are written from left to right than from right to left.
  private static func balance(_ directions: ArraySlice<Direction>) -> Int {
    directions.reduce(0) { sum, direction in
      switch direction {
      case .left: sum + 1
      case .right: sum - 1
      case .number, .neutral: sum
      }
    }
  }

  /// A line from left to right.
  private static func appendLine(
    _ line: Range<Int>,
    _ directions: [Direction],
    to order: inout [Int]
  ) {
    var place = line.lowerBound
    while place < line.upperBound {
      guard directions[place] == .right else {
        order.append(place)
        place += 1
        continue
      }
      // Up to the last right-to-left letter without a letter or digit of the other direction in between.
      var end = place + 1
      var next = end
      while next < line.upperBound, directions[next] == .right || directions[next] == .neutral {
        next += 1
        if directions[next - 1] == .right { end = next }
      }
      order.append(contentsOf: (place..<end).reversed())
      place = end
    }
  }

  /// A right-to-left line: numbers and letters of the other direction keep their order.
  private static func appendTurnedLine(
    _ line: Range<Int>,
    _ directions: [Direction],
    to order: inout [Int]
  ) {
    var place = line.upperBound - 1
    while place >= line.lowerBound {
      guard directions[place] == .left || directions[place] == .number else {
        order.append(place)
        place -= 1
        continue
      }
      var start = place
      var next = start - 1
      while next >= line.lowerBound, directions[next] != .right {
        if directions[next] != .neutral { start = next }
        next -= 1
      }
      order.append(contentsOf: start...place)
      place = start - 1
    }
  }

  /// How a character is written.
  private enum Direction {
    case left, right, number, neutral

    /// The direction of a character: right-to-left scripts have their own blocks (Unicode,
    /// DerivedBidiClass.txt, default classes R and AL).
    init(_ scalar: Unicode.Scalar) {
      switch scalar.value {
      case 0x30...0x39, 0x660...0x669, 0x6F0...0x6F9: self = .number
      case 0x590...0x8FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFE, 0x10800...0x10FFF, 0x1E800...0x1EFFF:
        self = .right
      case 0..<0x41: self = .neutral
      default: self = scalar.properties.isAlphabetic ? .left : .neutral
      }
    }
  }
}
