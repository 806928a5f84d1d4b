public import DocumentModel
internal import FileSystem
internal import PageLayout
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
  /// The format of the pictures, and what is kept of the pixels.
  public var style: PictureStyle
  /// Which pages get a thumbnail.
  public var pages: ThumbnailPages
  /// How documents are opened. ``DocumentSettings/workers`` is the number of worker processes for
  /// all documents together, and the number of documents that are open at the same time.
  public var settings: DocumentSettings

  /// A run with its settings; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - folder: The folder for the thumbnails.
  ///   - size: The length of the longer side in pixels, at least 1.
  ///   - style: The format of the pictures, and what is kept of the pixels.
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
    self.style = style
    self.pages = pages
    self.settings = settings
  }

  /// Makes the thumbnails of all documents of a library.
  ///
  /// No document is overwritten, also where its name is that of a thumbnail.
  ///
  /// - Parameters:
  ///   - library: The documents; found for the same ``pages``.
  ///   - isolation: The actor that `body` runs on.
  ///   - body: Receives the thumbnails of each document as soon as they are made, in any order. The
  ///     next document waits until it returns. An error ends the run: the documents being worked on
  ///     are cancelled.
  /// - Throws: What `body` throws.
  public func thumbnails<Failure: Error>(
    of library: DocumentLibrary,
    isolation: isolated (any Actor)? = #isolation,
    each body: (DocumentThumbnails) throws(Failure) -> Void
  ) async throws(Failure) {
    let items = library.items
    var settings = settings
    settings.workers = max(1, self.settings.workers / max(1, items.count))
    let writer = ThumbnailWriter(
      folder: folder,
      inputs: Set(items.compactMap { Files.node(of: $0.path) }),
      size: size,
      style: style,
      pages: pages
    )
    var failure: Failure?
    await withTaskGroup(of: DocumentThumbnails.self) { group in
      var waiting = items.makeIterator()
      func start() {
        guard let item = waiting.next() else { return }
        group.addTask { [settings] in await writer.thumbnails(of: item, settings) }
      }
      for _ in 0..<max(1, self.settings.workers) { start() }
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
