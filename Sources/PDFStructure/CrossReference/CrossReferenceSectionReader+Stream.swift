extension CrossReferenceSectionReader {
  /// Bytes that poppler adds to a cross-reference stream of wrong length (`Parser::makeStream`).
  private static let surplus = 5000

  /// The section whose dictionary begins at the cursor.
  func stream(_ cursor: ByteCursor) throws(StructureError) -> Result {
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
    let rows = try rows(of: dictionary, from: dataStart, expecting: expected)
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

  /// The decoded data of a stream: `expected` bytes or more.
  private func rows(
    of dictionary: PartialDictionary,
    from dataStart: Int,
    expecting expected: Int
  ) throws(StructureError) -> [UInt8] {
    // References cannot be followed yet, because there is no cross-reference.
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
    return rows
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

  /// The integers of a direct array in the dictionary; nil if it is not an array.
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

  /// Refuses the same as poppler: unknown types, numbers out of range.
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
        // Eight bytes with the top bit set would be negative; poppler refuses them, too.
        if widths.1 == 8, rows[start + widths.0] >= 0x80 { return false }
        if widths.2 >= 4 {
          var third: UInt64 = 0
          for index in 0..<widths.2 {
            third = third << 8 | UInt64(rows[start + widths.0 + widths.1 + index])
          }
          // Some producers write the head of the free list as 2³²-1.
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
