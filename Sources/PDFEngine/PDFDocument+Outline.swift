// SPDX-License-Identifier: GPL-2.0-or-later

internal import CPoppler
internal import DocumentModel

extension PDFDocument {
  /// The outline of the document, within the limits of ``DocumentOutline``.
  func outline() -> DocumentOutline {
    var outline = DocumentOutline()
    var rest = TextLimit.outlineItems
    var bytes = TextLimit.outlineTexts
    guard let first = poppler_index_iter_new(raw) else { return outline }
    defer { poppler_index_iter_free(first) }
    outline.items = items(first, level: 0, &rest, &bytes, &outline.incomplete)
    return outline
  }

  /// The items of a level, with those below.
  ///
  /// - Parameters:
  ///   - row: The first item; advanced to the last.
  ///   - level: Their level, 0 for the top.
  ///   - bytes: The bytes of text that are still allowed.
  private func items(
    _ row: OpaquePointer,
    level: Int,
    _ rest: inout Int,
    _ bytes: inout Int,
    _ incomplete: inout String?
  ) -> [OutlineItem] {
    var items: [OutlineItem] = []
    repeat {
      var item = item(row)
      rest -= 1
      bytes -= item.byteCount
      guard rest >= 0, bytes >= 0 else {
        incomplete = DocumentOutline.tooLong
        break
      }
      if let child = poppler_index_iter_get_child(row) {
        defer { poppler_index_iter_free(child) }
        if level + 1 < TextLimit.outlineDepth {
          item.children = self.items(child, level: level + 1, &rest, &bytes, &incomplete)
        } else {
          incomplete = incomplete ?? DocumentOutline.tooDeep
        }
      }
      items.append(item)
    } while poppler_index_iter_next(row) != 0
    return items
  }

  private func item(_ row: OpaquePointer) -> OutlineItem {
    let action = poppler_index_iter_get_action(row)
    defer { poppler_action_free(action) }
    return OutlineItem(
      title: action?.pointee.any.title.map { String(cString: $0) } ?? "",
      target: target(action),
      isOpen: poppler_index_iter_is_open(row) != 0,
      children: []
    )
  }
}
