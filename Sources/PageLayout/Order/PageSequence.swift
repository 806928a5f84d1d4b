public import RectoGeometry

/// The pages to show, and their order.
///
/// Pages are identified by their index in the document; places in the sequence are *positions*. The
/// same page may be shown more than once. A sequence is a list of runs: all pages of a document
/// take as little memory as one.
public struct PageSequence: Hashable, Sendable {
  /// The length of the longest sequence, 2^48, or 2^24 where an `Int` has 32 bits; longer ones are truncated.
  public static let largestCount = 1 << (Int.bitWidth == 64 ? 48 : 24)
  /// The pages there can be.
  static let possiblePages = Range(pageCount: largestCount)

  /// The runs, in order; none is empty, and no two could be one.
  public private(set) var runs: [Run]
  /// The first position of each run, and the number of positions.
  private(set) var starts: [Int]
  /// The runs of pages, by their first page.
  private var byPage: [Int]
  /// For each entry of `byPage`, the largest end up to it.
  private var reach: [PageIndex]

  /// All pages of a document, in order.
  public init(pageCount: Int) {
    self.init([.pages(Range(pageCount: pageCount))])
  }

  /// A sequence of runs; negative pages and counts are ignored.
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
        let pages = range.clamped(to: Self.possiblePages)
        append(Run.pages(pages).part(0..<min(pages.count, room)))
      case .backwards(let range):
        let pages = range.clamped(to: Self.possiblePages)
        append(Run.backwards(pages).part(0..<min(pages.count, room)))
      case .blanks(let number):
        append(.blanks(min(max(0, number), room)))
      }
      count = starts[starts.count - 1]
    }
    index()
  }

  /// Appends as if page by page: the last run is extended as far as possible, so that equal
  /// sequences have equal runs.
  private mutating func append(_ run: Run) {
    guard run.count > 0 else { return }
    let taken = runs.last?.join(run) ?? (run: run, count: 0)
    if taken.count > 0 {
      runs[runs.count - 1] = taken.run
      starts[starts.count - 1] += taken.count
      return append(run.part(taken.count..<run.count))
    }
    runs.append(run.count == 1 ? run.single : run)
    starts.append(starts[starts.count - 1] + run.count)
  }

  private mutating func index() {
    var found: [(page: PageIndex, run: Int)] = []
    for (index, run) in runs.enumerated() {
      if let range = run.pages { found.append((range.lowerBound, index)) }
    }
    found.sort { ($0.page, $0.run) < ($1.page, $1.run) }
    byPage = found.map { $0.run }
    var end: PageIndex = 0
    reach = found.map { entry in
      end = max(end, entry.page.advanced(by: runs[entry.run].count))
      return end
    }
  }

  /// Two sequences are equal if they show the same pages in the same order.
  public static func == (left: PageSequence, right: PageSequence) -> Bool {
    left.runs == right.runs
  }

  /// Hashes the runs.
  public func hash(into hasher: inout Hasher) { hasher.combine(runs) }

  /// The number of positions.
  public var count: Int { starts[starts.count - 1] }

  /// The run with `position`, which must be in the sequence. O(log *r*).
  func run(at position: Int) -> Int {
    if runs.count == 1 { return 0 }
    return (1..<runs.count).partitioningIndex { starts[$0] > position } - 1
  }

  /// The page at a position; nil for a blank and outside the sequence. O(log *r*).
  public func page(at position: Int) -> PageIndex? {
    guard position >= 0, position < count else { return nil }
    let run = run(at: position)
    return runs[run].page(at: position - starts[run])
  }

  /// Whether the sequence has consecutive pages of the document, in order.
  var isInDocumentOrder: Bool {
    if runs.count == 1, case .pages = runs[0] { true } else { false }
  }

  /// The pages that are shown, as disjoint ranges, ascending.
  ///
  /// - Complexity: O(*r* log *r*).
  public var pageRanges: [Range<PageIndex>] { runs.compactMap { $0.pages }.merged() }

  /// The positions at which a page is shown, ascending. O(log *r* + their number).
  public func positions(of page: PageIndex) -> [Int] {
    var result: [Int] = []
    forEachPosition(of: page) { result.append($0) }
    return result.sorted()
  }

  /// Calls `body` with the positions at which a page is shown, in no particular order.
  func forEachPosition(of page: PageIndex, _ body: (Int) -> Void) {
    guard Self.possiblePages.contains(page) else { return }
    if let position = onlyPosition(of: page) { return body(position) }
    forEachRange(of: Range(only: page)) { positions, _ in body(positions.lowerBound) }
  }

  /// The position of a page if the sequence is one run of pages; nil if it takes a search.
  func onlyPosition(of page: PageIndex) -> Int? {
    guard runs.count == 1, let pages = runs[0].pages, pages.contains(page) else { return nil }
    return runs[0].place(of: page)
  }

  /// Calls `body` with the positions of every contiguous part of `pages`, and the pages there; in
  /// no particular order.
  func forEachRange(
    of pages: Range<PageIndex>,
    _ body: (Range<Int>, Range<PageIndex>) -> Void
  ) {
    guard !pages.isEmpty else { return }
    // The runs that begin before the end of `pages`, backwards as long as any overlaps them.
    var entry = byPage.partitioningIndex { firstPage(ofRun: $0) >= pages.upperBound } - 1
    while entry >= 0, reach[entry] > pages.lowerBound {
      let run = byPage[entry]
      entry -= 1
      guard let range = runs[run].pages else { continue }
      let part = range.clamped(to: pages)
      guard !part.isEmpty else { continue }
      let first = runs[run].isBackwards ? part.upperBound.advanced(by: -1) : part.lowerBound
      let start = starts[run] + runs[run].place(of: first)
      body(start..<(start + part.count), part)
    }
  }

  private func firstPage(ofRun run: Int) -> PageIndex {
    runs[run].pages?.lowerBound ?? 0
  }

  /// Calls `body` for each piece of `positions`, with the positions and their run.
  func forEachPiece(of positions: Range<Int>, _ body: (Range<Int>, Run) -> Void) {
    let positions = positions.clamped(to: 0..<count)
    guard !positions.isEmpty else { return }
    var index = run(at: positions.lowerBound)
    while index < runs.count, starts[index] < positions.upperBound {
      let piece = (starts[index]..<starts[index + 1]).clamped(to: positions)
      let places = piece.lowerBound - starts[index]..<piece.upperBound - starts[index]
      body(piece, runs[index].part(places))
      index += 1
    }
  }
}

#if !hasFeature(Embedded)
  extension PageSequence: Codable {
    /// A sequence from its runs.
    ///
    /// - Throws: The decoder's error if there are none.
    public init(from decoder: any Decoder) throws {
      self.init(try decoder.singleValueContainer().decode([Run].self))
    }

    /// Encodes the runs.
    ///
    /// - Throws: The encoder's error.
    public func encode(to encoder: any Encoder) throws {
      var container = encoder.singleValueContainer()
      try container.encode(runs)
    }
  }
#endif
