public import RectoGeometry

/// A layout and where it is looked at: what a viewer keeps from one move to the next.
///
/// The offset always shows content. What moves the window chooses a ``Place``; what changes the
/// layout keeps it. Modes that have rest positions (`paged`, `carousel`) come to rest at it. There, a
/// spread that is larger than its cell is panned inside it; what the pan leaves over scrolls.
/// ```
/// var viewpoint = Viewpoint(layout)
/// viewpoint = try viewpoint.zoomed(by: 2, about: Point(x: 300, y: 200))
/// viewpoint = viewpoint.scrolled(by: Point(x: 0, y: 40))
/// draw(viewpoint.layout.spreads(visibleIn: viewpoint.window))
/// ```
public struct Viewpoint: Sendable {
  /// The layout. Where spreads rest, the place's spread is panned as the place wants it.
  public let layout: Layout
  /// The viewport's top left in the content, in layout units; never beyond the content.
  public let offset: Point
  /// What the reader chose; nil: what the offset shows, which is looked up when it is asked for.
  private let chosen: Place?
  /// The zoom and pan of spreads as they were chosen, before the place has panned its own spread.
  let views: [PageIndex: SpreadView]

  /// A layout looked at from an offset.
  ///
  /// - Parameters:
  ///   - layout: The layout.
  ///   - offset: The viewport's top left in the content, which is clamped; nil: where reading starts.
  public init(_ layout: Layout, at offset: Point? = nil) {
    self.init(layout, at: offset ?? layout.startOffset, chosen: nil)
  }

  /// A layout looked at from an offset that shows a place.
  ///
  /// - Parameters:
  ///   - layout: The layout, panned as the place wants it.
  ///   - offset: The viewport's top left in the content, which is clamped.
  ///   - chosen: The place; nil: what the offset shows.
  ///   - views: The zoom and pan of spreads as they were chosen; nil: those of the layout.
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

  /// What the reader chose to look at; nil where nothing was chosen and nothing can be seen.
  ///
  /// - Complexity: O(*k* log *n*) for *k* spreads in the window.
  public var place: Place? { chosen ?? layout.place(at: offset) }

  /// The page that the window is about: the place's current one while it is in sight, else the
  /// anchor's, else that of ``Layout/currentPage(in:target:)``. Where no page is in sight, the one that was
  /// current.
  ///
  /// - Returns: Nil when no page is shown.
  /// - Complexity: O(*k* log *n*) for *k* spreads in the window.
  public var current: PageIndex? {
    if let position = currentPosition { return layout.pages.page(at: position) }
    guard let chosen else { return layout.currentPage(in: window) }
    return layout.position(of: chosen.current) == nil ? chosen.anchor.page : chosen.current.page
  }

  /// The position of ``current``; nil where no page is in sight.
  var currentPosition: Int? {
    guard !layout.isEmpty else { return nil }
    if let chosen {
      for page in [chosen.current, chosen.anchor.shown] {
        if let position = layout.position(of: page), isInSight(position) { return position }
      }
    }
    return layout.largestPosition(in: window)
  }

  /// Whether anything is seen of the page at a position.
  func isInSight(_ position: Int) -> Bool {
    layout.pages.page(at: position)
      .flatMap { layout.page($0, at: position, in: window) }?.isSeen(in: window) ?? false
  }

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
  public var settled: Viewpoint { moved(to: layout.settled(offset)) }

  // MARK: Moving

  /// The same layout at another offset, which is clamped. What is seen there is chosen; an offset that
  /// is the present one, but for what is lost in printing it, chooses nothing.
  ///
  /// - Complexity: O(*k* log *n*) for *k* spreads in the two windows.
  public func moved(to offset: Point) -> Viewpoint { chosen(in: layout, at: offset) }

  /// The window moved by a distance, in layout units; what is seen there is chosen.
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
    return chosen(
      in: after == before ? layout : panned,
      at: Point(
        x: offset.x + distance.x - (after.x - before.x) * range.width,
        y: offset.y + distance.y - (after.y - before.y) * range.height
      )
    )
  }

  /// The layout, whose spreads may be panned otherwise, at another offset; the place is one that this
  /// window and the other both show, on a page that is measured, where there is one. So sizes that
  /// arrive for what has come into the window move nothing that stayed in it.
  private func chosen(in layout: Layout, at offset: Point) -> Viewpoint {
    // Where nothing can be seen, there is nothing to choose.
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

  /// The anchor of what is seen at a point of the viewport; nil: where reading starts.
  ///
  /// - Returns: Nil when nothing can be seen.
  public func anchor(at point: Point? = nil) -> Anchor? { layout.anchor(at: offset, point: point) }
}
