internal import DocumentModel

extension TextStructure {
  /// How much higher a line can be than its neighbor in a block.
  private static let largestRatio = 1.5
  /// The largest gap between two lines of a block, in heights of the lower one.
  private static let largestGap = 0.75
  /// How far a line of a block can reach into the one in front of it, in heights of the lower one.
  private static let largestReach = 0.5

  /// The blocks of lines, by the rule that ``blocks`` states.
  static func blocks(of lines: [TextLine]) -> [TextBlock] {
    var blocks: [TextBlock] = []
    for (index, line) in lines.enumerated() {
      if index > 0, continues(lines[index - 1], line) {
        let last = blocks.count - 1
        let whole = blocks[last].element
        blocks[last].lines = blocks[last].lines.lowerBound..<index + 1
        blocks[last].element = TextElement(
          scalars: whole.scalars.lowerBound..<line.element.scalars.upperBound,
          utf8: whole.utf8.lowerBound..<line.element.utf8.upperBound,
          box: whole.box.union(line.element.box)
        )
      } else {
        blocks.append(TextBlock(element: line.element, lines: index..<index + 1))
      }
    }
    return blocks
  }

  private static func continues(_ line: TextLine, _ next: TextLine) -> Bool {
    let direction = line.direction
    // The direction of a line with one character is not known.
    guard next.direction == direction || next.element.scalars.count == 1 else { return false }
    let (box, other) = (line.element.box, next.element.box)
    guard box.extent(along: direction).overlap(with: other.extent(along: direction)) > 0 else {
      return false
    }
    let (across, nextAcross) = (box.extent(across: direction), other.extent(across: direction))
    let smaller = min(across.length, nextAcross.length)
    guard smaller > 0, max(across.length, nextAcross.length) <= largestRatio * smaller else {
      return false
    }
    // Lines that run down follow each other to the left, or to the right where they are turned.
    let gap =
      switch direction {
      case .right, .left: nextAcross.lower - across.upper
      case .down, .up: -across.overlap(with: nextAcross)
      }
    return gap <= largestGap * smaller && gap >= -largestReach * smaller
  }
}
