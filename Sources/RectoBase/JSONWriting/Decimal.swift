extension [UInt8] {
  /// Adds an integer in decimal.
  public mutating func append(decimal number: Int) {
    append(addingCapacity: 20) { output in
      if number < 0 { output.append(UInt8(ascii: "-")) }
      output.append(digitsOf: number.magnitude)
    }
  }

  /// Adds a number in decimal, see ``Swift/Double/decimal``.
  public mutating func append(decimal number: Double) {
    guard number.magnitude < 1e9 else {
      append(contentsOf: (number.isFinite ? number.wholeOrShortest : "0").utf8)
      return
    }
    let integer = Int(number)
    guard Double(integer) != number else { return append(decimal: integer) }
    let millionths = Int((number * 1e6).rounded())
    var fraction = millionths.magnitude % 1_000_000
    var places = 6
    while places > 0, fraction.isMultiple(of: 10) {
      fraction /= 10
      places -= 1
    }
    // In one step: each append to an array checks its capacity.
    append(addingCapacity: 20) { output in
      if millionths < 0 { output.append(UInt8(ascii: "-")) }
      output.append(digitsOf: millionths.magnitude / 1_000_000)
      guard places > 0 else { return }
      output.append(UInt8(ascii: "."))
      output.append(digitsOf: fraction, places: places)
    }
  }
}

extension OutputSpan<UInt8> {
  /// Writes an integer in decimal; the output must have room for up to 20 digits.
  ///
  /// - Parameters:
  ///   - places: The fewest digits to write, with leading zeros.
  fileprivate mutating func append(digitsOf number: UInt, places: Int = 1) {
    var digits = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
    var first = digits.count
    var rest = number
    while rest > 0 {
      first -= 1
      digits[first] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
      rest /= 10
    }
    for place in min(first, digits.count - places)..<digits.count { append(digits[place]) }
  }
}

extension Double {
  /// The number in decimal, never with an exponent, never NaN or infinity (which become 0, but
  /// should not occur). Rounded to a millionth, so that rounding errors of sums do not show;
  /// integers print without a fraction.
  public var decimal: String {
    var bytes: [UInt8] = []
    bytes.append(decimal: self)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// The number in decimal, without an exponent, so that it reads back exactly. Used for options. The same as
  /// ``decimal`` wherever that is exact.
  public var exactDecimal: String {
    let rounded = decimal
    guard isFinite, Double(rounded) != self else { return rounded }
    let text = magnitude.description
    guard let exponent = text.firstIndex(of: "e") else { return description }
    // Above 1e9 nothing is rounded, so the exponent is negative: 1.5e-07 is 0.00000015.
    let digits = text[..<exponent].filter { $0 != "." }
    let zeros = -(Int(text[text.index(after: exponent)...]) ?? 0) - 1
    let trimmed = text[..<exponent].hasSuffix(".0") ? digits.dropLast() : digits[...]
    return (self < 0 ? "-" : "") + "0." + String(repeating: "0", count: max(0, zeros)) + trimmed
  }

  /// All digits before the point, or the shortest text that reads back as this number.
  fileprivate var wholeOrShortest: String {
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
