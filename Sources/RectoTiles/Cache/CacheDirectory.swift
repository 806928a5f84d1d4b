internal import Glibc
public import RectoBase
internal import Synchronization
public import SystemPackage

/// The directory of everything that can be made again.
///
/// ```
/// ~/.cache/recto/CACHEDIR.TAG          backup programs skip it
/// ~/.cache/recto/v2/usage              what each shard uses
/// ~/.cache/recto/v2/pictures/5f/….png  one file for each distinct picture, named by its digest
/// ~/.cache/recto/v2/tables/c0/…        which pictures the tiles of a page have
/// ~/.cache/recto/v2/documents/c0/…/ results about a document ~/.cache/recto/v2/texts/c0/… the text
/// of sixteen pages, and the boxes of its characters ~/.cache/recto/v2/contents/c0/… the digest of
/// a file's contents, by the file's identity ~/.cache/recto/v2/parts/c0/… parts of documents on
/// servers ~/.cache/recto/v2/stores/… shared stores that did not answer ~/.cache/recto/v2/engines/… which libraries a
/// worker draws with
/// ```
/// Any number of processes may use it at once, and one may clear it: files are renamed into place and checked when
/// read, missing folders are created again. A read error is a miss. Callers report a write error once; it never fails a
/// command. See docs/CACHE.md for the reasons.
///
/// Each directory from the root down must be this user's own, and not writable by other users, because its contents are
/// trusted. Other directories are never read or written. The root may be a symbolic link, whose target is checked;
/// nothing below it may be one.
public struct CacheDirectory: Hashable, Sendable {
  /// The directory that holds the tag and the format folders.
  public let root: FilePath
  /// How much it may hold.
  public let limits: CacheLimits
  /// The folders that have been looked at.
  private let own = OwnFolders()
  /// The space used by entries.
  let usage: CacheUsage
  /// Keeps threads apart that would clean it.
  let trimming = TrimGate()

  /// The folder of this format; a new format abandons the old entries.
  public var current: FilePath { Self.current(in: root) }

  private static func current(in root: FilePath) -> FilePath { root.appending("v2") }

  /// A cache at `root`, which need not exist yet.
  public init(root: FilePath, limits: CacheLimits = CacheLimits()) {
    self.root = root
    self.limits = limits
    usage = CacheUsage(in: Self.current(in: root))
  }

  /// The same cache with other limits.
  public func limited(to limits: CacheLimits) -> CacheDirectory {
    CacheDirectory(root: root, limits: limits)
  }

  /// Whether both are at the same path.
  public static func == (first: CacheDirectory, second: CacheDirectory) -> Bool {
    first.root == second.root
  }

  /// Hashes the path.
  public func hash(into hasher: inout Hasher) { hasher.combine(root) }

  /// The user's cache: `$XDG_CACHE_HOME/recto`, else `~/.cache/recto`; nil without either variable.
  ///
  /// A relative `XDG_CACHE_HOME` is ignored, as the base directory specification requires.
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
  ///   - suffix: The suffix of the name, after the key.
  func path(_ kind: CacheShard.Kind, _ key: CacheKey, _ suffix: String = "") -> FilePath {
    current.appending(kind.rawValue).appending(String(key.hexadecimal.prefix(2)))
      .appending(key.hexadecimal + suffix)
  }

  /// Writes an entry, creating the folders and the tag if they are missing.
  ///
  /// - Parameters:
  ///   - bytes: The whole entry.
  /// - Throws: `FileError` when the entry cannot be counted or written, or a directory is not this
  ///   user's own.
  func write(_ bytes: [UInt8], to path: FilePath, in shard: CacheShard) throws(FileError) {
    try making(path.removingLastComponent(), shard) { () throws(FileError) in
      let before = Files.entryStatus(of: path)
      if before?.type == .directory { try Files.removeEntry(path) }
      try Files.write(bytes, to: path, permissions: Files.privateFile)
      try count(bytes.count, after: before, at: path, in: shard)
    }
  }

  /// Appends to an entry, creating the folders, the tag and the entry if they are missing.
  ///
  /// - Parameters:
  ///   - length: The length of the entry so far.
  /// - Throws: `FileError` when the entry cannot be counted or written, or a directory is not this
  ///   user's own.
  func append(
    _ bytes: [UInt8],
    to path: FilePath,
    in shard: CacheShard,
    of length: Int
  ) throws(FileError) {
    try making(path.removingLastComponent(), shard) { () throws(FileError) in
      let before = Files.entryStatus(of: path)
      try Files.append(bytes, to: path, permissions: Files.privateFile)
      try count(length + bytes.count, after: before, at: path, in: shard)
    }
  }

  /// Calls a closure when the folder of an entry exists; again, if it was removed meanwhile.
  ///
  /// - Parameters:
  ///   - folder: The folder of the entry: of a shard, or below it.
  /// - Throws: What `body` throws, and `FileError` for a directory that cannot be made or is not this
  ///   user's own.
  private func making(
    _ folder: FilePath,
    _ shard: CacheShard,
    _ body: () throws(FileError) -> Void
  ) throws(FileError) {
    if let failure = own.failure { throw failure }
    var attempt = 1
    while true {
      do throws(FileError) {
        if try isOwn(shard) { return try body() }
      } catch {
        let path = shard.folder(in: current)
        if error.refusal == .noDirectory, error.path == path {
          // A link or file in the place of a folder.
          try Files.remove(path)
        } else if error.errno != .noSuchFileOrDirectory {
          throw error
        }
        // The folder is new, or another process that clears the cache removed it between two steps.
        own.remove(shard)
        own.remove(shard.ofKind)
      }
      guard attempt < Self.mostAttempts else {
        let failure = FileError("create", folder, .noSuchFileOrDirectory)
        own.giveUp(failure)
        throw failure
      }
      attempt += 1
      do throws(FileError) {
        try create(folder)
      } catch {
        // Taken away again.
        guard error.errno == .noSuchFileOrDirectory else { throw error }
      }
    }
  }

  private static let mostAttempts = 1024

  /// Counts the growth of an entry. An entry that cannot be counted is removed: the cache would grow without bound.
  ///
  /// - Parameters:
  ///   - before: The previous file at its path; nil if there was none.
  /// - Throws: `FileError` when the counters cannot be written.
  private func count(
    _ length: Int,
    after before: Stat?,
    at path: FilePath,
    in shard: CacheShard
  ) throws(FileError) {
    let old = before?.type == .regular ? bytesOnDisk(Int(before?.size ?? 0)) : 0
    let more = bytesOnDisk(length) - old
    guard more != 0 else { return }
    let now = currentTime()
    do throws(FileError) {
      guard try usage.add(more, to: shard.number, at: now) else { return }
    } catch {
      // Another process that clears the cache has removed it, and the caller tries again.
      if !error.isMissing { try Files.removeEntry(path) }
      throw error
    }
    // The entry is stored in any case. `recto cache trim` reports failures to list or remove.
    try? removeAbandoned(shard.number)
    _ = try? trim(shard.number, nil, at: now)
  }

  /// All bytes of an entry, which counts as a use; nil if it is missing, unreadable or untrusted.
  ///
  /// - Parameters:
  ///   - limit: The most bytes of such an entry. A longer file is not ours and is not read: it may
  ///     be sparse and larger than memory.
  ///   - interval: The time of last use is recorded at most this often, in seconds; nil if this is not a use.
  func read(
    _ path: FilePath,
    in shard: @autoclosure () -> CacheShard,
    limit: Int,
    noting interval: Int? = useInterval
  ) -> [UInt8]? {
    // Most lookups miss, and often the folder is missing, too.
    guard
      let bytes = try? Files.entry(at: path, limit: limit, touchingIfOlderThan: interval),
      (try? isOwn(shard())) == true
    else { return nil }
    return bytes
  }

  /// The time of last use is the modification time, usually set at most this often, in seconds.
  static let useInterval = 300

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

// MARK: Removing

extension CacheDirectory {
  /// Removes everything that Recto put there, and nothing else.
  ///
  /// Folders that other processes use are moved aside first, so that these create new ones.
  ///
  /// - Throws: A refusal when the cache is not this user's own.
  public func clear() throws(FileError) {
    try check()
    // First, because a process that creates the folders again from here on writes its own tag.
    try Files.removeEntry(root.appending("CACHEDIR.TAG"))
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
      }
    }
    try removeAbandoned()
  }
}

extension CacheDirectory {
  /// Obsolete folders: those of the first format, and those moved aside by a process that clears the cache or was
  /// killed while doing so.
  private func abandoned() throws(FileError) -> [FilePath] {
    try Files.entries(of: root).filter { entry in
      let name = entry.name.string
      return name == "v1" || entry.isDirectory && name.hasPrefix(Files.temporaryPrefix)
    }.map { root.appending($0.name) }
  }

  /// Removes obsolete folders.
  ///
  /// - Throws: `FileError` when an entry cannot be removed.
  func removeAbandoned() throws(FileError) {
    for folder in try abandoned() { try Files.removeEntry(folder) }
  }

  /// Removes the obsolete entries that belong to a shard: once per shard, when something is first stored in it, so that
  /// no call takes long. An older program that still runs draws them again.
  ///
  /// - Throws: `FileError` when an entry cannot be removed.
  private func removeAbandoned(_ shard: Int) throws(FileError) {
    for old in try abandoned() {
      var isEmpty = true
      for kind in ["tiles"] + CacheShard.Kind.allCases.map(\.rawValue) {
        let folder = old.appending(kind)
        try Files.removeEntry(folder.appending(CacheShard.name(shard)))
        try Files.forEachEntry(of: folder) { name, _ in
          if name.string.utf8.count == 2 { isEmpty = false }
        }
      }
      if isEmpty { try Files.removeEntry(old) }
    }
  }
}

// MARK: Ownership

extension CacheDirectory {
  /// Checks the common directories, as far as they exist.
  ///
  /// - Throws: A refusal for one that is not this user's own, or why it cannot be checked.
  public func check() throws(FileError) {
    for kind in CacheShard.Kind.allCases { _ = try isOwn(current.appending(kind.rawValue)) }
  }

  /// Whether a folder of entries exists, and it and its parents are this user's own.
  ///
  /// Checked once: no other user can change a directory that only its owner may write to.
  ///
  /// - Throws: A refusal for one that is not.
  private func isOwn(_ shard: CacheShard) throws(FileError) -> Bool {
    if own.contains(shard) { return true }
    let folder = shard.folder(in: current)
    if own.contains(shard.ofKind) {
      guard try Files.isOwnDirectory(folder) else { return false }
    } else {
      guard try isOwn(folder) else { return false }
      own.insert(shard.ofKind)
    }
    own.insert(shard)
    return true
  }

  /// Whether a folder of entries exists and is this user's own.
  func isUsable(_ shard: CacheShard) -> Bool { (try? isOwn(shard)) == true }

  private func isOwn(_ folder: FilePath) throws(FileError) -> Bool {
    if folder != root, folder.starts(with: root) {
      guard try isOwn(folder.removingLastComponent()) else { return false }
    }
    return try Files.isOwnDirectory(folder, followingLink: folder == root)
  }
}
