internal import DocumentModel
public import RectoGeometry

/// The unit of a selection.
public enum SelectionUnit: String, Hashable, Sendable, CaseIterable {
  /// Characters (grapheme clusters), for dragging a pointer.
  case character
  /// Words, for dragging after a double click.
  case word
  /// Lines, for dragging after a triple click.
  case line
}

/// A part of a page's text that a reader has selected.
public struct TextSelection: Hashable, Sendable {
  /// The indices of the Unicode scalars, without gaps.
  public var scalars: Range<Int>
  /// The areas to highlight, from ``TextStructure/areas(of:)``.
  public var areas: [TextArea]
  /// The text, with a line feed between lines.
  public var string: String
}

extension TextStructure {
  /// The text between two points of the page, in reading order.
  ///
  /// A point stands for the nearest position in the text: first the nearest block is found, then its nearest line, then
  /// the nearest character there, so that points in a margin stay in their column. In a selection by characters, the
  /// position is before or after the nearest one, whichever edge is closer; words and lines are selected whole.
  /// Swapping `start` and `end` gives the same selection.
  ///
  /// - Parameters:
  ///   - start: Where the pointer was pressed, in points from the top left of the page; nil for the first
  ///     character.
  ///   - end: Where it is; nil for after the last character.
  ///   - unit: The unit by which the selection grows.
  ///   - joiningHyphenatedLines: Whether ``TextSelection/string`` joins words that are hyphenated at the end of a line.
  /// - Returns: The selection; empty if there is nothing between, or the page has no text.
  /// - Complexity: O(lines, and the scalars of the selection).
  public func selection(
    from start: Point?,
    to end: Point?,
    by unit: SelectionUnit = .character,
    joiningHyphenatedLines: Bool = false
  ) -> TextSelection {
    let first = start.map { part(at: $0, unit) } ?? 0..<0
    let last = end.map { part(at: $0, unit) } ?? boxes.count..<boxes.count
    guard !lines.isEmpty, let first, let last else {
      return TextSelection(scalars: 0..<0, areas: [], string: "")
    }
    let scalars =
      min(first.lowerBound, last.lowerBound)..<max(first.upperBound, last.upperBound)
    return TextSelection(
      scalars: scalars,
      areas: areas(of: scalars),
      string: string(of: scalars, joiningHyphenatedLines: joiningHyphenatedLines)
    )
  }

  /// The areas to highlight for scalars: one for each line, in reading order.
  ///
  /// If a line has unselected characters between selected ones, as in text of mixed direction, it gets one area for
  /// each run of neighbors. Only the 500 characters before and after the scalars are considered.
  ///
  /// - Complexity: O(*n* log *n* + log *m*), *n* being the number of scalars and *m* that of lines.
  public func areas(of scalars: Range<Int>) -> [TextArea] {
    let scalars = scalars.clamped(to: 0..<boxes.count)
    guard !scalars.isEmpty else { return [] }
    var areas: [TextArea] = []
    var index = firstLine(endingBehind: scalars.lowerBound)
    while index < lines.count, lines[index].element.scalars.lowerBound < scalars.upperBound {
      let line = lines[index]
      areas += Self.runs(of: scalars, in: line, lineBoxes.boxes)
        .map { TextArea($0, angle: line.angle) }
      index += 1
    }
    return areas
  }

  /// The index of the first line that ends after a scalar.
  func firstLine(endingBehind scalar: Int) -> Int {
    var (low, high) = (0, lines.count)
    while low < high {
      let middle = (low + high) / 2
      if lines[middle].element.scalars.upperBound > scalar {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }

  /// How many characters before and after the selected ones are considered to be between them on
  /// the page.
  private static let reach = 500

  /// The boxes of the runs of neighbors among the selected characters of a line.
  private static func runs(
    of scalars: Range<Int>,
    in line: TextLine,
    _ boxes: [TextBox]
  ) -> [TextBox] {
    let all = line.element.scalars
    let selected = all.clamped(to: scalars)
    guard selected != all, let box = extended(selected, boxes) else {
      return line.element.area.box.isPoint ? [] : [line.element.area.box]
    }
    let direction = line.ownDirection
    let extent = box.extent(along: direction)
    let near = selected.lowerBound - reach..<selected.upperBound + reach
    let others = near.clamped(to: all).filter { scalar in
      guard !selected.contains(scalar), !boxes[scalar].isPoint else { return false }
      let middle = boxes[scalar].extent(along: direction).middle
      return middle > extent.lower && middle < extent.upper
    }
    guard !others.isEmpty else { return [box] }
    return visualRuns(of: selected, among: others, boxes, direction)
  }

  /// The boxes of the runs of `selected` not interrupted by `others`, in order along the axis.
  private static func visualRuns(
    of selected: Range<Int>,
    among others: [Int],
    _ boxes: [TextBox],
    _ direction: TextDirection
  ) -> [TextBox] {
    let visible = selected.filter { !boxes[$0].isPoint }
    let order = (visible + others).map { (middle: boxes[$0].extent(along: direction).middle, $0) }
      .sorted { $0 < $1 }
    var runs: [TextBox] = []
    var isInRun = false
    for (_, scalar) in order {
      if selected.contains(scalar) {
        if isInRun {
          runs[runs.count - 1] = runs[runs.count - 1].union(boxes[scalar])
        } else {
          runs.append(boxes[scalar])
        }
        isInRun = true
      } else {
        isInRun = false
      }
    }
    return direction == .left || direction == .up ? runs.reversed() : runs
  }

  /// The box around scalars with a nonempty box; nil if there are none.
  private static func extended(_ scalars: Range<Int>, _ boxes: [TextBox]) -> TextBox? {
    guard !scalars.isEmpty else { return nil }
    let box = box(around: scalars, of: boxes)
    return box.isPoint ? nil : box
  }
}
