internal import RectoBase
public import SystemPackage

extension CacheKey {
  /// The key of the fonts below directories: the names and lengths of their files, independent of the order and time of
  /// installation. A symbolic link to a directory counts by its name only.
  ///
  /// - Parameters:
  ///   - directories: The directories; missing and unreadable ones count as empty.
  ///   - settings: Other settings that decide which fonts are used.
  /// - Returns: The key.
  /// - Complexity: O(*n* log *n*) in the number of files, some 2 µs each.
  public static func fonts(in directories: [FilePath], settings: [String]) -> CacheKey {
    var digest = Digest("recto fonts 1")
    for text in settings { digest.add(text) }
    for directory in directories {
      var files: [String] = []
      collect(directory, "", depth: 0, &files)
      digest.add(files.count)
      for file in files.sorted() { digest.add(file) }
    }
    return digest.key()
  }

  /// The key of a worker program by its contents, with the fonts that it finds on this machine.
  public static func program(contents: CacheKey, fonts: CacheKey) -> CacheKey {
    var digest = Digest("recto program with fonts 1")
    digest.add(contents)
    digest.add(fonts)
    return digest.key()
  }

  /// Directories below directories.
  private static let deepest = 16

  private static func collect(
    _ directory: FilePath,
    _ name: String,
    depth: Int,
    _ files: inout [String]
  ) {
    var folders: [FilePath.Component] = []
    // Fonts in a directory that cannot be listed cannot be read either.
    try? Files.forEachEntry(of: directory) { component, status in
      if status.type == .directory {
        folders.append(component)
      } else {
        files.append("\(name)/\(component) \(status.size)")
      }
    }
    guard depth < deepest else { return }
    for folder in folders {
      collect(directory.appending(folder), "\(name)/\(folder)", depth: depth + 1, &files)
    }
  }
}
