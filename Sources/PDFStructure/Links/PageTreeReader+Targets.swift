internal import DocumentModel
internal import RectoGeometry

/// Pages that destinations name.
extension PageTreeReader {
  /// The page with a reference; nil if the document does not have it.
  ///
  /// - Complexity: O(levels), without reading earlier pages. A reference to something that looks like a page but cannot
  ///   be found through its /Parent takes a complete walk, once.
  /// - Throws: ``StructureError`` when the tree cannot be read, or a limit is reached.
  func targetPage(_ reference: Reference) throws(StructureError) -> TargetCaches.Page? {
    if let known = targets[reference] { return known }
    var page: TargetCaches.Page?
    if let index = try index(of: reference) { page = try targetPage(at: index) }
    targets[reference] = .some(page)
    return page
  }

  /// The page at an index; nil when the document does not have it.
  ///
  /// - Throws: ``StructureError`` when the path to the page cannot be read, or a limit is reached.
  func targetPage(at index: PageIndex) throws(StructureError) -> TargetCaches.Page? {
    guard Range(pageCount: pageCount).contains(index),
      let node = try checked(find(index), at: index)
    else { return nil }
    return TargetCaches.Page(index: index, info: node.info)
  }

  /// The index of the first page with a reference; nil if there is none.
  ///
  /// - Throws: ``StructureError`` when the tree cannot be read, or a limit is reached.
  func index(of page: Reference) throws(StructureError) -> PageIndex? {
    if let lonePage { return lonePage.reference == page ? 0 : nil }
    if walked == nil, !isSmall {
      guard try isPossiblePage(page) else { return nil }
      if let index = try descent?.index(of: page), Range(pageCount: pageCount).contains(index),
        try find(index)?.reference == page
      {
        return index
      }
    }
    if walked == nil { _ = try walkAll(collecting: 0..<0) }
    guard let walked else { return nil }
    return targets.walkedPositions.position(of: page.packed, in: walked.references)
      .map { PageIndex($0) }
  }

  /// Whether an object is a dictionary: a removed page usually leaves no object, but links to it remain.
  private func isPossiblePage(_ reference: Reference) throws(StructureError) -> Bool {
    do throws(StructureError) {
      return try store.dictionary(reference, picking: []) != nil
    } catch {
      // Poppler only compares references, and does not fetch the object.
      guard error.reason == .needsRepair else { throw error }
      return false
    }
  }
}
