internal import CoreMetrics
internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore

/// What Hummingbird knows of a request besides the request.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The address of the client.
  let client: String

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    client = source.channel.remoteAddress?.ipAddress ?? "-"
  }
}

/// Answers every request: rules, routes, headers, log and metrics.
struct ServerResponder: HTTPResponder {
  typealias Context = ServerContext

  let rules: AccessRules
  let routes: Routes
  let log: AccessLog?
  let metrics: PrometheusMetrics

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    let start = ContinuousClock.now
    var response: Response
    do throws(Problem) {
      response = try await answer(request)
    } catch {
      response = error.response
    }
    rules.finish(&response, request)
    if request.method == .head { response = response.createHeadResponse() }
    let time = ContinuousClock.now - start
    count(request, response, time)
    log?.add(request, response, client: context.client, time: time)
    return response
  }

  private func answer(_ request: Request) async throws(Problem) -> Response {
    if let response = try rules.check(request) { return response }
    if request.method == .options { return try rules.preflight(request) }
    return try await routes.answer(request)
  }

  /// Counts a request by what kind of address it has, and by its status.
  private func count(_ request: Request, _ response: Response, _ time: Duration) {
    let route = Self.route(request.uri.path)
    Counter(
      label: "recto_http_requests_total",
      dimensions: [("route", route), ("status", String(response.status.code))],
      factory: metrics
    ).increment()
    let nanoseconds =
      time.components.seconds * 1_000_000_000
      + time.components.attoseconds / 1_000_000_000
    Timer(
      label: "recto_http_request_duration_seconds",
      dimensions: [("route", route)],
      factory: metrics
    ).recordNanoseconds(nanoseconds)
  }

  /// The first part of a path, if there is something at such addresses.
  private static func route(_ path: String) -> String {
    let first = String(path.dropFirst().prefix { $0 != "/" })
    return known.contains(first) ? first : "other"
  }

  private static let known: Set<String> = [
    "", "api", "deepzoom", "health", "iiif", "metrics", "pictures", "thumbnails", "tiles", "view",
    "viewer",
  ]
}
