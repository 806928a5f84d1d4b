public import DocumentModel
internal import PageLayout
internal import RectoGeometry

/// Destinations of links.
extension Viewer {
  /// Goes to a destination of a link, of the outline, or by its name.
  ///
  /// - Parameters:
  ///   - destination: Where to go.
  ///   - keepsZoom: Whether zoom and fit do not change.
  /// - Returns: The new scene.
  /// - Throws: ``ViewerError`` as for ``follow(_:on:keepsZoom:)``; `DocumentError` if the page cannot be
  ///   measured.
  public func follow(
    _ destination: LinkDestination,
    keepsZoom: Bool
  ) async throws -> ViewerScene {
    let info = try await document.page(at: destination.page)
    return try await follow(
      destination.fit.inUserSpace(of: info),
      on: destination.page,
      keepsZoom: keepsZoom
    )
  }
}

extension LinkDestination.Fit {
  /// The same in the user space of a page.
  func inUserSpace(of page: PageInfo) -> Destination {
    switch self {
    case .point(let x, let y, let zoom):
      let place = page.userSpace(x: x, y: y)
      return .xyz(left: place.left, top: place.top, zoom: zoom)
    case .page, .content: return .fit
    case .width(let y), .contentWidth(let y):
      return .fitHorizontal(top: page.userSpace(x: nil, y: y).top)
    case .height(let x), .contentHeight(let x):
      return .fitVertical(left: page.userSpace(x: x, y: nil).left)
    case .area(let area):
      let corners = [
        page.userSpace(x: area.minX, y: area.minY), page.userSpace(x: area.maxX, y: area.maxY),
      ]
      let (lefts, tops) = (corners.compactMap(\.left), corners.compactMap(\.top))
      guard let left = lefts.min(), let right = lefts.max(), let bottom = tops.min(),
        let top = tops.max()
      else { return .fit }
      return .fitRectangle(left: left, bottom: bottom, right: right, top: top)
    }
  }
}

extension PageInfo {
  /// Converts a point on the page as displayed to user space; the inverse of ``shown(x:y:)``.
  fileprivate func userSpace(x: Double?, y: Double?) -> (left: Double?, top: Double?) {
    let (x, y) = (x.map { $0 / userUnit }, y.map { $0 / userUnit })
    return switch rotation ?? .none {
    case .none: (x.map { cropBox.minX + $0 }, y.map { cropBox.maxY - $0 })
    case .quarter: (y.map { cropBox.minX + $0 }, x.map { cropBox.minY + $0 })
    case .half: (x.map { cropBox.maxX - $0 }, y.map { cropBox.minY + $0 })
    case .threeQuarters: (y.map { cropBox.maxX - $0 }, x.map { cropBox.maxY - $0 })
    }
  }
}
