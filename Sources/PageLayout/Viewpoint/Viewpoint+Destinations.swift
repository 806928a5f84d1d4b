public import RectoGeometry

/// A destination as ISO 32000-1, table 151, has them. Coordinates are in the page's user space; nil
/// stands for null.
public enum Destination: Hashable, Sendable {
  /// A point at the top left of the viewport, and a zoom; 0 counts as null.
  case xyz(left: Double?, top: Double?, zoom: Double?)
  /// The whole page (FitB likewise: the bounding box of the contents is not known to a layout).
  case fit
  /// The page's width, and a height at the top of the viewport (FitBH likewise).
  case fitHorizontal(top: Double?)
  /// The page's height, and a place at the left of the viewport (FitBV likewise).
  case fitVertical(left: Double?)
  /// A rectangle, as large as the viewport allows.
  case fitRectangle(left: Double, bottom: Double, right: Double, top: Double)
}

extension Viewpoint {
  /// Follows a destination.
  ///
  /// A coordinate that is null keeps what is seen on the same page, and means the page's start
  /// on another one. A place beyond the page is moved to its edge, so that the page before never
  /// shows instead. Rectangles are shown at absolute scale, without regard to the fit. In a spread,
  /// the page's fit is the spread's. In `paged` and `carousel` the spread comes to rest, with a zoom
  /// and a pan of its own.
  /// - Parameters:
  ///   - destination: Where to go.
  ///   - page: The page, by its index.
  ///   - space: The page's user space.
  ///   - keepsZoom: Whether zoom and fit stay as they are, whatever the destination says.
  /// - Returns: Nil when the page is not shown. Where nothing can be seen, the start of the page is chosen.
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
    // A scale out of bounds is no reason not to go there.
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

  /// The layout with the zoom that a destination asks for; nil: the one there is.
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

  /// The share of the page, as it is seen, that comes to the viewport's top left.
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
      // The same place on the page, which another zoom may have moved.
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
  /// The coordinates that are to come to the viewport's left and top.
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
  /// The rectangle to be shown, in points from the displayed page's top left; nil for other kinds.
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
