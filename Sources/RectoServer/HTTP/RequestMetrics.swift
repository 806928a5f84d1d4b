internal import CoreMetrics
internal import Synchronization

/// Counts requests by the kind of address and the status, and their durations by the kind of address.
final class RequestMetrics: Sendable {
  private struct Key: Hashable {
    var route: String
    var status: Int
  }

  private struct Handles {
    var counter: Counter
    var timer: Timer
  }

  private let factory: PrometheusMetrics
  /// Cached, because making handles concatenates names and labels.
  private let handles = Mutex<[Key: Handles]>([:])

  init(_ factory: PrometheusMetrics) { self.factory = factory }

  /// Counts a request.
  func count(_ path: String, _ status: Int, _ time: Duration) {
    let key = Key(route: Self.route(path), status: status)
    let found = handles.withLock { $0[key] } ?? make(key)
    found.counter.increment()
    let parts = time.components
    found.timer.recordNanoseconds(parts.seconds * 1_000_000_000 + parts.attoseconds / 1_000_000_000)
  }

  /// Counts an answer with an error of a document or a page.
  func count(_ code: String) {
    // Errors are rare; the factory knows the counter.
    factory.makeCounter(label: "recto_errors_total", dimensions: [("code", code)])
      .increment(by: 1)
  }

  /// Makes handles; handles with the same labels share counters.
  private func make(_ key: Key) -> Handles {
    let made = Handles(
      counter: Counter(
        label: "recto_http_requests_total",
        dimensions: [("route", key.route), ("status", String(key.status))],
        factory: factory
      ),
      timer: Timer(
        label: "recto_http_request_duration_seconds",
        dimensions: [("route", key.route)],
        factory: factory
      )
    )
    handles.withLock { $0[key] = made }
    return made
  }

  /// The first part of a path, if it is a known one.
  private static func route(_ path: String) -> String {
    let first = path.utf8.dropFirst().prefix { $0 != UInt8(ascii: "/") }
    let name = String(Substring(first))
    return known.contains(name) ? name : "other"
  }

  private static let known: Set<String> = [
    "", "api", "deepzoom", "health", "iiif", "metrics", "pictures", "ready", "sizes", "thumbnails",
    "tiles", "view", "viewer",
  ]
}
