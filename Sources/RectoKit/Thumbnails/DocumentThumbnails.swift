public import DocumentModel
public import FileSystem

/// The thumbnails of one document, and the errors of those that could not be made.
public struct DocumentThumbnails: Sendable {
  /// The document.
  public var item: DocumentLibrary.Item
  /// The number of pages that the document claims to have; nil if it could not be opened.
  public var pageCount: Int?
  /// The results, in the order of the pages that were requested.
  public var pages: [ExportedPage] = []
  /// Why there are no thumbnails, or why one of them could not be written.
  public var failure: ThumbnailError?
  /// The device error that ended the work on the document, such as a full disk. Thumbnails of other
  /// documents in the same folder would fail as well.
  public var deviceFailure: FileError?
  /// The first failure to write to the cache. The thumbnails are not affected.
  public var cacheFailure: DocumentError?
  /// Why poppler was the reader of pages: it contradicted the page tree reader at first.
  public var mismatch: DocumentError?
  /// Whether the task was cancelled before all pages were done.
  public var isInterrupted = false

  init(_ item: DocumentLibrary.Item) { self.item = item }

  /// Takes note that the task was cancelled: what failed for that reason is no error.
  mutating func interrupt() {
    isInterrupted = true
    if case .document(let error) = failure, error.code == .cancelled { failure = nil }
  }

  /// The page mismatch that requires another pass with poppler as the reader of pages.
  var foundMismatch: DocumentError? {
    if case .document(let error) = failure, error.code == .pageMismatch { return error }
    for page in pages {
      if case .failure(let error) = page.result, error.code == .pageMismatch { return error }
    }
    return nil
  }
}

/// Why a document has no thumbnails.
public enum ThumbnailError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The document cannot be opened or has no pages.
  case document(DocumentError)
  /// The document does not have the pages of the list.
  case pages(PageListError)
  /// A file cannot be written.
  case output(FileError)

  /// One line.
  public var description: String {
    switch self {
    case .document(let error): error.description
    case .pages(let error): error.description
    case .output(let error): "\(error.path): \(error.operation): \(error)"
    }
  }
}
