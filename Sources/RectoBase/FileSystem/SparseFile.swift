internal import Glibc
internal import SystemPackage

/// A file without a name of which parts are written later. It exists as long as it is open.
public final class SparseFile: Sendable {
  /// The same file, open for reading only.
  public let reading: InputFile
  private let writing: FileDescriptor
  private let folder: FilePath

  /// Makes a file in the temporary directory.
  ///
  /// - Parameter size: The number of bytes; all are zero, and take no space.
  /// - Throws: ``FileError`` when it cannot be made.
  public init(size: Int) throws(FileError) {
    do throws(SpoolingError) {
      (writing, reading, folder) = try Files.createUnnamed()
    } catch {
      guard case .storage(let reason) = error else { throw FileError("create", "", .ioError) }
      throw reason
    }
    guard ftruncate(writing.rawValue, off_t(size)) == 0 else {
      let error = Errno.current
      try? writing.close()  // nothing has been written
      throw FileError("create", folder, error)
    }
  }

  deinit { try? writing.close() }  // what could not be written was reported

  /// Writes bytes.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - offset: Where they begin.
  /// - Throws: ``FileError``, for example when the disk is full.
  public func write(_ bytes: [UInt8], at offset: Int) throws(FileError) {
    try bridge("write", folder) {
      _ = try writing.writeAll(toAbsoluteOffset: Int64(offset), bytes)
    }
  }
}
