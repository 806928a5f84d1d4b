internal import ArgumentParser
internal import FileSystem
internal import Geometry
internal import RectoKit
internal import RenderWorkers
internal import Tiles

/// `recto serve`.
struct ServeCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "serve",
    abstract: "Run the engine of a viewer on standard input and output.",
    discussion: """
      Reads JSON requests, one per line: open, reload, layout, view, zoom, page, destination, \
      settings, stats, cancel, close. Writes one JSON line for each reply and each event: hello, \
      tile, geometry, error, changed, reloaded, reopened, idle. Exits at the end of standard input. docs/SERVE.md describes the requests and events.

      Example:
        recto serve book.pdf --spread book --fit width --scale 2 --stdio
      """
  )

  @Argument(
    help: ArgumentHelp("A PDF to open at the start.", valueName: "file"),
    completion: .file(extensions: ["pdf", "PDF"])
  )
  var file: String?

  @Flag(help: "Use standard input and output; required.")
  var stdio = false

  @OptionGroup(title: "Layout") var layout: LayoutOptions
  @OptionGroup(title: "Engine") var engine: ServeOptions
  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Cache") var shared: SharedCacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that exclude each other or are out of range.
  func validate() throws {
    guard stdio else { throw ValidationError("missing --stdio") }
    try shared.validate(with: cache)
    if let file, DocumentInput.isStandardInput(file) {
      throw ValidationError("\(file): standard input has the requests, and cannot be the document")
    }
  }

  /// Runs the command.
  ///
  /// - Throws: The exit code, after the failure has been reported.
  func run() async throws {
    try await reportingFailures(messages.messages) { () throws(Failure) in
      var settings = try document.settings(
        cache: cache.directory(messages.messages),
        workers: engine.jobs
      )
      settings.workersAhead = engine.jobs
      shared.add(to: &settings)
      // Two may open and measure documents, so that there is always one for each job that draws.
      settings.budget = WorkerBudget(
        .init(processes: engine.jobs + 2, background: 2, memory: settings.limits.memory)
      )
      // Each document of a session gets workers of its own. Without a program, documents report that.
      settings.template = (try? settings.workerProgram ?? WorkerProgram.locate())
        .map { WorkerTemplate($0) }
      settings.template?.start()
      var queue = RenderQueue.Settings()
      queue.slots = engine.jobs
      queue.memoryBytes = engine.memoryCache * 1_000_000
      let session = ServeSession(
        ServedDocument.Context(
          settings: settings,
          viewport: engine.viewport.size,
          scale: engine.scale,
          tileSide: engine.tile,
          measuresAll: engine.sizes == .exact,
          queue: RenderQueue(queue),
          output: LineOutput(pictures: engine.pictures),
          watcher: try? FileWatcher(),
          reloads: engine.reload
        ),
        options: layout
      )
      await session.run(LineInput(0), opening: file)
      await settings.shared?.end(messages.messages)
      return true
    }
  }
}
