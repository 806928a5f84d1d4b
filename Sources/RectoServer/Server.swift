internal import HTTPTypes
internal import Hummingbird
internal import HummingbirdCore
internal import HummingbirdHTTP2
internal import Logging
internal import NIOCore
internal import NIOPosix
internal import NIOSSL
package import RectoCommand
internal import RectoKit
internal import RectoTiles
internal import RenderWorkers
internal import ServiceLifecycle
internal import SystemPackage

/// The server of `recto serve --http`.
package struct Server: Sendable {
  private let command: ServerCommand

  /// A server that has not been started.
  package init(_ command: ServerCommand) { self.command = command }

  /// Bytes of the headers of a request.
  private static let headerBytes = 16 << 10
  /// The time limit for the headers of a request, and for the silence after one, in seconds.
  private static let idleSeconds: Int64 = 30
  /// Connections accepted beyond the limit; each ends another one.
  private static let surplus = 16
  /// The most requests waiting for a drawing; others are refused.
  private static let drawings = 512

  /// Serves until a termination signal: then finishes running requests, and accepts no others. Ends the process if the
  /// address cannot be used.
  package func run() async {
    let updates = LibraryUpdates(command)
    let changes = await updates.changes()
    let failures = await updates.begin()
    let library = await updates.library()
    guard !library.entries.isEmpty else {
      if let (path, error) = failures.first { command.fail(path, error) }
      command.fail(command.inputs.first?.path, "no PDF to serve", .unreadable)
    }
    for (path, error) in failures { command.warn(path, "\(error)") }
    let limit = connectionLimit()
    let connections = Connections(limit: limit)
    let queue = RenderQueue(command.queueSettings)
    let store = PictureStore(limit: max(16 << 20, command.queueSettings.memoryBytes))
    let documents = OpenDocuments(library, command.settings, queue: queue, store: store)
    let sessions = ViewerSessions(command, documents, limit: max(1, limit / 4))
    let gate = DrawingGate(
      jobs: command.jobs,
      spare: ServerCommand.spareWorkers,
      limit: max(1, min(Self.drawings, limit / 2))
    )
    let metrics = PrometheusMetrics()
    let readiness = Readiness(command.settings.sandbox)
    let log = accessLog()
    if let log { reopenOnHangUp(log) }
    let base = BaseURI(given: command.baseURI, isSecure: command.certificate != nil)
    let pixels = command.pixels
    let rules = AccessRules(command)
    let responder = ServerResponder(
      rules: rules,
      clients: ClientAddresses(trusted: command.trustedProxies),
      connections: connections,
      routes: Routes(
        documents: documents,
        pictures: PictureRequests(
          documents: documents,
          queue: queue,
          store: store,
          gate: gate,
          pixels: pixels
        ),
        sessions: sessions,
        status: StatusRequests(
          documents: documents,
          sessions: sessions,
          queue: queue,
          store: store,
          gate: gate,
          connections: connections,
          metrics: metrics,
          readiness: readiness,
          command: command
        ),
        images: ImageRequests(
          documents: documents,
          store: store,
          gate: gate,
          base: base,
          pixels: pixels
        ),
        presentation: PresentationRequests(
          documents: documents,
          gate: gate,
          base: base,
          pixels: pixels
        ),
        search: ContentSearchRequests(
          documents: documents,
          gate: gate,
          base: base,
          pixels: pixels,
          jobs: command.jobs
        ),
        contentSecurityPolicy: rules.contentSecurityPolicy
      ),
      log: log,
      metrics: RequestMetrics(metrics)
    )
    let application = Application(
      responder: responder,
      server: channels(connections),
      configuration: ApplicationConfiguration(
        address: .hostname(command.address.host, port: command.address.port),
        serverName: nil,
        backlog: 1024,
        availableConnectionsDelegate: MaximumAvailableConnections(
          limit + Self.surplus,
          logger: Self.logger
        )
      ),
      onServerRunning: { channel in
        Announcement(command, port: channel.localAddress?.port ?? command.address.port).make()
      },
      logger: Self.logger
    )
    let group = ServiceGroup(
      configuration: .init(
        services: [
          .init(service: application),
          .init(service: SessionEnding(sessions: sessions, readiness: readiness)),
        ],
        logger: Self.logger
      )
    )
    let flushing = Task {
      while !Task.isCancelled {
        try await Task.sleep(for: .seconds(1))
        log?.flush()
      }
    }
    let updating = Task { await updates.run(changes, documents) }
    await ServerCommand.cancelledBySignals(patience: 10) {
      let running = Task { try await group.run() }
      await withTaskCancellationHandler {
        do {
          try await running.value
        } catch {
          command.fail(nil, "\(command.address.host):\(command.address.port): \(error)", .io)
        }
      } onCancel: {
        Task { await group.triggerGracefulShutdown() }
      }
      flushing.cancel()
      updating.cancel()
      // A signal ends the process when this closure returns.
      log?.flush()
    }
    ServerCommand.end()
  }

  /// Messages of Hummingbird and SwiftNIO help only in debugging.
  private static var logger: Logger {
    var logger = Logger(label: "recto", factory: { StreamLogHandler.standardError(label: $0) })
    logger.logLevel = .critical
    return logger
  }

  /// The limit of connections: less than requested if the system allows too few open files.
  private func connectionLimit() -> Int {
    let files = OpenFiles.ofProcess()
    let connections = files.connections(
      wanted: command.connections,
      workers: command.settings.budget?.limits.processes ?? 0,
      documents: OpenDocuments.limit
    )
    if connections < command.connections {
      command.warn(
        nil,
        "--connections \(command.connections): only \(connections), since the system allows "
          + "\(files.limit) open files"
      )
    }
    return connections
  }

  private func accessLog() -> AccessLog? {
    guard let path = command.accessLog else { return nil }
    do throws(Errno) {
      return try AccessLog(path, command.accessLogFormat)
    } catch {
      command.fail(path, "open: \(error)", .output)
    }
  }

  /// Lets logs be rotated: the old file is renamed, and SIGHUP begins a new one.
  private func reopenOnHangUp(_ log: AccessLog) {
    ServerCommand.onHangUp { [command] in
      do throws(Errno) {
        try log.reopen()
      } catch {
        command.warn(
          command.accessLog,
          "open: \(error); the log continues in the file that is open"
        )
      }
    }
  }

  /// HTTP/1.1; with a certificate, HTTP/2 and HTTP/1.1 over TLS.
  private func channels(_ connections: Connections) -> HTTPServerBuilder {
    let http1 = HTTP1Channel.Configuration(
      additionalChannelHandlers: [SlowReaderHandler(), VersionSetup()],
      idleTimeout: .seconds(Self.idleSeconds),
      httpDecoderConfiguration: .init(
        maxHeaderFieldSize: Self.headerBytes,
        maxHeaderListSize: Self.headerBytes,
        maxHeaderFieldCount: 100
      )
    )
    guard let files = command.certificate else {
      return HTTPServerBuilder { responder in
        ServedConnection(
          protocols: HTTP1Channel(responder: responder, configuration: http1),
          connections: connections
        )
      }
    }
    do {
      let chain = try NIOSSLCertificate.fromPEMFile(files.chain.string).map {
        NIOSSLCertificateSource.certificate($0)
      }
      let key = try NIOSSLPrivateKey(file: files.key.string, format: .pem)
      var encryption = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain,
        privateKey: .privateKey(key)
      )
      encryption.minimumTLSVersion = .tlsv12
      return HTTPServerBuilder { [encryption] responder in
        ServedConnection(
          protocols: try HTTP2UpgradeChannel(
            tlsConfiguration: encryption,
            configuration: .init(
              idleTimeout: .seconds(Self.idleSeconds),
              streamConfiguration: http1
            ),
            responder: responder
          ),
          connections: connections
        )
      }
    } catch {
      command.fail(files.chain, "cannot be used for TLS: \(error)", .unreadable)
    }
  }
}

/// Ends the conversations with viewers when the server shuts down: they would last forever. From then on the server is
/// not ready.
private struct SessionEnding: Service {
  let sessions: ViewerSessions
  let readiness: Readiness

  func run() async throws {
    try await gracefulShutdown()
    await readiness.end()
    sessions.endAll()
  }
}
