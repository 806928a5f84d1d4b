public import DocumentModel
public import RectoBase

/// Files that are written to or replaced while they are open.
extension Document {
  /// The states of the file under ``path`` in which it does not hold the bytes that are open: the present one, and one
  /// for each time that a program has written to it or put another file in its place, as editors do.
  ///
  /// What is open is still the old file. A file that was replaced is drawn as it was; of one that was written to, pages
  /// fail with `changed`. ``reloaded()`` opens what is there now.
  ///
  /// It ends at once if the directory cannot be watched. If several states come before the last one was taken, it is
  /// the newest.
  public nonisolated var changes: some AsyncSequence<FileIdentity, Never> & Sendable {
    let stream = Self.watcher?.changes(of: path) ?? AsyncStream { $0.finish() }
    let identity = identity
    return stream.filter { !$0.holdsBytes(of: identity) }
  }

  /// One for the process: each takes one of the few watchers that a user may have.
  private static let watcher = try? FileWatcher()

  /// Opens the file that is under ``path`` now, with the same settings and the same engine. This document stays open.
  ///
  /// ``Viewer/carried(to:configuration:pages:)`` shows it at the same place.
  ///
  /// - Returns: The document. Nothing but the status of its file has been read.
  /// - Throws: `unreadable` when there is no file any more or it may not be read, and for the copy of a stream, which
  ///   cannot be opened again.
  public nonisolated func reloaded() throws(DocumentError) -> Document {
    guard let reopening else {
      throw DocumentError(
        .unreadable,
        during: "reload",
        "the copy of a stream cannot be opened again"
      )
    }
    return try reopening()
  }
}
