public import DocumentModel
internal import RectoBase
internal import Synchronization
public import SystemPackage

/// Makes the thumbnails of many documents: one picture per page.
///
/// A document that fails does not affect the others. If poppler contradicts the page tree reader, the
/// thumbnails of the document are made again with poppler as the reader of pages. A document or page that killed its
/// worker process is tried once more while no other document is being processed.
public struct ThumbnailRun: Sendable {
  /// The destination of the thumbnails; missing directories are created.
  public var destination: ThumbnailDestination
  /// The lengths of the longer side in pixels, the largest first, each once; at least one. Only the largest
  /// picture is drawn, and the others are reduced from it.
  public let sizes: [Int]
  /// Which pages get a thumbnail.
  public var pages: ThumbnailPages
  /// The format and quality of the files.
  public var style: PictureStyle
  /// Whether the thumbnail embedded for a page (/Thumb) is used, if it is as large as the largest size and has the
  /// page's aspect ratio.
  public var allowsEmbedded = false
  /// How documents are opened. ``DocumentSettings/workers`` is the number of worker processes for
  /// all documents together, and the number of documents that are open at the same time.
  public var settings: DocumentSettings
  /// The most seconds that the work on a document may take; nil for no limit. Pages that are not done by
  /// then fail with `timeLimit`.
  public var documentLimit: Double?
  /// The most seconds in which the pages being drawn are finished after the task is cancelled. By default
  /// they are given up at once.
  public var patience: Double = 0
  /// Whether documents are on servers: then more of them are in progress at the same time.
  package var isDistant = false
  /// Whether to only open documents, without drawing or writing: the results have
  /// ``DocumentThumbnails/planned`` instead of pages.
  public var isDryRun = false

  /// A run with its settings; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - folder: The folder for the thumbnails.
  ///   - size: The length of the longer side in pixels, at least 1.
  ///   - style: The format and quality of the files.
  ///   - pages: Which pages get a thumbnail.
  ///   - settings: How documents are opened.
  public init(
    into folder: FilePath,
    size: Int = 256,
    style: PictureStyle = .tile,
    pages: ThumbnailPages = .first,
    settings: DocumentSettings = DocumentSettings()
  ) {
    self.init(into: .folder(folder), sizes: [size], style: style, pages: pages, settings: settings)
  }

  /// A run with its settings; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - destination: Where the thumbnails go.
  ///   - sizes: The lengths of the longer side in pixels, at least 1, in any order; 256 if there is none.
  ///   - style: The format and quality of the files.
  ///   - pages: Which pages get a thumbnail.
  ///   - settings: How documents are opened.
  public init(
    into destination: ThumbnailDestination,
    sizes: [Int],
    style: PictureStyle = .tile,
    pages: ThumbnailPages = .first,
    settings: DocumentSettings = DocumentSettings()
  ) {
    self.destination = destination
    self.sizes = sizes.isEmpty ? [256] : Set(sizes).sorted(by: >)
    self.pages = pages
    self.style = style
    self.settings = settings
  }

  /// Makes the thumbnails of all documents of a library.
  ///
  /// No document is overwritten, even if it has the name of a thumbnail.
  ///
  /// When the task is cancelled, no further document or page is begun, and `body` receives the partial results of the
  /// documents in progress (``DocumentThumbnails/isInterrupted``).
  ///
  /// - Parameters:
  ///   - library: The documents; found for the same ``pages``.
  ///   - isolation: The actor that `body` runs on.
  ///   - progress: Receives each step of the work, on any thread.
  ///   - body: Receives the thumbnails of each document as soon as they are made, in any order. The
  ///     next document waits until it returns. An error ends the run and cancels the documents in
  ///     progress.
  /// - Throws: What `body` throws.
  public func thumbnails<Failure: Error>(
    of library: DocumentLibrary,
    isolation: isolated (any Actor)? = #isolation,
    progress: @escaping @Sendable (ThumbnailProgress) -> Void = { _ in },
    each body: (DocumentThumbnails) throws(Failure) -> Void
  ) async throws(Failure) {
    let items = Mutex(library.items.makeIterator())
    try await thumbnails(
      expecting: library.items.count,
      sparing: library.items.map(\.path),
      progress: progress,
      next: { () async throws(Failure) in items.withLock { $0.next() } },
      each: body
    )
  }

  /// Makes the thumbnails of documents that are found during the run.
  ///
  /// The results are those of ``thumbnails(of:isolation:progress:each:)``. Documents that have been found are not
  /// overwritten.
  ///
  /// - Parameters:
  ///   - count: The number of documents; nil if it is not known. Then each has one worker process.
  ///   - inputs: Other files that are not overwritten.
  ///   - isolation: The actor that `body` runs on.
  ///   - progress: Receives each step of the work, on any thread.
  ///   - next: Returns the next document, which must have a unique name; nil at the end. Called once at a time. It must
  ///     return soon after the task is cancelled. An error ends the run.
  ///   - body: Receives the thumbnails of each document as soon as they are made, in any order. An error
  ///     ends the run.
  /// - Throws: What `next` and `body` throw.
  public func thumbnails<Failure: Error>(
    expecting count: Int? = nil,
    sparing inputs: [FilePath] = [],
    isolation: isolated (any Actor)? = #isolation,
    progress: @escaping @Sendable (ThumbnailProgress) -> Void = { _ in },
    next: @escaping @Sendable () async throws(Failure) -> DocumentLibrary.Item?,
    each body: (DocumentThumbnails) throws(Failure) -> Void
  ) async throws(Failure) {
    let spared = SparedFiles()
    for path in inputs { spared.add(path) }
    var run = LibraryRun(settings: settings)
    run.hasDocumentLimit = documentLimit != nil
    run.isDistant = isDistant
    run.patience = patience
    let writer = ThumbnailWriter(run: self, inputs: spared, progress: progress)
    try await run.run(
      expecting: count,
      next: { () async throws(Failure) in
        let item = try await next()
        if let item { spared.add(item.path) }
        return item
      },
      work: { item, first, settings, stop in
        let writer = writer.working(with: settings, until: stop)
        return if let first { await writer.retried(first) } else {
          await writer.thumbnails(of: item)
        }
      },
      each: body
    )
  }
}

/// Where thumbnails go.
public enum ThumbnailDestination: Hashable, Sendable {
  /// A folder in which documents keep their paths; with a subfolder for each size if there are several.
  case folder(FilePath)
  /// Files named by a template that has passed ``FileTemplate/requireThumbnails(hasPages:hasSizes:)``.
  case template(FileTemplate)
  /// Desktop thumbnails. The sizes must be among ``DesktopThumbnails/folders``, the style must be
  /// `PictureStyle.desktopThumbnail`, and the pages ``ThumbnailPages/first``.
  case desktop(DesktopThumbnails)
  /// Objects of a store.
  case store(StoreFolder)
}

/// A step of the work on a library.
public enum ThumbnailProgress: Sendable {
  /// A document was opened; the number of its pages that get a thumbnail.
  case opened(DocumentLibrary.Item, pages: Int)
  /// Pages of a document are done: written, or found to be errors.
  case finished(DocumentLibrary.Item, pages: Int)
}
