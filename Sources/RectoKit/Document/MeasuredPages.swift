public import DocumentModel
public import RectoGeometry
internal import RectoTiles

/// The known pages of a document: the info of measured pages, and the errors of pages that cannot
/// be measured.
///
/// A value with cheap copies. An ordinary page takes three bytes: pages of one size share it, and a
/// label that is the page's number is not stored. Pages that fail for the same reason are stored as
/// a range, so that a document that claims two billion pages costs no more than its real ones.
public struct MeasuredPages: Sendable {
  /// Consecutive pages that fail for the same reason.
  public struct Failing: Hashable, Sendable {
    /// The pages.
    public var pages: Range<PageIndex>
    /// The reason.
    public var error: DocumentError

    /// Pages with the reason.
    package init(pages: Range<PageIndex>, error: DocumentError) {
      (self.pages, self.error) = (pages, error)
    }
  }

  /// The generation of the document that this is of (``Document/generation``).
  public let generation: Int
  /// Why there is no earlier generation, or nothing is known; nil as long as the page tree reader was not wrong.
  let mismatch: DocumentError?
  /// The pages that cannot be measured, ascending.
  public private(set) var failing: [Failing] = []
  /// Measured pages by their index over ``PageBlock/count``.
  private var blocks: [Int: PageBlock] = [:]

  /// Nothing is known.
  public init() { self.init(generation: 0) }

  init(generation: Int, mismatch: DocumentError? = nil) {
    (self.generation, self.mismatch) = (generation, mismatch)
  }

  /// The info of a page, or its error; nil if the page is unknown.
  public subscript(page: PageIndex) -> Result<PageInfo, DocumentError>? {
    if let failing = failing(at: page) { return .failure(failing.error) }
    return measured(page).map { .success($0) }
  }

  /// Whether a page is measured or known to fail.
  func isKnown(_ page: PageIndex) -> Bool {
    guard page >= 0 else { return false }
    return blocks[page.value / PageBlock.count]?.isKnown(page) ?? false || failing(at: page) != nil
  }

  /// Whether each of these pages is measured or known to fail.
  ///
  /// - Complexity: O(pages that do not fail).
  func isKnown(_ pages: Range<PageIndex>) -> Bool {
    var next = pages.lowerBound
    while next < pages.upperBound {
      if let failing = failing(at: next) {
        next = failing.pages.upperBound
      } else {
        guard isKnown(next) else { return false }
        next = next.advanced(by: 1)
      }
    }
    return true
  }

  /// The info of a page that was measured.
  public func info(of page: PageIndex) -> PageInfo? {
    failing(at: page) == nil ? measured(page) : nil
  }

  /// The pages around a page that fail for the same reason as it; nil when it does not fail.
  /// O(log *r*) for *r* such ranges.
  public func failing(at page: PageIndex) -> Failing? {
    let place = failing.partitioningIndex { $0.pages.upperBound > page }
    guard place < failing.count, failing[place].pages.contains(page) else { return nil }
    return failing[place]
  }

  /// The failing pages among some pages, in order.
  ///
  /// - Parameter pages: Disjoint ranges, ascending.
  /// - Returns: Ranges of pages with their errors, ascending.
  /// - Complexity: O(log *r*) for each range, and the number of answers.
  public func failing(in pages: [Range<PageIndex>]) -> [Failing] {
    var found: [Failing] = []
    for range in pages {
      var place = failing.partitioningIndex { $0.pages.upperBound > range.lowerBound }
      while place < failing.count, failing[place].pages.lowerBound < range.upperBound {
        let part = failing[place].pages.clamped(to: range)
        found.append(Failing(pages: part, error: failing[place].error))
        place += 1
      }
    }
    return found
  }

  private func measured(_ page: PageIndex) -> PageInfo? {
    guard page >= 0 else { return nil }
    return blocks[page.value / PageBlock.count]?[page]
  }

  /// Adds the info of a page, replacing earlier info.
  mutating func take(_ info: PageInfo, at page: PageIndex) {
    if failing(at: page) != nil { forgetFailing(Range(only: page)) }
    blocks[page.value / PageBlock.count, default: PageBlock()].take(info, at: page)
  }

  /// Adds failing pages. O(*r*); O(log *r*) after the last range.
  mutating func fail(_ pages: Range<PageIndex>, with error: DocumentError) {
    guard !pages.isEmpty else { return }
    forgetFailing(pages)
    var place = failing.partitioningIndex { $0.pages.lowerBound >= pages.upperBound }
    var new = Failing(pages: pages, error: error)
    if place < failing.count, failing[place].pages.lowerBound == pages.upperBound,
      failing[place].error == error
    {
      new.pages = new.pages.lowerBound..<failing.remove(at: place).pages.upperBound
    }
    if place > 0, failing[place - 1].pages.upperBound == pages.lowerBound,
      failing[place - 1].error == error
    {
      place -= 1
      new.pages = failing.remove(at: place).pages.lowerBound..<new.pages.upperBound
    }
    failing.insert(new, at: place)
  }

  private mutating func forgetFailing(_ pages: Range<PageIndex>) {
    let first = failing.partitioningIndex { $0.pages.upperBound > pages.lowerBound }
    let end = failing.partitioningIndex { $0.pages.lowerBound >= pages.upperBound }
    guard first < end else { return }
    var rest: [Failing] = []
    for old in failing[first..<end] {
      for part in [
        old.pages.lowerBound..<max(old.pages.lowerBound, pages.lowerBound),
        min(old.pages.upperBound, pages.upperBound)..<old.pages.upperBound,
      ] where !part.isEmpty {
        rest.append(Failing(pages: part, error: old.error))
      }
    }
    failing.replaceSubrange(first..<end, with: rest)
  }

  /// Ranges that hold all measured pages, ascending; none is longer than a block.
  var measuredRanges: [Range<PageIndex>] {
    blocks.keys.sorted().map {
      Range(indices: $0 * PageBlock.count..<($0 + 1) * PageBlock.count)
    }
  }
}

/// The known pages among ``count`` consecutive ones.
struct PageBlock: Sendable {
  /// As many as one file of the record holds.
  static let count = DocumentRecord.pagesPerFile

  /// All info of a page but its label.
  private struct Shape: Equatable {
    var info: PageInfo

    init(_ info: PageInfo) {
      self.info = info
      self.info.label = nil
    }
  }

  /// For each page its index in `shapes`, from 1; 0 for unknown pages.
  private var places = [UInt16](repeating: 0, count: count)
  /// The different shapes, in order of arrival; at most two per page, because unused ones may remain.
  private var shapes: [Shape] = []
  /// The label of each page; empty while every label is the page's number.
  private var labels: [String?] = []

  /// The info of a page of this block.
  subscript(page: PageIndex) -> PageInfo? {
    let place = page.value % Self.count
    guard places[place] > 0 else { return nil }
    var info = shapes[Int(places[place]) - 1].info
    info.label = labels.isEmpty ? String(page.number) : labels[place]
    return info
  }

  /// Whether the info of a page of this block is known.
  func isKnown(_ page: PageIndex) -> Bool { places[page.value % Self.count] > 0 }

  /// Adds the info of a page of this block.
  mutating func take(_ info: PageInfo, at page: PageIndex) {
    let place = page.value % Self.count
    let shape = Shape(info)
    if let known = shapes.firstIndex(of: shape) {
      places[place] = UInt16(known + 1)
    } else {
      if shapes.count == 2 * Self.count { removeUnused() }
      shapes.append(shape)
      places[place] = UInt16(shapes.count)
    }
    let number = String(page.number)
    if labels.isEmpty, info.label != number {
      labels = (0..<Self.count).map { String(page.advanced(by: $0 - place).number) }
    }
    if !labels.isEmpty { labels[place] = info.label }
  }

  private mutating func removeUnused() {
    var used: [Shape] = []
    for place in places.indices where places[place] > 0 {
      used.append(shapes[Int(places[place]) - 1])
      places[place] = UInt16(used.count)
    }
    shapes = used
  }
}
