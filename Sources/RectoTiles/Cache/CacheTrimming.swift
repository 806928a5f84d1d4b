public import RectoBase
internal import Synchronization
internal import SystemPackage

/// An entry of a shard: a file, or the folder of a document.
struct CacheEntry {
  /// The kind of entry.
  var kind: CacheShard.Kind
  /// Its name in the folder of the shard.
  var name: FilePath.Component
  /// Bytes in whole blocks.
  var bytes: Int
  /// When it was used last.
  var used: CacheTime
}

/// Which entries of a shard are removed.
struct TrimRule {
  /// Bytes above the limit of the cache.
  var excess: Int
  /// The last use of the least recently used entry of all other shards.
  var elsewhere: CacheTime
  /// Entries last used before this are removed in any case.
  var expiry: CacheTime
  /// Entries used at this time or later stay.
  var kept: CacheTime

  /// The number of entries to remove from a list sorted by last use, oldest first.
  ///
  /// Above the limit at least a tenth of the shard is removed, so that it is not listed again until a tenth of it was
  /// rewritten. While there is an excess, everything older than the entries of other shards is removed, too.
  func count(_ entries: [CacheEntry]) -> Int {
    let quantum = entries.reduce(0) { $0 + $1.bytes } / 10
    var removed = 0
    for (index, entry) in entries.enumerated() {
      if entry.used >= kept { return index }
      let isDue =
        entry.used < expiry
        || excess > 0
          && (index == 0 || removed < quantum || removed < excess && entry.used <= elsewhere)
      guard isDue else { return index }
      removed += entry.bytes
    }
    return entries.count
  }
}

extension CacheDirectory {
  /// Enforces the limits after something was stored: removes the least recently used entries, in nearly all cases from
  /// one shard.
  ///
  /// Entries used in the last seconds are kept, so that answers can be read, unless writers are too fast. Does nothing
  /// while another process or thread is cleaning. Ignores failures to list or remove: the new entry is stored, and
  /// ``trim()`` reports them.
  ///
  /// - Complexity: O(1), and O(*n*) in the entries of a shard of 256 if the limits are exceeded.
  func keepLimits() {
    guard limits.size != nil || limits.age != nil, trimming.tryBegin() else { return }
    defer { trimming.end() }
    var listed = 0
    // A shard keeps entries that are younger than the oldest of another shard, so several rounds may be needed.
    while (try? keepLimits(&listed)) == true {}
  }

  /// Cleans candidate shards, each at most once.
  ///
  /// - Parameter listed: The number of entries listed so far; this round adds to it.
  /// - Returns: Whether another round removes more.
  /// - Throws: `FileError` when the counters cannot be read.
  private func keepLimits(_ listed: inout Int) throws(FileError) -> Bool {
    let now = currentTime()
    let shards = try usage.shards(at: now)
    var excess = shards.reduce(0) { $0 + $1.bytes } - (limits.size ?? .max)
    let expiry = limits.expiry(at: now)
    let kept = excess > Self.burst ? .max : now - Self.recent
    // The candidate shards, the oldest first.
    let queue = shards.indices
      .filter { index in
        let shard = shards[index]
        return shard.bytes > 0 && (excess > 0 ? shard.oldest < kept : shard.oldest < expiry)
      }
      .sorted { shards[$0].oldest < shards[$1].oldest }
    var removed = 0
    for (place, shard) in queue.enumerated() {
      guard excess > 0 || shards[shard].oldest < expiry else { return false }
      let elsewhere = place + 1 < queue.count ? shards[queue[place + 1]].oldest : now
      let rule = TrimRule(excess: excess, elsewhere: elsewhere, expiry: expiry, kept: kept)
      guard let result = try? trim(shard, rule, at: now) else { continue }
      excess -= result.removed
      removed += result.removed
      listed += result.listed
      // The rest is left to the next process that stores something.
      guard listed < Self.listedAtOnce else { return false }
    }
    return excess > 0 && removed > 0
  }

  /// Removes the least recently used entries until the cache is within its limits.
  ///
  /// - Returns: The bytes that were removed, in whole blocks.
  /// - Throws: A refusal when the cache is not this user's own; `FileError` when a directory cannot be listed or an
  ///   entry cannot be removed, after all others were processed.
  /// - Complexity: O(*n* log *n*) in the number of entries.
  public func trim() throws(FileError) -> Int {
    try check()
    try removeAbandoned()
    guard Files.entryStatus(of: current) != nil else { return 0 }
    let now = currentTime()
    var failure: FileError?
    var sizes: [(used: CacheTime, bytes: Int)] = []
    for shard in 0..<CacheShard.count {
      do throws(FileError) {
        for entry in try entries(of: shard, at: now) { sizes.append((entry.used, entry.bytes)) }
      } catch {
        failure = failure ?? error
      }
    }
    var excess = sizes.reduce(0) { $0 + $1.bytes } - (limits.size ?? .max)
    // Everything used up to then goes.
    var last: CacheTime = -1
    if excess > 0 {
      for entry in sizes.sorted(by: { $0.used < $1.used }) where excess > 0 {
        excess -= entry.bytes
        last = entry.used
      }
    }
    let expiry = max(limits.expiry(at: now), last &+ 1)
    let rule = TrimRule(excess: 0, elsewhere: 0, expiry: expiry, kept: .max)
    var removed = 0
    for shard in 0..<CacheShard.count {
      do throws(FileError) {
        let result = try trim(shard, rule, at: now)
        removed += result.removed
        failure = failure ?? result.failure
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
    return removed
  }

  /// Removes entries of one shard, and corrects its count.
  ///
  /// - Parameters:
  ///   - rule: Which entries are removed; nil removes none.
  /// - Returns: The bytes removed, the number of entries listed, and the first failure to remove an entry; nothing if
  ///   another process is cleaning the shard.
  /// - Throws: `FileError` when a directory cannot be listed.
  @discardableResult
  func trim(
    _ shard: Int,
    _ rule: TrimRule?,
    at now: CacheTime
  ) throws(FileError) -> (removed: Int, listed: Int, failure: FileError?) {
    guard try usage.tryAcquire(shard) else { return (0, 0, nil) }
    defer { usage.release(shard) }
    let before = try usage.shard(shard)
    let entries = try entries(of: shard, at: now).sorted { $0.used < $1.used }
    var left = ShardUsage(bytes: 0, oldest: now, counted: now)
    var removed = 0
    var failure: FileError?
    let count = rule?.count(entries) ?? 0
    for (index, entry) in entries.enumerated() {
      do throws(FileError) {
        if index < count, try remove(entry, of: shard, at: now) {
          removed += entry.bytes
          continue
        }
        left.oldest = min(left.oldest, entry.used)
      } catch {
        // It is kept and does not count as old, so that others are removed instead.
        failure = failure ?? error
      }
      left.bytes += entry.bytes
    }
    try usage.correct(left, from: before, shard)
    return (removed, entries.count, failure)
  }

  /// Removes an entry, unless it has been used since it was listed.
  ///
  /// - Returns: Whether it was removed.
  /// - Throws: `FileError` when it cannot be removed.
  private func remove(
    _ entry: CacheEntry,
    of shard: Int,
    at now: CacheTime
  ) throws(FileError) -> Bool {
    let path = CacheShard(entry.kind, shard).folder(in: current).appending(entry.name)
    guard let status = Files.entryStatus(of: path) else { return true }
    guard used(entry.kind, path, status, at: now) == entry.used else { return false }
    try Files.removeEntry(path)
    return true
  }

  /// If the limit is exceeded by more than this, even recent entries are removed.
  private static var burst: Int { 64 << 20 }
  /// Five seconds.
  private static var recent: CacheTime { 5_000_000_000 }
  /// The most entries to list in one call.
  private static var listedAtOnce: Int { 8192 }
}

// MARK: Listing

extension CacheDirectory {
  /// The entries of a shard, in any order.
  ///
  /// - Throws: `FileError` when a directory cannot be listed.
  func entries(of shard: Int, at now: CacheTime) throws(FileError) -> [CacheEntry] {
    var entries: [CacheEntry] = []
    for kind in CacheShard.Kind.allCases where kind != .engines || shard == 0 {
      let folder = CacheShard(kind, shard).folder(in: current)
      try Files.forEachEntry(of: folder) { name, status in
        var bytes = bytesOnDisk(Int(status.size))
        let path = folder.appending(name)
        if status.type == .directory {
          bytes = 0
          // A directory that cannot be listed counts as empty; removing it reports why.
          try? Files.forEachEntry(of: path) { bytes += bytesOnDisk(Int($1.size)) }
        }
        let used = used(kind, path, status, at: now)
        entries.append(CacheEntry(kind: kind, name: name, bytes: bytes, used: used))
      }
    }
    return entries
  }

  /// The last use of an entry: its modification time, for a document also that of its files.
  ///
  /// A time in the future, from a wrong clock, counts as the oldest.
  private func used(
    _ kind: CacheShard.Kind,
    _ path: FilePath,
    _ status: Stat,
    at now: CacheTime
  ) -> CacheTime {
    var used = status.modified
    if kind == .documents, status.type == .directory,
      let facts = Files.entryStatus(of: path.appending("facts"))
    {
      used = max(used, facts.modified)
    }
    return isFuture(used, at: now) ? 0 : used
  }
}

/// Lets only one thread of the process clean the cache at a time.
final class TrimGate: Sendable {
  private let isBusy = Mutex(false)

  /// Whether no other thread is cleaning; if so, ``end()`` must follow.
  func tryBegin() -> Bool {
    isBusy.withLock { isBusy in
      defer { isBusy = true }
      return !isBusy
    }
  }

  /// Lets others begin.
  func end() { isBusy.withLock { $0 = false } }
}
