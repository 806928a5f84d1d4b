/// Writes JSON as it goes, so that an answer about a million pages needs no memory for all of it.
///
/// Our own because `JSONEncoder` builds the whole document first, sorts or shuffles its keys, and
/// costs more than the layout that it prints.
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  /// Whether a comma is due before the next value, for each open object or array.
  private var needsComma: [Bool] = [false]

  init() {
    bytes.reserveCapacity(1 << 14)
  }

  /// Takes away what has been written so far.
  mutating func take() -> [UInt8] {
    defer { bytes.removeAll(keepingCapacity: true) }
    return bytes
  }

  mutating func object(_ body: (inout JSONWriter) throws -> Void) rethrows {
    openObject()
    try body(&self)
    closeObject()
  }

  mutating func object(_ key: String, _ body: (inout JSONWriter) throws -> Void) rethrows {
    self.key(key)
    try object(body)
  }

  mutating func array(_ key: String, _ body: (inout JSONWriter) throws -> Void) rethrows {
    openArray(key)
    try body(&self)
    closeArray()
  }

  mutating func openObject() { open("{") }

  mutating func closeObject() { close("}") }

  mutating func openArray(_ key: String) {
    self.key(key)
    open("[")
  }

  mutating func closeArray() { close("]") }

  mutating func member(_ key: String, _ value: String) {
    self.key(key)
    self.value(value)
  }

  mutating func member(_ key: String, _ value: String?) {
    if let value { member(key, value) }
  }

  mutating func member(_ key: String, _ value: Int) {
    self.key(key)
    self.value(value)
  }

  mutating func member(_ key: String, _ value: Bool) {
    self.key(key)
    separate()
    bytes.append(contentsOf: (value ? "true" : "false").utf8)
  }

  mutating func member(_ key: String, _ value: Double) {
    self.key(key)
    self.value(value)
  }

  mutating func null(_ key: String) {
    self.key(key)
    separate()
    bytes.append(contentsOf: "null".utf8)
  }

  mutating func value(_ value: Int) {
    separate()
    bytes.append(contentsOf: String(value).utf8)
  }

  mutating func value(_ value: Double) {
    separate()
    bytes.append(contentsOf: value.decimal.utf8)
  }

  mutating func value(_ text: String) {
    separate()
    bytes.append(UInt8(ascii: "\""))
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
      default: bytes.append(byte)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Ends a line.
  mutating func newline() {
    bytes.append(UInt8(ascii: "\n"))
    needsComma[needsComma.count - 1] = false
  }

  private mutating func key(_ key: String) {
    value(key)
    bytes.append(UInt8(ascii: ":"))
    needsComma[needsComma.count - 1] = false
  }

  private mutating func separate() {
    if needsComma[needsComma.count - 1] { bytes.append(UInt8(ascii: ",")) }
    needsComma[needsComma.count - 1] = true
  }

  private mutating func open(_ bracket: Unicode.Scalar) {
    separate()
    bytes.append(UInt8(ascii: bracket))
    needsComma.append(false)
  }

  private mutating func close(_ bracket: Unicode.Scalar) {
    needsComma.removeLast()
    bytes.append(UInt8(ascii: bracket))
  }
}

extension Double {
  /// The number in decimal, never with an exponent, never NaN or infinity (those become 0, and none
  /// should come this far). Rounded to a millionth of a unit, so that sums print as people would
  /// write them; integers print without a fraction.
  var decimal: String {
    guard isFinite else { return "0" }
    guard magnitude < 1e9 else { return wholeOrShortest }
    let millionths = (self * 1e6).rounded()
    let number = Int(millionths)
    let whole = number.magnitude / 1_000_000
    var fraction = number.magnitude % 1_000_000
    let sign = number < 0 ? "-" : ""
    guard fraction > 0 else { return "\(sign)\(whole)" }
    var digits = 6
    while fraction % 10 == 0 {
      fraction /= 10
      digits -= 1
    }
    let text = String(fraction)
    return "\(sign)\(whole).\(String(repeating: "0", count: digits - text.count))\(text)"
  }

  private var wholeOrShortest: String {
    if self == rounded(), magnitude < 9e18 { return String(Int(self)) }
    let text = description
    // Beyond 2^53 every number is whole; write it out.
    guard text.contains("e") else { return text }
    let bits = significandBitPattern | (1 << 52)
    var number = [UInt8(0)]
    for bit in stride(from: 52, through: 0, by: -1) {
      number.double(adding: bits >> bit & 1 == 1 ? 1 : 0)
    }
    for _ in 0..<max(0, Int(exponent) - 52) { number.double(adding: 0) }
    return (self < 0 ? "-" : "") + number.reversed().map(String.init).joined()
  }
}

extension [UInt8] {
  /// Doubles a number whose decimal digits are the elements, lowest first.
  fileprivate mutating func double(adding carry: UInt8) {
    var carry = carry
    for index in indices {
      let digit = self[index] * 2 + carry
      self[index] = digit % 10
      carry = digit / 10
    }
    if carry > 0 { append(carry) }
  }
}
