/// What a distant source is asked for in advance.
extension PageTreeReader {
  /// The most waves, objects and bytes that are asked for.
  private static let (mostWaves, mostObjects, mostBytes) = (12, 4096, 1 << 26)
  /// Bytes in which most objects have their end, and the most that are asked for before the length of a stream is known.
  private static let (objectBytes, knownBytes) = (4096, 1 << 20)
  /// Entries that lead away from what is drawn.
  private static let undrawnKeys: [PackedName] = [
    Key.parent, "A", "PA", "AA", "Dest", "B", "P", "Thumb", "Metadata", "PieceInfo", "Next", "Prev",
    "StructParent", Key.kids,
  ]

  /// Asks for everything that pages refer to: all references found in one wave are asked for at once, with the data of
  /// the streams found in it.
  ///
  /// Only asks: what cannot be read here is read again, and judged, by those who need it.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be fetched.
  func expectObjects(
    of runs: [PageRun],
    besides known: [Reference]
  ) throws(StructureError) {
    var seen = Set(known)
    var wave: [Reference] = []
    func add(_ reference: Reference, to wave: inout [Reference]) {
      guard seen.count < Self.mostObjects, seen.insert(reference).inserted else { return }
      wave.append(reference)
    }
    for page in runs.flatMap(\.pages) { add(page, to: &wave) }
    for run in runs {
      let entries = (try? store.entries(run.attributes)) ?? []
      for (_, source) in entries { for found in references(in: source) { add(found, to: &wave) } }
    }
    // Parts of the catalog that every subset has.
    for value in [Key.acroForm, Key.ocProperties].compactMap({ catalog[$0] }) {
      if case .reference(let reference) = value { add(reference, to: &wave) }
    }
    var (bytes, count) = (0, 0)
    var data: [Range<Int>] = []
    while !wave.isEmpty || !data.isEmpty, count < Self.mostWaves {
      count += 1
      let ranges = data + wave.compactMap(range(of:))
      bytes += ranges.reduce(0) { $0 + $1.count }
      guard bytes <= Self.mostBytes else { return }
      try store.file.source.expect(ranges)
      var next: [Reference] = []
      data = []
      for reference in wave {
        let (references, stream) = content(of: reference)
        for found in references { add(found, to: &next) }
        if let stream { data.append(stream) }
      }
      wave = next
    }
  }

  /// Where an object, or the object stream with it, is in the file; nil if that is not known.
  private func range(of reference: Reference) -> Range<Int>? {
    guard var entry = (try? store.crossReference.entry(of: Int(reference.number))) ?? nil else {
      return nil
    }
    if case .compressed(let stream, _) = entry {
      guard let holder = (try? store.crossReference.entry(of: stream)) ?? nil else { return nil }
      entry = holder
    }
    guard case .offset(let offset, _) = entry else { return nil }
    let (position, overflow) = store.layout.start.addingReportingOverflow(offset)
    guard !overflow, position >= 0, position < store.file.source.count else {
      return nil
    }
    let count = store.end(ofObjectAt: offset).map { min($0 - offset, Self.knownBytes) }
    return position..<position + min(count ?? Self.objectBytes, store.file.source.count - position)
  }

  /// The references of an object that are drawn, and the data of a stream.
  private func content(of reference: Reference) -> ([Reference], Range<Int>?) {
    guard let cursor = (try? store.open(reference)) ?? nil else { return ([], nil) }
    var parser = ObjectParser(cursor, nesting: store.limits.nesting)
    guard (try? parser.value()) != nil,
      let source = try? cursor.bytes(from: cursor.position, to: parser.lexer.cursor.position)
    else { return ([], nil) }
    let found = references(in: source)
    guard
      let dictionary = try? PartialDictionary.read(
        cursor,
        picking: [Key.length],
        nesting: store.limits.nesting
      ), let start = dictionary.streamStart, case .int(let length)? = dictionary[Key.length],
      length >= 0, length <= store.file.source.count - min(start, store.file.source.count)
    else { return (found, nil) }
    return (
      found, start..<min(start + Int(length) + StreamDecoder.endBytes, store.file.source.count)
    )
  }

  private func references(in source: [UInt8]) -> [Reference] {
    var tokens = ReferenceTokens(source, store.meter)
    var found: [Reference] = []
    while let next = (try? tokens.next()) ?? nil {
      if !Self.undrawnKeys.contains(next.key) { found.append(next.reference) }
    }
    return found
  }
}
