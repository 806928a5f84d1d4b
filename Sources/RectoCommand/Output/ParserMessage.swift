internal import RectoBase

/// A message of the argument parser in the form of the command's messages:
/// `--gap: must be …, is x`.
struct ParserMessage: Hashable {
  /// The option that the message is about, with its dashes; or the name of an argument.
  var option: String?
  /// The reason.
  var reason: String
  /// Whether there is no such option.
  private(set) var isUnknownOption = false

  /// The option and the reason in one line.
  var line: String { option.map { "\($0): \(reason)" } ?? reason }

  /// The message that the parser has written.
  init(_ message: String) {
    if let match = message.wholeMatch(of: Self.invalid) {
      option = String(match.option)
      reason = Self.reason(String(match.rest), value: String(match.value))
    } else if let match = message.wholeMatch(of: Self.missing) {
      option = String(match.option)
      reason = "missing value"
    } else if let match = message.prefixMatch(of: Self.unknown) {
      isUnknownOption = true
      let similar = match.other.flatMap { other in
        Self.areSimilar(match.option, other) ? "did you mean '\(other)'?" : nil
      }
      let hint = Hints.hint(for: match.option) ?? similar ?? "see --help"
      reason = "unknown option '\(match.option)'; \(hint)"
    } else if let match = message.wholeMatch(of: Self.noValue) {
      option = String(match.option)
      reason = "takes no value, is given '\(match.value)'"
    } else {
      // The name of a variable is not changed.
      reason =
        message.prefix(2).allSatisfy(\.isUppercase)
        ? message : message.prefix(1).lowercased() + message.dropFirst()
    }
  }

  private static var noValue: Regex<(Substring, option: Substring, value: Substring)> {
    /(?s)The option '(?<option>[^']*)' does not take any value, but '(?<value>.*)' was specified\./
  }

  private static var invalid:
    Regex<(Substring, value: Substring, option: Substring, rest: Substring)>
  {
    /(?s)The value '(?<value>.*?)' is invalid for '(?<option>[^ ']+)(?: <[^']*>)?'(?<rest>.*)/
  }

  private static var missing: Regex<(Substring, option: Substring)> {
    /Missing value for '(?<option>[^ ']+)(?: <[^']*>)?'/
  }

  private static var unknown: Regex<(Substring, option: Substring, other: Substring?)> {
    /(?s)Unknown option '(?<option>.*?)'(?:\. Did you mean '(?<other>[^']*)'\?)?/
  }

  /// The requirement and the value.
  ///
  /// - Parameters:
  ///   - rest: The end of the parser's message: a requirement after a colon, or the possible values.
  /// - Returns: Both in one line.
  private static func reason(_ rest: String, value: String) -> String {
    let given = Double(value) == nil ? "'\(value)'" : value
    if rest.hasPrefix(": ") {
      // A requirement, and a detail for a value of several parts.
      let words = String(rest.dropFirst(2)).split(separator: ": ", maxSplits: 1)
      let detail = words.count > 1 ? ": \(words[1])" : ""
      return "\(words.first ?? ""), is \(given)\(detail)"
    }
    let values = rest.matches(of: /'([^']*)'|- (\S+)/).compactMap { $0.1 ?? $0.2 }.map(String.init)
    guard let last = values.last else { return "invalid value \(given)" }
    let others = values.dropLast().joined(separator: ", ")
    return "must be \(others.isEmpty ? last : "\(others) or \(last)"), is \(given)"
  }

  /// Whether one name can be a misspelling of another: at most a third of it differs. The parser suggests any option
  /// that differs in three characters, even for short names.
  static func areSimilar(_ name: Substring, _ other: Substring) -> Bool {
    let (name, other) = (name.drop { $0 == "-" }, other.drop { $0 == "-" })
    return name.editDistance(to: other) <= max(1, name.count / 3)
  }
}
