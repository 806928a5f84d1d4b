/// A value of a JSON text.
///
/// Used because `JSONDecoder` of FoundationEssentials, which swift-argument-parser links, does not report the position
/// of an error, accepts duplicate member names, and has no limit for nesting that a caller can set.
enum JSONValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case number(Double)
  case string(String)
  case array([JSONValue])
  case object([String: JSONValue])

  /// Reads a text that consists of one value.
  ///
  /// - Throws: ``JSONSyntaxError``. Numbers that do not fit a `Double`, duplicate member names and
  ///   nesting deeper than 64 are errors.
  /// - Complexity: O(*n*) in the length of the text.
  init(parsing text: some Collection<UInt8>) throws(JSONSyntaxError) {
    var parser = JSONParser(bytes: Array(text))
    self = try parser.document()
  }

  /// Reads a text that consists of one value, and finds the text of one of its members.
  ///
  /// - Parameters:
  ///   - name: A member of the value, if that is an object.
  ///   - found: Set to the bytes of the member's value once they are read, even if the rest is invalid. Numbers in it
  ///     can have any size.
  /// - Throws: ``JSONSyntaxError``.
  /// - Complexity: O(*n*) in the length of the text.
  init(
    parsing text: [UInt8],
    member name: String,
    text found: inout [UInt8]?
  ) throws(JSONSyntaxError) {
    var parser = JSONParser(bytes: text, kept: name)
    defer { found = parser.keptText.map { Array(text[$0]) } }
    self = try parser.document()
  }
}

/// A syntax error: its position and reason.
struct JSONSyntaxError: Error, Hashable, CustomStringConvertible {
  /// Counted in bytes from 1.
  var column: Int
  var reason: String

  var description: String { "invalid JSON at column \(column): \(reason)" }
}

/// RFC 8259 by recursive descent.
private struct JSONParser {
  let bytes: [UInt8]
  /// A member of the outermost object whose text is kept.
  var kept: String?
  /// Where the text of that member's value is.
  private(set) var keptText: Range<Int>?
  private var offset = 0
  private var depth = 0
  private var isKept = false

  init(bytes: [UInt8], kept: String? = nil) {
    self.bytes = bytes
    self.kept = kept
  }

  private static let deepest = 64

  /// Reads the whole text as one value.
  ///
  /// - Throws: A syntax error, with its position.
  mutating func document() throws(JSONSyntaxError) -> JSONValue {
    let value = try value()
    skipSpace()
    guard offset == bytes.count else { throw error("unexpected text after the value") }
    return value
  }

  /// Reads a value of any kind.
  ///
  /// - Throws: A syntax error, with its position.
  private mutating func value() throws(JSONSyntaxError) -> JSONValue {
    skipSpace()
    guard let byte = peek else { throw error("unexpected end") }
    switch byte {
    case UInt8(ascii: "{"):
      return try nested { parser throws(JSONSyntaxError) in
        try parser.object()
      }
    case UInt8(ascii: "["):
      return try nested { parser throws(JSONSyntaxError) in
        try parser.array()
      }
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .bool(true))
    case UInt8(ascii: "f"): return try word("false", .bool(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return .number(try number())
    }
  }

  /// Reads an object or array with `body`, one level deeper.
  ///
  /// - Throws: A syntax error, with its position.
  private mutating func nested(
    _ body: (inout JSONParser) throws(JSONSyntaxError) -> JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    guard depth < Self.deepest else { throw error("nested deeper than \(Self.deepest)") }
    depth += 1
    offset += 1
    defer { depth -= 1 }
    return try body(&self)
  }

  /// Reads the members of an object and its closing brace.
  ///
  /// - Throws: A syntax error, with its position.
  private mutating func object() throws(JSONSyntaxError) -> JSONValue {
    var members: [String: JSONValue] = [:]
    if skip(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpace()
      guard peek == UInt8(ascii: "\"") else { throw error("expected a member name") }
      let name = try string()
      guard skip(UInt8(ascii: ":")) else { throw error("expected a colon") }
      let value = depth == 1 && name == kept ? try keptValue() : try value()
      guard members.updateValue(value, forKey: name) == nil else {
        throw error("duplicate member \"\(name)\"")
      }
    } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "}")) else { throw error("expected a comma or a closing brace") }
    return .object(members)
  }

  /// Reads the value whose text is kept.
  ///
  /// - Throws: A syntax error, with its position.
  private mutating func keptValue() throws(JSONSyntaxError) -> JSONValue {
    skipSpace()
    let start = offset
    isKept = true
    defer { isKept = false }
    let value = try value()
    keptText = start..<offset
    return value
  }

  /// Reads the elements of an array and its closing bracket.
  ///
  /// - Throws: A syntax error, with its position.
  private mutating func array() throws(JSONSyntaxError) -> JSONValue {
    var elements: [JSONValue] = []
    if skip(UInt8(ascii: "]")) { return .array(elements) }
    repeat { elements.append(try value()) } while skip(UInt8(ascii: ","))
    guard skip(UInt8(ascii: "]")) else { throw error("expected a comma or a closing bracket") }
    return .array(elements)
  }

  /// Reads the literal `text`, which stands for `value`.
  ///
  /// - Throws: A syntax error, with its position.
  private mutating func word(
    _ text: StaticString,
    _ value: JSONValue
  ) throws(JSONSyntaxError) -> JSONValue {
    let expected = text.withUTF8Buffer { Array($0) }
    guard bytes[offset...].starts(with: expected) else { throw error("invalid literal") }
    offset += expected.count
    return value
  }

  /// Reads a number.
  ///
  /// - Throws: A syntax error, with its position.
  private mutating func number() throws(JSONSyntaxError) -> Double {
    let start = offset
    if peek == UInt8(ascii: "-") { offset += 1 }
    let leading = peek
    let whole = skipDigits()
    guard whole > 0, leading != UInt8(ascii: "0") || whole == 1 else {
      throw error("expected a value")
    }
    if peek == UInt8(ascii: ".") {
      offset += 1
      guard skipDigits() > 0 else { throw error("incomplete number") }
    }
    if peek == UInt8(ascii: "e") || peek == UInt8(ascii: "E") {
      offset += 1
      if peek == UInt8(ascii: "-") || peek == UInt8(ascii: "+") { offset += 1 }
      guard skipDigits() > 0 else { throw error("incomplete number") }
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    guard let number = Double(text), number.isFinite || isKept else {
      throw error("number out of range")
    }
    return number
  }

  /// Reads a string, from its opening quotation mark.
  ///
  /// - Throws: A syntax error, with its position.
  private mutating func string() throws(JSONSyntaxError) -> String {
    offset += 1
    var text: [UInt8] = []
    while let byte = peek {
      offset += 1
      switch byte {
      case UInt8(ascii: "\""):
        guard let result = String(validating: text, as: UTF8.self) else {
          throw error("string is not UTF-8")
        }
        return result
      case UInt8(ascii: "\\"): text += Array(String(try escape()).utf8)
      case 0..<0x20: throw error("control character in a string")
      default: text.append(byte)
      }
    }
    throw error("unterminated string")
  }

  /// Reads what follows a backslash.
  ///
  /// - Throws: A syntax error, with its position.
  private mutating func escape() throws(JSONSyntaxError) -> Unicode.Scalar {
    guard let byte = peek else { throw error("unterminated string") }
    offset += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{c}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      let unit = try hexadecimal()
      guard (0xD800..<0xDC00).contains(unit) else {
        // Replace half of a surrogate pair, as other programs do.
        return Unicode.Scalar(unit) ?? "\u{FFFD}"
      }
      guard peek == UInt8(ascii: "\\"), offset + 1 < bytes.count,
        bytes[offset + 1] == UInt8(ascii: "u")
      else { return "\u{FFFD}" }
      offset += 2
      let low = try hexadecimal()
      guard (0xDC00..<0xE000).contains(low) else { return "\u{FFFD}" }
      return Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
    default: throw error("unknown escape")
    }
  }

  /// Reads four hexadecimal digits.
  ///
  /// - Throws: A syntax error, with its position.
  private mutating func hexadecimal() throws(JSONSyntaxError) -> UInt32 {
    guard offset + 4 <= bytes.count,
      bytes[offset..<(offset + 4)].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let unit = UInt32(String(decoding: bytes[offset..<(offset + 4)], as: UTF8.self), radix: 16)
    else { throw error("expected four hexadecimal digits") }
    offset += 4
    return unit
  }

  // MARK: Bytes

  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skip(_ byte: UInt8) -> Bool {
    skipSpace()
    guard peek == byte else { return false }
    offset += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = peek, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D {
      offset += 1
    }
  }

  private mutating func skipDigits() -> Int {
    let start = offset
    while let byte = peek, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { offset += 1 }
    return offset - start
  }

  private func error(_ reason: String) -> JSONSyntaxError {
    JSONSyntaxError(column: offset + 1, reason: reason)
  }
}
