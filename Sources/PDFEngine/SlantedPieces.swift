// SPDX-License-Identifier: GPL-2.0-or-later

internal import CPoppler

/// Adjacent characters in one of poppler's words.
struct CharacterRun {
  /// The indices of the characters.
  var range: Range<Int>
  /// The axis they are along; nil for one character.
  var axis: ReadingAxis?

  /// The runs of a text that can be in slanted lines: without those whose neighbor after a space is on the same
  /// baseline.
  ///
  /// - Complexity: O(*n*).
  static func runs(
    _ scalars: [Unicode.Scalar],
    _ rectangles: [PopplerRectangle]
  ) -> [CharacterRun] {
    var runs: [CharacterRun] = []
    for (index, scalar) in scalars.enumerated() where scalar != " " && scalar != "\n" {
      if let last = runs.last, last.range.upperBound == index,
        let axis = axis(from: rectangles[index - 1], to: rectangles[index], along: last.axis)
      {
        runs[runs.count - 1] = CharacterRun(range: last.range.lowerBound..<index + 1, axis: axis)
      } else {
        runs.append(CharacterRun(range: index..<index + 1, axis: nil))
      }
    }
    var isUpright = Array(repeating: false, count: runs.count)
    for (index, (run, next)) in zip(runs, runs.dropFirst()).enumerated() {
      let end = run.range.upperBound
      guard next.range.lowerBound == end + 1, scalars[end] == " " else { continue }
      let (box, other) = (rectangles[end - 1], rectangles[end + 1])
      let areLevel = ReadingAxis.allCases.contains {
        $0.edges(of: box).isLevel(with: $0.edges(of: other), within: 0.8)
      }
      if areLevel { (isUpright[index], isUpright[index + 1]) = (true, true) }
    }
    return zip(runs, isUpright).filter { !$0.1 }.map { $0.0 }
  }

  /// The axis along which a character continues the one before it; nil if there is none.
  ///
  /// - Parameter known: The axis of the characters before; nil to try all.
  private static func axis(
    from box: PopplerRectangle,
    to next: PopplerRectangle,
    along known: ReadingAxis?
  ) -> ReadingAxis? {
    func continues(_ axis: ReadingAxis) -> Bool {
      axis.edges(of: box).continues(to: axis.edges(of: next))
    }
    guard let known else { return ReadingAxis.allCases.first(where: continues) }
    return continues(known) ? known : nil
  }
}

/// A run of characters, measured along an axis in points.
struct SlantedPiece {
  /// The characters.
  var run: CharacterRun
  /// The positions along the axis: start of the first character, start and end of the last one.
  var start: Double, last: Double, end: Double
  /// The edges across the axis.
  var low: Double, high: Double

  /// The extent across the axis.
  var height: Double { high - low }
  /// The middle across the axis.
  var middle: Double { (low + high) / 2 }

  /// The height of its characters, for a slope of its line.
  func height(at slope: Double) -> Double { height - abs(slope) * (last - start) }

  /// The edge of its first character, for a slope of its line.
  func edge(_ slope: Double) -> Double { slope > 0 ? low : high }
}

/// The pieces of a page along an axis, indexed by where they begin.
struct SlantedPieces {
  /// A square of the page.
  private struct Cell: Hashable {
    var x: Int
    var y: Int

    /// The side of a cell in points.
    private static let side = 16.0

    init(x: Int, y: Int) { (self.x, self.y) = (x, y) }

    init(_ along: Double, _ across: Double) {
      x = Int((along / Self.side).rounded(.down))
      y = Int((across / Self.side).rounded(.down))
    }
  }

  /// The pieces.
  let all: [SlantedPiece]
  private let cells: [Cell: [Int]]

  /// The largest coordinate of a page, and the height of the largest characters.
  private static let farthest = 100_000.0, largest = 500.0

  /// The pieces of the runs along an axis; other runs are omitted.
  init(_ runs: [CharacterRun], _ rectangles: [PopplerRectangle], along axis: ReadingAxis) {
    let pieces: [SlantedPiece] = runs.compactMap { run in
      guard run.axis == nil || run.axis == axis else { return nil }
      let first = axis.edges(of: rectangles[run.range.lowerBound])
      let last = axis.edges(of: rectangles[run.range.upperBound - 1])
      let places = [first.start, last.end, first.low, first.high]
      guard places.allSatisfy({ abs($0) < Self.farthest }), first.high - first.low > 0.1,
        max(last.end - first.start, first.high - first.low) < Self.largest
      else { return nil }
      return SlantedPiece(
        run: run,
        start: first.start,
        last: last.start,
        end: last.end,
        low: first.low,
        high: first.high
      )
    }
    all = pieces
    cells = Dictionary(grouping: pieces.indices) { Cell(pieces[$0].start, pieces[$0].middle) }
  }

  /// The indices of all pieces in the order in which they begin.
  var fromStart: [Int] { all.indices.sorted { (all[$0].start, $0) < (all[$1].start, $1) } }

  /// The pieces that begin in a range along the axis, and may be in one across it.
  ///
  /// - Parameters:
  ///   - across: Where their center is, to the size of a cell.
  ///   - looks: Reduced by the number of checked positions.
  /// - Returns: The indices of the pieces.
  func near(
    _ along: ClosedRange<Double>,
    _ across: ClosedRange<Double>,
    looks: inout Int
  ) -> [Int] {
    let from = Cell(along.lowerBound, across.lowerBound)
    let to = Cell(along.upperBound, across.upperBound)
    var near: [Int] = []
    for x in from.x...to.x {
      for y in from.y...to.y {
        let pieces = cells[Cell(x: x, y: y)] ?? []
        looks -= 1 + pieces.count
        near += pieces.filter { along.contains(all[$0].start) }
      }
    }
    return near
  }
}

/// The axis that poppler measures text along.
enum ReadingAxis: CaseIterable {
  case right, up, down, left

  /// The edges of a rectangle along the axis, and across it from left to right when looking along it.
  struct Edges {
    var start: Double, end: Double, low: Double, high: Double

    /// Whether the next one begins where this one ends, on the same baseline.
    func continues(to next: Edges) -> Bool { isLevel(with: next, within: 0.1) }

    /// Whether the next one is on the same baseline, and begins within a fraction of the height from the end of this
    /// one.
    func isLevel(with next: Edges, within share: Double) -> Bool {
      abs(next.start - end) <= share * (high - low) && isOnBaseline(of: next)
    }

    /// Whether another one has the same edges across the axis.
    func isOnBaseline(of next: Edges) -> Bool {
      abs(next.low - low) < 0.01 && abs(next.high - high) < 0.01
    }
  }

  /// How far the axis is turned clockwise from that to the right, in degrees.
  var angle: Double {
    switch self {
    case .right: 0
    case .down: 90
    case .left: 180
    case .up: 270
    }
  }

  /// The edges of a rectangle.
  func edges(of box: PopplerRectangle) -> Edges {
    let (minX, maxX) = (min(box.x1, box.x2), max(box.x1, box.x2))
    let (minY, maxY) = (min(box.y1, box.y2), max(box.y1, box.y2))
    return switch self {
    case .right: Edges(start: minX, end: maxX, low: minY, high: maxY)
    case .up: Edges(start: -maxY, end: -minY, low: minX, high: maxX)
    case .down: Edges(start: minY, end: maxY, low: -maxX, high: -minX)
    case .left: Edges(start: -maxX, end: -minX, low: -maxY, high: -minY)
    }
  }
}
