public import FileSystem
internal import Glibc
public import SystemPackage

/// The directory in which everything that can be made again is kept.
///
/// ```
/// ~/.cache/recto/CACHEDIR.TAG          backup programs skip it
/// ~/.cache/recto/v1/tiles/5f/….png     one file a tile, named by its key
/// ~/.cache/recto/v1/documents/c0/…/    what was learned about a document
/// ~/.cache/recto/v1/engines/…          which libraries a worker draws with
/// ```
/// Any number of processes may use it at once: files appear by renaming and are checked when read.
/// A read error is a miss. A write error is the caller's to report once; it never fails a command.
public struct CacheDirectory: Hashable, Sendable {
  /// The directory that holds the tag and the format folders.
  public let root: FilePath

  /// The folder of this format; a new format abandons the old entries.
  public var current: FilePath { root.appending("v1") }

  /// A cache at `root`, which need not exist yet.
  public init(root: FilePath) {
    self.root = root
  }

  /// The user's cache: `$XDG_CACHE_HOME/recto`, else `~/.cache/recto`; nil without either variable.
  ///
  /// A relative `XDG_CACHE_HOME` is ignored, as the base directory specification demands.
  public static var ofUser: CacheDirectory? {
    if let base = getenv("XDG_CACHE_HOME") {
      let path = FilePath(platformString: base)
      if path.isAbsolute { return CacheDirectory(root: path.appending("recto")) }
    }
    guard let home = getenv("HOME"), home.pointee != 0 else { return nil }
    return CacheDirectory(root: FilePath(platformString: home).appending(".cache/recto"))
  }

  /// The path of an entry: two hexadecimal digits of its key choose the folder.
  func path(_ kind: String, _ key: CacheKey, _ suffix: String = "") -> FilePath {
    current.appending(kind).appending(String(key.hexadecimal.prefix(2)))
      .appending(key.hexadecimal + suffix)
  }

  /// Writes an entry, making the folders and the tag on the way if they are missing.
  func write(_ bytes: [UInt8], to path: FilePath) throws(FileError) {
    do {
      try Files.write(bytes, to: path, permissions: Files.privateFile)
    } catch  where error.isMissing {
      try create(path.removingLastComponent())
      try Files.write(bytes, to: path, permissions: Files.privateFile)
    }
  }

  /// All bytes of an entry; nil when there is none, or none that can be read.
  ///
  /// - Parameter limit: the most bytes that such an entry can have. Nothing of a longer one is read:
  ///   it is none of ours, and may be sparse and larger than memory.
  func read(_ path: FilePath, limit: Int) -> [UInt8]? {
    try? Files.contents(of: path, limit: limit)
  }

  private func create(_ directory: FilePath) throws(FileError) {
    try Files.createDirectory(directory, permissions: Files.privateDirectory)
    let tag = root.appending("CACHEDIR.TAG")
    if (try? Files.status(of: tag)) == nil {
      try Files.write(Array(Self.tag.utf8), to: tag, permissions: Files.privateFile)
    }
  }

  private static let tag = """
    Signature: 8a477f597d28d172789f06886806bc55
    # This directory holds pictures of PDF pages that recto can draw again.
    # See https://bford.info/cachedir/

    """
}

/// What a cache holds.
public struct CacheContents: Hashable, Sendable {
  /// Tiles and thumbnails.
  public var tiles = 0
  /// Bytes in them.
  public var tileBytes = 0
  /// Documents about which something was learned.
  public var documents = 0
  /// Bytes in what was learned.
  public var documentBytes = 0
}

extension CacheDirectory {
  /// Counts what is there.
  ///
  /// - Complexity: O(*n*) in the number of entries.
  public func contents() throws(FileError) -> CacheContents {
    var contents = CacheContents()
    for shard in try Files.entries(of: current.appending("tiles")) where shard.isDirectory {
      let folder = current.appending("tiles").appending(shard.name)
      for entry in try Files.entries(of: folder) {
        guard let status = try? Files.status(of: folder.appending(entry.name)) else { continue }
        contents.tiles += 1
        contents.tileBytes += Int(status.size)
      }
    }
    for shard in try Files.entries(of: current.appending("documents")) where shard.isDirectory {
      let folder = current.appending("documents").appending(shard.name)
      for document in try Files.entries(of: folder) where document.isDirectory {
        contents.documents += 1
        for entry in try Files.entries(of: folder.appending(document.name)) {
          let path = folder.appending(document.name).appending(entry.name)
          contents.documentBytes += (try? Files.status(of: path)).map { Int($0.size) } ?? 0
        }
      }
    }
    return contents
  }

  /// Removes everything that Recto put there, and nothing else.
  public func clear() throws(FileError) {
    for entry in try Files.entries(of: root)
    where entry.isDirectory && entry.name.string.wholeMatch(of: /v[0-9]+/) != nil {
      try Files.removeTree(root.appending(entry.name))
    }
    try Files.remove(root.appending("CACHEDIR.TAG"))
  }
}
