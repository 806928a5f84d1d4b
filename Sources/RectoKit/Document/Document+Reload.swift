public import DocumentModel
public import RectoBase

/// Files that are written to or replaced while they are open.
extension Document {
  /// The states of the file at ``path`` in which its bytes differ from the open ones: the present one, then one each
  /// time a program writes to it or replaces it, as editors do.
  ///
  /// The old file stays open. If it was replaced, the old version is drawn; if it was written to, pages fail with
  /// `changed`. ``reloaded()`` opens the new version.
  ///
  /// Ends at once if the directory cannot be watched. A slow reader gets only the newest state.
  public nonisolated var changes: some AsyncSequence<FileIdentity, Never> & Sendable {
    let stream = Self.watcher?.changes(of: path) ?? AsyncStream { $0.finish() }
    let identity = identity
    return stream.filter { !$0.holdsBytes(of: identity) }
  }

  /// One per process, because the number of watchers per user is small.
  private static let watcher = try? FileWatcher()

  /// Opens the current file at ``path`` with the same settings and the same engine. This document stays open.
  ///
  /// ``Viewer/carried(to:configuration:pages:)`` shows it at the same place.
  ///
  /// - Returns: The document. Only the status of its file has been read.
  /// - Throws: `unreadable` if the file no longer exists or may not be read, and for the copy of a stream and a document
  ///   on a server, which cannot be opened again.
  public nonisolated func reloaded() throws(DocumentError) -> Document {
    guard let reopening else {
      throw DocumentError(
        .unreadable,
        during: "reload",
        "\(file.remote == nil ? "the copy of a stream" : "a document on a server") cannot be opened again"
      )
    }
    return try reopening()
  }
}
