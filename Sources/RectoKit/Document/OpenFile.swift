internal import DocumentModel
internal import FileSystem
internal import SystemPackage

/// A document's file, closed with its last owner.
final class OpenFile: Sendable {
  let descriptor: FileDescriptor
  let identity: FileIdentity
  /// Whether no later change can leave the same identity.
  let isSettled: Bool

  private let file: InputFile

  /// Opens a file.
  ///
  /// - Throws: `unreadable` when it cannot be opened, or is not a regular file.
  convenience init(_ path: FilePath) throws(DocumentError) {
    do {
      try self.init(try Files.openFile(path))
    } catch {
      throw error as? DocumentError ?? DocumentError(.unreadable, during: "", "\(error)")
    }
  }

  /// A file that is open already.
  ///
  /// - Throws: `unreadable` when it is not a regular file.
  init(_ file: InputFile) throws(DocumentError) {
    self.file = file
    descriptor = file.descriptor
    do {
      let status = try descriptor.stat()
      guard status.type == .regular else {
        throw DocumentError(
          .unreadable,
          during: "",
          status.type == .directory ? "this is a directory" : "this is not a regular file"
        )
      }
      identity = try Self.settled(FileIdentity(status), of: descriptor)
      isSettled = identity.isSettled
    } catch {
      throw error as? DocumentError ?? DocumentError(.unreadable, during: "", "\(error)")
    }
  }

  /// The identity of a file once no later change can have the same times.
  ///
  /// The system's clock for files advances in ticks of some milliseconds. A file that was changed within
  /// this tick could be changed once more without a trace, so the end of the tick is waited for.
  ///
  /// - Throws: The system's error when the file cannot be asked.
  private static func settled(
    _ first: FileIdentity,
    of descriptor: FileDescriptor
  ) throws -> FileIdentity {
    var identity = first
    for _ in 0..<mostTicks where !identity.isSettled {
      FileIdentity.waitForTick()
      identity = FileIdentity(try descriptor.stat())
    }
    return identity
  }

  /// A file whose time is still to come, or that is written all the time, is not waited for.
  private static let mostTicks = 8

  /// Whether the file still holds what it held when it was opened.
  var isUnchanged: Bool {
    (try? descriptor.stat()).map { FileIdentity($0).holdsBytes(of: identity) } ?? false
  }
}
