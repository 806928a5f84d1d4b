internal import RectoBase
internal import SystemPackage

/// Reads paths with placeholders in braces.
enum PathPlaceholders {
  /// A piece of a path.
  enum Part {
    case text([UInt8])
    /// The text between braces.
    case placeholder(String)
  }

  /// The most digits that a number can be padded to.
  static let mostDigits = 20

  /// The pieces of a path; `{{` and `}}` are braces.
  ///
  /// - Parameters:
  ///   - singleBrace: The error for `{` without `}`, or the other way around.
  /// - Returns: The pieces, without empty or adjacent texts.
  /// - Throws: What `singleBrace` returns.
  static func parts<Failure: Error>(
    of path: FilePath,
    _ singleBrace: (String) -> Failure
  ) throws(Failure) -> [Part] {
    var parts: [Part] = []
    var text: [UInt8] = []
    var rest = path.bytes[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}") else {
        text.append(byte)
        continue
      }
      if rest.first == byte {
        text.append(byte)
        rest.removeFirst()
        continue
      }
      guard byte == UInt8(ascii: "{"), let end = rest.firstIndex(of: UInt8(ascii: "}")) else {
        throw singleBrace(byte == UInt8(ascii: "{") ? "{" : "}")
      }
      if !text.isEmpty { parts.append(.text(text)) }
      text = []
      parts.append(.placeholder(String(decoding: rest[..<end], as: UTF8.self)))
      rest = rest[rest.index(after: end)...]
    }
    if !text.isEmpty { parts.append(.text(text)) }
    return parts
  }

  /// The digits to which a number is padded: `page`, `page:3` or `page:03`.
  ///
  /// - Returns: Nil for another placeholder, or digits out of range; a nested nil if no digits are given.
  static func digits(_ placeholder: String, of name: String) -> Int?? {
    if placeholder == name { return .some(nil) }
    let digits = placeholder.dropFirst(name.count + 1)
    guard placeholder.hasPrefix("\(name):"), digits.allSatisfy(\.isASCIIDigit),
      let count = Int(digits), (1...mostDigits).contains(count)
    else { return nil }
    return count
  }
}
