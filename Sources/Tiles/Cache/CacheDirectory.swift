public import FileSystem
internal import Glibc
internal import Synchronization
public import SystemPackage

/// The directory in which everything that can be made again is kept.
///
/// ```
/// ~/.cache/recto/CACHEDIR.TAG          backup programs skip it
/// ~/.cache/recto/v1/tiles/5f/….png     one file a tile, named by its key
/// ~/.cache/recto/v1/documents/c0/…/    what was learned about a document
/// ~/.cache/recto/v1/engines/…          which libraries a worker draws with
/// ```
/// Any number of processes may use it at once, and one may clear it: files appear by renaming and are
/// checked when read, folders that are gone are made again. A read error is a miss. A write error is
/// the caller's to report once; it never fails a command.
///
/// Each directory from the root down must be this user's own, and no other user may write to it: what
/// lies there is believed. One that is not is never read from or written to. The root may be a
/// symbolic link, what it leads to counts; nothing below it may.
public struct CacheDirectory: Hashable, Sendable {
  /// The directory that holds the tag and the format folders.
  public let root: FilePath
  /// The folders that have been looked at.
  private let own = OwnFolders()

  /// The folder of this format; a new format abandons the old entries.
  public var current: FilePath { root.appending("v1") }

  /// A cache at `root`, which need not exist yet.
  public init(root: FilePath) {
    self.root = root
  }

  /// Whether both are at the same path.
  public static func == (first: CacheDirectory, second: CacheDirectory) -> Bool {
    first.root == second.root
  }

  /// Hashes the path.
  public func hash(into hasher: inout Hasher) { hasher.combine(root) }

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
  ///
  /// - Parameters:
  ///   - kind: Tiles or documents.
  ///   - key: The key of the entry.
  ///   - suffix: What the name has behind the key.
  /// - Returns: The path.
  func path(_ kind: CacheShard.Kind, _ key: CacheKey, _ suffix: String = "") -> FilePath {
    current.appending(kind.rawValue).appending(String(key.hexadecimal.prefix(2)))
      .appending(key.hexadecimal + suffix)
  }

  /// Writes an entry, making the folders and the tag on the way if they are missing.
  ///
  /// - Parameters:
  ///   - bytes: All that the entry is to hold.
  ///   - path: The path of the entry.
  ///   - shard: Where the entry is.
  /// - Throws: `FileError` when the entry cannot be written, or a directory is not this user's own.
  func write(_ bytes: [UInt8], to path: FilePath, in shard: CacheShard) throws(FileError) {
    var attempt = 1
    while true {
      do throws(FileError) {
        if try isOwn(shard) {
          return try Files.write(bytes, to: path, permissions: Files.privateFile)
        }
      } catch {
        // Nothing was there yet, or another process that clears the cache takes folders away between
        // two steps.
        guard error.errno == .noSuchFileOrDirectory else { throw error }
        own.remove(shard)
      }
      guard attempt < Self.mostAttempts else {
        throw FileError("create", path, .noSuchFileOrDirectory)
      }
      attempt += 1
      do throws(FileError) {
        try create(path.removingLastComponent())
      } catch {
        // Taken away again.
        guard error.errno == .noSuchFileOrDirectory else { throw error }
      }
    }
  }

  private static let mostAttempts = 1024

  /// All bytes of an entry; nil when there is none, or none that can be read or believed.
  ///
  /// - Parameters:
  ///   - path: The path of the entry.
  ///   - shard: Where the entry is.
  ///   - limit: The most bytes that such an entry can have. Nothing of a longer one is read: it is
  ///     none of ours, and may be sparse and larger than memory.
  /// - Returns: The bytes.
  func read(_ path: FilePath, in shard: @autoclosure () -> CacheShard, limit: Int) -> [UInt8]? {
    // Most entries that are looked for are not there, and often their folder is not either.
    guard let bytes = try? Files.contents(of: path, limit: limit), (try? isOwn(shard())) == true
    else {
      return nil
    }
    return bytes
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
  /// - Throws: `FileError` when a directory cannot be listed.
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
  ///
  /// What is in use by others is moved aside first, so that they put nothing more into it, and make
  /// their folders anew.
  ///
  /// - Throws: A refusal when the cache is not this user's own.
  public func clear() throws(FileError) {
    try check()
    // First: a process that makes the folders again from here on writes a tag of its own.
    try Files.remove(root.appending("CACHEDIR.TAG"))
    for entry in try Files.entries(of: root) where entry.isDirectory {
      let path = root.appending(entry.name)
      if entry.name.string.wholeMatch(of: /v[0-9]+/) != nil {
        let aside = root.appending(Files.randomName())
        do {
          try Files.rename(path, to: aside)
        } catch  where error.isMissing {
          // Another process clears the cache too.
          continue
        }
        try Files.removeTree(aside)
      } else if entry.name.string.hasPrefix(Files.temporaryPrefix) {
        // Moved aside by a process that was killed, or is at it.
        try Files.removeTree(path)
      }
    }
  }
}

// MARK: Whose it is

extension CacheDirectory {
  /// Looks at the directories that every use goes through, as far as they exist.
  ///
  /// - Throws: A refusal for one that is not this user's own, or why it cannot be looked at.
  public func check() throws(FileError) {
    for kind in CacheShard.Kind.allCases { _ = try isOwn(current.appending(kind.rawValue)) }
  }

  /// Whether a folder of entries is there, and with those above it this user's own.
  ///
  /// Looked at once: a directory that only its owner may write to changes for no other user.
  ///
  /// - Throws: A refusal for one that is not.
  private func isOwn(_ shard: CacheShard) throws(FileError) -> Bool {
    if own.contains(shard) { return true }
    guard try isOwn(shard.folder(in: current)) else { return false }
    own.insert(shard)
    return true
  }

  private func isOwn(_ folder: FilePath) throws(FileError) -> Bool {
    if folder != root, folder.starts(with: root) {
      guard try isOwn(folder.removingLastComponent()) else { return false }
    }
    return try Files.isOwnDirectory(folder, followingLink: folder == root)
  }
}
