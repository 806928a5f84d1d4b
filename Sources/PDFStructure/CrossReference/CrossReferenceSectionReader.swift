/// Reads one cross-reference section: a table with its trailer (and the stream a hybrid file adds
/// to it) or a stream.
struct CrossReferenceSectionReader {
  /// What one section says.
  struct Result {
    var sections: [CrossReferenceSection]
    var trailer: PartialDictionary
    var isStream: Bool
    var size: Int
    var previous: Int?

    /// Whether the table claims to begin at 1 while it lists the head of the free list.
    var isShifted = false

    var subsectionCount: Int { sections.reduce(0) { $0 + $1.subsectionCount } }
    var bytes: Int { sections.reduce(0) { $0 + $1.bytes } }
  }

  let file: BlockCache
  let decoder: StreamDecoder
  let start: Int
  let limits: ReaderLimits

  /// Bytes that poppler adds to a cross-reference stream of wrong length (`Parser::makeStream`).
  private static let surplus = 5000

  /// The section at an offset.
  ///
  /// - Throws: ``StructureError`` with `needsRepair` for whatever would make poppler scan the file.
  func read(at offset: Int, inHybrid: Bool = false) throws(StructureError) -> Result {
    let (position, overflow) = start.addingReportingOverflow(offset)
    guard !overflow, position >= 0, position < file.source.count else {
      throw StructureError(.needsRepair, "a cross-reference section outside the file")
    }
    let cursor = ByteCursor(file, at: position, reach: limits.objectBytes)
    var parser = ObjectParser(cursor, nesting: limits.nesting)
    do throws(StructureError) {
      switch try parser.lexer.next() {
      case .command(Keyword.xref) where !inHybrid: return try table(&parser, at: offset)
      case .int:
        guard case .int = try parser.lexer.next(),
          case .command(Keyword.obj) = try parser.lexer.next()
        else { break }
        return try stream(parser.lexer.cursor)
      default: break
      }
    } catch {
      // Poppler would scan the whole file here and perhaps find other objects than these.
      guard error.reason == .damaged else { throw error }
      throw StructureError(.needsRepair, error.detail)
    }
    throw StructureError(.needsRepair, "no cross-reference section where one should be")
  }

  // MARK: Tables

  private func table(_ parser: inout ObjectParser, at offset: Int) throws(StructureError) -> Result
  {
    var subsections: [Subsection] = []
    var irregular: [CrossReferenceEntry] = []
    var isShifted = false
    header: while true {
      switch try parser.lexer.next() {
      case .command(Keyword.trailer): break header
      case .int(let first):
        guard case .int(let count) = try parser.lexer.next(), first >= 0, count >= 0,
          Int(first) + Int(count) <= CrossReference.mostObjects
        else { throw StructureError(.damaged, "a cross-reference subsection without numbers") }
        guard subsections.count < limits.subsections else {
          throw StructureError(
            .limit,
            "more than \(limits.subsections) cross-reference subsections"
          )
        }
        var subsection = Subsection(first: Int(first), count: Int(count), start: 0)
        try readEntries(&subsection, &irregular, &parser)
        if subsection.first != Int(first) {
          isShifted = true
          // Poppler moves the rows only when it knows of no object 1 by then.
          guard !subsections.contains(where: { $0.contains(1) }) else {
            throw StructureError(
              .unsupported,
              "object 1 twice in a table that begins one row early"
            )
          }
          // Object 1 stays free for poppler until it happens to read an older section.
          guard count > 1 else {
            throw StructureError(
              .unsupported,
              "a table that begins one row early and has no other row"
            )
          }
        }
        subsections.append(subsection)
      default: throw StructureError(.damaged, "a cross-reference table that ends in the middle")
      }
    }
    guard
      let trailer = try PartialDictionary.read(
        parser.lexer.cursor,
        picking: CrossReference.trailerKeys,
        nesting: limits.nesting
      ), trailer.streamStart == nil
    else { throw StructureError(.damaged, "no trailer dictionary") }
    var result = Result(
      sections: [CrossReferenceSection(table: subsections, irregular: irregular, file: file)],
      trailer: trailer,
      isStream: false,
      size: 0,
      previous: nil
    )
    result.isShifted = isShifted
    // Poppler makes room for the rows where the table says that they are.
    result.size = result.sections[0].size + (isShifted ? 1 : 0)
    switch trailer[Key.prev] {
    case .int, .long: result.previous = trailer.integer(Key.prev)
    case .reference(let reference): result.previous = Int(reference.number)
    default: break
    }
    if result.previous == offset { result.previous = nil }
    if let position = trailer.integer(Key.xrefStm) {
      // A hybrid file: what the table does not list is looked up in this stream.
      let hidden = try read(at: position, inHybrid: true)
      result.sections += hidden.sections
      result.size = max(result.size, hidden.size)
    }
    return result
  }

  /// Finds out where the entries are and moves behind them.
  private func readEntries(
    _ subsection: inout Subsection,
    _ irregular: inout [CrossReferenceEntry],
    _ parser: inout ObjectParser
  ) throws(StructureError) {
    guard subsection.count > 0 else { return }
    _ = try parser.lexer.cursor.peekBehindWhite()
    let start = parser.lexer.cursor.position
    subsection.start = start
    let end = start + subsection.count * CrossReferenceSection.rowBytes
    if end <= file.source.count,
      let first = try CrossReferenceSection.regularEntry(file, at: start),
      try isRegular(subsection)
    {
      subsection.isTrusted = subsection.count > limits.checkedRows
      // A table that claims to begin at 1 while it lists the head of the free list: some
      // producers do, and poppler knows.
      if subsection.first == 1, case .free = first,
        try bytes(at: start, count: 16) == Array("0000000000 65535".utf8)
      {
        subsection.first = 0
      }
      parser = ObjectParser(
        ByteCursor(file, at: end, reach: limits.objectBytes),
        nesting: limits.nesting
      )
      return
    }
    try readIrregular(&subsection, &irregular, &parser)
  }

  /// Whether all rows are regular; of a long table only the last one is looked at for now.
  private func isRegular(_ subsection: Subsection) throws(StructureError) -> Bool {
    guard subsection.count > limits.checkedRows else {
      return try TableRows.areRegular(file, at: subsection.start, count: subsection.count)
    }
    let last = subsection.start + (subsection.count - 1) * CrossReferenceSection.rowBytes
    return try CrossReferenceSection.regularEntry(file, at: last) != nil
  }

  private func bytes(at position: Int, count: Int) throws(StructureError) -> [UInt8] {
    try file.read(position, min(count, file.source.count - position))
  }

  private func readIrregular(
    _ subsection: inout Subsection,
    _ irregular: inout [CrossReferenceEntry],
    _ parser: inout ObjectParser
  ) throws(StructureError) {
    guard irregular.count + subsection.count <= limits.irregularEntries else {
      // Three tokens an entry cannot be shorter than six bytes.
      let isImpossible = subsection.count > file.source.count / 6
      throw StructureError(isImpossible ? .needsRepair : .limit, "a long irregular table")
    }
    subsection.isRegular = false
    subsection.start = irregular.count
    for row in 0..<subsection.count {
      let start = parser.lexer.cursor
      let entry = try CrossReferenceSection.entry(&parser.lexer)
      if row == 0, subsection.first == 1, entry == .free {
        var lexer = Lexer(start)
        if case .int(0) = try lexer.next(), case .int(65535) = try lexer.next() {
          subsection.first = 0
        }
      }
      irregular.append(entry)
    }
  }

  // MARK: Streams

  private func stream(_ cursor: ByteCursor) throws(StructureError) -> Result {
    let keys = CrossReference.trailerKeys + StreamDecoder.keys + [Key.w, Key.index]
    guard
      let dictionary = try PartialDictionary.read(cursor, picking: keys, nesting: limits.nesting),
      let dataStart = dictionary.streamStart
    else { throw StructureError(.damaged, "a cross-reference stream that is none") }
    guard case .int(let stated) = dictionary[Key.size],
      (0...CrossReference.mostObjects).contains(Int(stated))
    else { throw StructureError(.damaged, "a cross-reference stream without a possible /Size") }
    let widths = try self.widths(dictionary)
    let rowSize = widths.0 + widths.1 + widths.2
    let ranges = try self.ranges(dictionary, stated: Int(stated))
    var total = 0
    for range in ranges { total += range.count }
    let (expected, overflow) = total.multipliedReportingOverflow(by: rowSize)
    guard !overflow, expected <= limits.streamBytes else {
      throw StructureError(.limit, "a cross-reference of \(total) entries")
    }
    // No reference is followed here: there is no cross-reference yet to follow it with.
    let filters = try StreamDecoder.filters(of: dictionary, nesting: limits.nesting) {
      (value) throws(StructureError) in
      if case .reference = value.value { throw StructureError(.damaged, "an indirect filter") }
      return value
    }
    let rows = try decoder.decode(
      from: dataStart,
      length: dictionary.integer(Key.length),
      filters: filters,
      expecting: expected,
      surplus: Self.surplus
    )
    guard rows.count >= expected else {
      throw StructureError(.damaged, "a short cross-reference stream")
    }
    var subsections = ranges
    var offset = 0
    for index in subsections.indices {
      subsections[index].start = offset
      offset += subsections[index].count * rowSize
    }
    try check(rows, expected, widths)
    let section = CrossReferenceSection(
      stream: subsections,
      rows: rows,
      widths: widths,
      file: file
    )
    var previous = dictionary.integer(Key.prev)
    if let offset = previous, offset < 0 { previous = nil }
    return Result(
      sections: [section],
      trailer: dictionary,
      isStream: true,
      size: max(section.size, Int(stated)),
      previous: previous
    )
  }

  private func widths(_ dictionary: PartialDictionary) throws(StructureError) -> (Int, Int, Int) {
    let numbers = try integers(dictionary, Key.w, atMost: 16)
    guard let numbers, numbers.count >= 3, numbers[0...2].allSatisfy({ $0 >= 0 }),
      numbers[0] <= 4, numbers[1] <= 8, numbers[2] <= 8
    else { throw StructureError(.damaged, "a cross-reference stream without widths") }
    return (numbers[0], numbers[1], numbers[2])
  }

  private func ranges(_ dictionary: PartialDictionary, stated: Int) throws(StructureError)
    -> [Subsection]
  {
    guard let index = try integers(dictionary, Key.index, atMost: 2 * limits.subsections) else {
      return [Subsection(first: 0, count: stated, start: 0)]
    }
    var ranges: [Subsection] = []
    for pair in stride(from: 0, to: index.count - 1, by: 2) {
      let (first, count) = (index[pair], index[pair + 1])
      guard first >= 0, count >= 0, first + count <= CrossReference.mostObjects else {
        throw StructureError(.damaged, "a cross-reference stream with an impossible range")
      }
      ranges.append(Subsection(first: first, count: count, start: 0))
    }
    return ranges
  }

  /// The integers of an array that stands in the dictionary; nil when it is no array.
  private func integers(
    _ dictionary: PartialDictionary,
    _ key: PackedName,
    atMost limit: Int
  ) throws(StructureError) -> [Int]? {
    guard let found = dictionary.sourcedValue(key), case .array(let span) = found.value else {
      return nil
    }
    var parser = ObjectParser(found.inside(span), nesting: limits.nesting)
    guard try parser.opensArray() else { return nil }
    var numbers: [Int] = []
    while let value = try parser.nextElement() {
      guard case .int(let number) = value else {
        throw StructureError(.damaged, "a cross-reference stream with a range that is no number")
      }
      guard numbers.count < limit else {
        throw StructureError(.limit, "more than \(limit) cross-reference ranges")
      }
      numbers.append(Int(number))
    }
    return numbers
  }

  /// Refuses what poppler refuses: unknown types, numbers out of range.
  private func check(
    _ rows: [UInt8],
    _ count: Int,
    _ widths: (Int, Int, Int)
  ) throws(StructureError) {
    let rowSize = widths.0 + widths.1 + widths.2
    guard rowSize > 0 else { return }
    let isSane = rows.withUnsafeBufferPointer { rows in
      var start = 0
      while start < count {
        var type = widths.0 == 0 ? 1 : 0
        for index in 0..<widths.0 { type = type << 8 | Int(rows[start + index]) }
        if type > 2 { return false }
        // Eight bytes with the top bit set would be negative; poppler refuses them too.
        if widths.1 == 8, rows[start + widths.0] >= 0x80 { return false }
        if widths.2 >= 4 {
          var third: UInt64 = 0
          for index in 0..<widths.2 {
            third = third << 8 | UInt64(rows[start + widths.0 + widths.1 + index])
          }
          // The head of the free list is written as 2³²-1 by some.
          if third > UInt64(Int32.max), !(start == 0 && third == UInt64(UInt32.max)) {
            return false
          }
        }
        start += rowSize
      }
      return true
    }
    guard isSane else { throw StructureError(.damaged, "an impossible cross-reference entry") }
  }
}
