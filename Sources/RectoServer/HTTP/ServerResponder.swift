internal import HTTPTypes
internal import Hummingbird
internal import Logging
internal import NIOCore
internal import RectoCommand

/// Hummingbird's context of a request.
struct ServerContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The other end of the connection.
  let peer: NetworkAddress?
  /// Whether the request is a stream of a connection (HTTP/2).
  let isStream: Bool
  let connection: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = CoreRequestContextStorage(source: source)
    peer = source.channel.remoteAddress?.ipAddress.flatMap { NetworkAddress($0) }
    // The parent of a connection is the server's channel, and the parent of a stream is a
    // connection.
    isStream = source.channel.parent?.parent != nil
    connection = (isStream ? source.channel.parent : nil) ?? source.channel
  }

  /// The version of the protocol.
  func version(of request: Request) -> String {
    isStream ? "2.0" : request.headers[.noteOfVersion] ?? "1.1"
  }
}

/// Answers every request: rules, routes, headers, log and metrics.
struct ServerResponder: HTTPResponder {
  typealias Context = ServerContext

  let rules: AccessRules
  let clients: ClientAddresses
  let connections: Connections
  let routes: Routes
  let log: AccessLog?
  let metrics: RequestMetrics

  func respond(to request: Request, context: ServerContext) async throws -> Response {
    let start = ContinuousClock.now
    let path = request.uri.path
    let client = clients.client(of: request, from: context.peer)
    // A client that sends a body must continue to keep its connection.
    let isReading = request.method == .get || request.method == .head
    if isReading { connections.begin(context.connection) }
    var response = await Client.$current.withValue(Client(client)) {
      do throws(Problem) {
        return try await answer(request, path)
      } catch {
        if let code = error.code { metrics.count(code) }
        return error.response
      }
    }
    // Events last as long as the connection.
    if isReading, response.body.contentLength != nil { connections.end(context.connection) }
    rules.finish(&response, request)
    let name = clients.name(of: request, from: context.peer)
    response.headers[.xRequestID] = name
    if request.method == .head { response = response.createHeadResponse() }
    let time = ContinuousClock.now - start
    metrics.count(path, response.status.code, time)
    log?.add(
      LoggedRequest(
        request: request,
        response: response,
        client: client,
        version: context.version(of: request),
        name: name,
        time: time
      )
    )
    return response
  }

  private func answer(_ request: Request, _ path: String) async throws(Problem) -> Response {
    if let response = try rules.check(request) { return response }
    if request.method == .options { return try rules.preflight(request) }
    return try await routes.answer(request, path)
  }
}
