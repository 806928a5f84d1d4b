public import RectoGeometry

/// What a reader chose to look at: a point of a page, and where in the viewport it was put.
///
/// Scrolling, going to a page, following a destination and zooming about a point choose a place.
/// Nothing else does: another mode, spread, fit, axis, rotation, gap, inset or viewport shows the
/// place as well as it can and keeps it. So does a viewport in which nothing can be seen. A change that
/// is taken back ends where it began. Sizes that arrive keep it too, unless the content had ended before it could
/// be shown as it was chosen: what is seen is the place then.
public struct Place: Hashable, Sendable {
  /// The page and the point on it.
  public var anchor: Anchor
  /// Where the anchor was put: the share of the viewport's width and height inside the content
  /// insets, from its top left.
  public var point: Point
  /// The page that was current: it stays so while it is in sight.
  public var current: PageOccurrence
  /// How far the window is from where the anchor's spread is at rest, in steps from rest to rest in
  /// reading direction; only layouts whose spreads rest look at it.
  public var progress: Double

  /// A place from its parts.
  ///
  /// - Parameters:
  ///   - anchor: The page and the point on it.
  ///   - point: Where the anchor was put, as a share of the viewport inside the content insets.
  ///   - current: The page that is current; nil: the anchor's.
  ///   - progress: How far the window is from rest, in steps between rests.
  public init(
    _ anchor: Anchor,
    at point: Point,
    current: PageOccurrence? = nil,
    progress: Double = 0
  ) {
    self.anchor = anchor
    self.point = point
    self.current = current ?? anchor.shown
    self.progress = progress
  }
}

/// One of the positions at which a page is shown.
public struct PageOccurrence: Hashable, Sendable {
  /// The page of the document.
  public var page: PageIndex
  /// Which of the page's positions, from 0, where it is shown more than once.
  public var occurrence: Int

  /// An occurrence from its parts.
  public init(page: PageIndex, occurrence: Int = 0) {
    self.page = page
    self.occurrence = occurrence
  }
}

extension Anchor {
  /// The page that has the anchor.
  var shown: PageOccurrence { PageOccurrence(page: page, occurrence: occurrence) }
}

extension Layout {
  /// A point of the viewport as a share of it inside the content insets.
  func share(ofPoint point: Point) -> Point {
    let insets = configuration.contentInsets
    let extent = environment.uncovered
    return Point(
      x: extent.width > 0 ? (point.x - insets.left) / extent.width : 0.5,
      y: extent.height > 0 ? (point.y - insets.top) / extent.height : 0.5
    )
  }

  /// Where reading starts, as a share of the viewport inside the content insets: the middle of the edge at which it
  /// starts along the axis.
  var readingShare: Point {
    environment.isVertical
      ? Point(x: 0.5, y: 0) : Point(x: environment.runsBackwards ? 1 : 0, y: 0.5)
  }

  /// The point of the viewport at a share of it inside the content insets.
  func point(atShare share: Point) -> Point {
    let insets = configuration.contentInsets
    let extent = environment.uncovered
    return Point(
      x: insets.left + share.x * extent.width,
      y: insets.top + share.y * extent.height
    )
  }
}
