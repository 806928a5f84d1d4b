internal import DocumentModel
internal import FileSystem
internal import SystemPackage

/// A document's file, closed with its last owner.
final class OpenFile: Sendable {
  let descriptor: FileDescriptor
  let identity: FileIdentity

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
      identity = FileIdentity(status)
    } catch {
      throw error as? DocumentError ?? DocumentError(.unreadable, during: "", "\(error)")
    }
  }

  /// Whether the file still holds what it held when it was opened.
  var isUnchanged: Bool {
    (try? descriptor.stat()).map { FileIdentity($0).holdsBytes(of: identity) } ?? false
  }
}
