internal import CLinux
internal import Glibc
internal import SystemPackage

/// A file without a name that is received in parts: in memory if it is short, else in the temporary directory.
public final class ReceivedFile: Sendable {
  private let writing: FileDescriptor
  /// The file in the temporary directory; nil if it is in memory.
  private let stored: InputFile?
  private let folder: FilePath

  /// The most bytes of a file in memory.
  public static let longestInMemory = 64 << 20

  /// MFD_CLOEXEC and MFD_ALLOW_SEALING of memfd_create(2).
  private static let flags: UInt32 = 3
  /// F_ADD_SEALS of fcntl(2), and all seals that end changes.
  private static let addSeals: Int32 = 1033
  private static let seals: Int32 = 0xF

  /// An empty file.
  ///
  /// - Parameter length: The number of bytes that will be written; decides where.
  /// - Throws: `SpoolingError.storage` if it cannot be made.
  public init(length: Int) throws(SpoolingError) {
    if length <= Self.longestInMemory {
      let number = memfd_create("document", Self.flags)
      if number >= 0 {
        (writing, stored, folder) = (FileDescriptor(rawValue: number), nil, "memory")
        return
      }
    }
    let (writing, reading, folder) = try Files.createUnnamed()
    (self.writing, stored, self.folder) = (writing, reading, folder)
  }

  deinit { try? writing.close() }  // the copy sees all that was written

  /// Adds bytes.
  ///
  /// - Parameter bytes: The next bytes.
  /// - Throws: `SpoolingError.storage` if they cannot be written.
  public func append(_ bytes: ArraySlice<UInt8>) throws(SpoolingError) {
    do {
      try bridge("write", folder) { _ = try writing.writeAll(bytes) }
    } catch {
      throw .storage(error)
    }
  }

  /// The file, open for reading. One in memory cannot be changed any more.
  ///
  /// - Returns: The file.
  /// - Throws: `SpoolingError.storage` if it cannot be opened.
  public func finish() throws(SpoolingError) -> InputFile {
    if let stored { return stored }
    guard fcntl(writing.rawValue, Self.addSeals, Self.seals) == 0 else {
      throw .storage(FileError("seal", folder, .current))
    }
    do {
      return try Files.openFile(FilePath("/proc/self/fd/\(writing.rawValue)"))
    } catch {
      throw .storage(error)
    }
  }
}
