public import DocumentModel
internal import FileSystem
internal import RenderWorkers
public import SystemPackage

/// Makes the thumbnails of many documents: one picture per page.
///
/// A document that fails does not affect the others. If poppler contradicts the page tree reader, the
/// thumbnails of the document are made again with poppler as the reader of pages.
public struct ThumbnailRun: Sendable {
  /// The folder for the thumbnails; made if it is missing.
  public var folder: FilePath
  /// The length of the longer side in pixels.
  public var size: Int
  /// Which pages get a thumbnail.
  public var pages: ThumbnailPages
  /// The format of the files, and what is kept of the pixels.
  public var style: PictureStyle
  /// How documents are opened. ``DocumentSettings/workers`` is the number of worker processes for
  /// all documents together, and the number of documents that are open at the same time.
  public var settings: DocumentSettings

  /// A run with its settings; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - folder: The folder for the thumbnails.
  ///   - size: The length of the longer side in pixels, at least 1.
  ///   - style: The format of the files, and what is kept of the pixels.
  ///   - pages: Which pages get a thumbnail.
  ///   - settings: How documents are opened.
  public init(
    into folder: FilePath,
    size: Int = 256,
    style: PictureStyle = .tile,
    pages: ThumbnailPages = .first,
    settings: DocumentSettings = DocumentSettings()
  ) {
    self.folder = folder
    self.size = size
    self.pages = pages
    self.style = style
    self.settings = settings
  }

  /// Makes the thumbnails of all documents of a library.
  ///
  /// No document is overwritten, also where its name is that of a thumbnail.
  ///
  /// When the task is cancelled, no other document is begun, and `body` receives what has been made of
  /// those being worked on (``DocumentThumbnails/isInterrupted``).
  ///
  /// - Parameters:
  ///   - library: The documents; found for the same ``pages``.
  ///   - isolation: The actor that `body` runs on.
  ///   - progress: Receives each step of the work, on any thread.
  ///   - body: Receives the thumbnails of each document as soon as they are made, in any order. The
  ///     next document waits until it returns. An error ends the run: the documents being worked on
  ///     are cancelled.
  /// - Throws: What `body` throws.
  public func thumbnails<Failure: Error>(
    of library: DocumentLibrary,
    isolation: isolated (any Actor)? = #isolation,
    progress: @escaping @Sendable (ThumbnailProgress) -> Void = { _ in },
    each body: (DocumentThumbnails) throws(Failure) -> Void
  ) async throws(Failure) {
    let items = library.items
    var single = self
    single.settings.workers = max(1, settings.workers / max(1, items.count))
    single.settings.template = settings.template ?? template(documents: items.count)
    single.settings.template?.start()
    let writer = ThumbnailWriter(
      run: single,
      inputs: Set(items.compactMap { Files.node(of: $0.path) }),
      progress: progress
    )
    var failure: Failure?
    await withTaskGroup(of: DocumentThumbnails.self) { group in
      var waiting = items.makeIterator()
      func start() {
        guard !Task.isCancelled, let item = waiting.next() else { return }
        group.addTask { await writer.thumbnails(of: item) }
      }
      for _ in 0..<max(1, settings.workers) { start() }
      for await thumbnails in group {
        do throws(Failure) {
          try body(thumbnails)
        } catch {
          failure = error
          group.cancelAll()
          break
        }
        start()
      }
    }
    if let failure { throw failure }
  }
}

extension ThumbnailRun {
  /// What starts the workers; nil for a single document, which needs one worker or few. If there is no
  /// worker program, each document reports it.
  private func template(documents: Int) -> WorkerTemplate? {
    guard documents > 1 else { return nil }
    return (try? settings.workerProgram ?? WorkerProgram.locate()).map { WorkerTemplate($0) }
  }
}

/// A step of the work on a library.
public enum ThumbnailProgress: Sendable {
  /// A document was opened; the number of its pages that get a thumbnail.
  case opened(DocumentLibrary.Item, pages: Int)
  /// Pages of a document are done: written, or found to be errors.
  case finished(DocumentLibrary.Item, pages: Int)
}
