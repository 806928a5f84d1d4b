internal import ArgumentParser
internal import DocumentModel
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import RectoTiles
internal import RenderWorkers
internal import SystemPackage

/// `recto render`.
struct RenderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render",
    abstract: "Render a viewport as PNG tiles and JSON.",
    discussion: """
      Prints the JSON of `recto layout` and the tiles that cover the visible part of each page. \
      The tile grid starts at the top left of the page, so neighboring viewports share tiles. \
      Cached tiles are not rendered again; if all tiles are cached, the PDF is not opened.

      Example:
        recto render book.pdf --page 12 --viewport 800x600 --scale 2 -o out
      """
  )

  @Argument(
    help: ArgumentHelp("The PDF; - for standard input.", valueName: "file"),
    completion: .file(extensions: ["pdf", "PDF"])
  )
  var file: String

  @OptionGroup var listed: ListedPages

  @OptionGroup(title: "Layout") var layout: LayoutOptions
  @OptionGroup(title: "Viewport") var window: ViewportOptions
  @OptionGroup(title: "Output") var output: RenderOptions
  @OptionGroup(title: "Pictures") var pictures: PictureOptions
  @OptionGroup(title: "Pictures") var drawing: DrawingOptions
  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Document") var input: InputOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Cache") var shared: SharedCacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that exclude each other or are out of range.
  mutating func validate() throws {
    layout.pages = try listed.list(or: layout.pages)
    if cache.noCache, output.output == nil, output.image == nil {
      throw ValidationError(
        "--no-cache needs --output or --image: without the cache, tiles have no other destination"
      )
    }
    try shared.validate(with: cache)
    try window.refuseUnused(of: layout)
    _ = try imageStyle()
    if window.fromLayout != nil {
      if output.tileGiven != nil {
        throw ValidationError("--tile cannot be used with --from-layout: there are no tiles")
      }
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

  /// The style of `--image`, by `--format` or by the name of the file.
  ///
  /// - Throws: A validation error for options without effect, and for a format that is not written.
  private func imageStyle() throws(ValidationError) -> PictureStyle {
    guard let image = output.image else {
      guard let option = pictures.firstGiven else { return .tile }
      throw ValidationError("\(option) needs --image; tiles are PNG")
    }
    guard let implied = PictureFormat(fileName: FilePath(argument: image)) ?? pictures.format else {
      throw ValidationError("--image: the format is to be \(PictureFormat.extensions), is \(image)")
    }
    let style = try pictures.style(implied)
    if output.allSpreads {
      guard style.format == .pdf else { throw ValidationError("--all-spreads needs a pdf") }
      guard layout.mode == .paged else { throw ValidationError("--all-spreads needs --mode paged") }
    }
    guard style.format.isVector else { return style }
    let name = style.format.rawValue
    if output.shadow { throw ValidationError("--shadow cannot be used with \(name)") }
    if window.progress != nil { throw ValidationError("--progress cannot be used with \(name)") }
    return style
  }

  /// Runs the command.
  ///
  /// - Throws: The exit code, after the failure has been reported.
  func run() async throws {
    let messages = messages.messages
    try await reportingFailures(messages) { () throws(Failure) in
      let input = try await DocumentInput.open(
        file,
        document,
        self.input,
        checkingCopy: checkCopy
      )
      let style = try Failure.usage { () throws(ValidationError) in try imageStyle() }
      let image = try output.image.map { path throws(Failure) in
        if !style.format.isVector { try checkPictureSize() }
        return try PictureOutput(path, of: input, style: style)
      }
      let directory = input.isCopy ? nil : try cacheDirectory(messages)
      var settings = drawing.applied(to: try document.settings(cache: directory))
      settings.workersAhead = 1
      shared.add(to: &settings)
      let succeeded = try await input.read(settings, messages) { document throws(Failure) in
        try await run(document, workers: settings.workers, image, messages)
      }
      await settings.shared?.end(messages)
      return succeeded
    }
  }

  /// Whether the cache is the only destination of the tiles.
  var keepsTilesInCache: Bool { output.output == nil && output.image == nil }

  /// The cache, if it is used.
  ///
  /// - Throws: A failure if the tiles have no other destination and there is no cache.
  private func cacheDirectory(_ messages: MessagePrinter) throws(Failure) -> CacheChoice? {
    // Pages in a transition have scales that no other picture has.
    guard window.fromLayout == nil else { return nil }
    return keepsTilesInCache ? try cache.requiredDirectory() : cache.directory(messages)
  }

  /// Checks that the output does not need the cache, which is not used for the copy of a stream.
  ///
  /// - Throws: A usage failure.
  private func checkCopy() throws(Failure) {
    let path = FilePath(argument: file)
    guard output.output != nil || output.image != nil else {
      throw Failure(
        usage: "a document from a stream is not cached, and needs --output or --image",
        path: path
      )
    }
    guard output.prefetch == 0 else {
      throw Failure(
        usage: "a document from a stream is not cached: --prefetch has no effect",
        path: path
      )
    }
  }

  /// Renders the viewport and writes the output.
  ///
  /// - Parameters:
  ///   - workers: The worker processes of the document.
  ///   - image: The destination of `--image`.
  /// - Returns: Whether all pages could be drawn.
  /// - Throws: A failure if there is no layout, or the output cannot be written.
  private func run(
    _ document: Document,
    workers: Int,
    _ image: PictureOutput?,
    _ messages: MessagePrinter
  ) async throws(Failure) -> Bool {
    var context = try await LayoutContext(
      document,
      layout: layout,
      window: window,
      messages: messages
    )
    if let image, let transition = try await context.transition(window, from: layout) {
      return try await run(transition, context, image, messages)
    }
    let viewpoint = try await context.viewpoint(window)
    let rect = viewpoint.window
    // A vector file is drawn by itself, without tiles.
    let isVector = image?.style.format.isVector == true
    let rendered = try await render(
      &context,
      rect,
      hasTiles: !isVector || output.output != nil,
      messages
    )
    if let mismatch = rendered.mismatch { throw context.failure(mismatch) }
    var vectorFile: [UInt8]?
    if let image, isVector {
      vectorFile = try await file(of: rendered.spreads, in: rect, &context, image.style, messages)
    }
    if keepsTilesInCache { try await requireCached(rendered.tiles, context) }
    let turn = try await context.turn(rect, progress: window.progress)
    let turning = try await turningPage(turn, &context, rect)
    if let mismatch = turning?.next.mismatch { throw context.failure(mismatch) }
    // Ending a worker takes 2 ms, as long as writing a dozen tiles.
    if output.prefetch == 0 { WorkerProcesses.killAll() }
    let node = context.document.identity.node
    let files = try output.output.map { folder throws(Failure) in
      try write(rendered.tiles, to: FilePath(argument: folder), sparing: node)
    }
    if let image {
      let picture: [UInt8]
      if let vectorFile {
        picture = vectorFile
      } else {
        picture = try self.picture(rendered, context, rect, turning, image.style)
      }
      try image.write(picture, sparing: node)
    }
    if image?.isStandardOutput != true {
      try StandardStreams.write(json(context, viewpoint, rendered, turn, files))
    }
    await messages.printEnd(of: context.document)
    var succeeded = report(rendered, context, messages)
    if let turning { succeeded = report(turning.next, context, messages) && succeeded }
    // Errors are not reported: the output has already been written.
    await context.documentLayout.prefetch(
      output.prefetch,
      after: rect,
      scale: window.scale,
      tileSide: output.tile,
      slots: workers
    )
    return succeeded
  }

  /// Fails if tiles were not cached: they would be lost.
  ///
  /// - Throws: A failure if the cache could not be written, or has removed tiles to keep its limit.
  private func requireCached(
    _ tiles: [Result<PageTiles, DocumentError>],
    _ context: LayoutContext
  ) async throws(Failure) {
    let isLost = tiles.contains { result in
      guard let page = try? result.get(), page.warnings.incomplete == nil else { return false }
      return page.tiles.contains { $0.picture.cached == nil }
    }
    if isLost {
      let error = await context.document.takeCacheFailure()
      throw context.failure(error ?? DocumentError(.output, during: "write to the cache", "failed"))
    }
    // A cache that is smaller than the answer has removed some tiles again. It is not an error if another process
    // clears the cache.
    let pictures = tiles.flatMap { (try? $0.get())?.tiles.map(\.picture) ?? [] }
    let bytes = pictures.reduce(0) { $0 + $1.bytes.count }
    guard let size = cache.limits.limits.size, bytes > size else { return }
    let removed = pictures.count { $0.cached.map { Files.entryStatus(of: $0) == nil } ?? false }
    guard removed > 0 else { return }
    let reason =
      "\(removed) of \(pictures.count) tiles were removed again to keep the size limit of the "
      + "cache; use --output, or a larger --cache-size"
    throw context.failure(DocumentError(.output, during: "keep tiles in the cache", reason))
  }

  /// Writes tiles to the directory of `--output`.
  ///
  /// - Parameters:
  ///   - input: The document, which must not be overwritten.
  /// - Returns: The paths of the tiles, one array for each page.
  /// - Throws: A failure if a file or directory cannot be written.
  private func write(
    _ tiles: [Result<PageTiles, DocumentError>],
    to folder: FilePath,
    sparing input: FileNode
  ) throws(Failure) -> [[FilePath]] {
    var folder = TileFolder(folder, sparing: input)
    do {
      return try folder.write(tiles)
    } catch {
      throw Failure(output: error)
    }
  }

  /// The spreads of a window with a result for each page, in order.
  struct Rendered {
    var spreads: [LaidOutSpread]
    var tiles: [Result<PageTiles, DocumentError>]

    var pages: [(LaidOutPage, Result<PageTiles, DocumentError>)] {
      Array(zip(spreads.flatMap(\.pages), tiles))
    }

    /// The error of a page that differs from the laid out one.
    var mismatch: DocumentError? {
      tiles.lazy.compactMap { tiles in
        if case .failure(let error) = tiles, error.code == .pageMismatch { error } else { nil }
      }.first
    }
  }

  /// Lays out and draws the viewport.
  ///
  /// - Throws: A failure if the pages of the viewport cannot be laid out.
  private func render(
    _ context: inout LayoutContext,
    _ rect: Rect,
    hasTiles: Bool = true,
    _ messages: MessagePrinter
  ) async throws(Failure) -> Rendered {
    let spreads: [LaidOutSpread]
    do throws(DocumentError) {
      spreads = try await context.documentLayout.spreads(in: rect)
    } catch {
      throw context.failure(error)
    }
    // Pages have no tiles in an empty window.
    let shown = hasTiles ? rect : Rect(origin: rect.origin, size: .zero)
    let extent = context.documentLayout.tileExtent(
      of: spreads,
      in: shown,
      scale: window.scale,
      tileSide: output.tile
    )
    try checkPixels(extent.pixels)
    let pages = spreads.flatMap(\.pages).map(\.page)
    if output.prefetch == 0, hasTiles, let first = pages.min(), let last = pages.max() {
      await context.documentLayout.document.willDraw(first..<last.advanced(by: 1))
    }
    let start = ContinuousClock.now
    var progress = messages.progressBar(total: extent.tiles, unit: "tiles")
    let tiles = await context.documentLayout.tiles(
      of: spreads,
      in: shown,
      scale: window.scale,
      tileSide: output.tile,
      progress: { progress.advance(to: $0) }
    )
    progress.clear()
    let rendered = Rendered(spreads: spreads, tiles: tiles)
    if hasTiles { messages.note(context.path, rendered.summary(after: start.duration(to: .now))) }
    return rendered
  }

  /// Refuses a picture that has no pixels, or too many, before any work.
  ///
  /// - Throws: A usage failure.
  private func checkPictureSize() throws(Failure) {
    let size = window.viewport.size
    let width = (size.width * window.scale).rounded()
    let height = (size.height * window.scale).rounded()
    let limit = WindowPicture.largestArea
    guard width * height < 1 || width * height > Double(limit) else { return }
    throw Failure(
      usage: """
        --image: --viewport \(window.viewport.defaultValueDescription) at \
        --scale \(window.scale.exactDecimal) is \(width.decimal)x\(height.decimal) pixels; \
        must be between 1 and \(limit / 1_000_000) million
        """
    )
  }

  /// Refuses to render more pixels than `--max-pixels`.
  ///
  /// - Throws: A usage failure.
  private func checkPixels(_ pixels: Int) throws(Failure) {
    let millions = Double(pixels) / 1e6
    guard millions > output.maxPixels else { return }
    throw Failure(
      usage: """
        the tiles of the viewport have \(millions.rounded(.up).decimal) million pixels; \
        --max-pixels is \(output.maxPixels.exactDecimal) million
        """
    )
  }

  /// Composes the viewport as one picture.
  ///
  /// - Throws: A failure if the picture is too large or a tile is damaged.
  private func picture(
    _ rendered: Rendered,
    _ context: LayoutContext,
    _ rect: Rect,
    _ turning: TurningPage?,
    _ style: PictureStyle
  ) throws(Failure) -> [UInt8] {
    do {
      var picture = try picture(of: rendered, rect)
      if let turning {
        let next = try self.picture(of: turning.next, turning.window)
        picture.turn(turning.turn, to: turning.progress, over: next)
      }
      return try picture.file(style)
    } catch {
      throw context.failure(error)
    }
  }

  /// A window as a picture.
  ///
  /// - Throws: A document error if the picture is too large or a tile is damaged.
  private func picture(of rendered: Rendered, _ rect: Rect) throws(DocumentError) -> WindowPicture {
    var picture = try WindowPicture(
      of: rect,
      scale: window.scale,
      background: output.background,
      hasShadow: output.shadow
    )
    try picture.add(rendered.spreads, tiles: rendered.tiles)
    return picture
  }
}

extension RenderCommand.Rendered {
  /// A line about the drawn and failed pages.
  fileprivate func summary(after duration: Duration) -> String {
    var counts: [Tile.Source: Int] = [:]
    for tile in tiles.compactMap({ try? $0.get() }).flatMap(\.tiles) {
      counts[tile.picture.source, default: 0] += 1
    }
    let shared = counts[.shared].map { ", from the shared cache: \($0)" } ?? ""
    return """
      tiles rendered: \(counts[.rendered, default: 0]), from the cache: \
      \(counts[.disk, default: 0])\(shared), in \(duration.milliseconds) ms
      """
  }
}
