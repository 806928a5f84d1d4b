internal import Glibc

/// Measures the cost of a call, in bytes of work and in time, against its limits.
final class WorkMeter {
  private let limit: Int
  private let seconds: Double
  private(set) var spent = 0
  /// Whether text for users is being read, see ``ObjectStore/readingText(_:)``.
  var isReadingText = false
  /// The amount of work at which the limits are checked next.
  private var nextLook: Int
  private var deadline: Double

  /// Bytes of work between two checks of the clock: a few milliseconds.
  private static let interval = 1 << 20

  /// A meter whose first call begins now.
  init(limit: Int, seconds: Double = .infinity) {
    self.limit = limit
    self.seconds = seconds
    nextLook = min(limit, Self.interval)
    deadline = Self.now + seconds
  }

  /// A new call begins.
  func reset() {
    spent = 0
    nextLook = min(limit, Self.interval)
    deadline = Self.now + seconds
  }

  /// Adds to the work of this call.
  ///
  /// - Throws: ``StructureError``, `limit` when the call exceeds its limit of work or time.
  @inline(__always)
  func charge(_ amount: Int) throws(StructureError) {
    spent &+= amount
    guard spent <= nextLook else { return try look() }
  }

  private func look() throws(StructureError) {
    guard spent <= limit else {
      throw StructureError(.limit, "more than \(limit) bytes to read for one question")
    }
    guard Self.now <= deadline else {
      throw StructureError(.limit, "more than \(seconds) s of reading for one question")
    }
    nextLook = min(limit, spent + Self.interval)
  }

  /// Seconds by a clock that is never set.
  private static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}

/// The most recently used blocks of a file, direct mapped.
///
/// Blocks are small, because most reads need a few hundred bytes at random positions; with the
/// kernel's page cache a sequential scan in small blocks is cheap enough.
final class BlockCache {
  static let blockSize = 8192
  private static let slots = 256

  let source: any ByteSource
  let meter: WorkMeter
  /// Whether exactly one object begins in a range of positions; nil as long as the cross-reference is being read.
  var beginsOneObject: ((Range<Int>) throws(StructureError) -> Bool)?
  private var tags: [Int]
  private var blocks: [[UInt8]]

  init(source: any ByteSource, meter: WorkMeter) {
    self.source = source
    self.meter = meter
    tags = Array(repeating: -1, count: Self.slots)
    blocks = Array(repeating: [], count: Self.slots)
  }

  /// The block that holds the byte at `position`, and the position of its first byte.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read.
  func block(containing position: Int) throws(StructureError) -> (bytes: [UInt8], base: Int) {
    let tag = position / Self.blockSize
    let slot = tag % Self.slots
    let base = tag * Self.blockSize
    if tags[slot] == tag { return (blocks[slot], base) }
    let bytes = try read(base, min(Self.blockSize, source.count - base))
    tags[slot] = tag
    blocks[slot] = bytes
    return (bytes, base)
  }

  /// `count` bytes from `offset` on, bypassing the cache; they must be inside the file.
  ///
  /// - Throws: ``StructureError``; `damaged` for bytes outside the file, and what the source
  ///   throws.
  func read(_ offset: Int, _ count: Int) throws(StructureError) -> [UInt8] {
    guard count > 0 else { return [] }
    guard offset >= 0, count <= source.count, offset <= source.count - count else {
      throw StructureError(.damaged, "bytes outside the file are asked for")
    }
    var failure: StructureError?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(StructureError) {
        try source.read(into: UnsafeMutableRawBufferPointer(buffer), at: offset)
        filled = count
      } catch {
        failure = error
      }
    }
    if let failure { throw failure }
    return bytes
  }
}
