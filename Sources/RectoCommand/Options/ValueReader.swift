internal import ArgumentParser
internal import PageLayout
internal import RectoBase
internal import RectoKit

/// Parses the value of an option, or states the requirement for its text.
///
/// The parser itself only says that a value is invalid. A reader states the range too, and takes
/// any text after the option, so that a negative number is out of range and not missing.
struct ValueReader<Value>: Sendable {
  /// Reads a text.
  ///
  /// - Throws: ``InvalidValue``.
  let read: @Sendable (String) throws(InvalidValue) -> Value
  /// The words that are values, for the help and completions; empty if there are others.
  private(set) var words: [String] = []

  /// A reader that makes its own errors.
  init(_ read: @escaping @Sendable (String) throws(InvalidValue) -> Value) { self.read = read }

  /// A reader that has one requirement.
  ///
  /// - Parameters:
  ///   - requirement: The requirement: "must be a number between 0 and 1".
  ///   - read: The value of a text, or nil.
  init(_ requirement: String, _ read: @escaping @Sendable (String) -> Value?) {
    self.read = { text throws(InvalidValue) in
      guard let value = read(text) else { throw InvalidValue(requirement) }
      return value
    }
  }
}

/// Why a text is not the value of an option.
struct InvalidValue: Error, Hashable, CustomStringConvertible {
  /// The requirement for the text; the message adds the text.
  let requirement: String
  /// The wrong part of the text, for a value with several parts.
  let detail: String?

  /// The requirement, and the detail after a colon.
  var description: String { detail.map { "\(requirement): \($0)" } ?? requirement }

  /// An error for a text that does not meet a requirement.
  ///
  /// - Parameters:
  ///   - requirement: The requirement: "must be a number".
  init(_ requirement: String, detail: String? = nil) {
    self.requirement = requirement
    self.detail = detail
  }
}

extension ValueReader where Value: ExpressibleByArgument {
  /// A value that its type reads.
  static func value(
    _ requirement: String,
    where isValid: @escaping @Sendable (Value) -> Bool = { _ in true }
  ) -> Self {
    Self(requirement) { text in Value(argument: text).flatMap { isValid($0) ? $0 : nil } }
  }

  /// One of at least two words that the type lists.
  ///
  /// The parser's own reader of such types looks up what they conform to whenever a command starts.
  static var choice: Self {
    let words = Value.allValueStrings
    let others = words.dropLast().joined(separator: ", ")
    var reader = value("must be \(others) or \(words.last ?? "")")
    reader.words = words
    return reader
  }
}

extension ValueReader<Double> {
  /// A number in a range.
  static func number(_ range: ClosedRange<Double>) -> Self {
    value("must be a number between \(range.lowerBound.decimal) and \(range.upperBound.decimal)") {
      range.contains($0)
    }
  }

  /// A number above one limit and at most another.
  static func number(above limit: Double, atMost last: Double) -> Self {
    value("must be a number above \(limit.decimal) and at most \(last.decimal)") {
      $0 > limit && $0 <= last
    }
  }

  /// A number that is finite.
  static var finite: Self { value("must be a number") { $0.isFinite } }

  /// A length in layout units.
  static var length: Self { number(0...LayoutConfiguration.largestLength) }

  /// A length above 0, in layout units.
  static var extent: Self { number(above: 0, atMost: LayoutConfiguration.largestLength) }

  /// A factor.
  static var factor: Self { number(above: 0, atMost: LayoutConfiguration.largestZoom) }
}

extension ValueReader<Int> {
  /// A whole number in a range.
  static func number(_ range: ClosedRange<Int>) -> Self {
    value("must be a whole number between \(range.lowerBound) and \(range.upperBound)") {
      range.contains($0)
    }
  }
}

extension ValueReader<PageList> {
  /// A list of pages.
  static var pages: Self {
    Self { text throws(InvalidValue) in
      do throws(PageListSyntaxError) {
        return try PageList(parsing: text)
      } catch {
        throw InvalidValue("must be a list of pages", detail: error.description)
      }
    }
  }
}

extension Option {
  /// An option with a default, which the help states.
  ///
  /// - Parameters:
  ///   - completion: The completions of a shell; none by default.
  init(
    wrappedValue: Value,
    name: NameSpecification = .long,
    help: ArgumentHelp,
    completion: CompletionKind? = nil,
    reading reader: ValueReader<Value>
  ) where Value: ExpressibleByArgument {
    // The parser's own description of a number looks up how it is printed.
    let text =
      (wrappedValue as? Double)?.decimal ?? (wrappedValue as? Int).map { String($0) }
      ?? wrappedValue.defaultValueDescription
    self.init(
      wrappedValue: wrappedValue,
      name: name,
      parsing: .unconditional,
      help: help.adding(reader.words, default: text),
      completion: completion ?? reader.completion,
      transform: { try reader.read($0) }
    )
  }

  /// An option without a default.
  ///
  /// - Parameters:
  ///   - completion: The completions of a shell; none by default.
  init<Given>(
    name: NameSpecification = .long,
    help: ArgumentHelp,
    completion: CompletionKind? = nil,
    reading reader: ValueReader<Given>
  ) where Value == Given? {
    self.init(
      name: name,
      parsing: .unconditional,
      help: help.adding(reader.words, default: nil),
      completion: completion ?? reader.completion,
      transform: { try reader.read($0) }
    )
  }

  /// An option that can be repeated.
  ///
  /// - Parameters:
  ///   - completion: The completions of a shell; none by default.
  init<Element>(
    wrappedValue: [Element],
    name: NameSpecification = .long,
    help: ArgumentHelp,
    completion: CompletionKind? = nil,
    reading reader: ValueReader<Element>
  ) where Value == [Element] {
    self.init(
      wrappedValue: wrappedValue,
      name: name,
      parsing: .unconditionalSingleValue,
      help: help,
      completion: completion,
      transform: { try reader.read($0) }
    )
  }
}

extension ValueReader {
  /// The completions of a shell.
  fileprivate var completion: CompletionKind? { words.isEmpty ? nil : .list(words) }
}

extension ArgumentHelp {
  /// The same with the values and the default of an option, in the words of the parser.
  fileprivate func adding(_ words: [String], default text: String?) -> Self {
    var notes: [String] = []
    if !words.isEmpty { notes.append("values: \(words.joined(separator: ", "))") }
    if let text { notes.append("default: \(text)") }
    guard !notes.isEmpty else { return self }
    var help = self
    help.abstract += " (\(notes.joined(separator: "; ")))"
    return help
  }
}
