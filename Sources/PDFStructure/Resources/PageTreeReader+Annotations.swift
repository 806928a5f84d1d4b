package import DocumentModel
package import RectoGeometry

extension PageTreeReader {
  /// The annotations of a page that have a text or a file, in stacking order; nil for a page that is counted but
  /// missing. Links, fields of forms and the windows of other annotations are omitted.
  ///
  /// - Complexity: O(levels · kids) for finding the page, then O(annotations).
  /// - Throws: ``StructureError`` when an annotation cannot be read, or a limit is reached.
  package func annotations(of index: PageIndex) throws(StructureError) -> [PageAnnotation]? {
    store.meter.reset()
    guard let found = try find(index), let page = try checked(found, at: index) else { return nil }
    return try store.readingText { () throws(StructureError) in
      let info = page.info
      let picked = try store.dictionary(found.reference, picking: [Key.annots])
      var annotations: [PageAnnotation] = []
      var bytes = 0
      try store.elements(picked?.sourcedValue(Key.annots)) { (element) throws(StructureError) in
        guard let annotation = try self.annotation(element, at: index, on: info) else { return }
        annotations.append(annotation)
        bytes += annotation.byteCount
        guard bytes <= self.store.limits.pageTargetBytes else {
          throw StructureError(.limit, "more annotations on page \(index.number) than can be kept")
        }
      }
      return annotations
    }
  }

  /// Bytes of the text of one annotation; the rest is left out.
  private static let mostText = 1 << 16

  private static let annotationKeys: [PackedName] = [
    Key.subtype, Key.rect, "Contents", "T", "M", "FS",
  ]

  /// An annotation; nil if it is of another kind, or has neither text nor file.
  private func annotation(
    _ object: SourcedValue,
    at index: PageIndex,
    on page: PageInfo
  ) throws(StructureError) -> PageAnnotation? {
    guard let picked = try store.dictionary(object, picking: Self.annotationKeys),
      let kind = try store.name(picked, Key.subtype),
      !["Link", "Widget", "Popup"].contains(kind)
    else { return nil }
    let text = try text(picked.sourcedValue("Contents"), atMost: Self.mostText)
    let file = try picked.sourcedValue("FS").flatMap { (value) throws(StructureError) in
      try attachment(value, named: nil)
    }
    guard text != nil || file != nil else { return nil }
    let corners = try points(picked.sourcedValue(Key.rect), atMost: 2)
    return PageAnnotation(
      page: index,
      kind: kind.prefix(1).lowercased() + kind.dropFirst(),
      area: corners.flatMap { $0.count == 2 ? page.shown($0) : nil },
      text: text ?? "",
      author: try self.text(picked.sourcedValue("T")),
      modified: try self.text(picked.sourcedValue("M")).flatMap(DocumentDate.init(pdf:)),
      file: file
    )
  }
}
