internal import DocumentModel

/// Which pages of a document get a thumbnail.
public enum ThumbnailPages: Hashable, Sendable {
  /// The first page. The file is named like the document, without a page number.
  case first
  /// Every page.
  case all
  /// The pages of a list. A range that extends beyond a document ends with its last page; a single page
  /// beyond it is an error of that page.
  case list(PageList)

  /// The pages of a document.
  ///
  /// - Throws: `damaged` for a document without pages; the error of a list if the document has none of its pages.
  func selection(pageCount: Int) throws(ThumbnailError) -> PageSelection {
    guard pageCount > 0 else { throw .document(.noPages) }
    switch self {
    case .first: return PageSelection(pageCount: 1)
    case .all: return PageSelection(pageCount: pageCount)
    case .list(let list):
      do throws(PageListError) {
        return try PageSelection(list, pageCount: pageCount)
      } catch {
        throw .pages(error)
      }
    }
  }
}
