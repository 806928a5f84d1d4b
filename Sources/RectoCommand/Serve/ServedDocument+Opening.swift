internal import DocumentModel
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import RectoTiles
internal import SystemPackage

/// Opening, opening again, and closing.
extension ServedDocument {
  /// Opens the file and replies with its first scene, or with the error.
  ///
  /// - Parameters:
  ///   - opening: The document and the initial viewport.
  ///   - options: The layout options.
  ///   - request: The request to reply to.
  func open(_ opening: ServeRequest.Opening, options: LayoutOptions, _ request: ServeRequest) async
  {
    settings.password = opening.password ?? settings.password
    do {
      let (scene, opened): (ViewerScene, Opened)
      do {
        (scene, opened) = try await prepared(opening, options)
      } catch  where leavesPagesToPoppler(after: error) {
        (scene, opened) = try await prepared(opening, options)
      }
      take(opened)
      await notices.opened(opened.source)
      watch()
      await send(scene, opened.source, line(for: request, opened, scene))
      measure()
    } catch {
      takeClosed()
      await refuse(request, error)
    }
  }

  /// Opens the file for a viewer, and adds it to the queue.
  ///
  /// - Returns: The first scene, and what is open.
  /// - Throws: Why the file cannot be opened or laid out.
  private func prepared(
    _ opening: ServeRequest.Opening,
    _ options: LayoutOptions
  ) async throws -> (ViewerScene, Opened) {
    let (document, info, pictures) = try await openFile()
    let resolved = try await options.resolvingLabels(in: document, path: path)
    let viewer = try await Viewer(
      document,
      configuration: try resolved.configuration(for: info, path: path),
      pages: try resolved.sequence(for: info, path: path),
      viewport: opening.move.viewport ?? context.viewport,
      scale: opening.move.scale ?? context.scale,
      tileSide: opening.tileSide ?? context.tileSide
    )
    let scene = try await viewer.show(opening.move)
    return (scene, try await queued(viewer, info, options, pictures))
  }

  /// Adds the document of a viewer to the queue, unless its opening was cancelled.
  ///
  /// - Parameters:
  ///   - options: The layout options, as they were given.
  ///   - pictures: Where clients fetch the pictures; nil if they are in the output.
  /// - Throws: `cancelled`.
  private func queued(
    _ viewer: Viewer,
    _ info: DocumentInfo,
    _ options: LayoutOptions,
    _ pictures: (any PublishedPictures)?
  ) async throws(DocumentError) -> Opened {
    guard !Task.isCancelled else { throw DocumentError.cancelled.during("open") }
    return Opened(
      viewer: viewer,
      source: await context.queue.add(viewer.document),
      info: info,
      options: options,
      pictures: pictures
    )
  }

  /// Has poppler read the pages from now on if an error says that the page tree reader was wrong.
  ///
  /// - Returns: Whether what has failed is worth another attempt.
  func leavesPagesToPoppler(after error: any Error) -> Bool {
    guard settings.pageReader == .auto,
      error.forClient.code == DocumentError.Code.pageMismatch.rawValue
    else { return false }
    settings.pageReader = .poppler
    return true
  }

  /// Cancels all work and closes the document.
  func close() async {
    await takeTurn()
    guard let opened else { return endTurn() }
    takeClosed()
    // Measuring can be waiting for its turn; then it finds the document closed.
    endTurn()
    watching?.cancel()
    measuring?.cancel()
    await measuring?.value
    await context.queue.remove(opened.source)
  }

  /// No more requests follow: only visible tiles are still drawn.
  func end() async {
    isEnding = true
    watching?.cancel()
    await takeTurn()
    defer { endTurn() }
    guard let opened else { return }
    await focus(on: await opened.viewer.scene, opened.source)
  }

  /// The file as it is now.
  ///
  /// - Throws: `DocumentError` if it cannot be opened or has no pages.
  private func openFile() async throws -> (Document, DocumentInfo, (any PublishedPictures)?) {
    var pictures: (any PublishedPictures)?
    let document: Document
    if let host = context.host, let hosted {
      (document, pictures) = try await host.open(hosted, settings)
    } else {
      document = try Document(path, settings: settings)
    }
    let info = try await document.info()
    guard info.pageCount > 0 else { throw DocumentError.noPages }
    return (document, info, pictures)
  }

  /// The reply to a request that has opened the file.
  ///
  /// - Returns: What writes the line.
  private func line(
    for request: ServeRequest,
    _ opened: Opened,
    _ scene: ViewerScene
  ) -> LineOutput.Line {
    let (name, number) = (name, number)
    return { line in
      line.reply(to: request)
      line.member("document", number)
      line.path(name)
      line.document(opened)
      line.scene(scene)
    }
  }

  /// What clients are told in place of the path, or the path.
  var name: FilePath { hosted.map { FilePath($0.title) } ?? path }

  // MARK: Opening again

  /// Opens the file under the path again at the same place, and replies.
  ///
  /// The document stays as it was if that fails, or is cancelled meanwhile.
  func reload(_ request: ServeRequest) async {
    await takeTurn()
    defer { endTurn() }
    do {
      let (scene, opened) = try await reopenedAfterChange()
      await send(scene, opened.source, line(for: request, opened, scene))
      measure()
    } catch {
      await refuse(request, error)
    }
  }

  /// Opens the file again because it has changed.
  func reloadChangedFile() async {
    await takeTurn()
    defer { endTurn() }
    guard isOpen else { return }
    do {
      let (scene, opened) = try await reopenedAfterChange()
      let (name, number) = (name, number)
      await send(scene, opened.source) { line in
        line.member("event", "reloaded")
        line.member("document", number)
        line.path(name)
        line.document(opened)
        line.scene(scene)
      }
      measure()
    } catch {
      await tell(error, page: nil)
    }
  }

  /// Opens the document again with poppler as the reader of its pages, after poppler has contradicted
  /// the page tree reader; shows the same page. Happens at most once.
  func reopen(because error: any Error) async {
    await takeTurn()
    defer { endTurn() }
    await reopenInTurn(because: error)
  }

  /// As ``reopen(because:)``, for a caller that has the turn.
  ///
  /// - Returns: Whether the document was opened again.
  @discardableResult
  func reopenInTurn(because error: any Error) async -> Bool {
    guard isOpen, leavesPagesToPoppler(after: error) else { return false }
    do {
      let (scene, opened) = try await reopened()
      let number = number
      await send(scene, opened.source) { line in
        line.member("event", "reopened")
        line.member("document", number)
        line.member("pages", opened.info.pageCount)
        line.pictures(opened.pictures)
        line.member("message", error.forClient.message)
        line.scene(scene)
      }
      measure()
      return true
    } catch {
      await tell(error, page: nil)
      return false
    }
  }

  /// Opens the file as it is now, which the page tree reader may read again.
  ///
  /// - Returns: What it shows, and what is open now.
  /// - Throws: Why the file cannot be opened or laid out; the document is unchanged then.
  private func reopenedAfterChange() async throws -> (ViewerScene, Opened) {
    let reader = settings.pageReader
    settings.pageReader = context.settings.pageReader
    do {
      do {
        return try await reopened()
      } catch  where leavesPagesToPoppler(after: error) {
        return try await reopened()
      }
    } catch {
      settings.pageReader = reader
      throw error
    }
  }

  /// Opens the file at the same place with a viewer of its own, and puts both in place of those there are.
  ///
  /// - Returns: What it shows, and what is open now.
  /// - Throws: Why the file cannot be opened or laid out; the document is unchanged then.
  private func reopened() async throws -> (ViewerScene, Opened) {
    guard let old = opened else { throw RequestError("document \(number) is not open") }
    let (document, info, pictures) = try await openFile()
    let options = try await old.options.resolvingLabels(in: document, path: path)
    let viewer = try await old.viewer.carried(
      to: document,
      configuration: try options.configuration(for: info, path: path),
      pages: try options.sequence(for: info, path: path)
    )
    let scene = await viewer.scene
    let opened = try await queued(viewer, info, old.options, pictures)
    take(opened)
    await context.queue.remove(old.source)
    await notices.opened(opened.source)
    (reportedChange, hasChangedBytes) = (nil, false)
    // Tiles of the pages as they were found before are others.
    sent = SentTiles()
    return (scene, opened)
  }
}
