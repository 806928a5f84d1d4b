// SPDX-License-Identifier: GPL-2.0-or-later

internal import CPoppler
internal import DocumentModel
internal import Glibc
internal import Synchronization

/// Collects poppler's messages while it draws.
///
/// poppler reports errors only through one callback for the whole process, on the thread that draws. A page can produce
/// tens of thousands of messages: only the first is kept.
enum Messages {
  /// The messages collected by drawing threads.
  private static let collected = Mutex<[pthread_t: Warnings]>([:])

  /// Runs `body` and returns poppler's messages on this thread meanwhile. If `body` collects, too, the inner call gets
  /// its messages.
  ///
  /// - Throws: What `body` throws.
  static func collect<Failure: Error>(
    _ body: () throws(Failure) -> Void
  ) throws(Failure) -> Warnings {
    let thread = pthread_self()
    let outer = collected.withLock { collected in
      defer { collected[thread] = Warnings() }
      return collected[thread]
    }
    defer { collected.withLock { $0[thread] = outer } }
    try body()
    return collected.withLock { $0[thread] ?? Warnings() }
  }

  /// The messages of poppler 22.12 about fonts whose text it omits: with cairo, and with any rasterizer.
  private static let lostFonts = [
    "could not create cid (OT) face", "could not create cid face", "could not create truetype face",
    "could not create type1 face", "failed to load truetype font", "Couldn't find a font for",
  ]

  static func install() {
    recto_set_poppler_log_handler { _, _, message, _ in
      Messages.collected.withLock { collected in
        guard var warnings = collected[pthread_self()] else { return }
        if let message {
          if warnings.first == nil { warnings.first = String(String(cString: message).prefix(200)) }
          if warnings.incomplete == nil,
            Messages.lostFonts.contains(where: { strstr(message, $0) != nil })
          {
            warnings.incomplete = "text is left out: \(String(cString: message).prefix(180))"
          }
        }
        warnings.count += 1
        collected[pthread_self()] = warnings
      }
    }
  }
}
