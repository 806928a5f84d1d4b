// SPDX-License-Identifier: GPL-2.0-or-later

internal import CPoppler
internal import DocumentModel
internal import RectoGeometry

extension PDFPage {
  /// The links of the page in stacking order, the topmost last.
  ///
  /// poppler-glib does not return quadrilaterals: each link has one area.
  ///
  /// - Returns: The links that have a target.
  /// - Throws: `memoryLimit` for too many links.
  func links(in document: PDFDocument) throws(DocumentError) -> [PageLink] {
    let height = info().shownSize.height
    // The last link comes first.
    guard let list = poppler_page_get_link_mapping(raw) else { return [] }
    defer { poppler_page_free_link_mapping(list) }
    var links: [PageLink] = []
    var bytes = 0
    var next: UnsafeMutablePointer<GList>? = list
    while let element = next {
      next = element.pointee.next
      guard let mapping = element.pointee.data?.assumingMemoryBound(to: PopplerLinkMapping.self),
        let target = document.target(mapping.pointee.action)
      else { continue }
      let area = mapping.pointee.area
      let rect = Rect(
        x: min(area.x1, area.x2),
        y: height - max(area.y1, area.y2),
        width: abs(area.x2 - area.x1),
        height: abs(area.y2 - area.y1)
      )
      guard rect.maxX.isFinite, rect.maxY.isFinite else { continue }
      bytes += 64 + target.byteCount
      guard links.count < TextLimit.links, bytes <= TextLimit.pageLinks / 2 else {
        throw DocumentError(
          .memoryLimit,
          during: "read links",
          "more links than can be kept, \(TextLimit.links) or \(TextLimit.pageLinks >> 21) MB of text"
        )
      }
      links.append(PageLink(areas: [rect], target: target))
    }
    return links.reversed()
  }
}
