public import DocumentModel
public import RectoGeometry

/// Pages by their labels.
extension Document {
  /// The first page with a label; nil if there is none. A page without one has its number as label,
  /// unless another page is labeled so.
  ///
  /// Uses the document's ranges of labels, without reading pages. If poppler reads the page tree, pages are measured
  /// until one has the label.
  ///
  /// - Throws: Whatever keeps the document from being opened.
  public func page(labeled label: String) async throws(DocumentError) -> PageIndex? {
    try await withOneReader { () throws(DocumentError) in
      let pages = Range(pageCount: try await info().pageCount)
      if let labeled = try await findPage(labeled: label, in: pages) { return labeled }
      guard let page = Int(label).flatMap(PageIndex.init(number:)), String(page.number) == label,
        pages.contains(page), let info = try await measure([Range(only: page)]).info(of: page),
        info.label == nil
      else { return nil }
      return page
    }
  }

  /// The first page that the document gives a label.
  private func findPage(
    labeled label: String,
    in pages: Range<PageIndex>
  ) async throws(DocumentError) -> PageIndex? {
    if let found = tree.page(labeled: label) { return found }
    try requireAgreement()
    var next = pages.lowerBound
    while next < pages.upperBound {
      let portion = next..<min(next.advanced(by: Self.labelsAtOnce), pages.upperBound)
      let known = try await measure([portion])
      for page in portion where known.info(of: page)?.label == label { return page }
      // Possibly all the rest of the document.
      next = max(portion.upperBound, known.failing(at: portion.upperBound)?.pages.upperBound ?? 0)
    }
    return nil
  }

  /// Pages measured before their labels are compared.
  private static let labelsAtOnce = 1024

  /// A list with pages in place of labels. A label that no page has is not changed.
  ///
  /// - Throws: Whatever keeps the document from being opened.
  public func resolving(_ list: PageList) async throws(DocumentError) -> PageList {
    try await withOneReader { () throws(DocumentError) in
      var list = list
      for index in list.items.indices {
        list.items[index].first = try await resolving(list.items[index].first)
        list.items[index].last = try await resolving(list.items[index].last)
      }
      return list
    }
  }

  /// A page in place of its label. A label that no page has is not changed.
  ///
  /// - Throws: Whatever keeps the document from being opened.
  public func resolving(
    _ number: PageList.Number
  ) async throws(DocumentError) -> PageList.Number {
    guard case .label(let label) = number else { return number }
    return try await page(labeled: label).map { .page($0) } ?? number
  }
}
