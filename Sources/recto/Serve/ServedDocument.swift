internal import DocumentModel
internal import Geometry
internal import PageLayout
internal import PageNumbers
internal import RectoKit
internal import SystemPackage
internal import Tiles

/// One document of a client: its viewer, replies and events.
///
/// Requests for one document are carried out one after the other, in the order in which they came;
/// documents do not wait for each other. A scene is written before the queue gets the new window, so that
/// no tile precedes the geometry it belongs to. From then on ``SentTiles`` drops events that were on
/// its way for an older one.
///
/// Changing the viewer, writing the scene and moving the queue's focus is one turn; turns of requests
/// and of measuring follow each other, so scenes come in the order in which they came to be.
actor ServedDocument {
  /// What all documents of a session have in common.
  struct Context: Sendable {
    var settings: DocumentSettings
    var viewport: Size
    var scale: Double
    var tileSide: Int
    /// Whether pages outside the window are measured as well.
    var measuresAll: Bool
    var queue: RenderQueue
    var output: LineOutput
  }

  /// Callbacks of the session.
  struct Notices: Sendable {
    /// The queue has the document, and identifies it by this name.
    var opened: @Sendable (SourceID) async -> Void
    /// Nothing is being measured any more.
    var measured: @Sendable () async -> Void
  }

  /// The number in requests.
  nonisolated let number: Int
  private let path: FilePath
  private let context: Context
  private let notices: Notices
  private var settings: DocumentSettings
  private var state = State.opening
  private var measuring: Task<Void, Never>?
  private var sent = SentTiles()
  private var isTurnTaken = false
  private var waitingForTurn: [CheckedContinuation<Void, Never>] = []
  private var isEnding = false

  private enum State {
    case opening
    case open(Viewer, SourceID, DocumentInfo, LayoutOptions)
    case closed
  }

  /// A document that has not been opened yet.
  ///
  /// - Parameters:
  ///   - number: The number by which requests name the document.
  ///   - path: The file to open.
  ///   - context: What all documents of the session share.
  ///   - notices: The callbacks of the session.
  init(_ number: Int, path: FilePath, context: Context, notices: Notices) {
    self.number = number
    self.path = path
    self.context = context
    self.notices = notices
    settings = context.settings
  }

  /// Whether it has been opened and not been closed.
  var isOpen: Bool {
    if case .open = state { true } else { false }
  }

  /// Whether sizes are still being measured.
  var isMeasuring: Bool { measuring != nil }

  // MARK: Opening and closing

  /// Opens the file and replies with its first scene, or with the error.
  ///
  /// - Parameters:
  ///   - opening: The document and the initial viewport.
  ///   - options: The layout options.
  ///   - request: The request to reply to.
  func open(_ opening: ServeRequest.Opening, options: LayoutOptions, _ request: ServeRequest) async
  {
    do {
      settings.password = opening.password ?? settings.password
      let document = try Document(path, settings: settings)
      let info = try await document.info()
      let resolved = try await options.resolvingLabels(in: document, path: path)
      let viewer = try await Viewer(
        document,
        configuration: try resolved.configuration(for: info, path: path),
        pages: try resolved.sequence(for: info, path: path),
        viewport: opening.move.viewport ?? context.viewport,
        scale: opening.move.scale ?? context.scale,
        tileSide: context.tileSide
      )
      let scene = try await viewer.show(opening.move)
      let source = await context.queue.add(document)
      state = .open(viewer, source, info, options)
      await notices.opened(source)
      let (path, number) = (path, number)
      await send(scene, source) { line in
        line.reply(to: request)
        line.member("document", number)
        line.path(path)
        line.member("pages", info.pageCount)
        line.member("title", info.title)
        line.scene(scene)
      }
      measure()
    } catch {
      state = .closed
      await refuse(request, error)
    }
  }

  /// Cancels all work and closes the document.
  func close() async {
    await takeTurn()
    guard case .open(_, let source, _, _) = state else { return endTurn() }
    state = .closed
    // Measuring can be waiting for its turn; then it finds the document closed.
    endTurn()
    measuring?.cancel()
    await measuring?.value
    await context.queue.remove(source)
  }

  /// No more requests follow: only visible tiles are still drawn.
  func end() async {
    isEnding = true
    await takeTurn()
    defer { endTurn() }
    guard case .open(let viewer, let source, _, _) = state else { return }
    await focus(on: await viewer.scene, source)
  }

  // MARK: Requests

  /// Carries out a request other than `open`.
  func perform(_ operation: ServeRequest.Operation, _ request: ServeRequest) async {
    if case .close = operation, isOpen {
      await close()
      return await reply(request) { _ in }
    }
    await takeTurn()
    defer { endTurn() }
    guard case .open(let viewer, let source, let info, let options) = state else {
      return await refuse(request, RequestError("document \(number) is not open"))
    }
    do {
      let before = request.wantsTransition ? await viewer.scene : nil
      let scene: ViewerScene
      switch operation {
      case .view(_, let move): scene = try await viewer.show(move)
      case .zoom(_, let zoom): scene = try await viewer.zoom(zoom)
      case .destination(_, let page, let destination, let keepsZoom):
        guard Range(pageCount: info.pageCount).contains(page) else {
          throw RequestError("page: \(info.pageWords)")
        }
        scene = try await viewer.follow(destination, on: page, keepsZoom: keepsZoom)
      case .layout(_, let changes):
        let changed = try options.changed(by: changes)
        scene = try await rearrange(viewer, changed, by: changes, info)
        state = .open(viewer, source, info, changed)
      case .page(_, let point, let geometry):
        let found = try await viewer.page(at: point, geometry: geometry)
        return await reply(request) { line in line.hit(found) }
      case .open, .stats, .close: return
      }
      let configuration = scene.documentLayout.layout.configuration
      let number = number
      await send(scene, source) { line in
        line.reply(to: request)
        line.member("document", number)
        if request.name == "layout" { line.layout(configuration, sizes: nil) }
        line.scene(scene)
        if let before { line.transition(from: before, to: scene) }
      }
      measure()
    } catch {
      await refuse(request, error)
    }
  }

  private func reply(
    _ request: ServeRequest,
    _ body: @escaping @Sendable (inout JSONWriter) -> Void
  ) async {
    let number = number
    await context.output.write { line in
      line.reply(to: request)
      line.member("document", number)
      body(&line)
    }
  }

  private func refuse(_ request: ServeRequest, _ error: any Error) async {
    let (code, message) = error.forClient
    await reply(request) { $0.failure(code: code, message) }
  }

  // MARK: Turns

  /// Waits until no other turn is active; the caller has to end this one.
  private func takeTurn() async {
    guard isTurnTaken else {
      isTurnTaken = true
      return
    }
    await withCheckedContinuation { waitingForTurn.append($0) }
  }

  private func endTurn() {
    if waitingForTurn.isEmpty {
      isTurnTaken = false
    } else {
      waitingForTurn.removeFirst().resume()
    }
  }

  // MARK: Drawing and measuring

  /// Writes a scene, then lets the queue draw it.
  ///
  /// - Parameters:
  ///   - scene: The scene that the line describes.
  ///   - source: The name of the document in the queue.
  ///   - line: Writes the reply or event.
  private func send(
    _ scene: ViewerScene,
    _ source: SourceID,
    _ line: @escaping LineOutput.Line
  ) async {
    // One step: an event is written before this line, or is checked against this scene.
    sent.show(scene)
    context.output.add(line)
    await context.output.flush()
    await focus(on: scene, source)
  }

  private func focus(on scene: ViewerScene, _ source: SourceID) async {
    await context.queue.focus(source, on: scene.tileWindow(reachesOut: !isEnding))
  }

  /// Measures in the background as long as there is something to measure.
  private func measure() {
    guard measuring == nil else { return }
    measuring = Task {
      await measureOn()
      measuring = nil
      await notices.measured()
    }
  }

  private func measureOn() async {
    while case .open(let viewer, let source, _, _) = state, !Task.isCancelled {
      let scene = await viewer.scene
      let isWindowKnown = scene.documentLayout.layout.unmeasuredPages(inside: scene.window).isEmpty
      if isWindowKnown, isEnding || !context.measuresAll { return }
      do throws(DocumentError) {
        guard let portion = try await viewer.measureNext() else { return }
        await takeTurn()
        await show(portion, in: viewer, source)
        endTurn()
      } catch {
        guard error.code == .pageMismatch else { return await report(error, page: nil) }
        await reopen(because: error)
        if settings.pageReader != .poppler { return }
      }
    }
  }

  /// Writes what has moved because of measured sizes, unless the document was closed or reopened in the
  /// meantime.
  ///
  /// - Parameters:
  ///   - portion: The measured sizes.
  ///   - viewer: The viewer that measured them.
  ///   - source: The name of the document in the queue.
  private func show(
    _ portion: Viewer.Portion,
    in viewer: Viewer,
    _ source: SourceID
  ) async {
    guard case .open(let present, _, _, _) = state, present === viewer,
      case .moved(let invalidation, let scene) = await viewer.takeIn(portion)
    else { return }
    let number = number
    await send(scene, source) { line in
      line.member("event", "geometry")
      line.member("document", number)
      line.invalidation(invalidation)
      line.scene(scene)
    }
  }

  /// Lays out anew with other options.
  ///
  /// - Parameters:
  ///   - viewer: The viewer of the document.
  ///   - options: All options.
  ///   - changes: The options that the request names.
  ///   - info: The info of the document.
  /// - Returns: What the viewer shows then.
  /// - Throws: Why the options cannot be used.
  private func rearrange(
    _ viewer: Viewer,
    _ options: LayoutOptions,
    by changes: [String: JSONValue],
    _ info: DocumentInfo
  ) async throws -> ViewerScene {
    let options = try await options.resolvingLabels(in: viewer.document, path: path)
    var configuration = try options.configuration(for: info, path: path)
    // Zoom and fit may have been changed by other requests since.
    let present = await viewer.scene.documentLayout.layout.configuration
    if changes["zoom"] == nil { configuration.zoom = present.zoom }
    if changes["fit"] == nil { configuration.fit = present.fit }
    let pages = try options.sequence(for: info, path: path)
    do throws(ViewerError) {
      return try await viewer.rearrange(configuration, pages: pages)
    } catch .layout(let error) {
      // The options of the request, not those set by `view` or `zoom`.
      throw Failure(error)
    }
  }

  /// Opens the document again with poppler as the reader of its pages, after poppler has contradicted
  /// the page tree reader; shows the same page. Happens at most once.
  private func reopen(because error: DocumentError) async {
    await takeTurn()
    defer { endTurn() }
    guard settings.pageReader == .auto, case .open(let viewer, let old, _, let options) = state
    else {
      return
    }
    settings.pageReader = .poppler
    do {
      let document = try Document(path, settings: settings)
      let info = try await document.info()
      let resolved = try await options.resolvingLabels(in: document, path: path)
      let before = await viewer.scene
      let layout = before.documentLayout.layout
      let opened = try await Viewer(
        document,
        configuration: layout.configuration,
        pages: try resolved.sequence(for: info, path: path),
        viewport: layout.viewport,
        scale: before.scale,
        tileSide: context.tileSide,
        geometry: before.geometry + 1
      )
      var move = ViewerMove()
      if let current = before.current, Range(pageCount: info.pageCount).contains(current) {
        move.place = .page(current, fraction: 0)
      }
      let scene = try await opened.show(move)
      let source = await context.queue.add(document)
      state = .open(opened, source, info, options)
      await context.queue.remove(old)
      await notices.opened(source)
      let number = number
      // Tiles of the pages as they were found before are others.
      sent = SentTiles()
      await send(scene, source) { line in
        line.member("event", "reopened")
        line.member("document", number)
        line.member("pages", info.pageCount)
        line.member("message", error.description)
        line.scene(scene)
      }
      measure()
    } catch {
      let (code, message) = error.forClient
      await report(DocumentError(.init(rawValue: code), during: "", message), page: nil)
    }
  }

  // MARK: Events

  /// Writes a tile of the queue, unless the latest scene does not show it or it was written already.
  ///
  /// - Parameters:
  ///   - key: The position of the tile.
  ///   - tile: The picture.
  ///   - source: The name of the document in the queue.
  func deliver(_ key: TileKey, _ tile: Tile, from source: SourceID) async {
    guard case .open(_, source, _, _) = state, sent.takes(key) else { return }
    let number = number
    context.output.add { line in
      line.member("event", "tile")
      line.member("document", number)
      line.tile(key, tile)
    }
    await context.output.flush()
  }

  /// Writes the error of a page, unless the latest scene does not show the page.
  ///
  /// - Parameters:
  ///   - raster: The page as it should have been drawn.
  ///   - error: Why it was not.
  ///   - source: The name of the document in the queue.
  func reportFailure(of raster: PageRaster, _ error: DocumentError, from source: SourceID) async {
    guard case .open(_, source, _, _) = state else { return }
    // That pages are others than promised counts wherever they are.
    guard error.code == .pageMismatch || sent.shows(raster) else { return }
    await report(error, page: raster.pageIndex)
  }

  /// Writes an error that no request has caused: of a page, or of the document.
  func report(_ error: DocumentError, page: PageIndex?) async {
    if error.code == .pageMismatch, settings.pageReader != .tree {
      return await reopen(because: error)
    }
    let number = number
    context.output.add { line in
      line.member("event", "error")
      line.member("document", number)
      if let page { line.member("page", page.number) }
      line.error(error)
    }
    await context.output.flush()
  }

  /// Writes once that the cache cannot be written.
  func reportCache() async {
    guard case .open(let viewer, _, _, _) = state,
      let error = await viewer.document.takeCacheFailure()
    else { return }
    await report(error, page: nil)
  }
}

extension Error {
  /// The stable code and the message for a client.
  fileprivate var forClient: (code: String, message: String) {
    switch self {
    case let error as RequestError: ("usage", error.message)
    case let error as ViewerError: ("usage", error.description)
    case let error as LayoutError: Failure(error).forClient
    case let error as DocumentError: (error.code.rawValue, error.description)
    case let failure as Failure: (failure.code, failure.messageForClient)
    default: ("fault", "\(self)")
    }
  }
}

extension Failure {
  /// The option as a request names it, the page, and what is wrong.
  fileprivate var messageForClient: String {
    (option.map { "\($0.requested): " } ?? "") + (page.map { "page \($0.number): " } ?? "")
      + message
  }
}

extension DocumentInfo {
  fileprivate var pageWords: String {
    pageCount == 1 ? "the document has 1 page" : "the document has \(pageCount) pages"
  }
}

extension JSONWriter {
  /// The answer to "which page is here".
  fileprivate mutating func hit(_ hit: (page: LaidOutPage, point: Point, info: PageInfo?)?) {
    guard let hit else { return null("page") }
    object("page") { object in
      object.member("index", hit.page.page.value)
      object.member("number", hit.page.page.number)
      object.member("label", hit.info?.label ?? String(hit.page.page.number))
      object.point("point", hit.point)
    }
  }
}
