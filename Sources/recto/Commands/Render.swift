internal import ArgumentParser
internal import DocumentModel
internal import FileSystem
internal import Geometry
internal import PageLayout
internal import RectoKit
internal import SystemPackage
internal import Tiles

/// `recto render`.
struct Render: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Render a viewport as PNG tiles and JSON.",
    discussion: """
      Prints the JSON of `recto layout` and the tiles that cover the visible part of each page. \
      The tile grid starts at the top left of the page, so neighboring viewports share tiles. \
      Cached tiles are not rendered again; if all tiles are cached, the PDF is not opened.

      Example:
        recto render book.pdf --page 12 --viewport 800x600 --scale 2 -o out
      """
  )

  @Argument(help: ArgumentHelp("The PDF.", valueName: "file"))
  var file: String

  @OptionGroup(title: "Layout") var layout: LayoutOptions
  @OptionGroup(title: "Viewport") var window: WindowOptions
  @OptionGroup(title: "Output") var output: RenderOptions
  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  func validate() throws {
    if cache.noCache, output.output == nil, output.image == nil {
      throw ValidationError(
        "--no-cache needs --output or --image: without the cache, tiles have no other destination"
      )
    }
    if window.fromLayout != nil {
      guard output.image != nil, output.output == nil, output.prefetch == 0 else {
        throw ValidationError("--from-layout needs --image, and excludes --output and --prefetch")
      }
      guard window.progress != nil else {
        throw ValidationError("--from-layout needs --progress")
      }
    }
    if cache.noCache, output.prefetch > 0 {
      throw ValidationError("--prefetch cannot be used with --no-cache")
    }
  }

  func run() async throws {
    let messages = messages.messages
    try await reporting(messages) { () throws(Failure) in
      let image = try output.image.map { path throws(Failure) in
        try PictureOutput(path, of: file)
      }
      // No other picture has the scales of pages that are on their way.
      let directory = window.fromLayout == nil ? cache.directory(messages) : nil
      var settings = try document.settings(cache: directory)
      settings.workersAhead = 1
      return try await agreeing(with: settings, messages) { settings throws(Failure) in
        try await run(settings, image, messages)
      }
    }
  }

  private func run(
    _ settings: DocumentSettings,
    _ image: PictureOutput?,
    _ messages: Messages
  ) async throws(Failure) -> Bool {
    var session = try await ViewSession(
      file,
      layout: layout,
      window: window,
      settings: settings
    )
    if let image, let transition = try await session.transition(window, from: layout) {
      return try await run(transition, session, image, messages)
    }
    let rect = try await session.window(window)
    let rendered = try await render(&session, rect)
    if let mismatch = rendered.mismatch { throw session.failure(mismatch) }
    let input = session.document.identity.node
    let files = try output.output.map { folder throws(Failure) in
      var folder = TileFolder(FilePath(argument: folder), sparing: input)
      return try folder.save(rendered.tiles)
    }
    if let image { try image.write(try picture(rendered, session, rect), sparing: input) }
    if image?.isStandardOutput != true {
      try StandardStreams.write(json(session, rect, rendered, files))
    }
    await session.reportCache(messages)
    let succeeded = report(rendered, session, messages)
    await prefetch(&session, rect, workers: settings.workers)
    return succeeded
  }

  /// The spreads of a window and a result for each of their pages, in order.
  struct Rendered {
    var spreads: [LaidOutSpread]
    var tiles: [Result<PageTiles, DocumentError>]

    var pages: [(LaidOutPage, Result<PageTiles, DocumentError>)] {
      Array(zip(spreads.flatMap(\.pages), tiles))
    }

    /// The error of a page that is not the one that was laid out.
    var mismatch: DocumentError? {
      tiles.lazy.compactMap { tiles in
        if case .failure(let error) = tiles, error.code == .pageMismatch { error } else { nil }
      }.first
    }
  }

  private func render(_ session: inout ViewSession, _ rect: Rect) async throws(Failure) -> Rendered
  {
    do {
      let spreads = try await session.view.spreads(in: rect)
      let tiles = await session.view.tiles(
        of: spreads,
        in: rect,
        scale: window.scale,
        tileSide: output.tile
      )
      return Rendered(spreads: spreads, tiles: tiles)
    } catch {
      throw session.failure(error)
    }
  }

  private func json(
    _ session: ViewSession,
    _ rect: Rect,
    _ rendered: Rendered,
    _ files: [[FilePath]]?
  ) -> [UInt8] {
    var writer = JSONWriter()
    var place = 0
    writer.object { object in
      object.member("format", 1)
      object.document(session.path, session.facts)
      object.layout(session.configuration, sizes: window.sizesWanted.rawValue)
      object.content(session.view.layout)
      object.window(rect, of: session.view.layout)
      object.turn(rect, progress: window.progress, of: session.view.layout)
      object.member("pixelScale", window.scale)
      object.member("tileSize", output.tile)
      object.array("spreads") { array in
        for spread in rendered.spreads {
          array.spread(spread, of: session.view, window: rect) { writer, page in
            if case .success = rendered.tiles[place] { writer.place(page, scale: window.scale) }
            writer.tiles(rendered.tiles[place], files: files?[place])
            place += 1
          }
        }
      }
    }
    writer.newline()
    return writer.bytes
  }

  /// The whole window as PNG.
  private func picture(
    _ rendered: Rendered,
    _ session: ViewSession,
    _ rect: Rect
  ) throws(Failure) -> [UInt8] {
    do {
      var picture = try WindowPicture(
        of: rect,
        scale: window.scale,
        background: output.background,
        hasShadow: output.shadow
      )
      for spread in rendered.spreads { picture.addShadow(of: spread) }
      for (page, tiles) in rendered.pages { try picture.add(page, tiles: try? tiles.get()) }
      return try picture.png()
    } catch {
      throw session.failure(error)
    }
  }

  /// Says what failed and what was complained about; returns whether nothing failed.
  private func report(_ rendered: Rendered, _ session: ViewSession, _ messages: Messages) -> Bool {
    var succeeded = true
    for (page, result) in rendered.pages {
      switch result {
      case .failure(let error):
        succeeded = false
        messages.print(error, path: session.path, page: page.page + 1)
      case .success(let tiles) where tiles.complaints.count > 0:
        messages.print(
          code: "warning",
          path: session.path,
          page: page.page + 1,
          tiles.complaints.summary
        )
      case .success: break
      }
    }
    return succeeded
  }

  /// Draws the windows that come next into the cache.
  ///
  /// The answer was given; what fails here is told when somebody asks for it.
  private func prefetch(_ session: inout ViewSession, _ rect: Rect, workers: Int) async {
    guard output.prefetch > 0 else { return }
    // Nobody looks at these tiles before the process ends: no memory, the cache is what counts.
    let queue = RenderQueue(RenderQueue.Settings(slots: workers, memoryBytes: 0))
    let source = await queue.add(session.document)
    await withTaskGroup(of: Void.self) { group in
      var asked = 0
      var last = rect
      for _ in 0..<output.prefetch {
        guard let next = await window(after: last, in: &session) else { break }
        for tile in (try? await tiles(in: next, of: &session)) ?? [] {
          if asked >= Self.tilesAskedFor { await group.next() }
          asked += 1
          group.addTask { _ = try? await queue.tile(tile, of: source, urgency: .prefetch) }
        }
        last = next
      }
    }
    await queue.shutdown()
  }

  /// Tiles asked for at a time: enough that no worker waits for the next page to be measured.
  private static let tilesAskedFor = 256

  /// The window one viewport further on; nil at the end of the content.
  private func window(after last: Rect, in session: inout ViewSession) async -> Rect? {
    var offset = last.origin
    switch layout.axis {
    case .vertical: offset.y += last.height
    case .horizontal: offset.x += session.configuration.isRightToLeft ? -last.width : last.width
    }
    let next = try? await session.view.window(at: .offset(offset), sizes: .estimated)
    return next?.origin == last.origin ? nil : next
  }

  /// The tiles that a window shows of pages that can be drawn, page by page.
  private func tiles(
    in rect: Rect,
    of session: inout ViewSession
  ) async throws(DocumentError) -> [TileKey] {
    let pages = try await session.view.spreads(in: rect).flatMap(\.pages)
    let shown = TileWindow(
      pages: session.view.placed(pages, in: rect, scale: window.scale, tileSide: output.tile)
        .compactMap { try? $0.get() },
      viewport: rect,
      scale: window.scale,
      tileSide: output.tile
    )
    return shown.pages.flatMap { shown.tiles(of: $0, in: rect) }
  }
}

extension Complaints {
  /// One line: how many, and the first.
  var summary: String {
    let words = first ?? ""
    return count == 1 ? words : "\(count) warnings, the first: \(words)"
  }
}

extension JSONWriter {
  /// The tiles of a page, or why there are none.
  fileprivate mutating func tiles(
    _ result: Result<PageTiles, DocumentError>,
    files: [FilePath]?
  ) {
    switch result {
    case .failure(let error): self.error(error)
    case .success(let page):
      array("tiles") { array in
        for (place, tile) in page.tiles.enumerated() {
          array.object { object in
            object.member("column", tile.index.column)
            object.member("row", tile.index.row)
            object.rect("frame", tile.frame)
            object.rect("pixels", tile.pixels)
            if let file = files?[place] ?? tile.picture.cached { object.path(file, as: "file") }
            object.member("bytes", tile.picture.bytes.count)
            object.member("source", tile.picture.source.rawValue)
          }
        }
      }
      if page.complaints.count > 0 {
        object("warnings") { object in
          object.member("count", page.complaints.count)
          object.member("first", page.complaints.first)
        }
      }
    }
  }
}
