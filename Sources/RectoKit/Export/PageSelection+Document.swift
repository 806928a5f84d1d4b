internal import DocumentModel

extension PageSelection {
  /// The pages of a list, for a document.
  ///
  /// - Parameters:
  ///   - list: The list; nil for all pages.
  /// - Throws: The error of a document that cannot be opened, has no pages, or whose labels cannot be read;
  ///   that of a list if the document has none of its pages.
  init(_ list: PageList?, in document: Document) async throws(PageExportError) {
    let pageCount: Int
    var resolved = list
    do throws(DocumentError) {
      pageCount = try await document.info().pageCount
      if let list, pageCount > 0 { resolved = try await document.resolving(list) }
    } catch {
      throw .document(error)
    }
    guard pageCount > 0 else { throw .document(.noPages) }
    do throws(PageListError) {
      self =
        try resolved.map { list throws(PageListError) in
          try PageSelection(list, pageCount: pageCount)
        } ?? PageSelection(pageCount: pageCount)
    } catch {
      throw .pages(error)
    }
  }
}
