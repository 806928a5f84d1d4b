package import DocumentModel
package import RectoGeometry

extension PageTreeReader {
  /// The document's info.
  ///
  /// Title, direction and page layout are left out if they cannot be read; that is no reason to ask
  /// poppler.
  package func documentInfo() -> DocumentInfo {
    store.meter.reset()
    var info = DocumentInfo(pageCount: pageCount)
    info.title = try? store.readingText { () throws(StructureError) in try title() }
    info.isRightToLeft = (try? readsRightToLeft()) ?? false
    info.pageLayout = try? layoutHint()
    return info
  }

  /// The label of a page: from /PageLabels, or its decimal number without them; nil if they do not
  /// cover the page.
  ///
  /// - Complexity: O(ranges) the first time, then O(log ranges).
  /// - Throws: ``StructureError`` when the labels cannot be read, or a limit is reached.
  package func label(of index: PageIndex) throws(StructureError) -> String? {
    guard Range(pageCount: pageCount).contains(index) else { return nil }
    return try readLabels().label(of: index)
  }

  /// The first page with a label; nil when no page has it.
  ///
  /// - Complexity: O(ranges), whatever the number of pages.
  /// - Throws: ``StructureError`` when the labels cannot be read, or a limit is reached.
  package func page(labeled label: String) throws(StructureError) -> PageIndex? {
    guard let page = try readLabels().page(labeled: label) else { return nil }
    return Range(pageCount: pageCount).contains(page) ? page : nil
  }

  private func readLabels() throws(StructureError) -> PageLabels {
    if let labels { return labels }
    store.meter.reset()
    let decimal = PageLabels.Range(base: 0, style: .decimal, prefix: [], first: 1)
    var read: PageLabels?
    if case .reference(let holder) = store.crossReference.trailer[Key.root] {
      let tree = catalog.sourcedValue(Key.pageLabels)
      read = try store.pageLabels(tree, in: holder, pageCount: pageCount)
    }
    let all = read ?? PageLabels([decimal], pageCount: pageCount)
    labels = all
    return all
  }

  private func title() throws(StructureError) -> String? {
    let info = store.crossReference.trailer.sourcedValue(Key.info)
    guard let picked = try store.dictionary(info, picking: [Key.title]),
      let title = picked.sourcedValue(Key.title),
      let bytes = try store.resolve(title).stringBytes(atMost: store.limits.textBytes)
    else { return nil }
    let text = TextString.text(bytes)
    return text.isEmpty ? nil : text
  }

  private func readsRightToLeft() throws(StructureError) -> Bool {
    let preferences = catalog.sourcedValue(Key.viewerPreferences)
    guard let picked = try store.dictionary(preferences, picking: [Key.direction]),
      let direction = picked.sourcedValue(Key.direction),
      case .name(Key.r2l) = try store.resolve(direction).value
    else { return false }
    return true
  }

  private func layoutHint() throws(StructureError) -> PageLayoutHint? {
    guard let layout = catalog.sourcedValue(Key.pageLayout),
      case .name(let name) = try store.resolve(layout).value
    else { return nil }
    return name.text.flatMap(PageLayoutHint.init(rawValue:))
  }
}
