public import DocumentModel
public import RectoBase
internal import RectoGeometry
public import SystemPackage

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
  /// documents in the same folder would fail, too.
  public var deviceFailure: FileError?
  /// The first failure to write to the cache. The thumbnails are not affected.
  public var cacheFailure: DocumentError?
  /// Why poppler became the reader of pages: it contradicted the page tree reader. Nil if it did not.
  public var mismatch: DocumentError?
  /// Whether the task was cancelled before all pages were done.
  public var isInterrupted = false
  /// The plan for the document in a dry run; nil otherwise, and if it could not be opened.
  public var planned: PlannedThumbnails?
  /// The version that was opened of a document on a server; nil for others.
  package var remoteIdentity: FileIdentity?
  /// The positions of ``pages`` among the pages that were selected.
  var positions: [Int] = []
  /// Selected pages without a result, because the work ended early; each range with the position of its first page.
  var unfinished: [(position: Int, pages: Range<PageIndex>)] = []

  init(_ item: DocumentLibrary.Item) { self.item = item }

  /// Records that the work was cancelled: failures for that reason are not errors.
  mutating func interrupt() {
    isInterrupted = true
    if isCancelled { failure = nil }
  }

  /// Whether opening the document was cancelled.
  var isCancelled: Bool {
    if case .document(let error) = failure { error.code == .cancelled } else { false }
  }

  /// Whether the document as a whole ended the worker process.
  var isCrash: Bool {
    if case .document(let error) = failure { error.code == .crash } else { false }
  }

  /// The pages that ended the worker process.
  var crashedPages: [PageIndex] {
    pages.compactMap { page in
      if case .failure(let error) = page.result, error.code == .crash {
        page.pages.lowerBound
      } else {
        nil
      }
    }
  }
}

extension DocumentThumbnails: DocumentOutcome {
  /// Whether a device failed.
  package var endsRun: Bool { deviceFailure != nil }

  /// Records that the time limit of the document was reached: an error of the pages that are not done, or of the
  /// document if it was not open by then.
  package mutating func exceed(limit seconds: Double) {
    let error = DocumentError.notDone(after: seconds)
    isInterrupted = false
    if pageCount == nil || failure != nil {
      failure = .document(error)
    } else {
      let rest = unfinished.map { ($0.position, ExportedPage($0.pages, .failure(error))) }
      let all = (Array(zip(positions, pages)) + rest).sorted { $0.0 < $1.0 }
      positions = all.map(\.0)
      pages = all.map(\.1)
    }
    unfinished = []
  }

  /// Whether the document, or one of its pages, ended the worker process.
  package var hasCrash: Bool { isCrash || !crashedPages.isEmpty }
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

/// The plan for a document in a dry run.
public struct PlannedThumbnails: Hashable, Sendable {
  /// The number of pages that would be drawn; a page that is listed twice counts twice.
  public var pageCount: Int
  /// The files of the first and of the last of these pages; nil if there are none.
  public var files: [FilePath]
}
