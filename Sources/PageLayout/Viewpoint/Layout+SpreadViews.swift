internal import RectoGeometry

extension Layout {
  /// The zoom and pan of a spread; the defaults if it has none.
  ///
  /// - Complexity: O(log *e*) for *e* exceptions to the regular pairing.
  public func view(ofSpread index: Int) -> SpreadView {
    index >= 0 && index < spreads.count ? spreads.view(of: index) : SpreadView()
  }

  /// The same layout with another zoom and pan of one spread, in modes where spreads rest; nothing
  /// changes in others.
  ///
  /// A zoom is clamped so that the spread is drawn between 0.01 and the largest zoom, a pan between 0 and
  /// 1. A page that is shown twice has the view in both places.
  /// - Complexity: O(log *e*); uses no sizes, and lays out nothing again.
  public func setting(_ view: SpreadView, ofSpread index: Int) -> Layout {
    guard arrangement.restsAtSpreads, index >= 0, index < spreads.count else { return self }
    var views = configuration.spreadViews
    var holder: PageIndex?
    for position in spreads.positions(of: index) {
      guard let page = pages.page(at: position) else { continue }
      if holder == nil { holder = page }
      views[page] = nil
    }
    guard let holder else { return self }
    let common = configuration.zoom
    let zoom = view.zoom.isNaN ? 1 : view.zoom
    let held = SpreadView(
      zoom: min(
        max(zoom, LayoutConfiguration.smallestVisibleZoom / common),
        LayoutConfiguration.largestZoom / max(1, common)
      ),
      pan: Point(x: Self.share(view.pan.x), y: Self.share(view.pan.y))
    )
    views[holder] = held == SpreadView() ? nil : held
    return viewing(views)
  }

  /// The same layout with the zoom and pan of all spreads.
  func viewing(_ views: [PageIndex: SpreadView]) -> Layout {
    guard configuration.spreadViews != views else { return self }
    var layout = self
    layout.spreads.environment.configuration.spreadViews = views
    return layout
  }

  private static func share(_ value: Double) -> Double {
    value.isNaN ? 0.5 : min(max(value, 0), 1)
  }

  /// How far the window can move right and down inside a spread by panning, in layout units. 0 on an axis on which the
  /// spread is wholly visible.
  func panRange(ofSpread index: Int) -> Size { unpanned(index)?.range ?? .zero }

  /// A spread at rest with the pan at 0, and how far it can be panned from there.
  private func unpanned(_ index: Int) -> (spread: LaidOutSpread, range: Size)? {
    var view = view(ofSpread: index)
    view.pan = .zero
    let first = setting(view, ofSpread: index).spread(index)
    view.pan = Point(x: 1, y: 1)
    let last = setting(view, ofSpread: index).spread(index)
    guard let first, let last else { return nil }
    let range = Size(
      width: max(0, first.frame.minX - last.frame.minX),
      height: max(0, first.frame.minY - last.frame.minY)
    )
    return (first, range)
  }

  /// The same layout with a spread panned so that, as far as its limits allow, a point of one of its pages is at a
  /// point of the viewport when the spread is at rest.
  ///
  /// - Parameters:
  ///   - place: The point as a fraction of the page's frame, from its displayed top left.
  /// - Returns: The layout; the same one if nothing can be panned.
  func panning(
    _ index: Int,
    toShow place: Point,
    of position: Int,
    at point: Point
  ) -> Layout {
    guard let (spread, range) = unpanned(index), range.width > 0 || range.height > 0,
      let rest = offset(restingAt: index),
      let frame = spread.pages.first(where: { $0.position == position })?.frame
    else { return self }
    var view = view(ofSpread: index)
    let pan = view.pan
    // The position with the pan at 0, and the distance from there.
    let distance = Point(
      x: frame.minX + place.x * frame.width - rest.x - point.x,
      y: frame.minY + place.y * frame.height - rest.y - point.y
    )
    view.pan = Point(
      x: range.width > 0 ? distance.x / range.width : pan.x,
      y: range.height > 0 ? distance.y / range.height : pan.y
    )
    return setting(view, ofSpread: index)
  }
}

extension Spreads {
  /// The zoom and pan of a spread, which must exist: those of the first of its pages that has any. Arrangements with
  /// resting spreads apply them.
  ///
  /// - Complexity: O(log *e*) for *e* exceptions to the regular pairing.
  public func view(of index: Int) -> SpreadView {
    let views = environment.configuration.spreadViews
    guard !views.isEmpty else { return SpreadView() }
    for position in positions(of: index) {
      if let page = pages.page(at: position), let view = views[page] { return view }
    }
    return SpreadView()
  }
}

extension SpreadView {
  /// The start of an extent in the room from `lower` to `upper`: with its axis centered if it fits,
  /// else panned.
  ///
  /// - Parameters:
  ///   - extent: The extent, in layout units like all of these.
  ///   - axis: The distance of its axis from its start.
  ///   - lower: The start of the room.
  ///   - upper: The end of the room.
  ///   - pan: The fraction of the excess that is before the room, 0 to 1.
  /// - Returns: The start of the extent.
  public static func start(
    of extent: Double,
    axis: Double,
    from lower: Double,
    to upper: Double,
    pan: Double
  ) -> Double {
    let slack = upper - lower - extent
    guard slack >= 0 else { return lower + slack * pan }
    return min(max((lower + upper) / 2 - axis, lower), upper - extent)
  }
}
