/// A value and the bytes it was read from, to which its spans are relative.
struct SourcedValue {
  var value: Value
  var origin: ByteCursor

  /// The origin, moved to the value's first byte after the opening brackets.
  func inside(_ span: Span) -> ByteCursor {
    var cursor = origin
    cursor.seek(to: span.start)
    return cursor
  }
}

/// Selected entries of a dictionary.
struct PartialDictionary {
  private let keys: [PackedName]
  private var values: [Value?]
  private var spans: [Span]
  /// The bytes it was read from.
  let origin: ByteCursor
  /// References that are values of the requested keys, in order.
  private(set) var fetched: [Reference] = []
  /// The start of the stream's data, if the dictionary belongs to a stream.
  private(set) var streamStart: Int?
  /// The number of all entries.
  private(set) var entryCount = 0
  /// The position after the opening brackets.
  private(set) var bodyStart = 0
  /// Where the dictionary ends.
  private(set) var end = 0

  /// Reads the dictionary at `cursor`; nil if there is something else.
  ///
  /// The last of several entries with the same key counts, as in poppler.
  ///
  /// - Parameters:
  ///   - fetchedKeys: Entries whose references are kept without fetching them, see ``fetched``.
  ///   - nesting: The most levels of arrays and dictionaries.
  /// - Returns: The selected entries.
  /// - Throws: ``StructureError``; `damaged` for a dictionary without an end or an entry without a
  ///   value, `limit` for one that is nested too deep.
  static func read(
    _ cursor: ByteCursor,
    picking keys: [PackedName],
    fetching fetchedKeys: [PackedName] = [],
    nesting: Int
  ) throws(StructureError) -> PartialDictionary? {
    var parser = ObjectParser(cursor, nesting: nesting)
    guard try parser.opensDictionary() else { return nil }
    var picked = PartialDictionary(keys: keys, origin: cursor)
    picked.bodyStart = parser.lexer.cursor.position
    var entries = 0
    var isAmbiguous = false
    while let key = try parser.nextKey() {
      let value = try parser.entryValue()
      entries += 1
      if !fetchedKeys.isEmpty, key != Key.parent, case .reference(let reference) = value,
        fetchedKeys.contains(key)
      {
        picked.fetched.append(reference)
      }
      guard let index = keys.firstIndex(of: key) else { continue }
      if picked.values[index] != nil { isAmbiguous = true }
      picked.values[index] = value
      picked.spans[index] = Span(start: parser.valueStart, end: parser.lexer.cursor.position)
    }
    picked.end = parser.lexer.cursor.position
    picked.entryCount = entries
    // From 32 entries on poppler sorts them, and which of two equal keys wins is undefined.
    if isAmbiguous && entries >= 32 {
      throw StructureError(.damaged, "a key twice in one dictionary")
    }
    if try parser.isAtStream() {
      var cursor = parser.lexer.cursor
      try cursor.skipLine()
      picked.streamStart = cursor.position
    }
    return picked
  }

  private init(keys: [PackedName], origin: ByteCursor) {
    self.keys = keys
    self.origin = origin
    values = Array(repeating: nil, count: keys.count)
    spans = Array(repeating: Span(start: 0, end: 0), count: keys.count)
  }

  /// The direct value of a selected key, including references and null.
  subscript(key: PackedName) -> Value? {
    guard let index = keys.firstIndex(of: key) else { return nil }
    return values[index]
  }

  /// Whether there is an entry with a selected key.
  func has(_ key: PackedName) -> Bool {
    keys.firstIndex(of: key).map { values[$0] != nil } ?? false
  }

  /// The same with its origin.
  func sourcedValue(_ key: PackedName) -> SourcedValue? {
    self[key].map { SourcedValue(value: $0, origin: origin) }
  }

  /// The span of a key's value, without white space after it; nil if there is none.
  func span(of key: PackedName) -> Span? {
    guard let index = keys.firstIndex(of: key), values[index] != nil else { return nil }
    return spans[index]
  }

  /// The bytes of a value in the file.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read.
  func source(of key: PackedName) throws(StructureError) -> [UInt8]? {
    guard let index = keys.firstIndex(of: key), values[index] != nil else { return nil }
    return try origin.bytes(from: spans[index].start, to: spans[index].end)
  }

  /// The dictionary's bytes in the file.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read.
  func source() throws(StructureError) -> [UInt8]? {
    try origin.bytes(from: origin.position, to: end)
  }

  /// The dictionary's bytes with another value for a key.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read.
  func source(replacing key: PackedName, with value: [UInt8]) throws(StructureError) -> [UInt8]? {
    guard let index = keys.firstIndex(of: key), values[index] != nil,
      let front = try origin.bytes(from: origin.position, to: spans[index].start),
      let back = try origin.bytes(from: spans[index].end, to: end)
    else { return nil }
    return front + value + back
  }

  /// The value of a key, if it is a direct integer of 32 or 64 bits.
  func integer(_ key: PackedName) -> Int? {
    switch self[key] {
    case .int(let value): Int(value)
    case .long(let value): Int(exactly: value)
    default: nil
    }
  }
}

extension ByteCursor {
  /// Moves past the next end of line.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read, or a limit is reached.
  mutating func skipLine() throws(StructureError) {
    while true {
      switch try next() {
      case -1, 0x0A: return
      case 0x0D:
        if try peek() == 0x0A { advance() }
        return
      default: continue
      }
    }
  }
}
