public import DocumentModel
public import RectoGeometry

/// Links, the outline and destinations: from the page tree, else from the engine. Not cached.
extension Document {
  /// The links of a page in stacking order, the topmost last.
  ///
  /// - Throws: `pageMissing` for a page that the document does not have, `memoryLimit` for too many links, and any
  ///   error of opening the document.
  public func links(of page: PageIndex) async throws(DocumentError) -> [PageLink] {
    try await require(page, page)
    try await settleContent(of: Range(only: page))
    let read = try await answer({ revising { tree.links(of: page) } }) { () throws(DocumentError) in
      let pages = Range(pageCount: try await info().pageCount)
      let links = try await engine.links(of: page).map { link in
        PageLink(areas: link.areas, target: link.target.inside(pages))
      }
      let units = try await userUnits(of: links.compactMap(\.target.page) + [page])
      return links.map { link in
        PageLink(
          areas: link.scaled(by: units[page] ?? 1).areas,
          target: link.target.scaled { units[$0] ?? 1 }
        )
      }
    }
    guard let read else { throw .missingPage }
    return read
  }

  /// The outline of the document; without items if it has none.
  ///
  /// - Throws: Any error of opening the document.
  public func outline() async throws(DocumentError) -> DocumentOutline {
    try await answer({ revising { tree.outline() } }) { () throws(DocumentError) in
      let pages = Range(pageCount: try await info().pageCount)
      let outline = try await engine.outline().mapTargets { $0.inside(pages) }
      let units = try await userUnits(of: outline.pages)
      return outline.mapTargets { $0.scaled { units[$0] ?? 1 } }
    }
  }

  /// The destination with a name; nil if the document does not have it.
  ///
  /// - Throws: Any error of opening the document.
  public func destination(named name: String) async throws(DocumentError) -> LinkDestination? {
    try await answer({ revising { tree.destination(named: name) } }) { () throws(DocumentError) in
      let pages = Range(pageCount: try await info().pageCount)
      guard let found = try await engine.destination(named: name), pages.contains(found.page)
      else { return nil }
      return found.scaled(by: try await userUnits(of: [found.page])[found.page] ?? 1)
    }
  }

  /// The user units of pages, which engines do not know; only if the page tree reader has read them.
  ///
  /// - Throws: Any error of opening the document.
  private func userUnits(of pages: [PageIndex]) async throws(DocumentError) -> [PageIndex: Double] {
    guard tree.refusal == nil, !pages.isEmpty else { return [:] }
    let distinct = Set(pages).sorted()
    let known = try await measure(distinct)
    return distinct.reduce(into: [:]) { $0[$1] = known.info(of: $1)?.userUnit }
  }

  /// Asks the page tree reader. If that required a walk through the tree, corrects the known pages.
  private func revising<Answer>(_ ask: () -> Answer) -> Answer {
    let wasWalked = tree.isWalkedCompletely
    let answer = ask()
    if !wasWalked, tree.isWalkedCompletely { revise() }
    return answer
  }
}

extension LinkTarget {
  /// The target, checked against the document's pages, because an engine may name others.
  fileprivate func inside(_ pages: Range<PageIndex>) -> LinkTarget {
    guard case .destination(let place) = self, !pages.contains(place.page) else { return self }
    return .missing(name: place.name)
  }
}

extension [PageLink] {
  /// The topmost link at a point.
  ///
  /// - Parameter point: In points from the top left of the page as it is displayed.
  /// - Returns: The last link with an area that contains the point; nil if there is none.
  /// - Complexity: O(areas).
  public func link(at point: Point) -> PageLink? {
    last { link in link.areas.contains { $0.contains(point) } }
  }
}

extension Document {
  /// The labels of the target pages of links, without pages that have no label or cannot be measured.
  ///
  /// Does not read pages, unless poppler reads the page tree.
  ///
  /// - Throws: `pageMissing` for pages after the last or before the first, and any error of opening the document.
  public func labels(of pages: [PageIndex]) async throws(DocumentError) -> [PageIndex: String] {
    try await withOneReader { () throws(DocumentError) in
      if let first = pages.min(), let last = pages.max() { try await require(first, last) }
      var labels: [PageIndex: String] = [:]
      var unknown: [PageIndex] = []
      for page in Set(pages).sorted() {
        if let label = tree.label(of: page) { labels[page] = label } else { unknown.append(page) }
      }
      try requireAgreement()
      guard !unknown.isEmpty else { return labels }
      let known = try await measure(unknown)
      for page in unknown { labels[page] = known.info(of: page)?.label }
      return labels
    }
  }
}
