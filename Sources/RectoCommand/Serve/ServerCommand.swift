internal import ArgumentParser
internal import DocumentModel
internal import Glibc
internal import RectoBase
package import RectoKit
package import RectoTiles
internal import RenderWorkers
package import SystemPackage

/// `recto serve … --http`, as executed by the program `recto-http`.
package struct ServerCommand: Sendable {
  /// What is served.
  package enum Input: Sendable {
    /// A file or a folder.
    case path(FilePath)
    /// A document on a server, or a prefix of a store.
    case address(RemoteAddress)

    /// It as a path, for messages.
    package var path: FilePath {
      switch self {
      case .path(let path): path
      case .address(let address): address.path
      }
    }
  }

  /// What is served, in the order given.
  package let inputs: [Input]
  /// Whether links in a folder may lead out of it.
  package let followsLinks: Bool
  /// Where to listen.
  package let address: ListeningAddress
  /// Whether to open a browser.
  package let opensBrowser: Bool
  /// The token that clients need; nil for none.
  package let token: String?
  /// Certificates and private key in PEM; nil without TLS.
  package let certificate: (chain: FilePath, key: FilePath)?
  /// Host names that clients may use besides that of ``address``.
  package let hosts: [String]
  /// Origins whose pages may read pictures; `*` for all.
  package let origins: [String]
  /// Proxies that are trusted to report the addresses of their clients.
  package let trustedProxies: [NetworkRange]
  /// The URI of the server for clients; nil to take it from the request.
  package let baseURI: String?
  /// Connections at the same time.
  package let connections: Int
  /// Pixels of a picture.
  package let pixels: Int
  /// Where requests are logged; `-` for standard output, nil for nowhere.
  package let accessLog: FilePath?
  /// How requests are logged.
  package let accessLogFormat: AccessLogFormat
  private let setup: ServeSetup
  private let watcher: FileWatcher?
  private let messages: MessagePrinter

  /// How documents are opened, drawn and kept.
  package var settings: DocumentSettings { setup.settings }
  /// Settings of the queue for tiles that clients fetch by address.
  package var queueSettings: RenderQueue.Settings { setup.queueSettings }
  /// The most pictures drawn at the same time for one client.
  package var jobs: Int { setup.engine.jobs }
  /// More pictures, for clients for which nothing is drawn.
  package static let spareWorkers = 2
  /// The longest side of a tile in device pixels.
  package var tileSide: Int { setup.engine.tile }

  /// The version of Recto.
  package static var version: String { String(Version.text.split(separator: " ").last ?? "") }

  /// Reads the arguments of the process. Ends it if they are wrong.
  package static func fromProcess() -> ServerCommand {
    do {
      guard let command = try Recto.command(RawArguments.fromProcess()) as? ServeCommand,
        let address = command.server.http
      else { throw ValidationError("recto-http is started by recto serve --http") }
      return try ServerCommand(command, address)
    } catch let failure as Failure {
      MessagePrinter(style: .text).print(failure)
      Shutdown.end(with: failure.exitCode.rawValue)
    } catch {
      Recto.end(with: error)
    }
  }

  private init(_ command: ServeCommand, _ address: ListeningAddress) throws(Failure) {
    let server = command.server
    inputs = command.files.map { file in
      RemoteAddress(file).map(Input.address) ?? .path(FilePath(argument: file))
    }
    followsLinks = server.followLinks
    self.address = address
    opensBrowser = server.opensBrowser
    token = try server.token()
    certificate =
      if let chain = server.tlsCertificate, let key = server.tlsKey {
        (FilePath(argument: chain), FilePath(argument: key))
      } else {
        nil
      }
    hosts = server.allowHost
    origins = server.allowOrigin
    trustedProxies = server.trustedProxy
    baseURI = server.baseURI
    connections = server.connections
    pixels = server.megapixels * 1_000_000
    accessLog = server.accessLog.map { FilePath(argument: $0) }
    accessLogFormat = server.accessLogFormat
    setup = try ServeSetup(command, spare: Self.spareWorkers)
    watcher = try? FileWatcher()
    messages = command.messages.messages
  }

  /// Performs the requests of a client until it is gone, like `recto serve --stdio`. Then drops waiting requests, and
  /// cancels running ones.
  ///
  /// - Parameters:
  ///   - put: Takes a line of output, with its end. Called for one line at a time; must not block.
  package func converse(
    _ lines: some AsyncSequence<[UInt8], Never> & Sendable,
    until end: AsyncStream<Never>,
    host: any ViewerHost,
    _ put: @escaping @Sendable ([UInt8]) -> Void
  ) async {
    let session = setup.session(
      LineOutput(pictures: .url) { (bytes) throws(Failure) in put(bytes) },
      host: host,
      watcher: watcher
    )
    await session.run(lines, until: end)
  }

  /// The document, or the prefix, at an address. Reads files with settings, and asks a program for credentials.
  ///
  /// - Throws: `DocumentError` if they cannot be read.
  package func document(at address: RemoteAddress) throws(DocumentError) -> RemoteDocument {
    try setup.remote.document(at: address)
  }

  /// Prints a message to standard error.
  ///
  /// - Parameters:
  ///   - path: The file that it is about; nil for none.
  package func warn(_ path: FilePath?, _ message: String) {
    messages.warn(code: "warning", path: path, message)
  }

  /// Prints where a server listens, to standard output.
  package static func announce(_ address: String) {
    try? StandardStreams.write(Array("\(address)\n".utf8))
  }

  /// Prints an error and ends the process with its workers.
  ///
  /// - Parameters:
  ///   - path: The file that it is about; nil for none.
  package func fail(_ path: FilePath? = nil, _ message: String, _ kind: FailureKind) -> Never {
    fail(Failure(exitCode: kind.exitCode, code: kind.rawValue, path: path, message: message))
  }

  /// Prints why a document or a list of objects cannot be had, and ends the process with its workers.
  ///
  /// - Parameters:
  ///   - path: The address.
  package func fail(_ path: FilePath, _ error: DocumentError) -> Never {
    fail(Failure(error, path: path))
  }

  private func fail(_ failure: Failure) -> Never {
    messages.print(failure)
    Shutdown.end(with: failure.exitCode.rawValue)
  }

  /// Ends the process with its workers.
  package static func end() -> Never { Shutdown.end(with: 0) }

  /// Runs a function that termination signals cancel once; the next signal ends the process at once.
  ///
  /// - Parameters:
  ///   - patience: Seconds after which the process ends in any case.
  ///   - body: The function; a signal cancels its task.
  package static func cancelledBySignals(
    patience: Double,
    _ body: @escaping @Sendable () async -> Void
  ) async {
    do throws(Failure) {
      try await Shutdown.cancelling(patience: patience) { () async throws(Failure) in await body() }
    } catch {
      // The body throws nothing.
    }
  }

  /// Makes SIGHUP call a function instead of ending the process.
  package static func onHangUp(_ body: @escaping @Sendable () -> Void) { Shutdown.onHangUp(body) }

  /// Why a server ends.
  package enum FailureKind: String, Sendable {
    /// Wrong options.
    case usage
    /// A file that cannot be read.
    case unreadable
    /// A file that cannot be written.
    case output
    /// The address cannot be used.
    case io

    fileprivate var exitCode: ExitCode {
      switch self {
      case .usage: .usage
      case .unreadable: .noInput
      case .output: .cannotCreate
      case .io: .io
      }
    }
  }
}

extension ServeCommand {
  /// Executes `recto-http` with the same arguments in place of this program.
  ///
  /// - Throws: A failure if the program is missing or cannot be started; otherwise it does not return.
  func becomeServer() throws(Failure) {
    let name = "recto-http"
    do throws(DocumentError) {
      let program = try WorkerProgram.locate(name, variable: "RECTO_HTTP_PROGRAM")
      var arguments: [UnsafeMutablePointer<CChar>?] = [strdup(name)]
      for index in 1..<Int(CommandLine.argc) { arguments.append(CommandLine.unsafeArgv[index]) }
      arguments.append(nil)
      program.withPlatformString { _ = execv($0, arguments) }
      let reason = String(cString: strerror(errno))
      throw DocumentError(.fault, during: "start \(name)", "\(program): \(reason)")
    } catch {
      throw Failure(exitCode: .fault, code: error.code.rawValue, message: "\(error)")
    }
  }
}
