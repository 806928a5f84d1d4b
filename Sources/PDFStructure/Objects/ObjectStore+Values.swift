/// Entries of dictionaries, resolved.
extension ObjectStore {
  /// The value of an entry, resolved; nil if there is none.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func value(_ dictionary: PartialDictionary, _ key: PackedName) throws(StructureError) -> Value? {
    guard let found = dictionary.sourcedValue(key) else { return nil }
    return try resolve(found).value
  }

  /// The text of an entry that is a name; nil if it is none, or too long.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func name(_ dictionary: PartialDictionary, _ key: PackedName) throws(StructureError) -> String? {
    guard let found = dictionary.sourcedValue(key),
      case .name(let packed) = try resolve(found).value
    else { return nil }
    if let text = packed.text { return text }
    guard packed.count <= limits.textBytes else { return nil }
    var source = try dictionary.source(of: key)
    if case .reference(let reference) = found.value, let cursor = try open(reference) {
      var parser = ObjectParser(cursor, nesting: limits.nesting)
      _ = try parser.value()
      let end = parser.lexer.cursor.position
      source = try cursor.bytes(from: cursor.position, to: end)
    }
    guard let source, let slash = source.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let bytes = source[(slash + 1)...].prefix { !ByteClass.isWhite(Int($0)) }
    return String(decoding: TextString.nameBytes(bytes), as: UTF8.self)
  }

  /// The value of an entry that is an integer.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func integer(_ dictionary: PartialDictionary, _ key: PackedName) throws(StructureError) -> Int? {
    switch try value(dictionary, key) {
    case .int(let value): Int(value)
    case .long(let value): Int(exactly: value)
    default: nil
    }
  }
}
