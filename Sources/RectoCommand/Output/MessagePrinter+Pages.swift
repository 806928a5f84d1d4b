internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

extension MessagePrinter {
  /// Warns that ranges of a list extend beyond a document, if they do.
  ///
  /// - Parameter list: Without labels.
  func note(clipping list: PageList, to pageCount: Int, path: FilePath) {
    let clipped = list.clipped(pageCount: pageCount)
    guard let last = clipped.last, let first = clipped.first, level >= .warnings else { return }
    let missing = PageListError.missing(first, pageCount: pageCount)
    print(
      code: "pages",
      path: path,
      page: first,
      lastPage: first == last ? nil : last,
      "not there, left out: \(missing)"
    )
  }

  /// Warns that ranges of a list extend beyond an open document, if they do.
  func note(clipping list: PageList?, to document: Document) async {
    guard let list, let pageCount = try? await document.info().pageCount,
      let resolved = try? await document.resolving(list)
    else { return }
    note(clipping: resolved, to: pageCount, path: document.path)
  }
}
