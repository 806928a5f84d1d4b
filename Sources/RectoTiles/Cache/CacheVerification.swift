public import RectoBase
public import SystemPackage

/// The result of reading all entries of a cache.
public struct CacheVerification: Hashable, Sendable {
  /// Entries that were read.
  public var checked = 0
  /// The paths of damaged or foreign entries, which were removed or rewritten.
  public var damaged: [FilePath] = []
  /// The first failure to list, remove or write; nil if there was none.
  public var failure: FileError?
}

extension CacheDirectory {
  /// Reads every entry, and removes invalid ones.
  ///
  /// A picture must have the digest in its name; a table and a record must have a valid checksum. Everything else is
  /// foreign, except files that another process is writing. Rows of tables whose picture is missing are not damage: it
  /// was removed to enforce the limits.
  ///
  /// - Throws: A refusal when the cache is not this user's own.
  /// - Complexity: O(*n*) in the bytes of all entries.
  public func verify() throws(FileError) -> CacheVerification {
    try check()
    var result = CacheVerification()
    for path in foreign(&result) { result.remove(path) }
    for shard in 0..<CacheShard.count {
      do throws(FileError) {
        try verify(shard, &result)
      } catch {
        result.failure = result.failure ?? error
      }
    }
    return result
  }

  /// Reads the entries of one shard.
  ///
  /// - Throws: `FileError` when a directory cannot be listed, or the counters cannot be corrected.
  private func verify(_ shard: Int, _ result: inout CacheVerification) throws(FileError) {
    let now = currentTime()
    for entry in try entries(of: shard, at: now) {
      let path = CacheShard(entry.kind, shard).folder(in: current).appending(entry.name)
      guard let status = Files.entryStatus(of: path), !isBeingWritten(entry, status) else {
        continue
      }
      result.checked += 1
      // Rewritten or removed since it was checked.
      guard !isWhole(entry, path, status), let again = Files.entryStatus(of: path),
        again.modified == status.modified
      else { continue }
      if let table = repaired(entry, path) {
        result.damaged.append(path)
        try write(table.bytes, to: path, in: CacheShard(.tables, shard))
      } else {
        result.remove(path)
      }
    }
    try trim(shard, nil, at: now)
  }

  /// Finds entries in the cache's folders that are not folders of shards.
  private func foreign(_ result: inout CacheVerification) -> [FilePath] {
    var foreign: [FilePath] = []
    func list(_ folder: FilePath, _ isOurs: (String, Stat) -> Bool) {
      do throws(FileError) {
        try Files.forEachEntry(of: folder) { name, status in
          if !isOurs(name.string, status) { foreign.append(folder.appending(name)) }
        }
      } catch {
        result.failure = result.failure ?? error
      }
    }
    list(current) { name, status in
      name == "usage" ? status.type == .regular : CacheShard.Kind(rawValue: name) != nil
    }
    let names = Set((0..<CacheShard.count).map(CacheShard.name))
    for kind in CacheShard.Kind.allCases where kind != .engines {
      list(current.appending(kind.rawValue)) { names.contains($0) && $1.type == .directory }
    }
    return foreign
  }

  /// Whether an entry has a temporary name, and is not left over from a killed process.
  private func isBeingWritten(_ entry: CacheEntry, _ status: Stat) -> Bool {
    entry.name.string.hasPrefix(Files.temporaryPrefix) && status.type == .regular
  }

  private func isWhole(_ entry: CacheEntry, _ path: FilePath, _ status: Stat) -> Bool {
    let name = entry.name.string
    if entry.kind == .documents {
      guard let record = DocumentRecord(folder: name, in: self), status.type == .directory else {
        return false
      }
      // A directory that cannot be listed cannot be used either.
      return (try? record.isWhole()) ?? false
    }
    if entry.kind == .texts {
      return status.type == .regular && TextRecord(named: name, in: self)?.isWhole == true
    }
    guard let key = CacheKey(hexadecimal: name.prefix(32)), status.type == .regular,
      name.dropFirst(32) == (entry.kind == .pictures ? ".png" : "")
    else { return false }
    switch entry.kind {
    case .documents, .texts: return false
    case .pictures: return CacheKey.picture(at: path) == key
    case .tables:
      guard status.size <= 2 * TileTable.largest else { return false }
      let table = table(key)
      let (document, _, damaged) = table.contents()
      return damaged == 0 && !table.isCut && (document != nil || status.size == 0)
    case .contents: return ContentRecord(named: key, in: self).contents(noting: nil) != nil
    case .parts: return PartCache.bytes(of: key, in: self, noting: nil) != nil
    case .stores: return StoreAbsence(named: key, in: self).isWhole
    case .engines: return EngineRecord(key, in: self).engine != nil
    }
  }

  /// The valid rows of a damaged table; nil if there are none, or it is not a table.
  private func repaired(_ entry: CacheEntry, _ path: FilePath) -> TileTable? {
    guard entry.kind == .tables, let key = CacheKey(hexadecimal: entry.name.string),
      Files.entryStatus(of: path)?.type == .regular
    else { return nil }
    let (document, rows, _) = table(key).contents()
    guard let document, !rows.isEmpty else { return nil }
    var whole = TileTable(of: document)
    for row in rows { whole.append(row) }
    return whole
  }
}

extension CacheVerification {
  /// Removes damaged and foreign files.
  fileprivate mutating func remove(_ path: FilePath) {
    damaged.append(path)
    do throws(FileError) {
      try Files.removeEntry(path)
    } catch {
      failure = failure ?? error
    }
  }
}
