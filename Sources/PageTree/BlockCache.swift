/// What one call has cost so far, against what it may cost.
final class WorkMeter {
  private let limit: Int
  private(set) var spent = 0

  init(limit: Int) { self.limit = limit }

  /// A new call begins.
  func reset() { spent = 0 }

  @inline(__always)
  func charge(_ amount: Int) throws(NotMine) {
    spent &+= amount
    guard spent <= limit else {
      throw NotMine(.budget, "more than \(limit) bytes to read for one question")
    }
  }
}

/// The most recently used blocks of a file, direct mapped.
///
/// Small blocks, because what is looked for is mostly a few hundred bytes anywhere; the kernel's
/// page cache makes a sequential scan in small blocks cheap enough.
final class BlockCache {
  static let blockSize = 8192
  private static let slots = 256

  let source: any ByteSource
  let meter: WorkMeter
  private var tags: [Int]
  private var blocks: [[UInt8]]

  init(source: any ByteSource, meter: WorkMeter) {
    self.source = source
    self.meter = meter
    tags = Array(repeating: -1, count: Self.slots)
    blocks = Array(repeating: [], count: Self.slots)
  }

  /// The block that holds the byte at `position`, and the position of its first byte.
  func block(containing position: Int) throws(NotMine) -> (bytes: [UInt8], base: Int) {
    let tag = position / Self.blockSize
    let slot = tag % Self.slots
    let base = tag * Self.blockSize
    if tags[slot] == tag { return (blocks[slot], base) }
    let bytes = try read(base, min(Self.blockSize, source.count - base))
    tags[slot] = tag
    blocks[slot] = bytes
    return (bytes, base)
  }

  /// `count` bytes from `offset` on, past the cache; both must lie inside the file.
  func read(_ offset: Int, _ count: Int) throws(NotMine) -> [UInt8] {
    guard count > 0 else { return [] }
    guard offset >= 0, count <= source.count, offset <= source.count - count else {
      throw NotMine(.damaged, "bytes outside the file are asked for")
    }
    var failure: NotMine?
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(NotMine) {
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
