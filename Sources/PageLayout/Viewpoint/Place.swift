public import RectoGeometry

/// The position that a reader chose: a point of a page, and its position in the viewport.
///
/// Scrolling, going to a page, following a destination and zooming about a point choose a place. Nothing else does:
/// another mode, spread, fit, axis, rotation, gap, inset or viewport, even one in which nothing is visible, shows the
/// place as well as possible and keeps it. So undoing a change restores the original view. New sizes also keep it,
/// unless the end of the content prevented showing it as chosen: then the visible content becomes the place.
public struct Place: Hashable, Sendable {
  /// The page and the point on it.
  public var anchor: Anchor
  /// The position of the anchor, as a fraction of the viewport's width and height inside the
  /// content insets, from its top left.
  public var point: Point
  /// The current page, which stays current while it is visible.
  public var current: PageOccurrence
  /// The distance of the window from the rest position of the anchor's spread, in steps in reading
  /// direction; used only by layouts with resting spreads.
  public var progress: Double

  /// A place from its parts.
  ///
  /// - Parameters:
  ///   - anchor: The page and the point on it.
  ///   - point: The position of the anchor, as a fraction of the viewport inside the content
  ///     insets.
  ///   - current: The current page; nil for the anchor's.
  ///   - progress: The distance of the window from the rest position, in steps.
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
  /// Which of the page's positions, from 0, if it is shown more than once.
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
  /// A point of the viewport as a fraction of it inside the content insets.
  func share(ofPoint point: Point) -> Point {
    let insets = configuration.contentInsets
    let extent = environment.uncovered
    return Point(
      x: extent.width > 0 ? (point.x - insets.left) / extent.width : 0.5,
      y: extent.height > 0 ? (point.y - insets.top) / extent.height : 0.5
    )
  }

  /// The point where reading starts, as a fraction of the viewport inside the content insets: the center of the start
  /// edge.
  var readingShare: Point {
    environment.isVertical
      ? Point(x: 0.5, y: 0) : Point(x: environment.runsBackwards ? 1 : 0, y: 0.5)
  }

  /// The point of the viewport at a fraction of it inside the content insets.
  func point(atShare share: Point) -> Point {
    let insets = configuration.contentInsets
    let extent = environment.uncovered
    return Point(
      x: insets.left + share.x * extent.width,
      y: insets.top + share.y * extent.height
    )
  }
}

#if !hasFeature(Embedded)
  extension Place: Codable {}
  extension PageOccurrence: Codable {}
#endif
