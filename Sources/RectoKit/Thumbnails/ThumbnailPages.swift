internal import DocumentModel
internal import PageLayout

/// Which pages of a document get a thumbnail.
public enum ThumbnailPages: Hashable, Sendable {
  /// The first page. The file is named like the document, without a page number.
  case first
  /// Every page.
  case all
  /// The pages of a list.
  case list(PageList)

  /// The pages of a document.
  ///
  /// - Throws: `damaged` if the first page of a document without pages is wanted; the error of a list
  ///   with pages that the document does not have.
  func sequence(pageCount: Int) throws(ThumbnailError) -> PageSequence {
    switch self {
    case .first:
      guard pageCount > 0 else {
        throw .document(DocumentError(.damaged, during: "", "the document has no pages"))
      }
      return PageSequence(pageCount: 1)
    case .all: return PageSequence(pageCount: pageCount)
    case .list(let list):
      do {
        return PageSequence(try list.runs(pageCount: pageCount))
      } catch {
        throw .pages(error)
      }
    }
  }
}
