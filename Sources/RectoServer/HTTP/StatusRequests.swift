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
  let metrics: PrometheusMetrics
  let command: ServerCommand

  /// That the server answers.
  func health() -> Response {
    Response(
      status: .ok,
      headers: [.contentType: "text/plain; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: "ok\n"))
    )
  }

  /// Counters and gauges for Prometheus.
  func metrics() async -> Response {
    let tiles = store.tiles
    let failed = await queue.statistics().failed
    let memory = store.statistics
    var gauges = [
      ("recto_documents_open", await documents.count),
      ("recto_documents_served", documents.library.entries.count),
      ("recto_viewers", sessions.count),
      ("recto_requests_waiting", gate.count),
      ("recto_pictures_memory_bytes", memory.bytes),
      ("recto_pictures_memory_hits", memory.hits),
      ("recto_pictures_memory_misses", memory.misses),
      ("recto_tiles_rendered", (tiles[.rendered] ?? 0) + (tiles[.embedded] ?? 0)),
      ("recto_tiles_from_memory", tiles[.memory] ?? 0),
      ("recto_tiles_from_cache", (tiles[.disk] ?? 0) + (tiles[.shared] ?? 0)),
      ("recto_tile_requests_failed", failed),
    ]
    if let workers = command.settings.budget?.statistics {
      gauges += [
        ("recto_workers", workers.processes), ("recto_workers_busy", workers.busy),
        ("recto_workers_bytes", workers.bytes),
      ]
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/plain; version=0.0.4; charset=utf-8", .cacheControl: "no-store",
      ],
      body: ResponseBody(byteBuffer: ByteBuffer(string: metrics.text(gauges: gauges)))
    )
  }
}
