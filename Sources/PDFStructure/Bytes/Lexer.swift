/// One token of PDF syntax. Strings are not copied: only their position is stored.
enum Token {
  case end
  case int(Int32)
  case long(Int64)
  case real(Double)
  case string
  case name(PackedName)
  case arrayOpen
  case arrayClose
  case dictionaryOpen
  case dictionaryClose
  case bool(Bool)
  case null
  case command(PackedName)
  case error
}

/// White space and delimiters, as one bit for each ASCII character.
enum ByteClass {
  private static let white: UInt64 =
    (1 << 0) | (1 << 9) | (1 << 10) | (1 << 12) | (1 << 13)
    | (1 << 32)
  // % ( ) / < >
  private static let lowDelimiters: UInt64 =
    (1 << 37) | (1 << 40) | (1 << 41) | (1 << 47)
    | (1 << 60) | (1 << 62)
  // [ ] { }
  private static let highDelimiters: UInt64 = (1 << 27) | (1 << 29) | (1 << 59) | (1 << 61)

  @inline(__always)
  static func isWhite(_ byte: Int) -> Bool {
    UInt(bitPattern: byte) <= 32 && (white >> UInt64(truncatingIfNeeded: byte)) & 1 == 1
  }

  /// Whether the byte ends a name or a keyword; the end of the bytes (-1) does too.
  @inline(__always)
  static func isBoundary(_ byte: Int) -> Bool {
    if byte < 0 { return true }
    if byte < 64 { return ((white | lowDelimiters) >> UInt64(truncatingIfNeeded: byte)) & 1 == 1 }
    if byte < 128 { return (highDelimiters >> UInt64(truncatingIfNeeded: byte - 64)) & 1 == 1 }
    return false
  }

  @inline(__always)
  static func isDelimiter(_ byte: Int) -> Bool { isBoundary(byte) && !isWhite(byte) }

  @inline(__always)
  static func isDigit(_ byte: Int) -> Bool { UInt(bitPattern: byte &- 48) < 10 }
}

/// Splits bytes into tokens the way poppler does, including its reading of malformed numbers.
struct Lexer {
  var cursor: ByteCursor
  /// Where the last token began.
  private(set) var tokenStart = 0

  init(_ cursor: ByteCursor) { self.cursor = cursor }

  /// The next token.
  ///
  /// - Throws: ``StructureError``, `damaged` for a string without an end.
  mutating func next() throws(StructureError) -> Token {
    let before = cursor.position
    let token = try scan()
    try cursor.meter.charge(cursor.position &- before)
    return token
  }

  // Inlined, because writing a token byte by byte and then copying it as a whole stalls.
  @inline(__always)
  private mutating func scan() throws(StructureError) -> Token {
    var byte = try skipWhite()
    tokenStart = cursor.position &- 1
    switch byte {
    case -1:
      tokenStart = cursor.position
      return .end
    case 0x30...0x39, 0x2B, 0x2D, 0x2E: return try number(from: byte)
    case 0x2F: return .name(try name())
    case 0x28:
      try skipString()
      return .string
    case 0x5B: return .arrayOpen
    case 0x5D: return .arrayClose
    case 0x3C:
      if try cursor.peek() == 0x3C {
        cursor.advance()
        return .dictionaryOpen
      }
      repeat { byte = try cursor.next() } while byte != 0x3E && byte != -1
      if byte == -1 { throw StructureError(.damaged, "a hexadecimal string without an end") }
      return .string
    case 0x3E:
      if try cursor.peek() == 0x3E {
        cursor.advance()
        return .dictionaryClose
      }
      return .error
    case 0x29, 0x7B, 0x7D: return .error
    default: return try keyword(from: byte)
    }
  }

  /// Skips white space and comments; returns the first byte after them, or -1.
  private mutating func skipWhite() throws(StructureError) -> Int {
    while true {
      var byte = try cursor.next()
      if byte == 0x25 {
        repeat { byte = try cursor.next() } while byte != 0x0A && byte != 0x0D && byte != -1
        if byte == -1 { return -1 }
      } else if !ByteClass.isWhite(byte) {
        return byte
      }
    }
  }

  /// A number: 32 bits if it fits, else 64, else a real; two signs end it, as in poppler.
  private mutating func number(from first: Int) throws(StructureError) -> Token {
    let negative = first == 0x2D
    var whole: Int64 = ByteClass.isDigit(first) ? Int64(first - 48) : 0
    var isHuge = false
    var huge = 0.0
    var isReal = first == 0x2E
    while !isReal {
      let byte = try cursor.peek()
      if ByteClass.isDigit(byte) {
        cursor.advance()
        let digit = Int64(byte - 48)
        if isHuge {
          huge = huge * 10 + Double(digit)
        } else {
          let (product, overflow) = whole.multipliedReportingOverflow(by: 10)
          let (sum, overflowAgain) = product.addingReportingOverflow(digit)
          if overflow || overflowAgain {
            isHuge = true
            huge = Double(whole) * 10 + Double(digit)
          } else {
            whole = sum
          }
        }
      } else if byte == 0x2E {
        cursor.advance()
        isReal = true
      } else {
        break
      }
    }
    if isReal {
      let value = try fraction(after: isHuge ? huge : Double(whole))
      return .real(negative ? -value : value)
    }
    if isHuge { return .real(negative ? -huge : huge) }
    let value = negative ? -whole : whole
    if let small = Int32(exactly: value) { return .int(small) }
    return .long(value)
  }

  private mutating func fraction(after whole: Double) throws(StructureError) -> Double {
    var value = whole
    var scale = 0.1
    while true {
      let byte = try cursor.peek()
      if ByteClass.isDigit(byte) {
        value += scale * Double(byte - 48)
        scale *= 0.1
      } else if byte != 0x2D {
        return value
      }
      cursor.advance()
    }
  }

  /// A name up to its first zero byte, which only `#00` can cause: poppler stores names as C strings.
  private mutating func name() throws(StructureError) -> PackedName {
    var name = PackedName()
    while true {
      let byte = try cursor.peek()
      if ByteClass.isBoundary(byte) { return name }
      cursor.advance()
      if byte == 0x23, let high = Self.hexadecimal(try cursor.peek()) {
        cursor.advance()
        let low = Self.hexadecimal(try cursor.next()) ?? 0
        guard high | low != 0 else {
          try skipName()
          return name
        }
        name.append(UInt8(truncatingIfNeeded: high << 4 | low))
      } else {
        name.append(UInt8(truncatingIfNeeded: byte))
      }
    }
  }

  /// Skips the rest of a name, which may have escaped delimiters.
  private mutating func skipName() throws(StructureError) {
    while true {
      let byte = try cursor.peek()
      if ByteClass.isBoundary(byte) { return }
      cursor.advance()
      if byte == 0x23, Self.hexadecimal(try cursor.peek()) != nil {
        cursor.advance()
        _ = try cursor.next()
      }
    }
  }

  private mutating func keyword(from first: Int) throws(StructureError) -> Token {
    var word = PackedName()
    word.append(UInt8(truncatingIfNeeded: first))
    // 127 bytes are poppler's limit: it drops one more, and what follows is the next token.
    while true {
      let byte = try cursor.peek()
      if ByteClass.isBoundary(byte) { break }
      cursor.advance()
      guard word.count < 127 else { break }
      word.append(UInt8(truncatingIfNeeded: byte))
    }
    switch first {
    case 0x74 where word == "true": return .bool(true)
    case 0x66 where word == "false": return .bool(false)
    case 0x6E where word == "null": return .null
    default: return .command(word)
    }
  }

  private mutating func skipString() throws(StructureError) {
    var open = 1
    while open > 0 {
      switch try cursor.next() {
      case 0x28: open += 1
      case 0x29: open -= 1
      case 0x5C: _ = try cursor.next()
      case -1: throw StructureError(.damaged, "a string without an end")
      default: break
      }
    }
  }

  static func hexadecimal(_ byte: Int) -> Int? {
    switch byte {
    case 0x30...0x39: byte - 0x30
    case 0x41...0x46: byte - 0x41 + 10
    case 0x61...0x66: byte - 0x61 + 10
    default: nil
    }
  }
}
