// SPDX-License-Identifier: GPL-2.0-or-later

internal import DocumentModel
internal import RectoGeometry

/// The length of thin lines in each part of a page, which decides how wide they can be drawn there.
///
/// All lengths and positions are in pixels from the page's top left, whichever part is drawn, so that each part has the
/// pixels of the whole page.
struct LineDensity {
  /// The largest fraction of an area that widened lines may cover, unless they are wide enough themselves.
  static let coverage = 0.35
  /// The shortest side of a cell.
  private static let leastSide = 16
  /// Cells along a side of the page, at most.
  private static let mostCells = 256

  private let cells: Cells
  /// The lengths in the cells, row by row; empty as long as there is no thin line.
  private var lengths: [Float] = []
  /// The length from which a cell is crowded.
  private let mostLength: Float
  /// Whether thin lines are so close together somewhere that they cannot all be a pixel wide.
  private(set) var isCrowded = false

  /// No lines yet.
  ///
  /// - Parameter size: The page in pixels.
  init(of size: PixelSize) {
    let longest = max(size.width, size.height)
    let side = max(Self.leastSide, (longest + Self.mostCells - 1) / Self.mostCells)
    let columns = (max(size.width, 1) - 1) / side + 1
    cells = Cells(
      page: (Double(size.width), Double(size.height)),
      side: side,
      columns: columns,
      count: columns * ((max(size.height, 1) - 1) / side + 1)
    )
    mostLength = Float(Self.coverage * Double(side * side))
  }

  /// Adds a straight line.
  ///
  /// - Parameters:
  ///   - share: The fraction of it that is drawn: less than 1 for dashes.
  /// - Complexity: O(1): a page has up to some hundred cells in a line.
  mutating func add(_ line: StraightLine, share: Double) {
    if lengths.isEmpty { lengths = Array(repeating: 0, count: cells.count) }
    cells.forEachPiece(of: line) { cell, length in
      lengths[cell] += Float(length * share)
      if lengths[cell] > mostLength { isCrowded = true }
    }
  }

  /// How wide a straight line can be drawn, summed over its length.
  ///
  /// - Returns: The least width in pixels, up to 1, times the length to which it applies, and that length.
  /// - Complexity: As ``add(_:share:)``.
  func leastWidth(of line: StraightLine) -> (sum: Double, length: Double) {
    guard !lengths.isEmpty else { return (0, 0) }
    var result = (sum: 0.0, length: 0.0)
    cells.forEachPiece(of: line) { cell, length in
      result.sum += length * Double(min(1, mostLength / max(lengths[cell], 1)))
      result.length += length
    }
    return result
  }
}

/// The cells of a page. Apart from the lengths in them, which would be copied whenever they change in a loop over pieces.
private struct Cells {
  let page: (width: Double, height: Double)
  let side: Int
  let columns: Int
  let count: Int

  /// Splits the part of a line on the page into pieces, one per cell.
  func forEachPiece(of line: StraightLine, _ body: (_ cell: Int, _ length: Double) -> Void) {
    guard let line = line.clipped(toWidth: page.width, height: page.height) else { return }
    // A point is as long as it is wide.
    let length = max(line.length, 1)
    let pieces = (length / Double(side)).rounded(.up)
    let (stepX, stepY) = ((line.toX - line.fromX) / pieces, (line.toY - line.fromY) / pieces)
    for piece in 0..<Int(pieces) {
      let middle = Double(piece) + 0.5
      let x = min(Int(line.fromX + stepX * middle) / side, columns - 1)
      let y = min(Int(line.fromY + stepY * middle) / side, count / columns - 1)
      body(y * columns + x, length / pieces)
    }
  }
}

/// A straight line, in pixels.
struct StraightLine {
  var fromX, fromY, toX, toY: Double

  /// How long it is.
  var length: Double {
    let (x, y) = (toX - fromX, toY - fromY)
    return (x * x + y * y).squareRoot()
  }

  /// The part of the line in a rectangle with a corner at the origin; nil if there is none.
  ///
  /// The method is that of Liang and Barsky, "A New Concept and Method for Line Clipping" (1984).
  func clipped(toWidth width: Double, height: Double) -> StraightLine? {
    let (x, y) = (toX - fromX, toY - fromY)
    var (start, end) = (0.0, 1.0)
    for (step, room) in [(-x, fromX), (x, width - fromX), (-y, fromY), (y, height - fromY)] {
      if step == 0 {
        guard room >= 0 else { return nil }
      } else if step < 0 {
        start = max(start, room / step)
      } else {
        end = min(end, room / step)
      }
    }
    // False for NaN, too.
    guard start <= end else { return nil }
    guard start > 0 || end < 1 else { return self }
    return StraightLine(
      fromX: fromX + x * start,
      fromY: fromY + y * start,
      toX: fromX + x * end,
      toY: fromY + y * end
    )
  }
}
