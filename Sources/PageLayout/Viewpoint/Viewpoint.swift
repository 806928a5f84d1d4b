public import Geometry
public import PageNumbers

/// A layout and where it is looked at: what a viewer keeps from one move to the next.
///
/// The offset always shows content. Every change of the layout keeps what is seen in its place, and
/// ends at rest in modes that have rest positions (`paged`, `carousel`). There, a spread that is
/// larger than its cell is panned inside it; what the pan leaves over scrolls.
/// ```
/// var viewpoint = Viewpoint(layout)
/// viewpoint = try viewpoint.zoomed(by: 2, about: Point(x: 300, y: 200))
/// viewpoint = viewpoint.scrolled(by: Point(x: 0, y: 40))
/// draw(viewpoint.layout.spreads(visibleIn: viewpoint.window))
/// ```
public struct Viewpoint: Sendable {
  /// The layout.
  public let layout: Layout
  /// The viewport's top left in the content, in layout units; never beyond the content.
  public let offset: Point

  /// A layout looked at from an offset, which is clamped.
  public init(_ layout: Layout, at offset: Point = .zero) {
    self.layout = layout
    self.offset = layout.clamped(offset)
  }

  /// The visible part of the content.
  public var window: Rect { Rect(origin: offset, size: layout.viewport) }

  /// The spread at rest nearest to the offset; nil where spreads do not rest, or nothing can be seen.
  ///
  /// - Complexity: O(log *n*), and so for whatever else needs it.
  public var restingSpread: Int? {
    guard layout.arrangement.restsAtSpreads, let position = layout.spreadPosition(at: offset) else {
      return nil
    }
    return layout.spreadIndex(position.rounded())
  }

  /// Whether the offset is one where the layout comes to rest; always in modes without such places.
  public var isAtRest: Bool {
    guard let index = restingSpread, let rest = layout.offset(restingAt: index) else { return true }
    let held = layout.clamped(rest)
    return abs(held.x - offset.x) <= .lengthTolerance && abs(held.y - offset.y) <= .lengthTolerance
  }

  /// The same, come to rest at the nearest spread, in modes where spreads rest.
  public var settled: Viewpoint { Viewpoint(layout, at: layout.settled(offset)) }

  // MARK: Moving

  /// The same layout at another offset, which is clamped.
  public func moved(to offset: Point) -> Viewpoint { Viewpoint(layout, at: offset) }

  /// The window moved by a distance, in layout units.
  ///
  /// Where a spread is at rest and larger than its cell, it is panned first; only what its limits
  /// leave over moves the window.
  public func scrolled(by distance: Point) -> Viewpoint {
    guard let index = restingSpread, isAtRest else {
      return moved(to: Point(x: offset.x + distance.x, y: offset.y + distance.y))
    }
    let range = layout.panRange(ofSpread: index)
    var view = layout.view(ofSpread: index)
    let before = view.pan
    if range.width > 0 { view.pan.x += distance.x / range.width }
    if range.height > 0 { view.pan.y += distance.y / range.height }
    let panned = layout.setting(view, ofSpread: index)
    let after = panned.view(ofSpread: index).pan
    return Viewpoint(
      panned,
      at: Point(
        x: offset.x + distance.x - (after.x - before.x) * range.width,
        y: offset.y + distance.y - (after.y - before.y) * range.height
      )
    )
  }

  /// The page, with a fraction of it in front of the edge where reading starts. Where spreads rest,
  /// its spread comes to rest and is panned there; in a carousel, whose spreads are seen whole, the
  /// fraction is a share of the way to the next spread.
  ///
  /// - Returns: Nil when the page is not shown, or nothing can be seen.
  public func showing(page: PageIndex, fraction: Double = 0) -> Viewpoint? {
    guard let start = layout.offset(showing: page, fraction: fraction) else { return nil }
    guard layout.arrangement.restsAtSpreads, !layout.arrangement.followsWindow,
      let position = layout.firstPosition(of: page)
    else { return Viewpoint(layout, at: start) }
    let isVertical = layout.environment.isVertical
    let share = layout.environment.runsBackwards ? 1 - fraction : fraction
    let panned = layout.panning(
      layout.spreads.spread(of: position),
      toShow: isVertical ? (x: nil, y: share) : (x: share, y: nil),
      of: position,
      at: layout.readingPoint
    )
    return Viewpoint(panned, at: start)
  }

  // MARK: What is seen

  /// The anchor of what is seen at a point of the viewport; nil: where reading starts.
  ///
  /// - Returns: Nil when nothing can be seen.
  public func anchor(at point: Point? = nil) -> Anchor? { layout.anchor(at: offset, point: point) }

  /// The anchor that another layout keeps. Where spreads rest, it belongs to the spread that is nearest
  /// to rest, and lies on a page: margins of a cell are no place to keep.
  ///
  /// - Parameter point: A point of the viewport; nil: where reading starts.
  /// - Returns: Nil when nothing can be seen.
  public func keptAnchor(at point: Point? = nil) -> Anchor? {
    guard let index = restingSpread else { return anchor(at: point) }
    let window = layout.restingWindow(of: index)
    let origin = layout.offset(restingAt: index) ?? window.origin
    let point = point ?? layout.readingPoint
    let place = Point(x: origin.x + point.x, y: origin.y + point.y)
    let pages = layout.spread(index, in: window)?.pages ?? []
    guard let nearest = pages.nearest(to: place) else {
      return layout.firstPage(near: index).map {
        Anchor(page: $0.page, occurrence: $0.occurrence, place: Point(x: 0.5, y: 0))
      }
    }
    var share = nearest.share(of: place)
    share = Point(x: min(max(share.x, 0), 1), y: min(max(share.y, 0), 1))
    return Anchor(
      page: nearest.page,
      occurrence: layout.occurrence(of: nearest.page, at: nearest.position),
      place: share.turnedInUnitSquare(by: layout.configuration.rotation.inverse)
    )
  }
}
