internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import RectoCommand
internal import Synchronization

/// The conversations with viewers, by names that the viewers choose.
final class ViewerSessions: Sendable {
  private let command: ServerCommand
  private let host: Host
  private let sessions = Mutex<[String: ViewerSession]>([:])
  private let memory = ConversationMemory()

  /// The most conversations at the same time: each has a connection for its events, and others for requests and
  /// pictures.
  private let limit: Int

  init(_ command: ServerCommand, _ documents: OpenDocuments, limit: Int) {
    self.command = command
    self.limit = limit
    host = Host(documents: documents)
  }

  var count: Int { sessions.withLock { $0.count } }

  /// Starts a conversation that lasts as long as the response.
  ///
  /// - Parameters:
  ///   - name: 32 hexadecimal digits.
  /// - Throws: A problem if the name is invalid or in use, or there are too many conversations.
  func begin(_ name: String, _ request: Request) throws(Problem) -> Response {
    guard Self.isName(name) else {
      throw Problem(.badRequest, "a session is 32 hexadecimal digits")
    }
    let session = memory.makeSession()
    let surplus: ViewerSession?
    do throws(Problem) {
      surplus = try sessions.withLock { (sessions) throws(Problem) in
        guard sessions[name] == nil else { throw Problem(.conflict, "the session exists") }
        let isFull = sessions.count >= limit
        let other = isFull ? Self.surplus(of: sessions, for: session.client) : nil
        guard !isFull || other != nil else {
          throw Problem(.serviceUnavailable, "too many viewers", retryAfter: 5)
        }
        sessions[name] = session
        return other.flatMap { sessions.removeValue(forKey: $0) }
      }
    } catch {
      memory.remove(session)
      throw error
    }
    surplus?.end()
    let (command, host) = (command, host)
    let body = ResponseBody { writer in
      defer { self.remove(session, name) }
      var output = writer
      // A browser waits for the first bytes of a body, and must not wait for a document.
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
  /// - Throws: A problem if there is no such conversation, or it has too many waiting requests.
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

  /// The conversation to end for a new one: one of the client with most conversations, if that has more than the new
  /// one's client will have.
  ///
  /// - Returns: The name of a conversation; nil if the client has its share.
  private static func surplus(of sessions: [String: ViewerSession], for client: Client) -> String? {
    let counts = sessions.values.reduce(into: [:]) { $0[$1.client, default: 0] += 1 }
    guard let most = counts.max(by: { $0.value < $1.value }),
      most.value > counts[client, default: 0] + 1
    else { return nil }
    return sessions.first { $0.value.client == most.key }?.key
  }

  /// Removes an ended conversation. Another one may have its name by now.
  private func remove(_ session: ViewerSession, _ name: String) {
    sessions.withLock { if $0[name] === session { $0[name] = nil } }
    memory.remove(session)
  }

  private static func isName(_ text: String) -> Bool {
    text.utf8.count == 32
      && text.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
  }
}
