internal import ArgumentParser
internal import Geometry
internal import RectoKit
internal import Tiles

/// `recto serve`.
struct Serve: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "A viewer's engine on standard input and output, JSON lines.",
    discussion: """
      Reads one request a line: open, layout, view, zoom, page, destination, stats, close. Answers \
      each with one reply, and tells in between of tiles as they are drawn, of geometry as sizes \
      become known, of errors, and of having nothing left to do. Ends when standard input does. \
      docs/SERVE.md has every request and event.

      Example:
        recto serve book.pdf --spread book --fit width --scale 2 --stdio
      """
  )

  @Argument(help: ArgumentHelp("A PDF to open first.", valueName: "file"))
  var file: String?

  @Flag(help: "Talk on standard input and output; there is no other way yet.")
  var stdio = false

  @OptionGroup(title: "Layout") var layout: LayoutOptions
  @OptionGroup(title: "Engine") var engine: ServeOptions
  @OptionGroup(title: "Document") var document: DocumentOptions
  @OptionGroup(title: "Cache") var cache: CacheOptions
  @OptionGroup(title: "Messages") var messages: MessageOptions

  func validate() throws {
    guard stdio else { throw ValidationError("Give --stdio: there is no other way to talk yet.") }
  }

  func run() async throws {
    try await reporting(messages.messages) { () throws(Failure) in
      var settings = try document.settings(
        cache: cache.directory(messages.messages),
        workers: engine.jobs
      )
      settings.workersAhead = engine.jobs
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
          output: LineOutput()
        ),
        options: layout
      )
      await session.run(LineInput(0), opening: file)
      return true
    }
  }
}
