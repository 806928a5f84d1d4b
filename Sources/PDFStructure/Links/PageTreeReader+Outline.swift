package import DocumentModel

extension PageTreeReader {
  /// The document's outline.
  ///
  /// An item that is already in the outline, or is not an item, ends its level.
  ///
  /// - Complexity: O(items), if pages are found through their /Parent.
  /// - Throws: ``StructureError`` when an item or its target cannot be read, or it takes too long. A limit of the
  ///   outline itself ends it, and is reported in the result.
  package func outline() throws(StructureError) -> DocumentOutline {
    store.meter.reset()
    return try store.readingText { () throws(StructureError) in
      let root = try store.dictionary(catalog.sourcedValue(Key.outlines), picking: [Key.first])
      guard case .reference(let first)? = root?[Key.first] else { return DocumentOutline() }
      return try outline(from: first)
    }
  }

  /// A row of items that is being read.
  private struct Row {
    var items: [OutlineItem] = []
    var next: Reference?
  }

  private func outline(from first: Reference) throws(StructureError) -> DocumentOutline {
    let limits = store.limits
    var outline = DocumentOutline()
    var rows = [Row(next: first)]
    var seen: Set<UInt64> = []
    var bytes = 0
    while let row = rows.indices.last {
      guard let next = rows[row].next, seen.insert(next.packed).inserted,
        let read = try item(next)
      else {
        let done = rows.removeLast().items
        guard row > 0 else {
          outline.items = done
          break
        }
        let parent = rows[row - 1].items.count - 1
        rows[row - 1].items[parent].children = done
        continue
      }
      bytes += read.item.byteCount
      guard seen.count <= limits.outlineItems, bytes <= limits.outlineBytes else {
        outline.incomplete = DocumentOutline.tooLong
        for row in rows.indices { rows[row].next = nil }
        continue
      }
      rows[row].items.append(read.item)
      rows[row].next = read.next
      guard let child = read.first else { continue }
      if rows.count < limits.outlineDepth {
        rows.append(Row(next: child))
      } else {
        outline.incomplete = outline.incomplete ?? DocumentOutline.tooDeep
      }
    }
    return outline
  }

  private static let itemKeys = targetKeys + [Key.title, Key.count, Key.first, Key.next]

  private func item(
    _ reference: Reference
  ) throws(StructureError) -> (item: OutlineItem, first: Reference?, next: Reference?)? {
    guard let picked = try store.dictionary(reference, picking: Self.itemKeys) else { return nil }
    let item = OutlineItem(
      title: try text(picked.sourcedValue(Key.title)) ?? "",
      target: try target(in: picked),
      isOpen: try store.number(picked.sourcedValue(Key.count)).map { $0 > 0 } ?? false,
      children: []
    )
    func link(_ key: PackedName) -> Reference? {
      if case .reference(let reference) = picked[key] { reference } else { nil }
    }
    return (item, link(Key.first), link(Key.next))
  }
}
