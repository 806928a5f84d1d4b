public import RectoGeometry

extension LayoutColumn {
  /// The point of the viewport that is kept in place for a reader: the center of its upper edge,
  /// inside the content insets.
  public var readingPoint: Point {
    Point(
      x: (contentInsets.left + viewport.width - contentInsets.right) / 2,
      y: contentInsets.top
    )
  }

  /// The anchor of the content at a point of the viewport.
  ///
  /// A point in the gap before a part belongs to that part, a point after the last part to the last; parts without
  /// pages are skipped. In a part, it is the anchor of ``Layout/anchor(at:point:)``.
  /// - Parameters:
  ///   - offset: The viewport's top left in the column.
  ///   - point: The point in the viewport; nil for ``readingPoint``.
  /// - Returns: Nil if nothing is visible.
  /// - Complexity: O(log *p* + log *n* + the number of skipped parts).
  public func anchor(at offset: Point, point: Point? = nil) -> ColumnAnchor? {
    let point = point ?? readingPoint
    guard (offset.x + point.x).isFinite, (offset.y + point.y).isFinite else { return nil }
    return anchor(at: offset, point, in: [])
  }

  private func anchor(at offset: Point, _ point: Point, in path: PartPath) -> ColumnAnchor? {
    let first = firstPart(endingBelow: offset.y + point.y)
    for index in first..<count {
      if let found = anchor(ofPart: index, at: offset, point, path) { return found }
    }
    for index in (0..<first).reversed() {
      if let found = anchor(ofPart: index, at: offset, point, path) { return found }
    }
    return nil
  }

  private func anchor(
    ofPart index: Int,
    at offset: Point,
    _ point: Point,
    _ path: PartPath
  ) -> ColumnAnchor? {
    let start = frames[index].origin
    let inner = Point(x: offset.x - start.x, y: offset.y - start.y)
    switch contents[index] {
    case .layout(let layout):
      return layout.anchor(at: inner, point: point)
        .map { ColumnAnchor(path: path.appending(index), anchor: $0) }
    case .column(let column): return column.anchor(at: inner, point, in: path.appending(index))
    }
  }

  /// The offset that brings an anchor to a point of the viewport; not clamped.
  ///
  /// In a carousel along the horizontal axis, whose frames have no vertical position to keep, the
  /// part's upper edge is aligned with that of the viewport.
  ///
  /// - Parameters:
  ///   - anchor: The anchor, in a part of the column.
  ///   - point: The point in the viewport; nil for ``readingPoint``.
  /// - Returns: Nil if the path names no layout, its page is not shown, or nothing is visible.
  /// - Complexity: O(log *n*).
  public func offset(of anchor: ColumnAnchor, point: Point? = nil) -> Point? {
    guard let part = part(at: anchor.path), let layout = part.layout,
      let inner = layout.offset(of: anchor.anchor, point: point ?? readingPoint)
    else { return nil }
    return Point(x: part.frame.minX + inner.x, y: part.frame.minY + inner.y)
  }

  /// The anchor of the start of the first page at or after a path, or else of the end of the last page before it; nil
  /// if no part shows a page.
  func anchor(near path: PartPath) -> ColumnAnchor? {
    var last: ColumnAnchor?
    for other in layoutPaths {
      guard let layout = layout(at: other) else { continue }
      if other >= path {
        if let anchor = layout.startAnchor { return ColumnAnchor(path: other, anchor: anchor) }
      } else if let anchor = layout.endAnchor {
        last = ColumnAnchor(path: other, anchor: anchor)
      }
    }
    return last
  }
}

extension Layout {
  /// The top of the first page.
  fileprivate var startAnchor: Anchor? {
    pages.runs.firstIndex { $0.pages != nil }
      .flatMap { anchor(ofPosition: pages.starts[$0], at: Point(x: 0.5, y: 0)) }
  }

  /// The bottom of the last page.
  fileprivate var endAnchor: Anchor? {
    pages.runs.lastIndex { $0.pages != nil }
      .flatMap { anchor(ofPosition: pages.starts[$0 + 1] - 1, at: Point(x: 0.5, y: 1)) }
  }

  /// The anchor of a point on the page at a position; nil if there is no such page.
  ///
  /// - Parameters:
  ///   - position: The position of the page in the part.
  ///   - share: The point as a fraction of the page as displayed.
  private func anchor(ofPosition position: Int, at share: Point) -> Anchor? {
    guard !isEmpty, let page = pages.page(at: position) else { return nil }
    return Anchor(
      page: page,
      occurrence: occurrence(of: page, at: position),
      place: share.turnedInUnitSquare(by: configuration.rotation.inverse)
    )
  }
}
