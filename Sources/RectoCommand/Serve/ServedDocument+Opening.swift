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
    settings.shown.box = opening.box ?? settings.shown.box
    settings.shown.annotations = opening.annotations ?? settings.shown.annotations
    settings.shown.layers = opening.layers ?? settings.shown.layers
    do {
      let (scene, opened) = try await added(options) { document, configuration, pages in
        let viewer = try await Viewer(
          document,
          configuration: configuration,
          pages: pages,
          viewport: opening.move.viewport ?? context.viewport,
          scale: opening.move.scale ?? context.scale,
          tileSide: opening.tileSide ?? context.tileSide
        )
        _ = try await viewer.show(opening.move)
        return viewer
      }
      take(opened)
      await notices.opened(opened.source)
      watch()
      await send(scene, opened.source, line(for: request, opened, scene))
      follow(opened.viewer.document)
      measure()
    } catch {
      takeClosed()
      await refuse(request, error)
    }
  }

  /// Makes the viewer of a document, and adds the document to the queue unless cancelled.
  ///
  /// - Parameters:
  ///   - options: The given layout options.
  ///   - known: The document; nil to open the file.
  ///   - make: Makes the viewer.
  /// - Returns: The first scene and the opened document.
  /// - Throws: Why the file cannot be opened or laid out; `cancelled`.
  private func added(
    _ options: LayoutOptions,
    _ known: Document? = nil,
    _ make: (Document, LayoutConfiguration, PageSequence) async throws -> Viewer
  ) async throws -> (ViewerScene, Opened) {
    let document = if let known { known } else { try await openFile().0 }
    let (viewer, info, pictures) = try await document.withOneReader {
      let (document, pictures) = try await openFile(document)
      let info = try await document.info()
      guard info.pageCount > 0 else { throw DocumentError.noPages }
      let options = try await options.resolvingLabels(in: document, path: path)
      let configuration = try options.configuration(for: info, path: path)
      let pages = try options.sequence(for: info, path: path)
      return (try await make(document, configuration, pages), info, pictures)
    }
    guard !Task.isCancelled else { throw DocumentError.cancelled.during("open") }
    let opened = Opened(
      viewer: viewer,
      source: await context.queue.add(viewer.document),
      info: info,
      options: options,
      pictures: pictures
    )
    return (await viewer.scene, opened)
  }

  /// Cancels all work and closes the document.
  func close() async {
    await takeTurn()
    guard let opened else { return endTurn() }
    takeClosed()
    // Measuring may wait for its turn; then it finds the document closed.
    endTurn()
    watching?.cancel()
    following?.cancel()
    measuring?.cancel()
    await measuring?.value
    await context.queue.remove(opened.source)
  }

  /// Handles the end of requests: only visible tiles are still drawn.
  func end() async {
    isEnding = true
    watching?.cancel()
    await takeTurn()
    defer { endTurn() }
    guard let opened else { return }
    await focus(on: await opened.viewer.scene, opened.source)
  }

  /// Opens the file, and finds the addresses of its pictures.
  ///
  /// - Parameter known: The document, if it is open and there is no host.
  /// - Throws: `DocumentError` if it cannot be opened.
  private func openFile(
    _ known: Document? = nil
  ) async throws(DocumentError) -> (Document, (any PublishedPictures)?) {
    if let host = context.host, let hosted { return try await host.open(hosted, settings) }
    if let known { return (known, nil) }
    if let address, let remote = context.remote {
      let access = try await AccessReader().access(to: address, remote)
      return (try await Document(url: address, access: access, settings: settings), nil)
    }
    return (try Document(path, settings: settings), nil)
  }

  /// The reply to a request that has opened the file.
  ///
  /// - Returns: A function that writes the line.
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

  /// The host's title of the document, or its path.
  var name: FilePath { hosted.map { FilePath($0.title) } ?? path }

  // MARK: Opening again

  /// Opens the file again, keeps the place, and replies.
  ///
  /// Changes nothing if that fails or is cancelled.
  func reload(_ request: ServeRequest) async {
    await takeTurn()
    defer { endTurn() }
    do {
      try await reopen { line(for: request, $0, $1) }
    } catch {
      await refuse(request, error)
    }
  }

  /// Opens the file again because it has changed.
  func reloadChangedFile() async {
    await takeTurn()
    defer { endTurn() }
    guard isOpen else { return }
    let (name, number) = (name, number)
    do {
      try await reopen { opened, scene in
        { line in
          line.member("event", "reloaded")
          line.member("document", number)
          line.path(name)
          line.document(opened)
          line.scene(scene)
        }
      }
    } catch {
      await report(error, page: nil)
    }
  }

  /// Lays out the document again if poppler has become its page reader since; shows the same page.
  ///
  /// - Returns: Whether the document was laid out again.
  @discardableResult
  func catchUp() async -> Bool {
    guard let opened, !opened.isCurrent else { return false }
    await takeTurn()
    defer { endTurn() }
    return await catchUpInTurn()
  }

  /// Like ``catchUp()``, for a caller that has the turn.
  @discardableResult
  func catchUpInTurn() async -> Bool {
    guard let opened, !opened.isCurrent else { return false }
    let (document, number) = (opened.viewer.document, number)
    do {
      try await reopen(document) { opened, scene in
        { line in
          line.member("event", "reopened")
          line.member("document", number)
          line.member("pages", opened.info.pageCount)
          line.pictures(opened.pictures)
          line.member("message", document.mismatch?.description)
          line.scene(scene)
        }
      }
      return true
    } catch {
      await report(error, page: nil)
      return false
    }
  }

  /// Lays out the document at the same place in a new viewer, replaces document and viewer, and sends the scene.
  ///
  /// - Parameters:
  ///   - known: The document; nil to open the file.
  ///   - line: Makes the line to write.
  /// - Throws: Why the file cannot be opened or laid out; the document is unchanged then.
  private func reopen(
    _ known: Document? = nil,
    _ line: (Opened, ViewerScene) -> LineOutput.Line
  ) async throws {
    guard let old = opened else { throw RequestError("document \(number) is not open") }
    let (scene, opened) = try await added(old.options, known) { document, configuration, pages in
      try await old.viewer.carried(to: document, configuration: configuration, pages: pages)
    }
    take(opened)
    await context.queue.remove(old.source)
    await notices.opened(opened.source)
    (reportedChange, hasChangedBytes) = (nil, false)
    // The old tiles are not valid for the new scene.
    sent = SentTiles()
    await send(scene, opened.source, line(opened, scene))
    if opened.viewer.document !== old.viewer.document { follow(opened.viewer.document) }
    measure()
  }
}

/// Reads settings of stores on its own queue: a program that prints credentials may be slow.
private actor AccessReader {
  private let executor = QueueExecutor(label: "recto.access-reader")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func access(
    to address: RemoteAddress,
    _ options: RemoteOptions
  ) throws(DocumentError) -> RemoteAccess {
    try options.document(at: address).access
  }
}
