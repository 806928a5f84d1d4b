internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import RectoTiles
internal import RenderWorkers

/// The state that all conversations of a process share.
struct ServeSetup: Sendable {
  var settings: DocumentSettings
  var layout: LayoutOptions
  var engine: ServeOptions
  /// How documents on servers are fetched.
  var remote: RemoteOptions
  /// Bounds the outlines being read and written in all conversations: one can take tens of megabytes.
  let outlines = TaskGate(2)

  /// A setup from the options of `recto serve`. Starts the template of workers.
  ///
  /// - Parameters:
  ///   - spare: Workers beyond the jobs, so that clients do not wait for others.
  /// - Throws: A failure if the password cannot be read.
  init(_ command: ServeCommand, spare: Int = 0) throws(Failure) {
    engine = command.engine
    layout = command.layout
    remote = command.remote
    settings = command.drawing.applied(
      to: try command.document.settings(
        cache: command.cache.directory(command.messages.messages),
        workers: engine.jobs + spare
      )
    )
    settings.workersAhead = engine.jobs
    command.shared.add(to: &settings)
    // Two more may open and measure documents, so that there is always one for each drawing job.
    settings.budget = WorkerBudget(
      .init(processes: engine.jobs + spare + 2, background: 2, memory: settings.limits.memory)
    )
    // Each document of a session gets its own workers. Without a program, documents report that.
    settings.template = (try? settings.workerProgram ?? WorkerProgram.locate())
      .map { [sandbox = settings.sandbox] in WorkerTemplate($0, sandbox: sandbox) }
    settings.template?.start()
  }

  /// How tiles are drawn for one client, or for several.
  var queueSettings: RenderQueue.Settings {
    var queue = RenderQueue.Settings()
    queue.slots = engine.jobs
    queue.memoryBytes = engine.memoryCache * 1_000_000
    return queue
  }

  /// A conversation with one client.
  ///
  /// - Parameters:
  ///   - host: The host of documents and pictures; nil if requests name paths, and pictures are in the output.
  /// - Returns: The conversation, not started.
  func session(
    _ output: LineOutput,
    host: (any ViewerHost)? = nil,
    watcher: FileWatcher?
  ) -> ServeSession {
    ServeSession(
      ServedDocument.Context(
        settings: settings,
        viewport: engine.viewport.size,
        scale: engine.scale,
        tileSide: engine.tile,
        measuresAll: engine.sizes == .exact,
        queue: RenderQueue(queueSettings),
        output: output,
        watcher: watcher,
        outlines: outlines,
        remote: remote,
        reloads: engine.reload,
        host: host
      ),
      options: layout
    )
  }
}
