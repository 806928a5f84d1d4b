/// Which pages are shown, and in which order.
///
/// Pages are named by their index in the document, places in the sequence are *positions*. The same
/// page may be shown more than once. A sequence is a list of runs: all pages of a document cost as
/// little as one.
public struct PageSequence: Hashable, Sendable {
  /// Consecutive positions.
  public enum Run: Hashable, Sendable {
    /// Consecutive pages of the document.
    case pages(Range<Int>)
    /// Empty places, each as large as a page: the page before them, or else the one behind them.
    case blanks(Int)

    var count: Int {
      switch self {
      case .pages(let range): range.count
      case .blanks(let count): count
      }
    }
  }

  /// No sequence is longer; what goes beyond is cut off.
  public static let largestCount = 1 << 48

  /// The runs, in order; none is empty, and no two could be one.
  public private(set) var runs: [Run]
  /// The first position of each run, and the number of positions.
  private(set) var starts: [Int]
  /// The runs of pages, by their first page.
  private var byPage: [Int]
  /// For each entry of `byPage`, the largest end of it and the ones before it.
  private var reach: [Int]

  /// All pages of a document, in order.
  public init(pageCount: Int) {
    self.init([.pages(0..<max(0, pageCount))])
  }

  /// A sequence of runs; negative pages and counts are left out.
  ///
  /// - Complexity: O(*r* log *r*) for *r* runs.
  public init(_ runs: [Run]) {
    self.runs = []
    starts = [0]
    byPage = []
    reach = []
    var count = 0
    for run in runs {
      let room = Self.largestCount - count
      switch run {
      case .pages(let range):
        let pages = range.clamped(to: 0..<Self.largestCount)
        append(.pages(pages.lowerBound..<(pages.lowerBound + min(pages.count, room))))
      case .blanks(let number):
        append(.blanks(min(max(0, number), room)))
      }
      count = starts[starts.count - 1]
    }
    index()
  }

  private mutating func append(_ run: Run) {
    guard run.count > 0 else { return }
    switch (runs.last, run) {
    case (.pages(let last), .pages(let next)) where last.upperBound == next.lowerBound:
      runs[runs.count - 1] = .pages(last.lowerBound..<next.upperBound)
      starts[starts.count - 1] += run.count
    case (.blanks(let last), .blanks(let next)):
      runs[runs.count - 1] = .blanks(last + next)
      starts[starts.count - 1] += run.count
    default:
      runs.append(run)
      starts.append(starts[starts.count - 1] + run.count)
    }
  }

  private mutating func index() {
    var found: [(page: Int, run: Int)] = []
    for (index, run) in runs.enumerated() {
      if case .pages(let range) = run { found.append((range.lowerBound, index)) }
    }
    found.sort { ($0.page, $0.run) < ($1.page, $1.run) }
    byPage = found.map(\.run)
    var end = 0
    reach = found.map { entry in
      end = max(end, entry.page + runs[entry.run].count)
      return end
    }
  }

  /// Two sequences are equal when they show the same pages in the same order.
  public static func == (left: PageSequence, right: PageSequence) -> Bool {
    left.runs == right.runs
  }

  /// Hashes the runs.
  public func hash(into hasher: inout Hasher) { hasher.combine(runs) }

  /// The number of positions.
  public var count: Int { starts[starts.count - 1] }

  /// The run that holds `position`, which must be in the sequence. O(log *r*).
  func run(at position: Int) -> Int {
    if runs.count == 1 { return 0 }
    var lower = 0
    var upper = runs.count
    while upper - lower > 1 {
      let middle = (lower + upper) / 2
      if starts[middle] <= position { lower = middle } else { upper = middle }
    }
    return lower
  }

  /// The page at a position; nil for a blank and outside the sequence. O(log *r*).
  public func page(at position: Int) -> Int? {
    guard position >= 0, position < count else { return nil }
    let run = run(at: position)
    guard case .pages(let range) = runs[run] else { return nil }
    return range.lowerBound + position - starts[run]
  }

  /// The positions at which a page is shown, ascending. O(log *r* + their number).
  public func positions(of page: Int) -> [Int] {
    var result: [Int] = []
    forEachPosition(of: page) { result.append($0) }
    return result.sorted()
  }

  /// Calls `body` with the positions at which a page is shown, in no particular order.
  func forEachPosition(of page: Int, _ body: (Int) -> Void) {
    guard (0..<Self.largestCount).contains(page) else { return }
    if let position = onlyPosition(of: page) { return body(position) }
    forEachRange(of: page..<page + 1) { positions, _ in body(positions.lowerBound) }
  }

  /// The position of a page where the sequence is one run of pages; nil where it takes a search.
  func onlyPosition(of page: Int) -> Int? {
    guard runs.count == 1, case .pages(let range) = runs[0], range.contains(page) else {
      return nil
    }
    return page - range.lowerBound
  }

  /// Calls `body` with the positions of every part of `pages` that is shown in one piece, and the
  /// pages there; in no particular order.
  func forEachRange(of pages: Range<Int>, _ body: (Range<Int>, Range<Int>) -> Void) {
    guard !pages.isEmpty else { return }
    // The runs that begin before the end of `pages`, backwards for as long as any reaches them.
    var lower = 0
    var upper = byPage.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if firstPage(ofRun: byPage[middle]) < pages.upperBound {
        lower = middle + 1
      } else {
        upper = middle
      }
    }
    var entry = lower - 1
    while entry >= 0, reach[entry] > pages.lowerBound {
      let run = byPage[entry]
      entry -= 1
      guard case .pages(let range) = runs[run] else { continue }
      let part = range.clamped(to: pages)
      guard !part.isEmpty else { continue }
      let start = starts[run] + part.lowerBound - range.lowerBound
      body(start..<(start + part.count), part)
    }
  }

  private func firstPage(ofRun run: Int) -> Int {
    guard case .pages(let range) = runs[run] else { return 0 }
    return range.lowerBound
  }

  /// Calls `body` for each piece of `positions`: the positions, and the pages there or nil.
  func forEachPiece(of positions: Range<Int>, _ body: (Range<Int>, Range<Int>?) -> Void) {
    let positions = positions.clamped(to: 0..<count)
    guard !positions.isEmpty else { return }
    var index = run(at: positions.lowerBound)
    while index < runs.count, starts[index] < positions.upperBound {
      let piece = (starts[index]..<starts[index + 1]).clamped(to: positions)
      if case .pages(let range) = runs[index] {
        let first = range.lowerBound + piece.lowerBound - starts[index]
        body(piece, first..<(first + piece.count))
      } else {
        body(piece, nil)
      }
      index += 1
    }
  }
}
