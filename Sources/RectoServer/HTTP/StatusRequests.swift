internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import RectoCommand
internal import RectoKit
internal import RectoTiles
internal import RenderWorkers

/// Answers requests for the server's state.
struct StatusRequests: Sendable {
  let documents: OpenDocuments
  let sessions: ViewerSessions
  let queue: RenderQueue
  let store: PictureStore
  let gate: DrawingGate
  let connections: Connections
  let metrics: PrometheusMetrics
  let readiness: Readiness
  let command: ServerCommand

  /// That the server answers.
  func health() -> Response { .text("ok\n") }

  /// That the server can draw.
  ///
  /// - Throws: A problem if it cannot.
  func ready() async throws(Problem) -> Response {
    try await readiness.check()
    return .text("ready\n")
  }

  /// Counters and gauges for Prometheus.
  func metrics() async -> Response {
    let lists = [await served(), await drawn(), ProcessMetrics.current()]
    return .text(
      metrics.text(lists.flatMap { $0 }),
      type: "text/plain; version=0.0.4; charset=utf-8"
    )
  }

  /// What is served, and to whom.
  private func served() async -> [Metric] {
    let version = ServerCommand.version
    return [
      .gauge("recto_build_info{version=\"\(version)\"}", "The version of Recto; always 1.", 1),
      .gauge(
        "recto_documents_served",
        "Documents in the served files and folders.",
        documents.library.entries.count
      ),
      .gauge("recto_documents_open", "Documents that are open.", await documents.count),
      .gauge("recto_viewers", "Conversations with viewers.", sessions.count),
      .gauge("recto_connections", "Connections of clients.", connections.count),
      .gauge("recto_connections_limit", "The most connections of clients.", connections.limit),
      .gauge("recto_requests_waiting", "Requests that wait for a picture.", gate.count),
    ]
  }

  /// What is drawn, and what was found without drawing.
  private func drawn() async -> [Metric] {
    let tiles = store.tiles
    let memory = store.statistics
    let failed = await queue.statistics().failed
    let rendered = (tiles[.rendered] ?? 0) + (tiles[.embedded] ?? 0)
    var metrics: [Metric] = [
      .gauge("recto_pictures_memory_bytes", "Bytes of pictures in memory.", memory.bytes),
      .gauge(
        "recto_pictures_memory_limit_bytes",
        "The most bytes of pictures in memory.",
        memory.limit
      ),
      .counter("recto_pictures_memory_hits_total", "Pictures found in memory.", memory.hits),
      .counter(
        "recto_pictures_memory_misses_total",
        "Pictures not found in memory.",
        memory.misses
      ),
      .counter("recto_tiles_rendered_total", "Tiles that were drawn.", rendered),
      .counter("recto_tiles_from_memory_total", "Tiles found in memory.", tiles[.memory] ?? 0),
      .counter("recto_tiles_from_cache_total", "Tiles found in the cache.", tiles[.disk] ?? 0),
      .counter(
        "recto_tiles_from_shared_cache_total",
        "Tiles found in the shared cache.",
        tiles[.shared] ?? 0
      ),
      .counter("recto_tile_requests_failed_total", "Drawings of tiles that failed.", failed),
    ]
    if let workers = command.settings.budget?.statistics {
      metrics += [
        .gauge("recto_workers", "Worker processes.", workers.processes),
        .gauge("recto_workers_busy", "Worker processes with a request.", workers.busy),
        .gauge("recto_workers_bytes", "Private memory of workers in bytes.", workers.bytes),
      ]
    }
    return metrics
  }
}

extension Response {
  /// A text that must not be cached.
  fileprivate static func text(
    _ text: String,
    type: String = "text/plain; charset=utf-8"
  ) -> Response {
    Response(
      status: .ok,
      headers: [.contentType: type, .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: text))
    )
  }
}
