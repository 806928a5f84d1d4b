internal import ArgumentParser

/// The words behind the name of a command, if each is a value or the whole name of an option.
///
/// The parser describes all options of a command several times before it looks at the first word, which takes two thirds of
/// the time of a window that is in the cache. A command that is started often therefore makes its options from
/// these words itself, and leaves everything that is written in another way, wrong or unknown to the parser.
struct PlainWords {
  private let words: [String]
  private var isRead: [Bool]

  /// Words in any order.
  ///
  /// - Parameters:
  ///   - short: Options by their short names: `["-o": "--output"]`.
  /// - Throws: ``NotPlain`` for an empty word, other short names, names with their values in one word, and names that
  ///   are there twice.
  init(_ words: [String], short: [String: String]) throws(NotPlain) {
    var names: Set<String> = []
    var plain: [String] = []
    plain.reserveCapacity(words.count)
    for word in words {
      let word = short[word] ?? word
      if word.isEmpty { throw NotPlain() }
      if Self.isName(word) {
        guard word.hasPrefix("--"), !word.utf8.contains(UInt8(ascii: "=")),
          names.insert(word).inserted
        else { throw NotPlain() }
      }
      plain.append(word)
    }
    self.words = plain
    isRead = Array(repeating: false, count: plain.count)
  }

  private static func isName(_ word: String) -> Bool { word.utf8.first == UInt8(ascii: "-") }

  /// Whether a flag is there.
  mutating func flag(_ name: String) -> Bool { position(of: name) != nil }

  /// The word behind an option; nil if the option is not there.
  ///
  /// - Throws: ``NotPlain`` if there is none, or a name.
  mutating func text(_ name: String) throws(NotPlain) -> String? {
    guard let position = position(of: name)?.advanced(by: 1) else { return nil }
    guard position < words.count, !isRead[position], !Self.isName(words[position]) else {
      throw NotPlain()
    }
    isRead[position] = true
    return words[position]
  }

  /// The value of an option that a reader makes; nil if the option is not there.
  ///
  /// - Throws: ``NotPlain`` if there is no value, or none that the reader takes.
  mutating func value<Value>(
    _ name: String,
    _ reader: @autoclosure () -> ValueReader<Value>
  ) throws(NotPlain) -> Value? {
    guard let text = try text(name) else { return nil }
    do throws(InvalidValue) {
      return try reader().read(text)
    } catch {
      throw NotPlain()
    }
  }

  /// The value of an option that its type makes; nil if the option is not there.
  ///
  /// - Throws: ``NotPlain`` if there is no value, or none of this type.
  mutating func value<Value>(
    _ name: String,
    _ read: (String) -> Value?
  ) throws(NotPlain) -> Value? {
    guard let text = try text(name) else { return nil }
    guard let value = read(text) else { throw NotPlain() }
    return value
  }

  /// The one word that no option has read.
  ///
  /// - Throws: ``NotPlain`` if there are more or none, for an option that was not asked for, and for `help`.
  func last() throws(NotPlain) -> String {
    let rest = words.indices.filter { !isRead[$0] }
    guard rest.count == 1, let word = rest.first.map({ words[$0] }), !Self.isName(word),
      word != "help"
    else { throw NotPlain() }
    return word
  }

  private mutating func position(of name: String) -> Int? {
    guard let position = words.firstIndex(of: name) else { return nil }
    isRead[position] = true
    return position
  }
}

/// Words that the parser has to look at.
struct NotPlain: Error {}

/// Options that can be made from plain words, without the parser.
protocol PlainOptions: ParsableArguments {
  /// Sets each option to what is among the words, or to its default.
  ///
  /// - Throws: ``NotPlain`` for values that the parser has to look at.
  mutating func read(_ words: inout PlainWords) throws
}

extension PlainOptions {
  /// The options among words, as the parser makes them.
  ///
  /// - Throws: ``NotPlain`` for values that the parser has to look at, and a validation error for options that
  ///   exclude each other.
  init(_ words: inout PlainWords) throws {
    self.init()
    try read(&words)
    try validate()
  }
}
