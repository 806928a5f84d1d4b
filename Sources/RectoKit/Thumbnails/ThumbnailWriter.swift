internal import DocumentModel
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import SystemPackage

/// Makes the thumbnails of one document.
struct ThumbnailWriter: Sendable {
  /// The run, with the settings for one document.
  private(set) var run: ThumbnailRun
  /// Files that are not overwritten.
  let inputs: SparedFiles
  /// Receives each step of the work.
  let progress: @Sendable (ThumbnailProgress) -> Void
  /// The names of files that have been written.
  private let names = TakenNames()
  /// Writes desktop thumbnails; nil for other files.
  private let desktop: DesktopFolder?
  /// Whether no other page is to be begun.
  private var stop = StopFlag()

  /// Makes thumbnails for a run.
  ///
  /// - Parameters:
  ///   - run: The run, with the settings for one document.
  ///   - inputs: Files that are not overwritten.
  init(
    run: ThumbnailRun,
    inputs: SparedFiles,
    progress: @escaping @Sendable (ThumbnailProgress) -> Void
  ) {
    self.run = run
    self.inputs = inputs
    self.progress = progress
    desktop =
      if case .desktop(let thumbnails) = run.destination { DesktopFolder(thumbnails) } else { nil }
  }

  /// The writer for a document.
  ///
  /// - Parameters:
  ///   - settings: The settings for one document.
  ///   - stop: When it is set, no other page is begun.
  func working(with settings: DocumentSettings, until stop: StopFlag) -> ThumbnailWriter {
    var writer = self
    writer.run.settings = settings
    writer.stop = stop
    return writer
  }

  /// Makes the thumbnails of one document; all of them again if poppler becomes its reader of pages meanwhile.
  func thumbnails(of item: DocumentLibrary.Item) async -> DocumentThumbnails {
    var subject: DesktopThumbnails.Subject?
    if let desktop {
      do throws(FileError) {
        // The state before it is opened: a later change makes the thumbnails out of date.
        subject = try await desktop.subject(item.path)
      } catch {
        var thumbnails = DocumentThumbnails(item)
        thumbnails.failure = .document(
          DocumentError(.unreadable, during: "", "\(error.operation): \(error)")
        )
        progress(.finished(item, pages: 1))
        return thumbnails
      }
    }
    var result = await DocumentThumbnails.within(run.documentLimit) { [subject] in
      await attempt(item, run.settings, subject, progress)
    }
    if let desktop, let subject, !run.isDryRun, !result.isInterrupted {
      do throws(FileError) {
        try await desktop.note(result.lastingError, of: subject)
      } catch {
        result.failure = result.failure ?? .output(error)
      }
    }
    return result
  }

  /// Tries the document, or the pages, that killed the worker process once more.
  func retried(_ first: DocumentThumbnails) async -> DocumentThumbnails {
    if first.isCrash || desktop != nil { return await thumbnails(of: first.item) }
    var settings = run.settings
    if first.mismatch != nil { settings.pageReader = .poppler }
    let again = await DocumentThumbnails.within(run.documentLimit) { [settings] in
      await attempt(first.item, settings, nil, only: first.crashedPages) { _ in }
    }
    if again.mismatch != nil { return await thumbnails(of: first.item) }
    var result = first
    var pages: [PageIndex: ExportedPage] = [:]
    for page in again.pages { pages[page.pages.lowerBound] = page }
    result.pages = first.pages.map { page in
      if case .failure = page.result { pages[page.pages.lowerBound] ?? page } else { page }
    }
    result.failure = first.failure ?? again.failure
    result.deviceFailure = again.deviceFailure
    result.isInterrupted = again.isInterrupted
    return result
  }

  /// Makes the thumbnails of one document.
  ///
  /// - Parameters:
  ///   - subject: The document as named in desktop thumbnails.
  ///   - only: The pages to make; nil for all selected ones.
  ///   - known: The document, whose reader of pages has changed in the first attempt; nil for the first one.
  private func attempt(
    _ item: DocumentLibrary.Item,
    _ settings: DocumentSettings,
    _ subject: DesktopThumbnails.Subject?,
    only: [PageIndex]? = nil,
    again known: Document? = nil,
    _ progress: @Sendable (ThumbnailProgress) -> Void
  ) async -> DocumentThumbnails {
    var thumbnails = DocumentThumbnails(item)
    var isOpened = false
    var opened: Document?
    do throws(ThumbnailError) {
      let document = try await open(item, settings, known)
      opened = document
      thumbnails.remoteIdentity = document.remoteIdentity
      let pageCount = try await pageCount(of: document)
      thumbnails.pageCount = pageCount
      var selection = try await resolved(document).selection(pageCount: pageCount)
      if let only { selection = selection.only(only) }
      progress(.opened(item, pages: selection.count))
      isOpened = true
      var writer = writer(of: document, item, subject, pageCount: pageCount)
      writer.undrawn = PageCountdown(selection.positionCount)
      if run.isDryRun {
        thumbnails.planned = writer.plan(selection)
        progress(.finished(item, pages: selection.count))
        return thumbnails
      }
      await write(selection, with: writer, into: &thumbnails, progress)
      thumbnails.cacheFailure = await document.takeCacheFailure()
    } catch {
      thumbnails.failure = error
      if !isOpened { progress(.finished(item, pages: 1)) }
    }
    if known == nil, let opened, opened.generation > 0 {
      // The pages have been counted.
      thumbnails = await attempt(item, settings, subject, only: only, again: opened) { _ in }
      thumbnails.mismatch = opened.mismatch
      return thumbnails
    }
    if Task.isCancelled || stop.isSet,
      thumbnails.isCancelled || !thumbnails.unfinished.isEmpty
    {
      thumbnails.interrupt()
    }
    return thumbnails
  }

  /// Writes the pages of a selection.
  private func write(
    _ selection: PageSelection,
    with writer: PageFileWriter,
    into thumbnails: inout DocumentThumbnails,
    _ progress: @Sendable (ThumbnailProgress) -> Void
  ) async {
    var pages: [(position: Int, page: ExportedPage)] = []
    var lost = 0
    await writer.write(selection) { event in
      switch event {
      case .page(let page, let position):
        pages.append((position, page))
        progress(.finished(thumbnails.item, pages: page.pages.count))
      case .output(let error) where error.isDevice: thumbnails.deviceFailure = error
      case .output(let error):
        lost += 1
        thumbnails.failure = .output(error)
      }
      // A full disk will fail for the next page, too.
      return thumbnails.deviceFailure == nil && !stop.isSet
    }
    pages.sort { $0.position < $1.position }
    thumbnails.pages = pages.map(\.page)
    thumbnails.positions = pages.map(\.position)
    let done = pages.map { entry in
      let count = selection.positionCount(of: entry.page.pages)
      return entry.position..<entry.position + count
    }
    // Pages whose files could not be written have been reported.
    if done.reduce(lost, { $0 + $1.count }) < selection.positionCount {
      thumbnails.unfinished = selection.pages(exceptAt: done)
    }
  }

  /// The pages, with labels resolved in the document.
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
    _ subject: DesktopThumbnails.Subject?,
    pageCount: Int
  ) -> PageFileWriter {
    PageFileWriter(
      document: document,
      destination: destination(of: item, subject, pageCount: pageCount),
      geometry: PictureGeometry(size: .longestSide(run.sizes[0])),
      sizes: run.sizes,
      style: run.style,
      allowsEmbedded: run.allowsEmbedded,
      workers: max(1, run.settings.workers)
    )
  }

  /// Where the pictures of a document go.
  private func destination(
    of item: DocumentLibrary.Item,
    _ subject: DesktopThumbnails.Subject?,
    pageCount: Int
  ) -> any PictureDestination {
    if let desktop, let subject {
      return DesktopPictures(folder: desktop, subject: subject, pageCount: pageCount)
    }
    let folder: FilePath
    let template: FileTemplate
    var names: TakenNames?
    func paths(_ template: FileTemplate) -> PagePaths {
      PagePaths(
        template,
        item: item,
        fileExtension: run.style.format.fileExtension,
        pageCount: pageCount
      )
    }
    let usual = FileTemplate(
      thumbnailsWithNumber: run.pages != .first,
      hasSize: run.sizes.count > 1
    )
    switch run.destination {
    case .store(let store):
      return StoredPictures(
        store.prefix,
        paths: paths(store.template ?? usual),
        mediaType: run.style.format.mediaType,
        names: store.template == nil ? nil : self.names,
        owner: item.name,
        sparing: inputs
      )
    case .desktop(let thumbnails):
      folder = thumbnails.root
      template = FileTemplate(thumbnailsWithNumber: false, hasSize: true)
    case .folder(let path):
      folder = path
      template = usual
    case .template(let given):
      folder = FilePath()
      template = given
      names = self.names
    }
    return NamedPictures(
      folder: PictureFolder(folder, sparing: inputs),
      paths: paths(template),
      names: names,
      owner: item.name
    )
  }

  /// The open document.
  ///
  /// - Throws: The error of a document that cannot be opened.
  private func open(
    _ item: DocumentLibrary.Item,
    _ settings: DocumentSettings,
    _ known: Document?
  ) async throws(ThumbnailError) -> Document {
    do throws(DocumentError) {
      let document = if let known { known } else { try await item.document(settings) }
      await document.failOnMismatch(known == nil)
      return document
    } catch {
      throw .document(error)
    }
  }

  /// The number of pages that a document claims to have.
  ///
  /// - Throws: The error of a document that cannot be read.
  private func pageCount(of document: Document) async throws(ThumbnailError) -> Int {
    do throws(DocumentError) {
      return try await document.info().pageCount
    } catch {
      throw .document(error)
    }
  }
}
