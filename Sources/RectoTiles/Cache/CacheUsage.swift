internal import Glibc
internal import RectoBase
internal import Synchronization
internal import SystemPackage

/// The space used by a shard's entries.
struct ShardUsage: Hashable {
  /// Bytes in whole blocks.
  var bytes = 0
  /// The last use of the least recently used entry, or earlier, because entries may be used again.
  var oldest: CacheTime = 0
  /// When the entries were counted; nil if they never were.
  var counted: CacheTime?
}

/// The numbers of cache hits and misses.
public struct CacheLookups: Hashable, Sendable {
  /// Tiles that were found.
  public var hits = 0
  /// Tiles that were not.
  public var misses = 0
}

/// The space that each shard uses, counted in one small file: `v2/usage`.
///
/// An entry is counted right after it was written, and removed if that fails. A count is too large if the shard was
/// listed between the two steps, and too small by an entry for each process killed between them; it is corrected
/// whenever the shard is listed. If a record is missing or damaged, its shard is listed.
final class CacheUsage: Sendable {
  private let file: RecordFile
  private let state = Mutex(State())

  /// Changes not yet written to the file.
  private struct State {
    /// Bytes by shard, added while another process had locked its record.
    var bytes: [Int: Int] = [:]
    var lookups = CacheLookups()
  }

  /// The counters of the cache whose entries are in a folder.
  init(in current: FilePath) {
    file = RecordFile(
      current.appending("usage"),
      recordSize: Self.recordSize,
      count: CacheShard.count + 1
    )
  }

  deinit { flushLookups() }

  /// Adds to the space used by a shard.
  ///
  /// - Parameters:
  ///   - bytes: Bytes in whole blocks; negative for removed ones.
  /// - Returns: Whether the shard has never been counted.
  /// - Throws: `FileError` when the file cannot be opened, read or written.
  func add(_ bytes: Int, to shard: Int, at now: CacheTime) throws(FileError) -> Bool {
    let waiting = state.withLock { $0.bytes.removeValue(forKey: shard) ?? 0 }
    var isNew = false
    let isDone = try update(shard) { usage in
      isNew = usage.counted == nil
      if usage.bytes == 0 { usage.oldest = now }
      usage.bytes = max(0, usage.bytes + bytes + waiting)
    }
    if !isDone { state.withLock { $0.bytes[shard, default: 0] += bytes + waiting } }
    return isNew
  }

  /// Corrects the usage of a shard after it was counted.
  ///
  /// - Parameters:
  ///   - before: The record before the count; later additions are kept.
  /// - Returns: The corrected record.
  /// - Throws: `FileError` when the file cannot be opened, read or written.
  @discardableResult
  func correct(
    _ found: ShardUsage,
    from before: ShardUsage,
    _ shard: Int
  ) throws(FileError) -> ShardUsage {
    var result = found
    do throws(FileError) {
      _ = try update(shard) { usage in
        result.bytes = max(0, found.bytes + usage.bytes - before.bytes)
        usage = result
      }
    } catch {
      // The counters were removed with the cache.
      guard error.isMissing else { throw error }
    }
    return result
  }

  /// The space used by each shard.
  ///
  /// - Parameter now: The time. A use in the future, from a wrong clock, counts as the oldest.
  /// - Throws: `FileError` when the file cannot be opened or read.
  func shards(at now: CacheTime) throws(FileError) -> [ShardUsage] {
    let contents = try contents()
    return (0..<CacheShard.count).map { shard in
      let record = contents[(shard * Self.recordSize)...].prefix(Self.recordSize)
      var usage = Self.decode(record, shard)
      if isFuture(usage.oldest, at: now) { usage.oldest = 0 }
      return usage
    }
  }

  /// The space used by one shard.
  ///
  /// - Throws: `FileError` when the file cannot be opened or read.
  func shard(_ shard: Int) throws(FileError) -> ShardUsage {
    let start = shard * Self.recordSize
    return Self.decode(try contents()[start...].prefix(Self.recordSize), shard)
  }

  /// All records; zeros if another process has removed the cache.
  private func contents() throws(FileError) -> [UInt8] {
    do {
      return try file.contents()
    } catch {
      guard error.isMissing else { throw error }
      return [UInt8](repeating: 0, count: Self.recordSize * (CacheShard.count + 1))
    }
  }

  /// Takes the lock for cleaning a shard, unless another process has it or has removed the cache.
  ///
  /// - Throws: `FileError` when the file cannot be opened.
  func tryAcquire(_ shard: Int) throws(FileError) -> Bool {
    do {
      return try file.tryAcquire(shard)
    } catch {
      guard error.isMissing else { throw error }
      return false
    }
  }

  /// Releases the lock for cleaning a shard.
  func release(_ shard: Int) { file.release(shard) }
}

// MARK: Lookups

extension CacheUsage {
  /// Counts lookups. ``flushLookups()`` writes them to the file.
  func count(_ lookups: CacheLookups) {
    state.withLock { state in
      state.lookups.hits += lookups.hits
      state.lookups.misses += lookups.misses
    }
  }

  /// Writes the counted lookups. If another process has locked the record, they are kept for the next time.
  func flushLookups() {
    let lookups = state.withLock { state in
      defer { state.lookups = CacheLookups() }
      return state.lookups
    }
    guard lookups != CacheLookups() else { return }
    // Only statistics; a failure to write is reported when an entry is stored.
    let isDone = try? update(CacheShard.count) { record in
      record.bytes = record.bytes &+ lookups.hits
      record.oldest = record.oldest &+ lookups.misses
    }
    if isDone != true { count(lookups) }
  }

  /// The numbers since the cache was created or cleared.
  ///
  /// - Throws: `FileError` when the file cannot be opened or read.
  func lookups() throws(FileError) -> CacheLookups {
    let start = CacheShard.count * Self.recordSize
    let record = Self.decode(try contents()[start...].prefix(Self.recordSize), CacheShard.count)
    return CacheLookups(hits: record.bytes, misses: record.oldest)
  }
}

// MARK: Records

extension CacheUsage {
  /// So that sums of all records are numbers.
  private static let mostBytes = 1 << 52

  /// Three numbers, and a checksum of them and the record's number.
  private static let recordSize = 32

  private func update(
    _ index: Int,
    _ body: (inout ShardUsage) -> Void
  ) throws(FileError) -> Bool {
    try file.update(index) { bytes in
      var usage = Self.decode(bytes[...], index)
      body(&usage)
      bytes = Self.encode(usage, index)
    }
  }

  private static func decode(_ bytes: ArraySlice<UInt8>, _ index: Int) -> ShardUsage {
    let words = bytes.withUnsafeBytes { bytes in
      (0..<4).map { Int(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: Int.self)) }
    }
    guard words[3] == sum(words, index), (0...mostBytes).contains(words[0]) else {
      return ShardUsage()
    }
    return ShardUsage(
      bytes: words[0],
      oldest: words[1],
      counted: words[2] == 0 ? nil : words[2]
    )
  }

  private static func encode(_ usage: ShardUsage, _ index: Int) -> [UInt8] {
    var words = [usage.bytes, usage.oldest, usage.counted ?? 0]
    words.append(sum(words, index))
    return words.flatMap { word in withUnsafeBytes(of: word.littleEndian) { Array($0) } }
  }

  private static func sum(_ words: [Int], _ index: Int) -> Int {
    let words = words.prefix(3) + [index]
    return words.withUnsafeBytes { bytes in
      Int(Checksum.crc32(bytes)) << 31 ^ Int(Checksum.adler32(bytes))
    }
  }
}

/// The time of the system's clock.
func currentTime() -> CacheTime {
  var time = timespec()
  clock_gettime(CLOCK_REALTIME, &time)
  return time.tv_sec * 1_000_000_000 + time.tv_nsec
}

/// Whether a time is more than an hour in the future, from a wrong clock.
func isFuture(_ time: CacheTime, at now: CacheTime) -> Bool { time > now + 3600 * 1_000_000_000 }

/// The disk space of a file: whole blocks of 4 KiB, as in most file systems. A sparse file counts as at most 1 TiB, so
/// that sums do not overflow.
func bytesOnDisk(_ length: Int) -> Int {
  (min(length, largestLength) + 4095) & ~4095
}

/// Longer files count as having this many bytes.
let largestLength = 1 << 40
