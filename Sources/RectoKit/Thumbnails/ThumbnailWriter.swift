internal import DocumentModel
internal import FileSystem
internal import Geometry
internal import PageLayout
internal import PageNumbers
internal import SystemPackage

/// Makes the thumbnails of one document.
struct ThumbnailWriter: Sendable {
  /// The run, with the settings for one document.
  let run: ThumbnailRun
  /// Files that are not overwritten.
  let inputs: Set<FileNode>
  /// Receives each step of the work.
  let progress: @Sendable (ThumbnailProgress) -> Void

  /// Makes the thumbnails of one document; all of them again with poppler as the reader of pages if
  /// poppler contradicts the page tree reader.
  func thumbnails(of item: DocumentLibrary.Item) async -> DocumentThumbnails {
    let settings = run.settings
    let first = await attempt(item, settings, progress)
    guard settings.pageReader == .auto, let mismatch = first.foundMismatch else { return first }
    var again = settings
    again.pageReader = .poppler
    // The pages have been counted.
    var second = await attempt(item, again) { _ in }
    second.mismatch = mismatch
    return second
  }

  private func attempt(
    _ item: DocumentLibrary.Item,
    _ settings: DocumentSettings,
    _ progress: @Sendable (ThumbnailProgress) -> Void
  ) async -> DocumentThumbnails {
    var thumbnails = DocumentThumbnails(item)
    var isOpened = false
    do throws(ThumbnailError) {
      let (document, pageCount) = try await open(item, settings)
      thumbnails.pageCount = pageCount
      let selection = try await resolved(document).selection(pageCount: pageCount)
      progress(.opened(item, pages: selection.count))
      isOpened = true
      let writer = writer(of: document, item, pageCount: pageCount)
      var pages: [(position: Int, page: ExportedPage)] = []
      await writer.write(selection) { event in
        switch event {
        case .page(let page, let position):
          pages.append((position, page))
          progress(.finished(item, pages: page.pages.count))
        case .output(let error) where error.isDevice: thumbnails.deviceFailure = error
        case .output(let error): thumbnails.failure = .output(error)
        }
        // A full disk is full for the next page too.
        return thumbnails.deviceFailure == nil
      }
      thumbnails.pages = pages.sorted { $0.position < $1.position }.map(\.page)
      thumbnails.cacheFailure = await document.takeCacheFailure()
    } catch {
      thumbnails.failure = error
      if !isOpened { progress(.finished(item, pages: 1)) }
    }
    if Task.isCancelled { thumbnails.interrupt() }
    return thumbnails
  }

  /// The pages, with those of the document in place of labels.
  ///
  /// - Throws: The error of a document whose labels cannot be read.
  private func resolved(_ document: Document) async throws(ThumbnailError) -> ThumbnailPages {
    guard case .list(let list) = run.pages else { return run.pages }
    do throws(DocumentError) {
      return .list(try await document.resolving(list))
    } catch {
      throw .document(error)
    }
  }

  private func writer(
    of document: Document,
    _ item: DocumentLibrary.Item,
    pageCount: Int
  ) -> PageFileWriter {
    PageFileWriter(
      document: document,
      folder: PictureFolder(run.folder, sparing: inputs),
      geometry: PictureGeometry(size: .longestSide(run.size)),
      style: run.style,
      paths: PagePaths(
        name: item.name,
        hasNumber: run.pages != .first,
        fileExtension: run.style.format.fileExtension,
        pageCount: pageCount
      ),
      pagesAtOnce: run.settings.workers * 4
    )
  }

  /// The open document, and the number of pages that it claims to have.
  ///
  /// - Throws: The error of a document that cannot be opened.
  private func open(
    _ item: DocumentLibrary.Item,
    _ settings: DocumentSettings
  ) async throws(ThumbnailError) -> (document: Document, pageCount: Int) {
    do throws(DocumentError) {
      let document = try Document(item.path, settings: settings)
      return (document, try await document.info().pageCount)
    } catch {
      throw .document(error)
    }
  }
}
