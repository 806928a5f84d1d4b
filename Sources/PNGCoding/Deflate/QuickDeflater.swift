internal import RectoBase

/// A DEFLATE compressor for repetitive rows. Exactly one owner.
///
/// Most of a drawn page is blank. libdeflate hashes every byte inside a match, which on such rows is most of its work;
/// here only a few positions at the ends of long matches are hashed. One candidate is tried per position, found by the
/// hash of four bytes, and a longer match that begins a byte later replaces a short one. `docs/PNG.md` has the
/// measurements.
struct QuickDeflater: ~Copyable {
  private static let hashBits: UInt32 = 15
  /// Matches up to this length are hashed in full.
  private static let shortMatch = 16
  /// Positions hashed at either end of a longer one.
  private static let edge = 8
  /// Matches below this length may give way.
  private static let lazyBelow = 8
  /// Bytes at the end that become literals, so that reading eight bytes ahead stays in bounds.
  private static let tail = 9
  /// Bytes that are held back until more arrive, so that their matches are not cut short.
  private static let lookahead = 512

  /// For each hash, the latest position of four bytes that have it, plus ``base``.
  private let latest: UnsafeMutablePointer<UInt32>
  /// An offset added to positions of this stream, so that those of earlier streams, and the initial zeros, are outside
  /// the window. So the table, which is larger than most small pictures, need not be cleared.
  private var base = Self.firstBase
  /// What ``base`` of the next stream is.
  var nextBase = Self.firstBase
  private var block = TokenBlock()

  /// More than the window.
  private static let firstBase = DeflateSymbols.window + 1

  init() {
    latest = .allocate(capacity: 1 << Int(Self.hashBits))
    latest.initialize(repeating: 0, count: 1 << Int(Self.hashBits))
  }

  deinit { latest.deallocate() }

  /// The most bytes taken by ``compress(_:into:)``; positions are kept in 32 bits.
  static let maxInput = Int(Int32.max)

  /// The most bytes that `count` bytes can compress to: 15 bits for a literal, 48 for a match of
  /// four or more, and the headers of the blocks.
  static func bound(_ count: Int) -> Int {
    2 * count + (count / TokenBlock.capacity + 2) * TokenBlock.headerBound
  }

  /// Writes `input` as a zlib stream to `output`, which must hold at least ``bound(_:)`` bytes.
  ///
  /// - Returns: The bytes written.
  /// - Complexity: O(*n*).
  mutating func compress(
    _ input: UnsafeRawBufferPointer,
    into output: UnsafeMutableRawBufferPointer
  ) -> Int {
    precondition(input.count <= Self.maxInput && output.count >= Self.bound(input.count))
    guard let bytes = input.baseAddress, let start = output.baseAddress else { return 0 }
    var writer = begin(start)
    _ = collect(bytes, from: 0, input.count, isLast: true, &writer)
    return end(&writer, Checksum.adler32(input)) - start
  }

  /// Writes the header of a stream.
  mutating func begin(_ start: UnsafeMutableRawPointer) -> BitWriter {
    base = nextBase
    if base > Int(UInt32.max) - Self.maxInput {
      latest.update(repeating: 0, count: 1 << Int(Self.hashBits))
      base = Self.firstBase
    }
    block.removeAll()
    // A window of 32 KiB, the fastest level; the two bytes as one number divide by 31.
    start.storeBytes(of: 0x78, as: UInt8.self)
    start.storeBytes(of: 0x01, toByteOffset: 1, as: UInt8.self)
    return BitWriter(start + 2)
  }

  /// Writes the last block and the checksum.
  ///
  /// - Returns: Where the stream ends.
  mutating func end(_ writer: inout BitWriter, _ sum: UInt32) -> UnsafeMutableRawPointer {
    block.write(to: &writer, isLast: true)
    writer.finish()
    writer.position.storeBytes(of: sum.bigEndian, as: UInt32.self)
    return writer.position + 4
  }

  /// Turns bytes into tokens, and writes every full block.
  ///
  /// - Parameters:
  ///   - bytes: Where the first byte of the input is, or would be: only the window before `start` and the bytes from
  ///     there on are read.
  ///   - start: The position of the first byte that is not a token yet.
  ///   - count: The bytes available, counted from the start of the input.
  ///   - isLast: Whether this is the end of the input. Otherwise some of the last bytes are left.
  /// - Returns: The position of the first byte that is left.
  mutating func collect(
    _ bytes: UnsafeRawPointer,
    from start: Int,
    _ count: Int,
    isLast: Bool,
    _ writer: inout BitWriter
  ) -> Int {
    DeflateSymbols.lengthSymbols.withUnsafeBufferPointer { symbols in
      guard let symbols = symbols.baseAddress else { return start }
      var position = start
      collect(bytes, &position, count, left: isLast ? Self.tail : Self.lookahead, symbols, &writer)
      nextBase = base + count + Self.firstBase
      while isLast && position < count {
        literal(bytes, position, &writer)
        position &+= 1
      }
      return position
    }
  }

  /// Turns bytes into tokens until no more than `left` are left.
  private mutating func collect(
    _ bytes: UnsafeRawPointer,
    _ position: inout Int,
    _ count: Int,
    left: Int,
    _ symbols: UnsafePointer<UInt8>,
    _ writer: inout BitWriter
  ) {
    let end = count &- left
    while position < end {
      var (length, distance) = match(bytes, position, count)
      // Positions up to here are noted.
      var noted = position &+ 1
      while length > 0 && length < Self.lazyBelow && position &+ 1 < end {
        let (later, laterDistance) = match(bytes, position &+ 1, count)
        noted = position &+ 2
        // A longer match is worth an extra literal, unless it is only a little longer and far away.
        guard later > length &+ (laterDistance > distance &* 16 ? 1 : 0) else { break }
        literal(bytes, position, &writer)
        position &+= 1
        length = later
        distance = laterDistance
      }
      if length == 0 {
        literal(bytes, position, &writer)
        position &+= 1
        continue
      }
      let next = position &+ append(length, distance, symbols, &writer)
      let last = min(next, end)
      if next &- position > Self.shortMatch {
        note(bytes, noted, min(position &+ Self.edge, last))
        note(bytes, max(next &- Self.edge, noted), last)
      } else {
        note(bytes, noted, last)
      }
      position = next
    }
  }

  @inline(__always)
  private mutating func literal(
    _ bytes: UnsafeRawPointer,
    _ position: Int,
    _ writer: inout BitWriter
  ) {
    if block.isFull { block.write(to: &writer, isLast: false) }
    block.append(literal: bytes.load(fromByteOffset: position, as: UInt8.self))
  }

  /// Adds a match as pieces of up to 258 bytes, and returns the bytes covered: all but one or two
  /// that would be left over.
  @inline(__always)
  private mutating func append(
    _ length: Int,
    _ distance: UInt32,
    _ symbols: UnsafePointer<UInt8>,
    _ writer: inout BitWriter
  ) -> Int {
    var rest = length
    while rest >= 3 {
      let piece = min(rest, DeflateSymbols.maxMatch)
      if block.isFull { block.write(to: &writer, isLast: false) }
      block.append(length: piece, distance: distance, symbols)
      rest &-= piece
    }
    return length &- rest
  }

  /// Hashes `position` and returns its match; length 0 if there is none of at least four bytes.
  @inline(__always)
  private func match(_ bytes: UnsafeRawPointer, _ position: Int, _ count: Int) -> (Int, UInt32) {
    let four = (bytes + position).loadUnaligned(as: UInt32.self)
    let slot = Self.slot(four)
    let candidate = latest[slot]
    latest[slot] = UInt32(truncatingIfNeeded: position &+ base)
    let earlier = Int(candidate) &- base
    let distance = position &- earlier
    guard distance <= DeflateSymbols.window,
      (bytes + earlier).loadUnaligned(as: UInt32.self) == four
    else { return (0, 0) }
    var length = 4
    while position &+ length &+ 8 <= count {
      let difference =
        (bytes + (position &+ length)).loadUnaligned(as: UInt64.self)
        ^ (bytes + (earlier &+ length)).loadUnaligned(as: UInt64.self)
      if difference != 0 {
        length &+= difference.trailingZeroBitCount &>> 3
        return (length, UInt32(truncatingIfNeeded: distance))
      }
      length &+= 8
    }
    return (length, UInt32(truncatingIfNeeded: distance))
  }

  /// Hashes the positions from `start` up to `end`.
  @inline(__always)
  private func note(_ bytes: UnsafeRawPointer, _ start: Int, _ end: Int) {
    var position = start
    while position < end {
      let four = (bytes + position).loadUnaligned(as: UInt32.self)
      latest[Self.slot(four)] = UInt32(truncatingIfNeeded: position &+ base)
      position &+= 1
    }
  }

  @inline(__always)
  private static func slot(_ four: UInt32) -> Int {
    Int(truncatingIfNeeded: (four &* 0x9E37_79B1) &>> (32 - hashBits))
  }
}
