internal import CPoppler
internal import DocumentModel
internal import Synchronization

/// Collects what poppler complains about while it draws.
///
/// poppler reports through one callback for the whole process and returns nothing from a drawing.
/// A page can produce tens of thousands of messages: only the first is kept.
enum Messages {
  private static let collected = Mutex(Complaints())

  /// Runs `body` and gives back what poppler said meanwhile.
  static func collect<Failure: Error>(
    _ body: () throws(Failure) -> Void
  ) throws(Failure) -> Complaints {
    collected.withLock { $0 = Complaints() }
    try body()
    return collected.withLock { $0 }
  }

  static func install() {
    recto_set_poppler_log_handler { _, _, message, _ in
      Messages.collected.withLock { collected in
        if collected.first == nil, let message {
          collected.first = String(String(cString: message).prefix(200))
        }
        collected.count += 1
      }
    }
  }
}
