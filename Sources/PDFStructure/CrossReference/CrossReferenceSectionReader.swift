/// Reads one cross-reference section: a table with its trailer (and the stream a hybrid file adds
/// to it) or a stream.
struct CrossReferenceSectionReader {
  /// The content of a section.
  struct Result {
    var sections: [CrossReferenceSection]
    var trailer: PartialDictionary
    var isStream: Bool
    var size: Int
    var previous: Int?

    /// Whether the table claims to begin at 1 but lists the head of the free list.
    var isShifted = false

    var subsectionCount: Int { sections.reduce(0) { $0 + $1.subsectionCount } }
    var bytes: Int { sections.reduce(0) { $0 + $1.bytes } }
  }

  let file: BlockCache
  let decoder: StreamDecoder
  let start: Int
  let limits: ReaderLimits

  /// The section at an offset.
  ///
  /// - Throws: ``StructureError`` with `needsRepair` if poppler would scan the file.
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
      // Poppler would scan the whole file here and might find other objects.
      guard error.reason == .damaged else { throw error }
      throw StructureError(.needsRepair, error.detail)
    }
    throw StructureError(.needsRepair, "no cross-reference section where one should be")
  }

  // MARK: Tables

  /// The subsections of a table.
  private struct Table {
    var subsections: [Subsection] = []
    var irregular: [CrossReferenceEntry] = []
    /// As ``Result/isShifted``.
    var isShifted = false
  }

  private func table(_ parser: inout ObjectParser, at offset: Int) throws(StructureError) -> Result
  {
    var table = Table()
    header: while true {
      switch try parser.lexer.next() {
      case .command(Keyword.trailer): break header
      case .int(let first): try readSubsection(from: Int(first), into: &table, &parser)
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
      sections: [
        CrossReferenceSection(table: table.subsections, irregular: table.irregular, file: file)
      ],
      trailer: trailer,
      isStream: false,
      size: 0,
      previous: nil
    )
    result.isShifted = table.isShifted
    // Poppler allocates the rows at the numbers given in the table.
    result.size = result.sections[0].size + (table.isShifted ? 1 : 0)
    switch trailer[Key.prev] {
    case .int, .long: result.previous = trailer.integer(Key.prev)
    case .reference(let reference): result.previous = Int(reference.number)
    default: break
    }
    if result.previous == offset { result.previous = nil }
    if let position = trailer.integer(Key.xrefStm) {
      // A hybrid file: objects missing in the table are looked up in this stream.
      let hidden = try read(at: position, inHybrid: true)
      result.sections += hidden.sections
      result.size = max(result.size, hidden.size)
    }
    return result
  }

  /// Reads the rest of a subsection, whose first number was read.
  private func readSubsection(
    from first: Int,
    into table: inout Table,
    _ parser: inout ObjectParser
  ) throws(StructureError) {
    guard case .int(let count) = try parser.lexer.next(), first >= 0, count >= 0,
      first + Int(count) <= CrossReference.mostObjects
    else { throw StructureError(.damaged, "a cross-reference subsection without numbers") }
    guard table.subsections.count < limits.subsections else {
      throw StructureError(.limit, "more than \(limits.subsections) cross-reference subsections")
    }
    var subsection = Subsection(first: first, count: Int(count), start: 0)
    try readEntries(&subsection, &table.irregular, &parser)
    if subsection.first != first {
      table.isShifted = true
      // Poppler moves the rows only when it knows of no object 1 by then.
      guard !table.subsections.contains(where: { $0.contains(1) }) else {
        throw StructureError(.unsupported, "object 1 twice in a table that begins one row early")
      }
      // For poppler object 1 stays free until it reads an older section.
      guard count > 1 else {
        throw StructureError(
          .unsupported,
          "a table that begins one row early and has no other row"
        )
      }
    }
    table.subsections.append(subsection)
  }

  /// Finds the entries and moves past them.
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
      // Some producers write tables that claim to begin at 1 but list the head of the free list;
      // poppler handles them.
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

  /// Whether all rows are regular; of a long table only the last one is checked for now.
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
      // An entry of three tokens has at least six bytes.
      let isImpossible = subsection.count > file.source.count / 6
      throw StructureError(isImpossible ? .needsRepair : .limit, "a long irregular table")
    }
    subsection.isRegular = false
    subsection.start = irregular.count
    for row in 0..<subsection.count {
      let start = parser.lexer.cursor
      let entry = try CrossReferenceSection.entry(&parser.lexer)
      if row == 0, subsection.first == 1, case .free = entry {
        var lexer = Lexer(start)
        if case .int(0) = try lexer.next(), case .int(65535) = try lexer.next() {
          subsection.first = 0
        }
      }
      irregular.append(entry)
    }
  }
}
