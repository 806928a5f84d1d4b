public import RectoGeometry

/// A layout and a position in it: the state of a viewer between moves.
///
/// The offset always shows content. Movements of the window choose a ``Place``; changes of the layout keep it. Modes
/// with rest positions (`paged`, `carousel`) come to rest at it. There, a spread that is larger than its cell is panned
/// inside it; the rest of a movement scrolls.
/// ```
/// var viewpoint = Viewpoint(layout)
/// viewpoint = try viewpoint.zoomed(by: 2, about: Point(x: 300, y: 200))
/// viewpoint = viewpoint.scrolled(by: Point(x: 0, y: 40))
/// draw(viewpoint.layout.spreads(visibleIn: viewpoint.window))
/// ```
public struct Viewpoint: Sendable {
  /// The layout. If spreads rest, the place's spread is panned to it.
  public let layout: Layout
  /// The viewport's top left in the content, in layout units; never beyond the content.
  public let offset: Point
  /// The place that the reader chose; nil for the one at the offset, which is computed on demand.
  private let chosen: Place?
  /// The chosen zoom and pan of spreads, before the place has panned its spread.
  let views: [PageIndex: SpreadView]

  /// A layout looked at from an offset.
  ///
  /// - Parameters:
  ///   - layout: The layout.
  ///   - offset: The viewport's top left in the content, which is clamped; nil for the reading start.
  public init(_ layout: Layout, at offset: Point? = nil) {
    self.init(layout, at: offset ?? layout.startOffset, chosen: nil)
  }

  /// A layout at an offset that shows a place.
  ///
  /// - Parameters:
  ///   - layout: The layout, panned to the place.
  ///   - offset: The viewport's top left in the content, which is clamped.
  ///   - chosen: The place; nil for the one at the offset.
  ///   - views: The chosen zoom and pan of spreads; nil for those of the layout.
  init(
    _ layout: Layout,
    at offset: Point,
    chosen: Place?,
    views: [PageIndex: SpreadView]? = nil
  ) {
    self.layout = layout
    self.offset = layout.clamped(offset)
    self.chosen = chosen
    self.views = views ?? layout.configuration.spreadViews
  }

  /// The visible part of the content.
  public var window: Rect { Rect(origin: offset, size: layout.viewport) }

  /// The place that the reader chose; nil if nothing was chosen and nothing is visible.
  ///
  /// - Complexity: O(*k* log *n*) for *k* spreads in the window.
  public var place: Place? { chosen ?? layout.place(at: offset) }

  /// The current page: the place's current one while it is visible, else the anchor's, else that of
  /// ``Layout/currentPage(in:target:)``. If no page is visible, the last one.
  ///
  /// - Returns: Nil if no page is shown.
  /// - Complexity: O(*k* log *n*) for *k* spreads in the window.
  public var current: PageIndex? {
    if let position = currentPosition { return layout.pages.page(at: position) }
    guard let chosen else { return layout.currentPage(in: window) }
    return layout.position(of: chosen.current) == nil ? chosen.anchor.page : chosen.current.page
  }

  /// The position of ``current``; nil if no page is visible.
  var currentPosition: Int? {
    guard !layout.isEmpty else { return nil }
    if let chosen {
      for page in [chosen.current, chosen.anchor.shown] {
        if let position = layout.position(of: page), isInSight(position) { return position }
      }
    }
    return layout.largestPosition(in: window)
  }

  /// Whether any part of the page at a position is visible.
  func isInSight(_ position: Int) -> Bool {
    layout.pages.page(at: position)
      .flatMap { layout.page($0, at: position, in: window) }?.isSeen(in: window) ?? false
  }

  /// The spread with the rest position nearest to the offset; nil if spreads do not rest, or nothing is visible.
  ///
  /// - Complexity: O(log *n*), and so for whatever else needs it.
  public var restingSpread: Int? {
    guard layout.arrangement.restsAtSpreads, let position = layout.spreadPosition(at: offset) else {
      return nil
    }
    return layout.spreadIndex(position.rounded())
  }

  /// Whether the offset is a rest position; always true in modes without rest positions.
  public var isAtRest: Bool {
    guard let index = restingSpread, let rest = layout.offset(restingAt: index) else { return true }
    let held = layout.clamped(rest)
    return abs(held.x - offset.x) <= .lengthTolerance && abs(held.y - offset.y) <= .lengthTolerance
  }

  /// The same at the nearest rest position, in modes where spreads rest.
  public var settled: Viewpoint { moved(to: layout.settled(offset)) }

  // MARK: Moving

  /// The same layout at another offset, which is clamped. Chooses the place visible there, unless the offset is the
  /// current one, within the precision of printed numbers.
  ///
  /// - Complexity: O(*k* log *n*) for *k* spreads in the two windows.
  public func moved(to offset: Point) -> Viewpoint { chosen(in: layout, at: offset) }

  /// The window moved by a distance, in layout units; chooses the place visible there.
  ///
  /// A resting spread that is larger than its cell is panned first; only the rest of the distance
  /// moves the window.
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
    return chosen(
      in: after == before ? layout : panned,
      at: Point(
        x: offset.x + distance.x - (after.x - before.x) * range.width,
        y: offset.y + distance.y - (after.y - before.y) * range.height
      )
    )
  }

  /// The layout, whose spreads may be panned differently, at another offset; if possible, the place is on a measured
  /// page visible in both windows. So new sizes of pages that came into the window do not move pages that stayed in it.
  private func chosen(in layout: Layout, at offset: Point) -> Viewpoint {
    // If nothing is visible, there is nothing to choose.
    guard !layout.isEmpty else { return self }
    let found = Viewpoint(layout, at: offset)
    if found.offset.isNear(self.offset, within: .lengthTolerance),
      layout.configuration.spreadViews == self.layout.configuration.spreadViews
    {
      return self
    }
    return Viewpoint(
      layout,
      at: found.offset,
      chosen: layout.place(at: found.offset, alsoIn: window)
    )
  }

  // MARK: Visible content

  /// The anchor of the content at a point of the viewport; nil for the reading start.
  ///
  /// - Returns: Nil when nothing can be seen.
  public func anchor(at point: Point? = nil) -> Anchor? { layout.anchor(at: offset, point: point) }
}
