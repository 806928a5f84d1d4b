internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import RectoCommand
internal import Synchronization

/// The conversations with viewers, by the names that the viewers have chosen.
final class ViewerSessions: Sendable {
  private let command: ServerCommand
  private let host: Host
  private let sessions = Mutex<[String: ViewerSession]>([:])

  /// Conversations at the same time: each has a connection for its events, and others for requests and pictures.
  private let limit: Int

  init(_ command: ServerCommand, _ documents: OpenDocuments, limit: Int) {
    self.command = command
    self.limit = limit
    host = Host(documents: documents)
  }

  var count: Int { sessions.withLock { $0.count } }

  /// Begins a conversation, which lasts as long as the response.
  ///
  /// - Parameters:
  ///   - name: 32 hexadecimal digits.
  ///   - request: The request for its events.
  /// - Returns: The events.
  /// - Throws: A problem if the name is no name or is in use, or there are too many conversations.
  func begin(_ name: String, _ request: Request) throws(Problem) -> Response {
    guard Self.isName(name) else {
      throw Problem(.badRequest, "a session is 32 hexadecimal digits")
    }
    let session = ViewerSession()
    try sessions.withLock { (sessions) throws(Problem) in
      guard sessions[name] == nil else { throw Problem(.conflict, "the session exists") }
      guard sessions.count < limit else {
        throw Problem(.serviceUnavailable, "too many viewers", retryAfter: 5)
      }
      sessions[name] = session
    }
    let (command, host) = (command, host)
    let body = ResponseBody { writer in
      defer { self.remove(name) }
      var output = writer
      // A browser that waits for the first bytes of a body must not wait for a document.
      try await output.write(ByteBuffer(string: "retry: 1000\n\n"))
      try await request.body.consumeWithInboundCloseHandler { _ in
        async let conversation: Void = session.run(command, host: host)
        do {
          try await session.sendEvents { try await output.write($0) }
        } catch {
          // The client is gone.
        }
        session.end()
        await conversation
      } onInboundClosed: {
        session.end()
      }
      try await output.finish(nil)
    }
    return Response(
      status: .ok,
      headers: [
        .contentType: "text/event-stream", .cacheControl: "no-store",
        .xAccelBuffering: "no",
      ],
      body: body
    )
  }

  /// Gives requests to a conversation.
  ///
  /// - Throws: A problem if there is no such conversation, or it has too many requests already.
  func take(_ body: ByteBuffer, for name: String) throws(Problem) {
    guard let session = sessions.withLock({ $0[name] }) else {
      throw Problem(.notFound, "there is no such session")
    }
    guard session.take(body) else {
      throw Problem(.tooManyRequests, "too many requests wait", retryAfter: 1)
    }
  }

  /// Ends all conversations.
  func endAll() {
    for session in sessions.withLock({ Array($0.values) }) { session.end() }
  }

  private func remove(_ name: String) {
    let session = sessions.withLock { $0.removeValue(forKey: name) }
    withExtendedLifetime(session) {}
  }

  private static func isName(_ text: String) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
