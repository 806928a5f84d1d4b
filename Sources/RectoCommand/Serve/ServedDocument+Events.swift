internal import DocumentModel
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import RectoTiles

/// Events of a document.
extension ServedDocument {
  // MARK: Measuring

  /// Measures in the background until all pages are measured.
  func measure() {
    guard measuring == nil else { return }
    measuring = Task {
      await measureOn()
      measuring = nil
      await notices.measured()
    }
  }

  private func measureOn() async {
    var isFirst = true
    while let opened, !Task.isCancelled {
      let viewer = opened.viewer
      let scene = await viewer.scene
      let layout = scene.documentLayout.layout
      let isWindowKnown = layout.unmeasuredPages(inside: scene.drawnArea).isEmpty
      if isWindowKnown {
        if isEnding || !context.measuresAll { return }
        // A document with few pages is measured at once.
        if !isFirst {
          await context.queue.completion(of: opened.source, within: Self.longestPause)
        }
        isFirst = false
      }
      do throws(DocumentError) {
        guard let portion = try await viewer.measureNext() else {
          // Another viewer may have replaced it meanwhile.
          if isShown(viewer) { return } else { continue }
        }
        await takeTurn()
        await show(portion, in: viewer, opened.source)
        endTurn()
      } catch {
        if await !catchUp(), isShown(viewer) { return await report(error, page: nil) }
      }
    }
  }

  /// The longest time that measuring waits for visible tiles: a slow page must not stop it.
  private static let longestPause = Duration.seconds(1)

  private func isShown(_ viewer: Viewer) -> Bool { opened?.viewer === viewer }

  /// Writes changes by measured sizes, unless the document was closed or reopened in the meantime.
  ///
  /// - Parameters:
  ///   - source: The name of the document in the queue.
  private func show(
    _ portion: Viewer.Portion,
    in viewer: Viewer,
    _ source: SourceID
  ) async {
    guard isShown(viewer), case .moved(let invalidation, let scene) = await viewer.takeIn(portion)
    else { return }
    let number = number
    await send(scene, source) { line in
      line.member("event", "geometry")
      line.member("document", number)
      line.invalidation(invalidation)
      line.scene(scene)
    }
  }

  // MARK: Drawing

  /// Writes a tile of the queue, unless the latest scene does not show it or it was written already.
  ///
  /// - Parameters:
  ///   - source: The name of the document in the queue.
  func deliver(_ key: TileKey, _ tile: Tile, from source: SourceID) async {
    await catchUp()
    guard let opened, opened.source == source, sent.takes(key) else { return }
    let number = number
    let address = opened.pictures?.publish(tile, key)
    context.output.add(picture: tile.bytes) { line, pictures in
      line.member("event", "tile")
      line.member("document", number)
      line.tile(key, tile, pictures, address)
    }
    await context.output.flush()
  }

  /// Writes the error of a page, unless the latest scene does not show the page.
  ///
  /// - Parameters:
  ///   - raster: The page as it should have been drawn.
  ///   - error: The error.
  ///   - source: The name of the document in the queue.
  func reportFailure(of raster: PageRaster, _ error: DocumentError, from source: SourceID) async {
    await catchUp()
    guard opened?.source == source, sent.shows(raster) else { return }
    await report(error, page: raster.pageIndex)
  }

  /// Writes an error of a page or document that is not caused by a request.
  ///
  /// - Parameters:
  ///   - page: The page of the error; nil if there is none.
  ///   - code: The code of the error; nil for its own.
  func report(_ error: any Error, page: PageIndex?, code: String? = nil) async {
    // All later pages have the same error: report it once.
    if let error = error as? DocumentError, error.code == .changed {
      if hasChangedBytes { return }
      hasChangedBytes = true
    }
    let (ownCode, message) = error.forClient
    let number = number
    context.output.add { line in
      line.member("event", "error")
      line.member("document", number)
      if let page { line.member("page", page.number) }
      line.failure(code: code ?? ownCode, message)
    }
    await context.output.flush()
  }

  /// Writes once that the cache cannot be written.
  func reportCache() async {
    guard let error = await opened?.viewer.document.takeCacheFailure() else { return }
    await report(error, page: nil, code: "cache")
  }

  // MARK: Changes

  /// Starts to lay out the document again whenever its page reader changes.
  func follow(_ document: Document) {
    following?.cancel()
    let changes = document.generations
    following = Task {
      // It may have changed before the line above.
      await catchUp()
      for await _ in changes { await catchUp() }
    }
  }

  /// Starts to report changes of the file at the path to the client; servers are not asked.
  func watch() {
    guard watching == nil, address == nil, let watcher = context.watcher else { return }
    let changes = watcher.changes(of: path)
    watching = Task { for await identity in changes { await fileChanged(to: identity) } }
  }

  /// Writes that the file at the path has changed, once for each state.
  private func fileChanged(to identity: FileIdentity) async {
    guard let opened, reportedChange.map({ !identity.holdsBytes(of: $0) }) ?? true,
      !identity.holdsBytes(of: opened.viewer.document.identity)
    else { return }
    reportedChange = identity
    let (name, number) = (name, number)
    context.output.add { line in
      line.member("event", "changed")
      line.member("document", number)
      line.path(name)
    }
    await context.output.flush()
    if context.reloads { await reloadChangedFile() }
  }
}
