internal import Glibc
public import SystemPackage

extension Files {
  /// One name in a directory.
  public struct Entry: Hashable, Sendable {
    /// The name; any bytes but a slash.
    public var name: FilePath.Component
    /// Whether it is a directory itself. A symbolic link is not, whatever it points to.
    public var isDirectory: Bool

    /// Whether the name begins with a dot.
    public var isHidden: Bool { name.withPlatformString { $0.pointee == CChar(UInt8(ascii: ".")) } }
  }

  /// The names in a directory, sorted by their bytes; none when the directory is missing.
  ///
  /// - Throws: ``FileError`` when the directory cannot be read.
  /// - Complexity: O(*n* log *n*) in the number of names.
  public static func entries(of path: FilePath) throws(FileError) -> [Entry] {
    guard let stream = path.withPlatformString({ opendir($0) }) else {
      if Errno.current.isGone { return [] }
      throw FileError("list", path, .current)
    }
    defer { closedir(stream) }
    var entries: [Entry] = []
    while true {
      // Only errno tells the end of readdir from a failure.
      Glibc.errno = 0
      guard let record = readdir(stream) else { break }
      let name = withUnsafePointer(to: &record.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: CChar.self, capacity: 256) {
          FilePath.Component(platformString: $0)
        }
      }
      guard let name, name.kind == .regular else { continue }
      var isDirectory = record.pointee.d_type == DT_DIR
      if record.pointee.d_type == DT_UNKNOWN {
        let status = try? Stat(path.appending(name), followTargetSymlink: false)
        isDirectory = status?.type == .directory
      }
      entries.append(Entry(name: name, isDirectory: isDirectory))
    }
    guard Glibc.errno == 0 else { throw FileError("list", path, .current) }
    return entries.sorted { left, right in
      left.name.withPlatformString { first in
        right.name.withPlatformString { strcmp(first, $0) < 0 }
      }
    }
  }
}

extension Files {
  /// Whether a directory exists and is private: owned by the effective user, and not writable by
  /// its group or others.
  ///
  /// - Parameters:
  ///   - path: The directory.
  ///   - followingLink: Whether symbolic links are followed.
  /// - Returns: Whether it exists.
  /// - Throws: ``FileError``; a refusal if it belongs to another user, others may write to it, or
  ///   it is not a directory.
  public static func isOwnDirectory(
    _ path: FilePath,
    followingLink: Bool = false
  ) throws(FileError) -> Bool {
    let status: Stat
    do {
      status = try bridge("use", path) { try Stat(path, followTargetSymlink: followingLink) }
    } catch {
      guard error.isMissing else { throw error }
      return false
    }
    guard status.type == .directory else { throw FileError("use", path, refusal: .noDirectory) }
    guard status.rawValue.st_uid == geteuid() else {
      throw FileError("use", path, refusal: .otherOwner)
    }
    guard status.rawValue.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
      throw FileError("use", path, refusal: .writableByOthers)
    }
    return true
  }
}
