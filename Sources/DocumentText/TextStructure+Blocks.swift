internal import DocumentModel

extension TextStructure {
  /// How much higher a line can be than its neighbor in a block.
  private static let largestRatio = 1.5
  /// The largest gap between two lines of a block, in heights of the lower one.
  private static let largestGap = 0.75
  /// The largest angle between two slanted lines of a block, in degrees.
  private static let largestAngle: Float = 1
  /// How far a line of a block can overlap the previous one, in heights of the lower one.
  private static let largestReach = 0.5

  /// The blocks of lines, by the rule of ``blocks``.
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
          area: TextArea(
            whole.area.box.union(line.element.area.box(turnedBack: whole.area.angle)),
            angle: whole.area.angle
          )
        )
      } else {
        blocks.append(TextBlock(element: line.element, lines: index..<index + 1))
      }
    }
    return blocks
  }

  private static func continues(_ line: TextLine, _ next: TextLine) -> Bool {
    let direction = line.ownDirection
    // The direction of a line with one character is not known.
    guard areParallel(line, next) || next.element.scalars.count == 1 else { return false }
    let (box, other) = (line.element.area.box, next.element.area.box(turnedBack: line.angle))
    guard box.extent(along: direction).overlap(with: other.extent(along: direction)) > 0 else {
      return false
    }
    let (across, nextAcross) = (box.extent(across: direction), other.extent(across: direction))
    let smaller = min(across.length, nextAcross.length)
    guard smaller > 0, max(across.length, nextAcross.length) <= largestRatio * smaller else {
      return false
    }
    // Vertical lines follow each other to the left, or to the right if they are turned.
    let gap =
      switch direction {
      case .right, .left: nextAcross.lower - across.upper
      case .down, .up: -across.overlap(with: nextAcross)
      }
    return gap <= largestGap * smaller && gap >= -largestReach * smaller
  }

  /// Whether two lines have the same direction.
  private static func areParallel(_ line: TextLine, _ next: TextLine) -> Bool {
    guard let angle = line.angle, let other = next.angle else {
      return line.angle == next.angle && line.direction == next.direction
    }
    return abs((angle - other).remainder(dividingBy: 360)) <= largestAngle
  }
}
