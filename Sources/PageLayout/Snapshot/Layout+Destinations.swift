public import Geometry

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

/// What following a destination leads to.
public struct DestinationView: Sendable {
  /// The layout, with the destination's zoom or fit.
  public var layout: Layout
  /// The offset in it, clamped.
  public var offset: Point
}

extension Layout {
  /// Follows a destination.
  ///
  /// A coordinate that is null keeps what is seen on the same page, and means the page's start
  /// on another one. A place beyond the page is moved to its edge, so that the page before never
  /// shows instead. Rectangles are shown at absolute scale, without regard to the fit. In a spread,
  /// the page's fit is the spread's. In `paged` and `carousel` the spread comes to rest.
  /// - Parameters:
  ///   - destination: Where to go.
  ///   - page: The page, by its index.
  ///   - space: The page's user space.
  ///   - offset: Where the viewport is now.
  ///   - keepsZoom: Whether zoom and fit stay as they are, whatever the destination says.
  /// - Returns: nil when the page is not shown, or nothing can be seen.
  public func view(
    of destination: Destination,
    on page: Int,
    in space: PageSpace,
    from offset: Point,
    keepsZoom: Bool = false
  ) -> DestinationView? {
    guard !isEmpty, spread(containingPage: page) != nil, space.cropBox.size.isProper else {
      return nil
    }
    var layout = self
    if !keepsZoom, let configuration = configuration(for: destination, on: page, in: space) {
      // A scale out of bounds is no reason not to go there.
      layout = (try? reconfigured(configuration)) ?? self
    }
    guard let target = layout.page(page) else { return nil }
    if layout.arrangement.restsAtSpreads {
      let index = layout.spreads.spread(of: target.position)
      return layout.offset(restingAt: index).map {
        DestinationView(layout: layout, offset: layout.clamped($0))
      }
    }
    if case .fitRectangle(let left, let bottom, let right, let top) = destination {
      let first = target.contentPoint(space.displayed(Point(x: left, y: top), target.size))
      let second = target.contentPoint(space.displayed(Point(x: right, y: bottom), target.size))
      let insets = layout.configuration.contentInsets
      let middle = Point(
        x: (insets.left + viewport.width - insets.right) / 2,
        y: (insets.top + viewport.height - insets.bottom) / 2
      )
      let found = Point(
        x: (first.x + second.x) / 2 - middle.x,
        y: (first.y + second.y) / 2 - middle.y
      )
      guard found.x.isFinite, found.y.isFinite else { return nil }
      return DestinationView(layout: layout, offset: layout.clamped(found))
    }
    let (left, top) = destination.coordinates
    let start = start(of: target, left: left, top: top, in: space, from: offset)
    let insets = layout.configuration.contentInsets
    return DestinationView(
      layout: layout,
      offset: layout.clamped(Point(x: start.x - insets.left, y: start.y - insets.top))
    )
  }

  /// The configuration a destination asks for; nil: the one there is.
  private func configuration(
    for destination: Destination,
    on page: Int,
    in space: PageSpace
  ) -> LayoutConfiguration? {
    var configuration = self.configuration
    switch destination {
    case .xyz(_, _, let zoom):
      guard let zoom, zoom > 0, zoom.isFinite else { return nil }
      configuration.fit = .none
      configuration.zoom = zoom
    case .fit:
      configuration.fit = .page
      configuration.zoom = 1
    case .fitHorizontal:
      configuration.fit = .width
      configuration.zoom = 1
    case .fitVertical:
      configuration.fit = .height
      configuration.zoom = 1
    case .fitRectangle(let left, let bottom, let right, let top):
      let size = sizes.size(of: page)
      let first = space.displayed(Point(x: left, y: top), size)
      let second = space.displayed(Point(x: right, y: bottom), size)
      let extent = Size(width: abs(second.x - first.x), height: abs(second.y - first.y))
        .rotated(by: configuration.rotation)
      guard extent.isProper else { return nil }
      configuration.fit = .none
      configuration.zoom = min(
        environment.uncovered.width / extent.width,
        environment.uncovered.height / extent.height
      )
    }
    return configuration
  }

  /// The point of the content that comes to the viewport's top left.
  private func start(
    of target: LaidOutPage,
    left: Double?,
    top: Double?,
    in space: PageSpace,
    from offset: Point
  ) -> Point {
    let corner = Point(
      x: left ?? space.cropBox.minX,
      y: top ?? space.cropBox.maxY
    )
    // Null coordinates are replaced on the screen, where "top" is what a reader takes it for.
    let turned = space.rotation + configuration.rotation
    let hasX = turned.isSideways ? top != nil : left != nil
    let hasY = turned.isSideways ? left != nil : top != nil
    var point = target.contentPoint(space.displayed(corner, target.size))
    let current =
      self.currentPage(in: window(at: offset)) == target.page
      ? self.page(target.page) : nil
    let insets = configuration.contentInsets
    if !hasX { point.x = target.frame.minX }
    if !hasY { point.y = target.frame.minY }
    if let current {
      // The same place on the page, which another zoom may have moved.
      let seen = Point(x: offset.x + insets.left, y: offset.y + insets.top)
      let kept = Point(
        x: target.frame.minX + (seen.x - current.frame.minX) / current.frame.width
          * target.frame.width,
        y: target.frame.minY + (seen.y - current.frame.minY) / current.frame.height
          * target.frame.height
      )
      if !hasX { point.x = kept.x }
      if !hasY { point.y = kept.y }
    }
    if hasX { point.x = min(max(point.x, target.frame.minX), target.frame.maxX) }
    if hasY { point.y = min(max(point.y, target.frame.minY), target.frame.maxY) }
    // A coordinate that is no number is none.
    return Point(
      x: point.x.isFinite ? point.x : target.frame.minX,
      y: point.y.isFinite ? point.y : target.frame.minY
    )
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

extension PageSpace {
  /// A point of user space on the displayed page, in points from its top left.
  func displayed(_ point: Point, _ size: Size) -> Point {
    let share = share(of: point)
    return Point(x: share.x * size.width, y: share.y * size.height)
  }
}
