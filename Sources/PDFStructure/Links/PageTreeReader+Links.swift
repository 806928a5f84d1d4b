package import DocumentModel
package import RectoGeometry

extension PageTreeReader {
  /// The links of a page in stacking order, the topmost last; nil for a page that is counted but missing.
  ///
  /// Links without a target are omitted.
  ///
  /// - Complexity: O(levels · kids) for finding the page, then O(links).
  /// - Throws: ``StructureError`` when a link or its target cannot be read, or a limit is reached.
  package func links(of index: PageIndex) throws(StructureError) -> [PageLink]? {
    store.meter.reset()
    guard let found = try find(index), let page = try checked(found, at: index) else { return nil }
    return try store.readingText { () throws(StructureError) in
      let info = page.info
      let picked = try store.dictionary(found.reference, picking: [Key.annots])
      var links: [PageLink] = []
      var areas = 0
      var bytes = 0
      try store.elements(picked?.sourcedValue(Key.annots)) { (element) throws(StructureError) in
        guard let link = try self.link(element, on: info) else { return }
        areas += link.areas.count
        bytes += link.target.byteCount
        guard areas <= self.store.limits.linkAreas, bytes <= self.store.limits.pageTargetBytes
        else { throw StructureError(.limit, "more links on page \(index.number) than can be kept") }
        links.append(link)
      }
      return links
    }
  }

  private static let linkKeys = targetKeys + [Key.subtype, Key.rect, Key.quadPoints]

  /// An annotation as a link; nil if it is not a link, or has no target.
  private func link(
    _ annotation: SourcedValue,
    on page: PageInfo
  ) throws(StructureError) -> PageLink? {
    guard let picked = try store.dictionary(annotation, picking: Self.linkKeys),
      let subtype = picked.sourcedValue(Key.subtype),
      case .name(Key.link) = try store.resolve(subtype).value,
      let corners = try points(picked.sourcedValue(Key.rect), atMost: 2), corners.count == 2,
      let area = page.shown(corners), let target = try target(in: picked)
    else { return nil }
    let quads = try quads(picked.sourcedValue(Key.quadPoints), inside: corners, on: page)
    return PageLink(areas: quads ?? [area], target: target)
  }

  /// The rectangles around quadrilaterals; nil if there are none, or if one extends beyond the link, in which case they
  /// must be ignored (ISO 32000-2, table 176).
  private func quads(
    _ sourced: SourcedValue?,
    inside corners: [Point],
    on page: PageInfo
  ) throws(StructureError) -> [Rect]? {
    guard let points = try points(sourced, atMost: 4 * store.limits.linkAreas), !points.isEmpty,
      points.count.isMultiple(of: 4)
    else { return nil }
    let x = (min(corners[0].x, corners[1].x), max(corners[0].x, corners[1].x))
    let y = (min(corners[0].y, corners[1].y), max(corners[0].y, corners[1].y))
    let slack = Self.quadSlack
    var areas: [Rect] = []
    for first in stride(from: 0, to: points.count, by: 4) {
      let quad = Array(points[first..<first + 4])
      let isInside = quad.allSatisfy {
        $0.x >= x.0 - slack && $0.x <= x.1 + slack && $0.y >= y.0 - slack && $0.y <= y.1 + slack
      }
      guard isInside, let area = page.shown(quad) else { return nil }
      areas.append(area)
    }
    return areas
  }

  /// How far a quadrilateral may extend beyond its link, in user space, because numbers are
  /// rounded.
  private static let quadSlack = 1.0

  /// Pairs of numbers; nil for anything else. Other elements count as 0, as in poppler.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func points(
    _ sourced: SourcedValue?,
    atMost limit: Int
  ) throws(StructureError) -> [Point]? {
    var points: [Point] = []
    var first: Double?
    var isTooLong = false
    try store.elements(sourced) { (element) throws(StructureError) in
      let number = try self.store.number(element) ?? 0
      guard points.count < limit else {
        isTooLong = true
        return
      }
      if let x = first {
        points.append(Point(x: x, y: number))
        first = nil
      } else {
        first = number
      }
    }
    return isTooLong || first != nil || points.isEmpty ? nil : points
  }
}
