public import RectoGeometry

/// A destination (ISO 32000-1, table 151). Coordinates are in the page's user space; nil for null.
public enum Destination: Hashable, Sendable {
  /// A point at the top left of the viewport, and a zoom; 0 counts as null.
  case xyz(left: Double?, top: Double?, zoom: Double?)
  /// The whole page (also for FitB, because a layout does not know the bounding box of the
  /// contents).
  case fit
  /// The page's width, and the coordinate at the top of the viewport (also for FitBH).
  case fitHorizontal(top: Double?)
  /// The page's height, and the coordinate at the left of the viewport (also for FitBV).
  case fitVertical(left: Double?)
  /// A rectangle, as large as the viewport allows.
  case fitRectangle(left: Double, bottom: Double, right: Double, top: Double)
}

extension Viewpoint {
  /// Follows a destination.
  ///
  /// A null coordinate keeps the visible position on the same page, and means the page's start on another one. A point
  /// beyond the page is moved to its edge, so that the previous page is never shown instead. Rectangles are shown at
  /// absolute scale, ignoring the fit. In a spread, the page's fit is the spread's. In `paged` and `carousel` the
  /// spread comes to rest, with its own zoom and pan.
  /// - Parameters:
  ///   - destination: Where to go.
  ///   - page: The page, by its index.
  ///   - space: The page's user space.
  ///   - keepsZoom: Whether to keep zoom and fit, whatever the destination.
  /// - Returns: Nil if the page is not shown. If nothing is visible, chooses the start of the page.
  public func following(
    _ destination: Destination,
    on page: PageIndex,
    in space: PageSpace,
    keepsZoom: Bool = false
  ) -> Viewpoint? {
    guard !layout.isEmpty else { return showing(page: page) }
    guard let index = layout.spread(containingPage: page), space.cropBox.size.isProper else {
      return nil
    }
    // Goes there even if the scale is out of bounds.
    let zoomed =
      keepsZoom ? layout : zoomed(for: destination, on: page, of: index, in: space) ?? layout
    guard let target = zoomed.page(page) else { return nil }
    let insets = layout.configuration.contentInsets
    var share: Point
    var point = Point(x: insets.left, y: insets.top)
    if let rectangle = destination.rectangle(in: space, target.size) {
      let shown = target.contentRect(rectangle)
      guard shown.center.x.isFinite, shown.center.y.isFinite else { return nil }
      share = target.share(of: shown.center)
      point = layout.uncoveredMiddle
    } else {
      share = start(of: destination, on: target, in: space)
    }
    return Viewpoint.showing(
      Place(zoomed.anchor(on: target, at: share), at: zoomed.share(ofPoint: point)),
      in: zoomed,
      views: zoomed.configuration.spreadViews
    )
  }

  /// The layout with the zoom of a destination; nil for the current one.
  private func zoomed(
    for destination: Destination,
    on page: PageIndex,
    of index: Int,
    in space: PageSpace
  ) -> Layout? {
    let environment = layout.environment
    var fit = LayoutConfiguration.Fit.none
    var zoom = 1.0
    switch destination {
    case .xyz(_, _, let wanted):
      guard let wanted, wanted > 0, wanted.isFinite else { return nil }
      zoom = wanted
    case .fit: fit = .page
    case .fitHorizontal: fit = .width
    case .fitVertical: fit = .height
    case .fitRectangle:
      let extent = destination.rectangle(in: space, layout.sizes.size(of: page))?.size
        .rotated(by: layout.configuration.rotation)
      guard let extent, extent.isProper else { return nil }
      zoom = min(
        environment.uncovered.width / extent.width,
        environment.uncovered.height / extent.height
      )
    }
    if fit == .none {
      // An absolute scale is the page's, which may be larger than that of its spread.
      let slots = layout.spreads.slots(of: index)
      zoom /= slots.first { $0.page == page }?.factor ?? 1
    }
    guard layout.arrangement.restsAtSpreads else {
      var configuration = layout.configuration
      configuration.fit = fit
      configuration.zoom = zoom
      return try? layout.reconfigured(configuration)
    }
    let metric = layout.spreads.metric(of: index)
    let scale =
      zoom
      * environment.scale(
        fit,
        width: metric.width,
        height: metric.height,
        columns: metric.columns,
        in: environment.room
      )
    var view = layout.view(ofSpread: index)
    view.zoom = scale / (metric.scale * layout.configuration.zoom)
    return view.zoom.isFinite ? layout.setting(view, ofSpread: index) : nil
  }

  /// The fraction of the displayed page that comes to the viewport's top left.
  private func start(
    of destination: Destination,
    on target: LaidOutPage,
    in space: PageSpace
  ) -> Point {
    let (left, top) = destination.coordinates
    let corner = Point(x: left ?? space.cropBox.minX, y: top ?? space.cropBox.maxY)
    // Null coordinates are replaced on the screen, where "top" is what a reader takes it for.
    let rotation = layout.configuration.rotation
    let isSideways = (space.rotation + rotation).isSideways
    let hasX = isSideways ? top != nil : left != nil
    let hasY = isSideways ? left != nil : top != nil
    let asked = space.share(of: corner).turnedInUnitSquare(by: rotation)
    var kept = Point.zero
    if current == target.page,
      let current = layout.page(target.page, in: window)
    {
      // The same point of the page, which another zoom may have moved.
      let insets = layout.configuration.contentInsets
      kept = current.share(of: Point(x: offset.x + insets.left, y: offset.y + insets.top))
    }
    // A coordinate that is no number is none.
    func place(_ asked: Double, _ isGiven: Bool, _ kept: Double) -> Double {
      let share = isGiven ? min(max(asked, 0), 1) : kept
      return asked.isFinite && share.isFinite ? share : 0
    }
    return Point(x: place(asked.x, hasX, kept.x), y: place(asked.y, hasY, kept.y))
  }
}

extension Destination {
  /// The coordinates for the viewport's left and top.
  fileprivate var coordinates: (left: Double?, top: Double?) {
    switch self {
    case .xyz(let left, let top, _): (left, top)
    case .fitHorizontal(let top): (nil, top)
    case .fitVertical(let left): (left, nil)
    case .fit, .fitRectangle: (nil, nil)
    }
  }
}

extension Destination {
  /// The rectangle to show, in points from the displayed page's top left; nil for other kinds.
  fileprivate func rectangle(in space: PageSpace, _ size: Size) -> Rect? {
    guard case .fitRectangle(let left, let bottom, let right, let top) = self else { return nil }
    let first = space.displayed(Point(x: left, y: top), size)
    let second = space.displayed(Point(x: right, y: bottom), size)
    return Rect(
      x: min(first.x, second.x),
      y: min(first.y, second.y),
      width: abs(second.x - first.x),
      height: abs(second.y - first.y)
    )
  }
}

extension PageSpace {
  /// A point of user space on the displayed page, in points from its top left.
  func displayed(_ point: Point, _ size: Size) -> Point {
    let share = share(of: point)
    return Point(x: share.x * size.width, y: share.y * size.height)
  }
}
