internal import DocumentModel
internal import Geometry
internal import PageLayout
internal import RectoKit
internal import SystemPackage
internal import TileRender

/// One document of a client: its viewer, and what the client is told of it.
///
/// Requests for one document are carried out one after the other, in the order in which they came;
/// documents do not wait for each other. A reply leaves before the queue is told of the new window,
/// so that no tile comes before the geometry it belongs to.
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

  /// What the session wants to know.
  struct Notices: Sendable {
    /// The queue knows the document, and will speak of it by this name.
    var opened: @Sendable (SourceID) async -> Void
    /// Nothing is being measured any more.
    var measured: @Sendable () async -> Void
  }

  /// What a client calls it.
  nonisolated let number: Int
  private let path: FilePath
  private let context: Context
  private let notices: Notices
  private var settings: DocumentSettings
  private var state = State.opening
  private var measuring: Task<Void, Never>?
  private var isEnding = false

  private enum State {
    case opening
    case open(DocumentViewer, SourceID, DocumentFacts, LayoutOptions)
    case closed
  }

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

  /// Opens the file and shows its beginning, or the place that is asked for.
  func open(_ opening: ServeRequest.Opening, options: LayoutOptions, _ request: ServeRequest) async
  {
    do {
      settings.password = opening.password ?? settings.password
      let document = try Document(path, settings: settings)
      let facts = try await document.facts()
      let viewer = try await DocumentViewer(
        document,
        configuration: try options.configuration(for: facts, path: path),
        pages: try options.sequence(for: facts, path: path),
        viewport: opening.move.viewport ?? context.viewport,
        scale: opening.move.scale ?? context.scale,
        tileSide: context.tileSide
      )
      let scene = try await viewer.show(opening.move)
      let source = await context.queue.add(document)
      state = .open(viewer, source, facts, options)
      await notices.opened(source)
      let (path, number) = (path, number)
      await context.output.write { line in
        line.reply(to: request)
        line.member("document", number)
        line.path(path)
        line.member("pages", facts.pageCount)
        line.member("title", facts.title)
        line.scene(scene)
      }
      await focus(on: scene, source)
      measure()
    } catch {
      state = .closed
      await refuse(request, error)
    }
  }

  /// Gives up everything that is under way.
  func close() async {
    guard case .open(_, let source, _, _) = state else { return }
    state = .closed
    measuring?.cancel()
    await measuring?.value
    await context.queue.remove(source)
  }

  /// Nothing more will be asked for: only what the window shows is still worth drawing.
  func end() async {
    isEnding = true
    guard case .open(let viewer, let source, _, _) = state else { return }
    await focus(on: await viewer.scene, source)
  }

  // MARK: Requests

  /// Carries out a request other than `open`.
  func perform(_ operation: ServeRequest.Operation, _ request: ServeRequest) async {
    guard case .open(let viewer, let source, let facts, let options) = state else {
      return await refuse(request, RequestError("document \(number) is not open"))
    }
    do {
      let scene: ViewerScene
      switch operation {
      case .view(_, let move): scene = try await viewer.show(move)
      case .zoom(_, let zoom): scene = try await viewer.zoom(zoom)
      case .destination(_, let page, let destination, let keepsZoom):
        guard page < facts.pageCount else { throw RequestError("page: \(facts.pageWords)") }
        scene = try await viewer.follow(destination, on: page, keepsZoom: keepsZoom)
      case .layout(_, let changes):
        let changed = try options.changed(by: changes)
        var configuration = try changed.configuration(for: facts, path: path)
        // Zoom and fit may have been changed by other requests since.
        let present = await viewer.scene.view.layout.configuration
        if changes["zoom"] == nil { configuration.zoom = present.zoom }
        if changes["fit"] == nil { configuration.fit = present.fit }
        let pages = try changed.sequence(for: facts, path: path)
        do throws(ViewerError) {
          scene = try await viewer.rearrange(configuration, pages: pages)
        } catch .layout(let error) {
          // The request's own options, and not what `view` or `zoom` say.
          throw Failure(error)
        }
        state = .open(viewer, source, facts, changed)
      case .page(_, let point, let geometry):
        let found = try await viewer.page(at: point, geometry: geometry)
        return await reply(request) { line in line.hit(found) }
      case .close:
        await close()
        return await reply(request) { _ in }
      case .open, .stats: return
      }
      let configuration = scene.view.layout.configuration
      await reply(request) { line in
        if request.name == "layout" { line.layout(configuration, sizes: nil) }
        line.scene(scene)
      }
      await focus(on: scene, source)
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

  // MARK: Drawing and measuring

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
      let isWindowKnown = scene.view.layout.unmeasuredPages(inside: scene.window).isEmpty
      if isWindowKnown, isEnding || !context.measuresAll { return }
      do throws(DocumentError) {
        switch try await viewer.measureMore() {
        case .finished: return
        case .confirmed: break
        case .moved(let invalidation, let scene):
          let number = number
          await context.output.write { line in
            line.member("event", "geometry")
            line.member("document", number)
            line.invalidation(invalidation)
            line.scene(scene)
          }
          await focus(on: scene, source)
        }
      } catch {
        guard error.code == .pageMismatch else { return await report(error, page: nil) }
        await reopen(because: error)
        if settings.pageReader != .poppler { return }
      }
    }
  }

  /// Opens the document anew, with poppler as the reader of its pages, after the page tree reader has
  /// turned out to be wrong; shows the same page and tells of it. Once is enough.
  private func reopen(because error: DocumentError) async {
    guard settings.pageReader == .auto, case .open(let viewer, let old, _, let options) = state
    else {
      return
    }
    settings.pageReader = .poppler
    do {
      let document = try Document(path, settings: settings)
      let facts = try await document.facts()
      let before = await viewer.scene
      let layout = before.view.layout
      let opened = try await DocumentViewer(
        document,
        configuration: layout.configuration,
        pages: try options.sequence(for: facts, path: path),
        viewport: layout.viewport,
        scale: before.scale,
        tileSide: context.tileSide,
        geometry: before.geometry + 1
      )
      var move = ViewerMove()
      if let current = before.current, current < facts.pageCount {
        move.place = .page(current, fraction: 0)
      }
      let scene = try await opened.show(move)
      let source = await context.queue.add(document)
      state = .open(opened, source, facts, options)
      await context.queue.remove(old)
      await notices.opened(source)
      let number = number
      await context.output.write { line in
        line.member("event", "reopened")
        line.member("document", number)
        line.member("pages", facts.pageCount)
        line.member("message", error.description)
        line.scene(scene)
      }
      await focus(on: scene, source)
      measure()
    } catch {
      let (code, message) = error.forClient
      await report(DocumentError(.init(rawValue: code), during: "", message), page: nil)
    }
  }

  // MARK: Events

  /// Passes a tile on.
  func deliver(_ key: TileKey, _ tile: Tile) async {
    let number = number
    await context.output.write { line in
      line.member("event", "tile")
      line.member("document", number)
      line.tile(key, tile)
    }
  }

  /// Tells of an error that no request has caused: of a page by its index, or of the document.
  func report(_ error: DocumentError, page: Int?) async {
    if error.code == .pageMismatch, settings.pageReader != .tree {
      return await reopen(because: error)
    }
    let number = number
    await context.output.write { line in
      line.member("event", "error")
      line.member("document", number)
      if let page { line.member("page", page + 1) }
      line.error(error)
    }
  }

  /// Tells once that the cache cannot be written.
  func reportCache() async {
    guard case .open(let viewer, _, _, _) = state,
      let error = await viewer.document.takeCacheFailure()
    else { return }
    await report(error, page: nil)
  }
}

extension Error {
  /// The stable word and the sentence that a client gets.
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
    (option.map { "\($0.requested): " } ?? "") + (page.map { "page \($0): " } ?? "") + message
  }
}

extension DocumentFacts {
  fileprivate var pageWords: String {
    pageCount == 1 ? "the document has 1 page" : "the document has \(pageCount) pages"
  }
}

extension JSONWriter {
  /// The answer to "which page is here".
  fileprivate mutating func hit(_ hit: (page: LaidOutPage, point: Point, facts: PageFacts?)?) {
    guard let hit else { return null("page") }
    object("page") { object in
      object.member("index", hit.page.page)
      object.member("number", hit.page.page + 1)
      object.member("label", hit.facts?.label ?? String(hit.page.page + 1))
      object.object("point") { point in
        point.member("x", hit.point.x)
        point.member("y", hit.point.y)
      }
    }
  }
}
