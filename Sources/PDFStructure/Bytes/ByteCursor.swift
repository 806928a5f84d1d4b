/// A position in the file or in a decoded object stream, moving forward byte by byte.
///
/// A value: copy it to save a position. Positions are absolute in the file, or relative to the
/// start of the decoded stream.
struct ByteCursor {
  let meter: WorkMeter
  /// The source of the bytes; nil if all of them are in `bytes`.
  private let blocks: BlockCache?
  private var bytes: [UInt8]
  private var base: Int
  private var index: Int
  private var end: Int
  /// One past the last byte that may be read.
  private let limit: Int
  /// Whether there are bytes after `limit` that must not be read, because of the budget.
  private let isCut: Bool
  /// The first position.
  private let start: Int

  /// A position in the file, from which `reach` bytes may be read.
  ///
  /// - Parameters:
  ///   - reach: The number of bytes that may be read from there.
  init(_ blocks: BlockCache, at position: Int, reach: Int) {
    self.blocks = blocks
    meter = blocks.meter
    bytes = []
    base = position
    start = position
    index = 0
    end = 0
    let size = blocks.source.count
    let (sum, overflow) = position.addingReportingOverflow(reach)
    isCut = !overflow && sum < size
    limit = isCut ? sum : size
  }

  /// A position in bytes in memory, which end at `limit`.
  init(memory: [UInt8], at position: Int, limit: Int, meter: WorkMeter) {
    blocks = nil
    self.meter = meter
    bytes = memory
    base = 0
    start = position
    index = min(max(0, position), memory.count)
    end = min(memory.count, limit)
    self.limit = end
    isCut = false
  }

  var position: Int { base + index }
  /// Whether positions count in the file.
  var isInFile: Bool { blocks != nil }

  /// Whether, as far as poppler can tell, no other object begins between the first position, where one begins, and
  /// here. False while the cross-reference is being read, because it is unknown.
  ///
  /// - Throws: ``StructureError`` when an entry of the cross-reference cannot be read, or a limit is reached.
  func isInFirstObject() throws(StructureError) -> Bool {
    guard let blocks, let beginsOneObject = blocks.beginsOneObject, start < position else {
      return false
    }
    return try beginsOneObject(start..<position)
  }

  /// The bytes in memory, and the unread ones among them.
  var currentBytes: [UInt8] { bytes }
  var unread: (from: Int, to: Int) { (index, max(index, end)) }

  /// The next byte, or -1 at the end.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read, or a limit is reached.
  @inline(__always)
  mutating func next() throws(StructureError) -> Int {
    if index >= end {
      guard try refill() else { return -1 }
    }
    let byte = bytes[index]
    index += 1
    return Int(byte)
  }

  /// The byte that `next` would return.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read, or a limit is reached.
  @inline(__always)
  mutating func peek() throws(StructureError) -> Int {
    if index >= end {
      guard try refill() else { return -1 }
    }
    return Int(bytes[index])
  }

  /// Steps over a byte that was peeked at.
  @inline(__always)
  mutating func advance() { index += 1 }

  /// Moves to a position; to the end if it is out of bounds.
  mutating func seek(to position: Int) {
    if position >= base, position - base <= bytes.count {
      index = position - base
      return
    }
    guard blocks != nil else {
      index = end
      return
    }
    base = position
    bytes = []
    index = 0
    end = 0
  }

  /// The bytes between two positions, copied; nil when they do not all exist.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read, or a limit is reached.
  func bytes(from start: Int, to stop: Int) throws(StructureError) -> [UInt8]? {
    guard start >= 0, stop >= start, stop <= limit else { return nil }
    if let blocks { return try blocks.read(start, stop - start) }
    return Array(bytes[start..<stop])
  }

  private mutating func refill() throws(StructureError) -> Bool {
    guard let blocks else { return false }
    let position = base + index
    guard position >= 0, position < limit else {
      if isCut, position >= limit {
        throw StructureError(.limit, "an object of more than its share")
      }
      return false
    }
    let (block, start) = try blocks.block(containing: position)
    bytes = block
    base = start
    index = position - start
    end = min(block.count, limit - start)
    return index < end
  }
}
