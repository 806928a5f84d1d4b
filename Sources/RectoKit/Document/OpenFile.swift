internal import DocumentModel
internal import PDFStructure
internal import RectoBase
internal import Synchronization
internal import SystemPackage

/// A document's file, closed when its last owner releases it.
final class OpenFile: Sendable {
  let descriptor: FileDescriptor
  let identity: FileIdentity
  /// The document on a server whose parts the file has; nil for a file of this machine.
  let remote: RemoteFile?
  /// Whether no later change could leave the same identity when the file was opened.
  private let wasSettled: Bool

  private let file: InputFile
  /// The file at the last check at which its contents were unchanged; nil after they changed.
  private let seen: Mutex<Look?>

  /// The result of checking the file.
  private struct Look {
    var identity: FileIdentity
    var name: String?
  }

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

  /// An open file.
  ///
  /// - Throws: `unreadable` when it is not a regular file.
  init(_ file: InputFile) throws(DocumentError) {
    self.file = file
    remote = nil
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
      identity = FileIdentity(status)
      wasSettled = identity.isSettled
      seen = Mutex(Look(identity: identity, name: Files.name(of: descriptor)))
    } catch {
      throw error as? DocumentError ?? DocumentError(.unreadable, during: "", "\(error)")
    }
  }

  /// A document on a server.
  init(_ remote: RemoteFile) {
    self.remote = remote
    file = remote.reading
    descriptor = file.descriptor
    identity = remote.identity
    wasSettled = remote.isStrong
    seen = Mutex(nil)
  }

  /// The bytes, for the page tree reader.
  ///
  /// - Throws: `StructureError` when the file cannot be read.
  func bytes() throws(StructureError) -> any ByteSource {
    if let remote { return try RemoteBytes(remote) }
    return try FileBytes(descriptor: descriptor.rawValue)
  }

  /// Whether no later change can leave the same identity.
  ///
  /// The system's clock for files advances in ticks of some milliseconds. A file that was changed within this tick
  /// could change again unnoticed, so this waits for the end of the tick.
  func isSettled() -> Bool {
    if wasSettled || remote != nil { return wasSettled }
    for _ in 0..<Self.mostTicks where !identity.isSettled { FileIdentity.waitForTick() }
    return identity.isSettled && isUntouched
  }

  /// Does not wait for a file whose time is in the future, or that is written all the time.
  private static let mostTicks = 8

  /// Whether nothing about the file was changed since it was opened.
  var isUntouched: Bool {
    if let remote { return remote.isUnchanged }
    return (try? descriptor.stat()).map(FileIdentity.init) == identity
  }

  /// Whether the file still has the contents it had when it was opened. Never true again once it is
  /// false.
  var isUnchanged: Bool {
    if let remote { return remote.isUnchanged }
    guard let now = (try? descriptor.stat()).map(FileIdentity.init) else { return false }
    if seen.withLock({ $0?.identity == now }) { return true }
    let look = Look(identity: now, name: Files.name(of: descriptor))
    return seen.withLock { last in
      guard let known = last,
        now.holdsBytes(of: known.identity, isRenamed: known.name != look.name)
      else {
        last = nil
        return false
      }
      last = look
      return true
    }
  }
}
