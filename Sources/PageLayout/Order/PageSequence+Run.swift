public import RectoGeometry

extension PageSequence {
  /// Consecutive positions.
  public enum Run: Hashable, Sendable {
    /// Consecutive pages of the document.
    case pages(Range<PageIndex>)
    /// Consecutive pages of the document, from the last one of the range to its first.
    case backwards(Range<PageIndex>)
    /// Blanks, each as large as the previous page, or else the next one.
    case blanks(Int)

    /// The pages, whichever way they run; nil for blanks.
    public var pages: Range<PageIndex>? {
      switch self {
      case .pages(let range), .backwards(let range): range
      case .blanks: nil
      }
    }

    /// The number of positions.
    public var count: Int {
      switch self {
      case .pages(let range), .backwards(let range): range.count
      case .blanks(let count): count
      }
    }

    var isBackwards: Bool {
      if case .backwards = self { true } else { false }
    }

    /// The first page; nil for blanks, or if there is none.
    var first: PageIndex? { page(at: 0) }

    /// The last page; nil for blanks, or if there is none.
    var last: PageIndex? { page(at: count - 1) }

    /// The page at an index of the run; nil for a blank and outside the run.
    public func page(at place: Int) -> PageIndex? {
      guard place >= 0, place < count else { return nil }
      switch self {
      case .pages(let range): return range.lowerBound.advanced(by: place)
      case .backwards(let range): return range.upperBound.advanced(by: -1 - place)
      case .blanks: return nil
      }
    }

    /// The index of a page of the run.
    func place(of page: PageIndex) -> Int {
      switch self {
      case .pages(let range): range.lowerBound.distance(to: page)
      case .backwards(let range): page.distance(to: range.upperBound) - 1
      case .blanks: 0
      }
    }

    /// The part at indices of the run, which must exist.
    public func part(_ places: Range<Int>) -> Run {
      switch self {
      case .pages(let range):
        .pages(
          range.lowerBound.advanced(
            by: places.lowerBound
          )..<range.lowerBound
            .advanced(by: places.upperBound)
        )
      case .backwards(let range):
        .backwards(
          range.upperBound.advanced(
            by: -places.upperBound
          )..<range.upperBound
            .advanced(by: -places.lowerBound)
        )
      case .blanks: .blanks(places.count)
      }
    }

    /// A run of one page in canonical form.
    var single: Run { pages.map { .pages($0) } ?? self }

    /// This run, which is not empty, extended by the beginning of `next`, and how much of `next`
    /// was used.
    func join(_ next: Run) -> (run: Run, count: Int) {
      if case .blanks(let count) = self, case .blanks(let more) = next {
        return (.blanks(count + more), more)
      }
      guard let pages, let others = next.pages, let last, let first = next.first else {
        return (self, 0)
      }
      let goesOn = first == last.advanced(by: 1) && (!isBackwards || count == 1)
      let goesBack = first == last.advanced(by: -1) && (isBackwards || count == 1)
      guard goesOn || goesBack else { return (self, 0) }
      // All of it if it has the same direction; else its first page, which alone has no direction.
      let fits = next.count == 1 || next.isBackwards == goesBack
      let taken = fits ? others : Range(only: first)
      let joined =
        min(pages.lowerBound, taken.lowerBound)..<max(pages.upperBound, taken.upperBound)
      return (goesOn ? .pages(joined) : .backwards(joined), taken.count)
    }
  }
}

#if !hasFeature(Embedded)
  extension PageSequence.Run: Codable {}
#endif
