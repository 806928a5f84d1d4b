internal import DocumentModel
internal import DocumentText
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit

/// Replies to requests for text, links, the outline and pictures. They change nothing, and other requests do not wait
/// for them.
extension ServedDocument {
  /// Carries out a request.
  func answer(_ content: ContentRequest, _ request: ServeRequest) async {
    do {
      do {
        try await carryOut(content, request)
      } catch let error as DocumentError where error.code == .pageMismatch {
        await catchUp()
        try await carryOut(content, request)
      }
      await catchUp()
    } catch {
      await refuse(request, error)
    }
  }

  private func carryOut(_ content: ContentRequest, _ request: ServeRequest) async throws {
    guard let opened else { throw RequestError("document \(number) is not open") }
    let map = ContentMap(opened.viewer, content.coordinates)
    switch content.kind {
    case .text(let page, let area, let hasCharacters, let hasStyles):
      try await text(
        of: page,
        area,
        hasCharacters: hasCharacters,
        hasStyles: hasStyles,
        map,
        opened,
        request
      )
    case .links(let page): try await links(of: page, map, opened, request)
    case .link(let point, let geometry):
      try await link(at: point, geometry, map, opened, request)
    case .outline: try await outline(opened, request)
    case .pages(let first, let count):
      try check(first, opened, "pages.first")
      try await labels(of: Array(opened.pages(from: first, count: count)), opened, request)
    case .annotations(let first, let count):
      try check(first, opened, "annotations.first")
      try await annotations(of: opened.pages(from: first, count: count), opened, request)
    case .attachments:
      let files = try await opened.viewer.document.attachments()
      await reply(request) { line in
        line.array("attachments") { array in
          for file in files { array.object { $0.attachment(file) } }
        }
      }
    case .labeled(let label):
      let page = try await opened.viewer.document.page(labeled: label)
      try await labels(of: [page].compactMap(\.self), opened, request)
    case .picture(let page, let size, let format):
      try await picture(of: page, size, format, opened, request)
    case .search(let query, let pages, let from, let context, let limit):
      let search = TextSearch(
        query,
        pages: pages,
        center: try await center(from, opened, isListed: pages != nil),
        context: context
      )
      try await run(search, limit: limit, map, opened, request)
    case .select(let from, let to, let geometry, let unit, let isJoined):
      let start = try await opened.viewer.nearestPage(to: from, geometry: geometry)
      let end = try await opened.viewer.nearestPage(to: to, geometry: geometry)
      try await select(from: start, to: end, unit, isJoined: isJoined, map, opened, request)
    }
  }

  /// The page that a search begins with.
  private func center(
    _ page: PageIndex?,
    _ opened: Opened,
    isListed: Bool
  ) async throws -> PageIndex? {
    guard let page else { return isListed ? nil : await opened.viewer.scene.current }
    try check(page, opened, "search.from")
    return page
  }

  /// Checks that the document has a page.
  ///
  /// - Throws: A request error that names the member.
  func check(_ page: PageIndex, _ opened: Opened, _ member: String) throws(RequestError) {
    guard Range(pageCount: opened.info.pageCount).contains(page) else {
      throw RequestError("\(member): \(opened.info.pageWords), is \(page.number)")
    }
  }

  // MARK: Pages

  private func text(
    of page: PageIndex,
    _ area: Rect?,
    hasCharacters: Bool,
    hasStyles: Bool,
    _ map: ContentMap,
    _ opened: Opened,
    _ request: ServeRequest
  ) async throws {
    try check(page, opened, "text.page")
    let read = try await opened.viewer.document.text(of: page, hasStyles: hasStyles)
    let text = area.map { read.part(in: $0) } ?? read
    let place = try await map.place(of: page)
    await reply(request) { line in
      line.member("page", page.number)
      line.geometry(of: place)
      line.text(text, hasCharacters: hasCharacters, place)
    }
  }

  private func labels(
    of pages: [PageIndex],
    _ opened: Opened,
    _ request: ServeRequest
  ) async throws {
    let labels = try await opened.viewer.document.labels(of: pages)
    await reply(request) { line in
      line.array("pages") { array in
        for page in pages {
          array.object { object in
            object.member("number", page.number)
            object.member("label", labels[page] ?? String(page.number))
          }
        }
      }
    }
  }

  private func links(
    of page: PageIndex,
    _ map: ContentMap,
    _ opened: Opened,
    _ request: ServeRequest
  ) async throws {
    try check(page, opened, "links.page")
    let document = opened.viewer.document
    let links = try await document.links(of: page)
    let labels = try await document.labels(of: links.compactMap(\.target.page))
    let place = try await map.place(of: page)
    await reply(request) { line in
      line.member("page", page.number)
      line.geometry(of: place)
      line.array("links") { array in
        for link in links { array.object { $0.link(link, labels, place) } }
      }
    }
  }

  /// Replies with the annotations of pages, with the pages whose annotations cannot be read, and with the page from
  /// which there are more than fit a reply.
  private func annotations(
    of pages: Range<PageIndex>,
    _ opened: Opened,
    _ request: ServeRequest
  ) async throws {
    var found: [PageAnnotation] = []
    var failing: [PageIndex] = []
    var next: PageIndex?
    var bytes = 0
    for page in pages {
      guard bytes < Self.mostAnnotationBytes else {
        next = page
        break
      }
      if Task.isCancelled { throw DocumentError.cancelled.during("read the annotations") }
      do throws(DocumentError) {
        let annotations = try await opened.viewer.document.annotations(of: page)
        bytes += annotations.reduce(0) { $0 + $1.byteCount }
        found += annotations
      } catch {
        guard error.code != .usage else { throw error }
        failing.append(page)
      }
    }
    await reply(request) { [found, failing, next] line in
      line.array("annotations") { array in
        for annotation in found { array.object { $0.annotation(annotation) } }
      }
      if !failing.isEmpty {
        line.array("unreadable") { array in for page in failing { array.value(page.number) } }
      }
      if let next { line.member("next", next.number) }
    }
  }

  /// A reply ends with the page that reaches this.
  private static let mostAnnotationBytes = 1 << 20

  private func link(
    at point: Point,
    _ geometry: Int?,
    _ map: ContentMap,
    _ opened: Opened,
    _ request: ServeRequest
  ) async throws {
    let document = opened.viewer.document
    guard let hit = try await opened.viewer.page(at: point, geometry: geometry),
      let link = try await document.links(of: hit.page.page).link(at: hit.point)
    else { return await reply(request) { $0.null("link") } }
    let labels = try await document.labels(of: [link.target.page].compactMap(\.self))
    let place = try await map.place(of: hit.page.page)
    await reply(request) { line in
      line.object("link") { object in
        object.member("page", hit.page.page.number)
        object.geometry(of: place)
        object.link(link, labels, place)
      }
    }
  }

  /// Replies with the outline. It is in memory meanwhile, so the number of concurrent replies is limited.
  ///
  /// - Throws: Any error of opening the document; `cancelled`.
  private func outline(_ opened: Opened, _ request: ServeRequest) async throws {
    let cancelled = DocumentError.cancelled.during("read the outline")
    guard await outlineTurn.enter() else { throw cancelled }
    defer { outlineTurn.leave() }
    guard await context.outlines.enter() else { throw cancelled }
    defer { context.outlines.leave() }
    guard !Task.isCancelled else { throw cancelled }
    let outline = try await opened.viewer.document.outline()
    let labels = try await opened.viewer.document.labels(of: outline.pages)
    await reply(request) { line in
      line.outline(outline.items, labels)
      line.member("incomplete", outline.incomplete)
    }
  }

  private func select(
    from start: PagePlace?,
    to end: PagePlace?,
    _ unit: SelectionUnit,
    isJoined: Bool,
    _ map: ContentMap,
    _ opened: Opened,
    _ request: ServeRequest
  ) async throws {
    var parts: [PageSelectionPart] = []
    if let start, let end {
      parts = try await opened.viewer.document.selection(
        from: start,
        to: end,
        by: unit,
        joiningHyphenatedLines: isJoined
      )
    }
    var placed: [(PageSelectionPart, ContentPlace?)] = []
    for part in parts { placed.append((part, await map.placeIfShown(part.page))) }
    try opened.viewer.document.requireGeneration(opened.viewer.generation)
    await reply(request) { [placed] line in
      line.member("text", placed.map(\.0.selection.string).joined(separator: "\n"))
      line.array("pages") { array in
        for (part, place) in placed {
          array.object { object in
            object.member("page", part.page.number)
            object.geometry(of: place)
            object.member("start", part.selection.scalars.lowerBound)
            object.member("count", part.selection.scalars.count)
            if let place { object.areas(part.selection.areas, place) }
          }
        }
      }
    }
  }

  // MARK: Search

  /// Searches, and writes an event for each page with hits, then the reply.
  ///
  /// - Parameters:
  ///   - limit: The most hits.
  ///   - map: The coordinates of areas.
  /// - Throws: Any error of opening the document; `cancelled`.
  private func run(
    _ search: TextSearch,
    limit: Int,
    _ map: ContentMap,
    _ opened: Opened,
    _ request: ServeRequest
  ) async throws {
    var counts = (hits: 0, pages: 0)
    // A worker stays free for tiles, if there are several.
    let width = max(1, settings.workers - 1)
    do throws(PageExportError) {
      try await search.run(opened.viewer.document, width: width) { page in
        guard opened.isCurrent else { return false }
        counts.pages += page.pages.count
        counts.hits += await report(page, atMost: limit - counts.hits, map, request)
        return counts.hits < limit && !Task.isCancelled
      }
    } catch {
      switch error {
      case .document(let error): throw error
      case .pages(let error): throw RequestError("search.pages: \(error)")
      default: throw error
      }
    }
    try opened.viewer.document.requireGeneration(opened.viewer.generation)
    if Task.isCancelled { throw DocumentError.cancelled.during("search") }
    await reply(request) { [counts] line in
      line.member("hits", counts.hits)
      line.member("pages", counts.pages)
    }
  }

  /// Writes the hits on a page, or its error.
  ///
  /// - Returns: The number of hits that were written.
  private func report(
    _ page: SearchedPage,
    atMost limit: Int,
    _ map: ContentMap,
    _ request: ServeRequest
  ) async -> Int {
    let number = number
    var wanted: ArraySlice<TextHit> = []
    if case .success(let hits) = page.hits { wanted = hits.prefix(max(0, limit)) }
    if case .success = page.hits, wanted.isEmpty { return 0 }
    let place = await map.placeIfShown(page.pages.lowerBound)
    await context.output.write { [wanted] line in
      line.member("event", "hits")
      line.member("document", number)
      if let id = request.id { line.member("id", json: id) }
      line.pages(page.pages)
      switch page.hits {
      case .failure(let error):
        let (code, message) = error.forClient
        line.failure(code: code, message)
      case .success:
        line.geometry(of: place)
        line.hits(wanted, place)
      }
    }
    return wanted.count
  }
}

/// The coordinates of a page's boxes.
struct ContentMap: Sendable {
  private let viewer: Viewer
  private let coordinates: ContentRequest.Coordinates

  /// For the pages of a viewer.
  init(_ viewer: Viewer, _ coordinates: ContentRequest.Coordinates) {
    self.viewer = viewer
    self.coordinates = coordinates
  }

  /// The place of a page in the current layout.
  ///
  /// - Throws: ``ViewerError/noSuchPage(_:)`` if the layout does not show it and content coordinates are
  ///   wanted; `pageMismatch` if the content was read with another page reader than the layout.
  func place(of page: PageIndex) async throws -> ContentPlace {
    let place = await placeIfShown(page)
    try viewer.document.requireGeneration(viewer.generation)
    guard let place else { throw ViewerError.noSuchPage(page) }
    return place
  }

  /// The place of a page in the current layout; nil if the layout does not show it and content coordinates are wanted.
  func placeIfShown(_ page: PageIndex) async -> ContentPlace? {
    guard coordinates == .content else { return ContentPlace(nil) }
    return await viewer.laidOut(page).map { ContentPlace($0.page, geometry: $0.geometry) }
  }
}

extension JSONWriter {
  /// Writes the geometry of content coordinates.
  fileprivate mutating func geometry(of place: ContentPlace?) {
    if let geometry = place?.geometry { member("geometry", geometry) }
  }
}
