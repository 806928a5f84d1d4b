internal import Synchronization

/// Bounds the memory of waiting requests and unread output in all conversations. Above the limit, the conversation with
/// the most of it ends.
final class ConversationMemory: Sendable {
  private let limit: Int
  private let state = Mutex(State())

  private struct State {
    var bytes = 0
    var sessions: [ObjectIdentifier: ViewerSession] = [:]
  }

  /// Nothing waits.
  init(limit: Int = 256 << 20) { self.limit = limit }

  /// Bytes that wait.
  var byteCount: Int { state.withLock(\.bytes) }

  /// A conversation that is counted until ``remove(_:)``.
  func makeSession() -> ViewerSession {
    let session = ViewerSession { self.changed(by: $0) }
    state.withLock { $0.sessions[ObjectIdentifier(session)] = session }
    return session
  }

  /// Ends a conversation, and stops counting it.
  func remove(_ session: ViewerSession) {
    session.end()
    let removed = state.withLock { $0.sessions.removeValue(forKey: ObjectIdentifier(session)) }
    withExtendedLifetime(removed) {}
  }

  private func changed(by bytes: Int) {
    let sessions = state.withLock { state -> [ViewerSession] in
      state.bytes += bytes
      return bytes > 0 && state.bytes > limit ? Array(state.sessions.values) : []
    }
    let counted = sessions.map { (session: $0, bytes: $0.byteCount) }
    counted.max { $0.bytes < $1.bytes }?.session.end()
  }
}
