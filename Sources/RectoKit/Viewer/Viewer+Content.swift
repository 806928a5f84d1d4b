public import PageLayout
public import RectoGeometry

/// Converts between points of a viewer's content and of its pages.
extension Viewer {
  /// A page in the current layout.
  ///
  /// - Parameter index: The page.
  /// - Returns: The page and the geometry of its frame; nil if the layout does not show the page.
  public func laidOut(_ index: PageIndex) -> (page: LaidOutPage, geometry: Int)? {
    let layout = documentLayout.layout
    guard let spread = layout.spread(containingPage: index),
      let page = layout.spread(spread, in: window)?.pages.first(where: { $0.page == index })
    else { return nil }
    return (page, geometry)
  }

  /// The visible page nearest to a point of the content, and the point on the page, which may be beside it.
  ///
  /// - Parameters:
  ///   - point: In content coordinates.
  ///   - geometry: The geometry of the point; nil for the newest.
  /// - Returns: The page, and points from the top left of the page as displayed; nil if no page is visible.
  /// - Throws: ``ViewerError/forgottenGeometry(_:)``.
  public func nearestPage(
    to point: Point,
    geometry: Int? = nil
  ) throws(ViewerError) -> PagePlace? {
    let layout = try layout(of: geometry)
    if let page = layout.page(at: point, in: window) {
      return PagePlace(page: page.page, point: page.pagePoint(point))
    }
    let pages = layout.spreads(visibleIn: window).flatMap(\.pages)
    let nearest = pages.min { $0.frame.distance(to: point) < $1.frame.distance(to: point) }
    return nearest.map { PagePlace(page: $0.page, point: $0.pagePoint(point)) }
  }
}

extension Rect {
  /// The distance of a point, squared; 0 inside.
  fileprivate func distance(to point: Point) -> Double {
    let across = max(minX - point.x, 0, point.x - maxX)
    let down = max(minY - point.y, 0, point.y - maxY)
    return across * across + down * down
  }
}
