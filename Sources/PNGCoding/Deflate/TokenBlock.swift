/// The literals and matches of a DEFLATE block, and how often each symbol occurs. Exactly one
/// owner.
struct TokenBlock: ~Copyable {
  static let capacity = 32768

  /// A literal byte, or bit 31, the length minus 3 from bit 16 and the distance minus 1 below.
  private let tokens: UnsafeMutablePointer<UInt32>
  private var count = 0
  private let literals: UnsafeMutableBufferPointer<UInt32>
  private let distances: UnsafeMutableBufferPointer<UInt32>

  init() {
    tokens = .allocate(capacity: Self.capacity)
    tokens.initialize(repeating: 0, count: Self.capacity)
    literals = .allocate(capacity: DeflateSymbols.literals)
    literals.initialize(repeating: 0)
    distances = .allocate(capacity: DeflateSymbols.distances)
    distances.initialize(repeating: 0)
  }

  deinit {
    tokens.deallocate()
    literals.deallocate()
    distances.deallocate()
  }

  /// Whether another token finds no room.
  var isFull: Bool { count == Self.capacity }

  /// Forgets all tokens.
  mutating func removeAll() {
    count = 0
    literals.update(repeating: 0)
    distances.update(repeating: 0)
  }

  /// Adds a byte. There has to be room.
  @inline(__always)
  mutating func append(literal byte: UInt8) {
    tokens[count] = UInt32(byte)
    count &+= 1
    literals.baseAddress.unsafelyUnwrapped[Int(byte)] &+= 1
  }

  /// Adds a match of `length`, 3 to 258, at `distance`, 1 to 32768. There has to be room.
  ///
  /// - Parameters:
  ///   - length: The number of bytes, 3 to 258.
  ///   - distance: How many bytes back they start, 1 to 32768.
  ///   - lengthSymbols: For each length less 3, its symbol less 257.
  @inline(__always)
  mutating func append(length: Int, distance: UInt32, _ lengthSymbols: UnsafePointer<UInt8>) {
    let short = length &- 3
    tokens[count] = 0x8000_0000 | UInt32(truncatingIfNeeded: short) &<< 16 | (distance &- 1)
    count &+= 1
    literals.baseAddress.unsafelyUnwrapped[257 &+ Int(lengthSymbols[short])] &+= 1
    let symbol = DeflateSymbols.distanceSymbol(distance &- 1)
    distances.baseAddress.unsafelyUnwrapped[symbol] &+= 1
  }

  /// The most bytes a block takes besides its tokens.
  static let headerBound = 640

  /// Writes all tokens as a block with dynamic codes (RFC 1951, 3.2.7), and removes them.
  mutating func write(to output: inout BitWriter, isLast: Bool) {
    literals[DeflateSymbols.endOfBlock] = 1
    let literalCode = HuffmanCode(frequencies: literals, limit: 15)
    var distanceCode = HuffmanCode(frequencies: distances, limit: 15)
    distanceCode.ensureNotEmpty()
    output.put(isLast ? 1 : 0, 1)
    output.put(2, 2)
    Self.write(literalCode.lengths, distanceCode.lengths, to: &output)
    writeTokens(literalCode, distanceCode, to: &output)
    output.put(
      UInt64(literalCode.codes[DeflateSymbols.endOfBlock]),
      Int(literalCode.lengths[DeflateSymbols.endOfBlock])
    )
    output.flush()
    removeAll()
  }

  private func writeTokens(
    _ literalCode: HuffmanCode,
    _ distanceCode: HuffmanCode,
    to output: inout BitWriter
  ) {
    // Bits in the lower half, their number above.
    let literals = (0..<256).map { Self.entry(literalCode, $0, extra: 0, 0) }
    let lengths = Self.lengthEntries(literalCode)
    let distances = (0..<DeflateSymbols.distances).map { Self.entry(distanceCode, $0, extra: 0, 0) }
    literals.withUnsafeBufferPointer { literals in
      lengths.withUnsafeBufferPointer { lengths in
        distances.withUnsafeBufferPointer { distances in
          // A copy stays in registers; at most 7 bits wait here.
          var writer = output
          writer.flush()
          for index in 0..<count {
            let token = tokens[index]
            if token < 0x8000_0000 {
              // Up to 32 bits wait, and a literal adds 15.
              writer.put(entry: literals[Int(token)])
              if writer.count > 32 { writer.flush() }
            } else {
              // Up to 15 bits wait; a match adds 15 + 5 + 15 + 13, and 63 are allowed.
              if writer.count > 15 { writer.flush() }
              writer.put(entry: lengths[Int((token &>> 16) & 0xFF)])
              let distance = token & 0x7FFF
              let symbol = DeflateSymbols.distanceSymbol(distance)
              writer.put(entry: distances[symbol])
              let extraBits = DeflateSymbols.distanceExtraBits(symbol)
              let mask = UInt32(1) &<< UInt32(truncatingIfNeeded: extraBits) &- 1
              writer.put(UInt64(distance & mask), extraBits)
              writer.flush()
            }
          }
          writer.flush()
          output = writer
        }
      }
    }
  }

  /// An entry for each length of a match, from 3 on.
  private static func lengthEntries(_ code: HuffmanCode) -> [UInt64] {
    (3...DeflateSymbols.maxMatch).map { length in
      let symbol = Int(DeflateSymbols.lengthSymbols[length - 3])
      return entry(
        code,
        257 + symbol,
        extra: length - DeflateSymbols.lengthBases[symbol],
        DeflateSymbols.lengthExtraBits[symbol]
      )
    }
  }

  private static func entry(_ code: HuffmanCode, _ symbol: Int, extra: Int, _ bits: Int) -> UInt64 {
    let length = Int(code.lengths[symbol])
    return UInt64(length + bits) << 32 | UInt64(extra) << UInt64(length)
      | UInt64(code.codes[symbol])
  }

  /// Writes both codes' lengths, run-length coded with symbols 16 to 18, in their own code.
  private static func write(
    _ literals: [UInt8],
    _ distances: [UInt8],
    to output: inout BitWriter
  ) {
    let literalCount = max(257, (literals.lastIndex { $0 > 0 } ?? 0) + 1)
    let distanceCount = (distances.lastIndex { $0 > 0 } ?? 0) + 1
    let runs = Self.runs(Array(literals[..<literalCount] + distances[..<distanceCount]))
    var frequencies = [UInt32](repeating: 0, count: 19)
    for run in runs { frequencies[run.symbol] += 1 }
    let code = frequencies.withUnsafeMutableBufferPointer {
      HuffmanCode(frequencies: $0, limit: 7)
    }
    let order = DeflateSymbols.codeLengthOrder
    let orderCount = max(4, (order.lastIndex { code.lengths[$0] > 0 } ?? 0) + 1)
    output.put(UInt64(literalCount - 257), 5)
    output.put(UInt64(distanceCount - 1), 5)
    output.put(UInt64(orderCount - 4), 4)
    for symbol in order[..<orderCount] {
      output.flush()
      output.put(UInt64(code.lengths[symbol]), 3)
    }
    for run in runs {
      output.flush()
      output.put(UInt64(code.codes[run.symbol]), Int(code.lengths[run.symbol]))
      output.put(UInt64(run.extra), run.extraBits)
    }
  }

  /// A symbol of the code for lengths.
  private struct Run {
    var symbol: Int
    var extra = 0
    var extraBits = 0
  }

  private static func runs(_ lengths: [UInt8]) -> [Run] {
    var runs: [Run] = []
    var index = 0
    while index < lengths.count {
      let length = lengths[index]
      var rest = lengths[index...].prefix { $0 == length }.count
      index += rest
      if length > 0 {
        // Symbol 16 repeats the previous length.
        runs.append(Run(symbol: Int(length)))
        rest -= 1
      }
      while rest >= 3 {
        let step = min(rest, length > 0 ? 6 : rest > 10 ? 138 : 10)
        rest -= step
        if length > 0 {
          runs.append(Run(symbol: 16, extra: step - 3, extraBits: 2))
        } else if step > 10 {
          runs.append(Run(symbol: 18, extra: step - 11, extraBits: 7))
        } else {
          runs.append(Run(symbol: 17, extra: step - 3, extraBits: 3))
        }
      }
      for _ in 0..<rest { runs.append(Run(symbol: Int(length))) }
    }
    return runs
  }
}

extension BitWriter {
  /// Adds the bits in the lower half of `entry`, their number being in the upper.
  @inline(__always)
  fileprivate mutating func put(entry: UInt64) {
    put(entry & 0xFFFF_FFFF, Int(truncatingIfNeeded: entry &>> 32))
  }
}
