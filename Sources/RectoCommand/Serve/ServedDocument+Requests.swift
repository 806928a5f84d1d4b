internal import DocumentModel
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit

/// Replies to requests for an open document.
extension ServedDocument {
  /// Carries out a request other than `open`.
  func perform(_ operation: ServeRequest.Operation, _ request: ServeRequest) async {
    switch operation {
    case .close where isOpen:
      await close()
      return await reply(request) { _ in }
    case .reload where isOpen: return await reload(request)
    default: break
    }
    await takeTurn()
    defer { endTurn() }
    await catchUpInTurn()
    do {
      try await carryOut(operation, request)
    } catch {
      await refuse(request, error)
    }
  }

  /// Performs a request for the open document, and replies.
  ///
  /// - Throws: The error; then nothing has changed.
  private func carryOut(
    _ operation: ServeRequest.Operation,
    _ request: ServeRequest
  ) async throws {
    guard let opened else { throw RequestError("document \(number) is not open") }
    if case .page(_, let point, let geometry) = operation {
      let found = try await opened.viewer.page(at: point, geometry: geometry)
      return await reply(request) { line in line.hit(found) }
    }
    let before = request.wantsTransition ? await opened.viewer.scene : nil
    guard let scene = try await scene(after: operation, opened) else { return }
    let configuration = scene.documentLayout.layout.configuration
    let number = number
    await send(scene, opened.source) { line in
      line.reply(to: request)
      line.member("document", number)
      if request.name == "layout" { line.layout(configuration, sizes: nil) }
      line.scene(scene)
      if let before { line.transition(from: before, to: scene) }
    }
    measure()
  }

  /// Changes the viewer.
  ///
  /// - Returns: The new scene; nil for operations handled elsewhere.
  /// - Throws: The error; then nothing has changed.
  private func scene(
    after operation: ServeRequest.Operation,
    _ opened: Opened
  ) async throws -> ViewerScene? {
    switch operation {
    case .view(_, let move): return try await opened.viewer.show(move)
    case .zoom(_, let zoom): return try await opened.viewer.zoom(zoom)
    case .destination(_, let page, let destination, let keepsZoom):
      guard Range(pageCount: opened.info.pageCount).contains(page) else {
        throw RequestError("destination.page: \(opened.info.pageWords), is \(page.number)")
      }
      return try await opened.viewer.follow(destination, on: page, keepsZoom: keepsZoom)
    case .layout(_, let changes, let move):
      var changed = opened
      changed.options = try opened.options.changed(by: changes)
      let scene = try await rearrange(changed, by: changes, showing: move)
      take(changed)
      return scene
    case .namedDestination(_, let name, let keepsZoom):
      guard let place = try await opened.viewer.document.destination(named: name) else {
        throw RequestError("destination.name: the document has no destination \"\(name)\"")
      }
      return try await opened.viewer.follow(place, keepsZoom: keepsZoom)
    case .open, .reload, .page, .content, .settings, .stats, .cancel, .close: return nil
    }
  }

  /// Applies other layout options.
  ///
  /// - Returns: The new scene.
  /// - Throws: The error if the options cannot be used.
  private func rearrange(
    _ opened: Opened,
    by changes: [String: JSONValue],
    showing move: ViewerMove
  ) async throws -> ViewerScene {
    let options = try await opened.options.resolvingLabels(
      in: opened.viewer.document,
      path: path
    )
    var configuration = try options.configuration(for: opened.info, path: path)
    // Other requests may have changed zoom, fit and the zoom of spreads since.
    let present = await opened.viewer.scene.documentLayout.layout.configuration
    if changes["zoom"] == nil { configuration.zoom = present.zoom }
    if changes["fit"] == nil { configuration.fit = present.fit }
    configuration.spreadViews = present.spreadViews
    let pages = try options.sequence(for: opened.info, path: path)
    do throws(ViewerError) {
      return try await opened.viewer.rearrange(configuration, pages: pages, showing: move)
    } catch .layout(let error) {
      // An error of the request's options, not of those set by `view` or `zoom`.
      throw Failure(error)
    }
  }
}

extension DocumentInfo {
  var pageWords: String {
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
