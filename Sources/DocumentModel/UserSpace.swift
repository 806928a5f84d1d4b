package import RectoGeometry

/// From the user space of a page to the displayed page: points from the top left of its crop box, turned by its own
/// rotation and enlarged by its user unit.
extension PageInfo {
  /// The extent of the displayed page, before its user unit.
  package var shownSize: Size { cropBox.size.rotated(by: rotation ?? .none) }

  /// Converts a point from user space to the displayed page. Missing coordinates, and those out of bounds, become nil.
  package func shown(x: Double?, y: Double?) -> (x: Double?, y: Double?) {
    // From the crop box's top left, before the rotation.
    let across = Self.bounded(x.map { $0 - cropBox.minX })
    let down = Self.bounded(y.map { cropBox.maxY - $0 })
    let place: (x: Double?, y: Double?) =
      switch rotation ?? .none {
      case .none: (across, down)
      case .quarter: (down.map { cropBox.height - $0 }, across)
      case .half: (across.map { cropBox.width - $0 }, down.map { cropBox.height - $0 })
      case .threeQuarters: (down, across.map { cropBox.width - $0 })
      }
    return (place.x.map { $0 * userUnit }, place.y.map { $0 * userUnit })
  }

  /// The smallest rectangle on the displayed page around points of user space; nil without points, or if it is out of
  /// bounds.
  package func shown(_ points: [Point]) -> Rect? {
    var (left, top) = (Double.infinity, Double.infinity)
    var (right, bottom) = (-Double.infinity, -Double.infinity)
    for point in points {
      let place = shown(x: point.x, y: point.y)
      guard let x = place.x, let y = place.y else { return nil }
      left = min(left, x)
      top = min(top, y)
      right = max(right, x)
      bottom = max(bottom, y)
    }
    guard left <= right, top <= bottom else { return nil }
    return Rect(x: left, y: top, width: right - left, height: bottom - top)
  }

  /// No page has larger coordinates; sums of smaller ones are exact enough.
  private static let largestCoordinate = 1e9

  private static func bounded(_ value: Double?) -> Double? {
    guard let value, abs(value) <= largestCoordinate else { return nil }
    return value
  }
}

/// How a page is to be shown, in its user space (ISO 32000-2, table 149).
package enum UserSpaceFit: Hashable, Sendable {
  /// /XYZ; `zoom` is nil where it is 0.
  case point(left: Double?, top: Double?, zoom: Double?)
  /// /Fit.
  case page
  /// /FitH.
  case width(top: Double?)
  /// /FitV.
  case height(left: Double?)
  /// /FitR.
  case area(left: Double, bottom: Double, right: Double, top: Double)
  /// /FitB.
  case content
  /// /FitBH.
  case contentWidth(top: Double?)
  /// /FitBV.
  case contentHeight(left: Double?)

  /// The same on a displayed page.
  ///
  /// Width and height are those of the page as displayed. On a page turned by 90° the coordinate given with them would
  /// be on the axis where the whole page is visible, so it becomes nil.
  package func shown(on page: PageInfo) -> LinkDestination.Fit {
    switch self {
    case .point(let left, let top, let zoom):
      let place = page.shown(x: left, y: top)
      let isZoom = zoom.map { $0 > 0 && $0.isFinite } ?? false
      return .point(x: place.x, y: place.y, zoom: isZoom ? zoom : nil)
    case .page: return .page
    case .width(let top): return .width(y: Self.down(top, page))
    case .height(let left): return .height(x: Self.across(left, page))
    case .area(let left, let bottom, let right, let top):
      let corners = [Point(x: left, y: bottom), Point(x: right, y: top)]
      return page.shown(corners).map { .area($0) } ?? .page
    case .content: return .content
    case .contentWidth(let top): return .contentWidth(y: Self.down(top, page))
    case .contentHeight(let left): return .contentHeight(x: Self.across(left, page))
    }
  }

  private static func down(_ top: Double?, _ page: PageInfo) -> Double? {
    page.shown(x: nil, y: top).y
  }

  private static func across(_ left: Double?, _ page: PageInfo) -> Double? {
    page.shown(x: left, y: nil).x
  }
}
