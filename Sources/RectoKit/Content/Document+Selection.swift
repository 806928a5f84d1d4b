public import DocumentModel
public import DocumentText
public import RectoGeometry

/// A place on a page.
public struct PagePlace: Hashable, Sendable {
  /// The page.
  public var page: PageIndex
  /// In points from the top left of the page as displayed.
  public var point: Point

  /// A place from its parts.
  public init(page: PageIndex, point: Point) {
    self.page = page
    self.point = point
  }
}

/// The selected part of one page.
public struct PageSelectionPart: Hashable, Sendable {
  /// The page.
  public var page: PageIndex
  /// The selected part of its text.
  public var selection: TextSelection
}

extension Document {
  /// The most pages that a selection may cover.
  public static let largestSelection = 100

  /// The text between two places, in reading order, whichever comes first.
  ///
  /// - Parameters:
  ///   - start: Where the pointer was pressed.
  ///   - end: Where the pointer is.
  ///   - unit: The unit by which the selection grows.
  ///   - joiningHyphenatedLines: Whether words that are hyphenated at the end of a line are joined.
  /// - Returns: The selected part of each page from one place to the other.
  /// - Throws: `usage` for places on more than ``largestSelection`` pages; `DocumentError` as for
  ///   ``text(of:hasStyles:)-(PageIndex,_)`` for any of the pages.
  public func selection(
    from start: PagePlace,
    to end: PagePlace,
    by unit: SelectionUnit = .character,
    joiningHyphenatedLines: Bool = false
  ) async throws(DocumentError) -> [PageSelectionPart] {
    let (first, last) = start.page <= end.page ? (start, end) : (end, start)
    try await require(first.page, last.page)
    let pages = first.page..<last.page.advanced(by: 1)
    guard pages.count <= Self.largestSelection else {
      throw DocumentError(
        .usage,
        during: "select",
        "\(pages.count) pages; the limit is \(Self.largestSelection)"
      )
    }
    let texts = try await text(of: pages)
    var parts: [PageSelectionPart] = []
    for (page, text) in zip(pages, texts) {
      let structure = TextStructure(try text.get())
      let selection = structure.selection(
        from: page == first.page ? first.point : nil,
        to: page == last.page ? last.point : nil,
        by: unit,
        joiningHyphenatedLines: joiningHyphenatedLines
      )
      parts.append(PageSelectionPart(page: page, selection: selection))
    }
    return parts
  }
}
