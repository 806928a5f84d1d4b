internal import DocumentModel
internal import FileSystem
internal import SystemPackage

/// A descriptor that is closed with its last owner.
final class OpenFile: Sendable {
  let descriptor: FileDescriptor
  let identity: FileIdentity

  init(_ path: FilePath) throws(DocumentError) {
    let descriptor: FileDescriptor
    do {
      descriptor = try Files.open(path)
    } catch {
      throw DocumentError(.unreadable, during: "", "\(error)")
    }
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
    } catch {
      try? descriptor.close()  // opened for reading: closing cannot lose anything
      throw error as? DocumentError ?? DocumentError(.unreadable, during: "", "\(error)")
    }
    self.descriptor = descriptor
  }

  /// Whether the file still holds what it held when it was opened.
  var isUnchanged: Bool {
    (try? descriptor.stat()).map { FileIdentity($0).holdsBytes(of: identity) } ?? false
  }

  deinit { try? descriptor.close() }  // as above
}
