/// The number and generation of an indirect object.
struct Reference: Hashable {
  var number: Int32
  var generation: Int32
}

/// A range of the bytes a value was read from.
struct Span: Equatable {
  var start: Int
  var end: Int
}

/// A value of PDF syntax. Strings, arrays and dictionaries are stored as positions and read on
/// demand, so that no file can make the reader build anything large.
enum Value {
  case end
  case error
  /// Poppler's result for a reference to object 0 or below: neither a value nor null.
  case nothing
  case null
  case bool(Bool)
  case int(Int32)
  case long(Int64)
  case real(Double)
  case name(PackedName)
  case string(Span)
  case array(Span)
  case dictionary(Span)
  case reference(Reference)
  case command(PackedName)
}

/// Reads values in sequence, the way poppler's parser does.
struct ObjectParser {
  var lexer: Lexer
  private let nesting: Int

  init(_ cursor: ByteCursor, nesting: Int) {
    lexer = Lexer(cursor)
    self.nesting = nesting
  }

  /// Where the last value began.
  private(set) var valueStart = 0

  /// The next value; the start of a stream's data is left unread.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read, or values are nested too deep.
  mutating func value(depth: Int = 0) throws(StructureError) -> Value {
    let token = try lexer.next()
    return try value(startingWith: token, depth: depth)
  }

  /// Enters a dictionary if one begins here.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read, or a limit is reached.
  mutating func opensDictionary() throws(StructureError) -> Bool {
    if case .dictionaryOpen = try lexer.next() {
      tokensInside = 0
      return true
    }
    return false
  }

  /// Tokens read in the innermost dictionary; only the first two matter.
  private var tokensInside = 2
  /// Bytes of a string from which poppler checks, if it is the second token of a dictionary, in which object it is. If
  /// by the cross-reference it is in another one, poppler drops the rest of the dictionary.
  private static let longString = 128

  /// Counts a token of a dictionary.
  private mutating func count(_ token: Token) throws(StructureError) {
    guard tokensInside < 2 else { return }
    tokensInside += 1
    guard tokensInside == 2, case .string = token, lexer.cursor.isInFile,
      lexer.cursor.position - lexer.tokenStart > Self.longString,
      !lexer.cursor.meter.isReadingText, try !lexer.cursor.isInFirstObject()
    else { return }
    throw StructureError(.unsupported, "a dictionary that begins with a long string")
  }

  /// Enters an array if one begins here.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read, or a limit is reached.
  mutating func opensArray() throws(StructureError) -> Bool {
    if case .arrayOpen = try lexer.next() { return true }
    return false
  }

  /// The next key of the current dictionary; nil after its last entry.
  ///
  /// Tokens that are not names are skipped where a key is expected.
  ///
  /// - Throws: ``StructureError``; `damaged` for a dictionary without an end.
  mutating func nextKey() throws(StructureError) -> PackedName? {
    while true {
      let token = try lexer.next()
      try count(token)
      switch token {
      case .name(let name): return name
      case .dictionaryClose: return nil
      case .end: throw StructureError(.damaged, "a dictionary without an end")
      default: continue
      }
    }
  }

  /// The value that belongs to the key just read.
  ///
  /// - Throws: ``StructureError``; `damaged` for an entry without a value.
  mutating func entryValue(depth: Int = 0) throws(StructureError) -> Value {
    let token = try lexer.next()
    try count(token)
    // A value in a dictionary is nested, however the dictionary was entered.
    let value = try value(startingWith: token, depth: max(1, depth))
    switch value {
    case .end, .error: throw StructureError(.damaged, "a dictionary entry without a value")
    default: return value
    }
  }

  /// The key of the next entry of the current dictionary, and the positions of key and value; nil
  /// after the last entry.
  ///
  /// - Throws: ``StructureError``; `damaged` for a dictionary without an end, or an entry without a
  ///   value.
  mutating func nextEntry() throws(StructureError) -> (key: PackedName, span: Span)? {
    guard let key = try nextKey() else { return nil }
    let start = lexer.tokenStart
    _ = try entryValue()
    return (key, Span(start: start, end: lexer.cursor.position))
  }

  /// The next element of the current array; nil after the last one.
  ///
  /// - Throws: ``StructureError``; `damaged` for an array without an end.
  mutating func nextElement(depth: Int = 0) throws(StructureError) -> Value? {
    let token = try lexer.next()
    switch token {
    case .arrayClose: return nil
    case .end: throw StructureError(.damaged, "an array without an end")
    default: return try value(startingWith: token, depth: max(1, depth))
    }
  }

  private mutating func value(startingWith token: Token, depth: Int) throws(StructureError) -> Value
  {
    let start = lexer.tokenStart
    valueStart = start
    switch token {
    case .end: return .end
    case .error: return .error
    case .null: return .null
    case .bool(let value): return .bool(value)
    case .long(let value): return .long(value)
    case .real(let value): return .real(value)
    case .name(let value): return .name(value)
    case .string: return .string(Span(start: start, end: lexer.cursor.position))
    case .int(let value): return try reference(after: value) ?? .int(value)
    case .arrayClose: return .command("]")
    case .dictionaryClose: return .command(Keyword.end)
    case .command(let word): return .command(word)
    case .arrayOpen:
      guard depth < nesting else {
        throw StructureError(.limit, "more than \(nesting) levels of nesting")
      }
      while try nextElement(depth: depth + 1) != nil { try lexer.cursor.skipReferences() }
      valueStart = start
      return .array(Span(start: start, end: lexer.cursor.position))
    case .dictionaryOpen:
      guard depth < nesting else {
        throw StructureError(.limit, "more than \(nesting) levels of nesting")
      }
      tokensInside = 0
      while try nextKey() != nil { _ = try entryValue(depth: depth + 1) }
      tokensInside = 2
      let end = lexer.cursor.position
      if depth > 0, try isAtStream() {
        throw StructureError(.damaged, "a stream inside another object")
      }
      valueStart = start
      return .dictionary(Span(start: start, end: end))
    }
  }

  /// Whether the keyword `stream` follows. If so, reads it; otherwise reads nothing.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read, or a limit is reached.
  mutating func isAtStream() throws(StructureError) -> Bool {
    let saved = lexer.cursor.position
    let next = try lexer.cursor.peekBehindWhite()
    // The word, or a comment before it.
    if next == 0x73 || next == 0x25, case .command(Keyword.stream) = try lexer.next() {
      return true
    }
    lexer.cursor.seek(to: saved)
    return false
  }

  /// The reference that begins with `number`, if a generation and `R` follow.
  private mutating func reference(after number: Int32) throws(StructureError) -> Value? {
    let saved = lexer.cursor.position
    let start = valueStart
    // Most pairs of numbers are part of a box, so that checking one byte is enough.
    let next = try lexer.cursor.peekBehindWhite()
    guard ByteClass.isDigit(next) || next == 0x25 || next == 0x2B || next == 0x2D else {
      lexer.cursor.seek(to: saved)
      return nil
    }
    if case .int(let generation) = try lexer.next(), case .command(Keyword.r) = try lexer.next() {
      valueStart = start
      guard number > 0, generation >= 0 else { return .nothing }
      return .reference(Reference(number: number, generation: generation))
    }
    lexer.cursor.seek(to: saved)
    return nil
  }
}

extension ByteCursor {
  /// Peeks at the first byte that is not white space; -1 at the end.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read, or a limit is reached.
  mutating func peekBehindWhite() throws(StructureError) -> Int {
    while true {
      let byte = try peek()
      guard ByteClass.isWhite(byte) else { return byte }
      advance()
    }
  }
}
