internal import DocumentModel
internal import RectoGeometry

/// Replacements of byte ranges in the file's objects, and what each of them repairs.
struct ObjectEdits {
  private struct Edit {
    var span: Span
    var text: [UInt8]
    var repair: Repair?
    var page: PageIndex
  }

  private var edits: [Reference: [Edit]] = [:]
  /// The current page, for which repairs are counted.
  var page: PageIndex = 0

  /// Whether there are none.
  var isEmpty: Bool { edits.isEmpty }

  /// Replaces a value with text.
  ///
  /// - Parameters:
  ///   - span: The position of the value, in the bytes that the object is read from.
  ///   - repair: The repair to count; nil for none.
  mutating func replace(
    _ span: Span,
    of object: Reference,
    with text: some Sequence<UInt8>,
    _ repair: Repair?
  ) {
    let text = Array(text)
    let known = edits[object, default: []]
    // An object that is reached twice is repaired once.
    guard !known.contains(where: { $0.span == span && $0.text == text }) else { return }
    edits[object, default: []].append(Edit(span: span, text: text, repair: repair, page: page))
  }

  /// Sets an entry of a dictionary, replacing an existing one.
  ///
  /// - Parameters:
  ///   - key: The key, which must be one of those the dictionary was read with.
  ///   - repair: The repair to count; nil for none.
  mutating func set(
    _ key: PackedName,
    _ name: String,
    in dictionary: PartialDictionary,
    of object: Reference,
    to text: some Sequence<UInt8>,
    _ repair: Repair?
  ) {
    if let span = dictionary.span(of: key) {
      replace(span, of: object, with: Array(" ".utf8) + text + Array(" ".utf8), repair)
    } else {
      let start = dictionary.bodyStart
      replace(
        Span(start: start, end: start),
        of: object,
        with: Array("\(name) ".utf8) + text + Array(" ".utf8),
        repair
      )
    }
  }

  /// The edited objects, and their repairs by page. An object that cannot be rewritten is unchanged.
  func applied(to store: ObjectStore) -> ([Reference: Replacement], [PageIndex: Repairs]) {
    var replacements: [Reference: Replacement] = [:]
    var repairs: [PageIndex: Repairs] = [:]
    for (reference, edits) in edits {
      guard let replacement = try? replacement(of: reference, edits, store) else { continue }
      replacements[reference] = replacement
      for edit in edits {
        if let repair = edit.repair { repairs[edit.page, default: Repairs()].add(repair) }
      }
    }
    return (replacements, repairs)
  }

  private func replacement(
    of reference: Reference,
    _ edits: [Edit],
    _ store: ObjectStore
  ) throws(StructureError) -> Replacement? {
    guard let cursor = try store.open(reference) else { return nil }
    let dictionary = try PartialDictionary.read(
      cursor,
      picking: StreamDecoder.keys,
      nesting: store.limits.nesting
    )
    var parser = ObjectParser(cursor, nesting: store.limits.nesting)
    // Also an array with dictionaries in it.
    if dictionary == nil { _ = try parser.value() }
    let end = dictionary?.end ?? parser.lexer.cursor.position
    var content: [UInt8] = []
    var position = cursor.position
    for edit in edits.sorted(by: { $0.span.start < $1.span.start }) {
      // Of two edits of a value, the first one counts.
      guard edit.span.start >= position else { continue }
      guard let source = try cursor.bytes(from: position, to: edit.span.start) else { return nil }
      content += source + edit.text
      position = edit.span.end
    }
    guard let rest = try cursor.bytes(from: position, to: end) else { return nil }
    content += rest
    guard let dictionary, let start = dictionary.streamStart else {
      return Replacement(content: content)
    }
    let data = try store.mendedStreamData(of: dictionary, from: start)
    return Replacement(content: content + Array("\nstream\n".utf8), data: data)
  }
}
