public import FileSystem
public import SystemPackage

/// What was found when all entries of a cache were read.
public struct CacheVerification: Hashable, Sendable {
  /// Entries that were read.
  public var checked = 0
  /// The paths of those that were damaged or foreign, and have been removed or written anew.
  public var damaged: [FilePath] = []
}

extension CacheDirectory {
  /// Reads every entry, and removes those that are not what they have to be.
  ///
  /// A picture has to have the digest that it is named by; a table and a record of a document have to
  /// have their checksums. Anything else is foreign, but for what another process is writing at this
  /// moment. Rows of tables whose picture is gone are no damage: it was removed to keep the limits.
  ///
  /// - Throws: A refusal when the cache is not this user's own; `FileError` when a directory cannot be
  ///   listed, or a damaged entry cannot be removed.
  /// - Complexity: O(*n*) in the bytes of all entries.
  public func verify() throws(FileError) -> CacheVerification {
    try check()
    var result = CacheVerification()
    for shard in 0..<CacheShard.count {
      let now = currentTime()
      for entry in try entries(of: shard, at: now) {
        let path = CacheShard(entry.kind, shard).folder(in: current).appending(entry.name)
        guard let status = Files.entryStatus(of: path), !isBeingWritten(entry, status) else {
          continue
        }
        result.checked += 1
        guard try !isWhole(entry, path, status) else { continue }
        // Written anew or removed since it was looked at.
        guard let again = Files.entryStatus(of: path), again.modified == status.modified else {
          continue
        }
        result.damaged.append(path)
        try repair(entry, path)
      }
      try trim(shard, nil, at: now)
    }
    return result
  }

  /// Whether an entry has a temporary name, and is not the leftover of a killed process.
  private func isBeingWritten(_ entry: CacheEntry, _ status: Stat) -> Bool {
    entry.name.string.hasPrefix(Files.temporaryPrefix) && status.type == .regular
  }

  private func isWhole(
    _ entry: CacheEntry,
    _ path: FilePath,
    _ status: Stat
  ) throws(FileError) -> Bool {
    let name = entry.name.string
    switch entry.kind {
    case .pictures:
      guard let key = CacheKey(hexadecimal: name.prefix(32)), name.dropFirst(32) == ".png",
        status.type == .regular, status.size <= Self.largestPicture,
        let bytes = try? Files.entry(at: path, limit: Int(status.size), touchingIfOlderThan: nil)
      else { return false }
      return .picture(bytes) == key
    case .tables:
      guard let key = CacheKey(hexadecimal: name), status.type == .regular,
        status.size <= 2 * TileTable.largest
      else { return false }
      let (document, _, damaged) = table(key).contents()
      return damaged == 0 && (document != nil || status.size == 0)
    case .documents:
      guard let record = DocumentRecord(folder: name, in: self), status.type == .directory else {
        return false
      }
      return try record.isWhole()
    case .contents: return CacheKey(hexadecimal: name) != nil && status.type == .regular
    case .engines:
      guard let key = CacheKey(hexadecimal: name), status.type == .regular else { return false }
      return EngineRecord(key, in: self).engine != nil
    }
  }

  /// Removes a damaged entry; of a table, the good rows stay.
  ///
  /// - Throws: `FileError` when it cannot be removed or written.
  private func repair(_ entry: CacheEntry, _ path: FilePath) throws(FileError) {
    if entry.kind == .tables, let key = CacheKey(hexadecimal: entry.name.string),
      Files.entryStatus(of: path)?.type == .regular
    {
      let (document, rows, _) = table(key).contents()
      if let document, !rows.isEmpty {
        var whole = TileTable(of: document)
        for row in rows { whole.append(row) }
        return try write(whole.bytes, to: path, in: CacheShard(.tables, of: key))
      }
    }
    try Files.removeEntry(path)
  }

  /// No picture that is stored has more bytes.
  private static var largestPicture: Int64 { 1 << 32 }
}
