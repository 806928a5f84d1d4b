/// Writes JSON incrementally, so that output about a million pages need not be in memory.
///
/// Used instead of `JSONEncoder`, which builds the whole document first, sorts or shuffles its
/// keys, and takes longer than computing the layout.
public struct JSONWriter: Sendable {
  /// The written text.
  public private(set) var bytes: [UInt8] = []
  /// Whether the next value needs a comma before it: one bit for each open object or array, the innermost in the lowest
  /// bit.
  private var commas: UInt64 = 0
  /// The open objects and arrays.
  private var depth = 0
  /// The bits of further outer levels, 64 in each; only outlines are nested that deep.
  private var outerCommas: [UInt64] = []

  /// A writer that has written nothing.
  public init() {
    bytes.reserveCapacity(1 << 14)
  }

  /// Returns the text written so far, and removes it.
  public mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  /// The elements of an array, for ``append(elements:)`` of the writer that has opened the array. So that several
  /// threads can write parts of a long array.
  public static func elements(_ body: (inout JSONWriter) throws -> Void) rethrows -> [UInt8] {
    var writer = JSONWriter()
    try body(&writer)
    return writer.bytes
  }

  /// Writes elements of an array, see ``elements(_:)``.
  public mutating func append(elements: [UInt8]) {
    guard !elements.isEmpty else { return }
    separate()
    bytes.append(contentsOf: elements)
  }

  /// Writes an object.
  public mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
    openObject()
    try body(&self)
    closeObject()
  }

  /// Writes a member that is an object.
  public mutating func object(_ key: String, _ body: (inout JSONWriter) throws -> Void) rethrows {
    self.key(key)
    try object(body)
  }

  /// Writes a member that is an array.
  public mutating func array(_ key: String, _ body: (inout JSONWriter) throws -> Void) rethrows {
    openArray(key)
    try body(&self)
    closeArray()
  }

  /// Begins an object, which ``closeObject()`` ends.
  public mutating func openObject() { open("{") }

  /// Ends an object.
  public mutating func closeObject() { close("}") }

  /// Begins a member that is an array, which ``closeArray()`` ends.
  public mutating func openArray(_ key: String) {
    self.key(key)
    open("[")
  }

  /// Ends an array.
  public mutating func closeArray() { close("]") }

  /// Writes a member.
  public mutating func member(_ key: String, _ value: String) {
    self.key(key)
    self.value(value)
  }

  /// Writes a member, unless its value is nil.
  public mutating func member(_ key: String, _ value: String?) {
    if let value { member(key, value) }
  }

  /// Writes a member.
  public mutating func member(_ key: String, _ value: Int) {
    self.key(key)
    self.value(value)
  }

  /// Writes a member.
  public mutating func member(_ key: String, _ value: Bool) {
    self.key(key)
    separate()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  /// Writes a member, rounded to a millionth.
  public mutating func member(_ key: String, _ value: Double) {
    self.key(key)
    self.value(value)
  }

  /// Writes a number that reads back exactly, such as an option as it was given.
  public mutating func member(exact key: String, _ value: Double) {
    self.key(key)
    self.value(exact: value)
  }

  /// A value that is JSON already.
  public mutating func member(_ key: String, json: [UInt8]) {
    self.key(key)
    separate()
    bytes.append(contentsOf: json)
  }

  /// Writes a member that is null.
  public mutating func null(_ key: String) {
    self.key(key)
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  /// Writes an element of an array.
  public mutating func value(_ value: Int) {
    separate()
    bytes.append(decimal: value)
  }

  /// Writes an element of an array, rounded to a millionth.
  public mutating func value(_ value: Double) {
    separate()
    bytes.append(decimal: value)
  }

  /// Writes an element of an array that reads back exactly.
  public mutating func value(exact value: Double) {
    separate()
    bytes.append(contentsOf: value.exactDecimal.utf8)
  }

  /// A string. Control characters beyond ASCII are escaped, too, because the text may be shown in a
  /// terminal; JSON readers get the same value.
  public mutating func value(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
    let start = bytes.count
    var mayHoldControls = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""): bytes.append(contentsOf: #"\""#.utf8)
      case UInt8(ascii: "\\"): bytes.append(contentsOf: #"\\"#.utf8)
      case UInt8(ascii: "\n"): bytes.append(contentsOf: #"\n"#.utf8)
      case UInt8(ascii: "\t"): bytes.append(contentsOf: #"\t"#.utf8)
      case UInt8(ascii: "\r"): bytes.append(contentsOf: #"\r"#.utf8)
      case 0..<0x20, 0x7f:
        let digits = String(byte, radix: 16)
        bytes.append(contentsOf: (digits.count == 1 ? "\\u000" : "\\u00").utf8)
        bytes.append(contentsOf: digits.utf8)
      default:
        // The first byte of every such control in UTF-8.
        if byte == 0xC2 || byte == 0xD8 || byte == 0xE2 { mayHoldControls = true }
        bytes.append(byte)
      }
    }
    if mayHoldControls { escapeControls(from: start) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Escapes the controls beyond ASCII that were written since `start`.
  private mutating func escapeControls(from start: Int) {
    let text = String(decoding: bytes[start...], as: UTF8.self)
    guard text.unicodeScalars.contains(where: \.isControlBeyondASCII) else { return }
    bytes.removeSubrange(start...)
    for scalar in text.unicodeScalars {
      if scalar.isControlBeyondASCII {
        bytes.append(contentsOf: "\\u\(scalar.fourDigits)".utf8)
      } else {
        bytes.append(contentsOf: UTF8.encode(scalar) ?? .init())
      }
    }
  }

  /// Ends a line.
  public mutating func newline() {
    bytes.append(UInt8(ascii: "\n"))
    commas &= ~1
  }

  /// Keys are ours, and none needs an escape.
  private mutating func key(_ key: String) {
    let isFirst = commas & 1 == 0
    var key = key
    key.withUTF8 { name in
      // In one step: a page has dozens of keys, and each append checks the capacity.
      bytes.append(addingCapacity: name.count + 4) { output in
        if !isFirst { output.append(UInt8(ascii: ",")) }
        output.append(UInt8(ascii: "\""))
        for byte in name { output.append(byte) }
        output.append(UInt8(ascii: "\""))
        output.append(UInt8(ascii: ":"))
      }
    }
    commas &= ~1
  }

  private mutating func separate() {
    if commas & 1 == 1 { bytes.append(UInt8(ascii: ",")) }
    commas |= 1
  }

  private mutating func open(_ bracket: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: bracket))
    depth += 1
    if depth.isMultiple(of: 64) { outerCommas.append(commas) }
    commas <<= 1
  }

  private mutating func close(_ bracket: Unicode.Scalar) {
    commas >>= 1
    if depth.isMultiple(of: 64) { commas = outerCommas.popLast() ?? 0 }
    depth -= 1
    bytes.append(UInt8(ascii: bracket))
  }
}

extension Unicode.Scalar {
  /// Whether a terminal may interpret the scalar: C1 controls, line and paragraph separators, and Bidi_Control
  /// characters, which reorder text.
  public var isControlBeyondASCII: Bool {
    switch value {
    case 0x80...0x9F, 0x61C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
    default: false
    }
  }

  /// The value in four hexadecimal digits, as escapes have it; for values below 0x10000.
  public var fourDigits: String {
    let digits = String(value, radix: 16)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
