public import RectoGeometry

/// A turn from one spread to the next: the pages of both, and their positions in between.
///
/// In a spread of two pages the sheet is the last page in reading order, and its back is the page of the next spread in
/// the first column. Single pages count as both columns. If neither spread has two columns, or one has more, the first
/// spread is turned as a whole and its back is blank.
///
/// Coordinates are those of the content around the first spread, at rest; the next spread is moved there. The parts
/// visible at rest are turned; pages that are larger than their cell are clipped.
public struct PageTurn: Hashable, Sendable {
  /// A page that takes part in a turn.
  public struct Page: Hashable, Sendable {
    /// The page in its spread, in coordinates of the content.
    public var page: LaidOutPage
    /// The index of its spread.
    public var spread: Int
    /// The part of the turn.
    public var part: TurnPlaces.Part
    /// Its visible part at rest.
    var rest: Rect
    /// Its frame at rest.
    var frame: Rect
  }

  /// The pages of the first spread, then those of the next, in reading order.
  public var pages: [Page]
  /// Where the parts are.
  public var places: TurnPlaces
  /// The vector from a point of the content to the point of the next spread that appears there.
  public var step: Point

  /// The places of the parts, with custom rectangles for the pages.
  ///
  /// - Parameters:
  ///   - pages: Pages of both spreads.
  ///   - spine: The edge at which the sheet is bound.
  ///   - rect: Returns the place of a page at rest.
  /// - Returns: Nil if no page is turned.
  public static func places(
    of pages: [Page],
    spine: PageCurl.Spine,
    _ rect: (Page) -> Rect
  ) -> TurnPlaces? {
    var found: [TurnPlaces.Part: Rect] = [:]
    for page in pages { found[page.part] = found[page.part]?.union(rect(page)) ?? rect(page) }
    guard let front = found[.front] else { return nil }
    return TurnPlaces(
      spine: spine,
      covered: found[.covered],
      front: front,
      back: found[.back],
      revealed: found[.revealed]
    )
  }

  /// The stretched frame of a page.
  ///
  /// - Parameters:
  ///   - page: One of ``pages``.
  ///   - progress: 0…1.
  /// - Returns: The frame of the whole page, and its visible part, both before folding; `clip` is nil if it is wholly
  ///   visible.
  public func place(of page: Page, at progress: Double) -> (frame: Rect, clip: Rect?) {
    guard let start = places[page.part],
      let place = places.place(of: page.part, at: progress)
    else { return (page.frame, nil) }
    let clip = page.rest.stretched(from: start, to: place)
    guard page.rest != page.frame else { return (clip, nil) }
    return (page.frame.stretched(from: start, to: place), clip)
  }
}

extension Layout {
  /// The turn from the spread `index` to the next one.
  ///
  /// - Returns: Nil if there is no such spread, no next one, no page to turn, or nothing is visible.
  public func pageTurn(from index: Int) -> PageTurn? {
    guard let present = spread(index), let next = spread(index + 1),
      let start = offset(restingAt: index), let end = offset(restingAt: index + 1)
    else { return nil }
    let (columns, nextColumns) = (spreads.columns(of: index), spreads.columns(of: index + 1))
    let isBound = max(columns.count, nextColumns.count) == 2
    let firstPosition = spreads.positions(of: index + 1).lowerBound
    let step = Point(x: end.x - start.x, y: end.y - start.y)
    func page(_ page: LaidOutPage, _ spread: Int, _ part: TurnPlaces.Part, _ step: Point)
      -> PageTurn.Page
    {
      PageTurn.Page(
        page: page,
        spread: spread,
        part: part,
        rest: page.frame.clipped(to: page.clip).offsetBy(x: -step.x, y: -step.y),
        frame: page.frame.offsetBy(x: -step.x, y: -step.y)
      )
    }
    var pages = present.pages.map { page($0, index, isBound ? .covered : .front, .zero) }
    if !pages.isEmpty { pages[pages.count - 1].part = .front }
    pages += next.pages.map { laidOut in
      let column = nextColumns.first + laidOut.position - firstPosition
      return page(laidOut, index + 1, isBound && column == 0 ? .back : .revealed, step)
    }
    let spine = configuration.isRightToLeft ? PageCurl.Spine.right : .left
    return PageTurn.places(of: pages, spine: spine, { $0.rest }).map {
      PageTurn(pages: pages, places: $0, step: step)
    }
  }

  /// The turn from the spread `index` to the next one at a moment, in content coordinates around the
  /// first spread.
  ///
  /// - Parameters:
  ///   - index: The spread that is left.
  ///   - progress: 0…1.
  ///   - lean: How far the fold leans at half way, as a share of the sheet's extent, 0…0.5.
  /// - Returns: Nil where ``pageTurn(from:)`` is nil.
  public func pageCurl(from index: Int, progress: Double, lean: Double = 0.15) -> PageCurl? {
    pageTurn(from: index)?.places.curl(at: progress, lean: lean)
  }
}

extension Rect {
  /// The rectangle after stretching another one, around it or beside it.
  ///
  /// - Returns: The rectangle, stretched in the same way; `end` along a side on which `start` is
  ///   empty.
  fileprivate func stretched(from start: Rect, to end: Rect) -> Rect {
    func side(_ edge: Double, _ length: Double, _ start: (Double, Double), _ end: (Double, Double))
      -> (Double, Double)
    {
      guard start.1 > 0 else { return end }
      // Exact if nothing is stretched, and for the rectangle itself.
      let factor = end.1 / start.1
      return (end.0 + (edge - start.0) * factor, length == start.1 ? end.1 : length * factor)
    }
    let (x, width) = side(minX, self.width, (start.minX, start.width), (end.minX, end.width))
    let (y, height) = side(minY, self.height, (start.minY, start.height), (end.minY, end.height))
    return Rect(x: x, y: y, width: width, height: height)
  }
}
