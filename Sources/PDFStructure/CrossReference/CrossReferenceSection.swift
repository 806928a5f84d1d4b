internal import RectoGeometry

/// Where an object is.
enum CrossReferenceEntry: Equatable {
  /// Free; with the number in place of the offset, usually that of the next free object.
  case free(Int)
  /// At an offset in the file, with a generation.
  case offset(Int, generation: Int32)
  /// In an object stream, at an index.
  case compressed(stream: Int, index: Int)
}

/// Consecutive object numbers of one section.
struct Subsection {
  var first: Int
  var count: Int
  /// The position of the first entry: in the file, in the decoded rows, or in the list.
  var start: Int
  var isRegular = true
  /// Whether only the first and last row of a long table have been checked so far.
  var isTrusted = false

  func contains(_ number: Int) -> Bool { number >= first && number - first < count }
}

/// One cross-reference table or stream.
///
/// A table's entries have 20 bytes, so single entries can be read directly; an irregular table is
/// read entry by entry. A stream is decoded as a whole. Immutable; a class because it is large and
/// accessed for every object.
final class CrossReferenceSection {
  private let file: BlockCache
  private let subsections: [Subsection]
  /// Whether the subsections ascend without overlapping, so that one can be found by bisection.
  private let isSorted: Bool
  private let irregular: [CrossReferenceEntry]
  private let rows: [UInt8]
  private let widths: (Int, Int, Int)
  private let isStream: Bool

  /// A table with the given subsections.
  ///
  /// - Parameters:
  ///   - subsections: The subsections, in the order of the file.
  ///   - irregular: The entries of rows that are not 20 regular bytes.
  init(table subsections: [Subsection], irregular: [CrossReferenceEntry], file: BlockCache) {
    self.file = file
    self.subsections = subsections
    self.irregular = irregular
    isSorted = Self.ascends(subsections)
    rows = []
    widths = (0, 0, 0)
    isStream = false
  }

  /// A stream with the given rows, which are long enough for the subsections.
  ///
  /// - Parameters:
  ///   - subsections: The subsections, in the order of the file.
  ///   - widths: The bytes of each of the three fields of a row.
  init(stream subsections: [Subsection], rows: [UInt8], widths: (Int, Int, Int), file: BlockCache) {
    self.file = file
    self.subsections = subsections
    self.rows = rows
    self.widths = widths
    irregular = []
    isSorted = Self.ascends(subsections)
    isStream = true
  }

  /// The highest listed object number plus one.
  var size: Int { subsections.lazy.map { $0.first + $0.count }.max() ?? 0 }
  var subsectionCount: Int { subsections.count }
  /// Whether the first subsection lists all of these numbers.
  func lists(_ numbers: Range<Int>) -> Bool {
    guard let first = subsections.first else { return numbers.isEmpty }
    return first.first <= numbers.lowerBound && numbers.upperBound <= first.first + first.count
  }
  /// The object numbers listed, by subsection.
  var listed: [Range<Int>] { subsections.map { $0.first..<$0.first + $0.count } }
  /// About the bytes it occupies.
  var bytes: Int { rows.count + (irregular.count + subsections.count) * 32 }

  /// The position of an object in this section; nil if it is not listed.
  ///
  /// - Throws: ``StructureError``; `needsRepair` for an irregular row of a table.
  /// - Complexity: O(log *subsections*) for sections in order.
  func entry(of number: Int) throws(StructureError) -> CrossReferenceEntry? {
    guard let found = try find(number) else { return nil }
    let row = number - found.first
    if isStream { return streamEntry(found.start + row * (widths.0 + widths.1 + widths.2)) }
    if !found.isRegular { return irregular[found.start + row] }
    if let entry = try Self.regularEntry(file, at: found.start + row * Self.rowBytes) {
      return entry
    }
    throw StructureError(.needsRepair, "an irregular row in a cross-reference table")
  }

  private func find(_ number: Int) throws(StructureError) -> Subsection? {
    guard isSorted else {
      try file.meter.charge(subsections.count)
      return subsections.first { $0.contains(number) }
    }
    let last = subsections.partitioningIndex { $0.first > number } - 1
    guard last >= 0, subsections[last].contains(number) else { return nil }
    return subsections[last]
  }

  private func streamEntry(_ start: Int) -> CrossReferenceEntry {
    var position = start
    func field(_ width: Int) -> Int {
      var value = 0
      // Eight bytes do not set the sign: such rows were refused when the section was read.
      for _ in 0..<width {
        value = value << 8 | Int(rows[position])
        position += 1
      }
      return value
    }
    let type = widths.0 == 0 ? 1 : field(widths.0)
    let second = field(widths.1)
    let third = field(widths.2)
    switch type {
    case 1: return .offset(second, generation: Int32(truncatingIfNeeded: third))
    case 2: return .compressed(stream: second, index: third)
    default: return .free(second)
    }
  }

  /// Whether all rows that were trusted until now are regular.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read, or a limit is reached.
  func hasOnlyRegularRows() throws(StructureError) -> Bool {
    for subsection in subsections where subsection.isTrusted {
      guard try TableRows.areRegular(file, at: subsection.start, count: subsection.count) else {
        return false
      }
    }
    return true
  }

  /// Reads an entry of a table token by token, as poppler does.
  ///
  /// - Throws: ``StructureError``; `damaged` for tokens that are not an entry.
  static func entry(_ lexer: inout Lexer) throws(StructureError) -> CrossReferenceEntry {
    let offset: Int
    switch try lexer.next() {
    case .int(let value): offset = Int(value)
    case .long(let value): offset = Int(value)
    default: throw StructureError(.damaged, "a cross-reference entry without an offset")
    }
    guard case .int(let generation) = try lexer.next(), case .command(let type) = try lexer.next(),
      type == Keyword.inUse || type == Keyword.free
    else { throw StructureError(.damaged, "a cross-reference entry of no kind") }
    return type == Keyword.free ? .free(offset) : .offset(offset, generation: generation)
  }

  /// Bytes of an entry in a regular table.
  static let rowBytes = 20

  /// Reads the row `0000000016 00000 n` and two bytes of white space; nil for anything else.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read.
  static func regularEntry(_ file: BlockCache, at position: Int) throws(StructureError)
    -> CrossReferenceEntry?
  {
    guard position >= 0, position <= file.source.count - rowBytes else { return nil }
    let (block, base) = try file.block(containing: position)
    let start = position - base
    guard start + rowBytes > block.count else {
      return block.withUnsafeBytes { row(UnsafeRawBufferPointer(rebasing: $0[start...])) }
    }
    return try file.read(position, rowBytes).withUnsafeBytes { row($0) }
  }

  /// The entry of the row at the start of a buffer.
  private static func row(_ bytes: UnsafeRawBufferPointer) -> CrossReferenceEntry? {
    func number(_ digits: Range<Int>) -> Int? {
      var value = 0
      for index in digits {
        guard ByteClass.isDigit(Int(bytes[index])) else { return nil }
        value = value * 10 + Int(bytes[index]) - 48
      }
      return value
    }
    guard let offset = number(0..<10), bytes[10] == 0x20, let generation = number(11..<16),
      bytes[16] == 0x20, ByteClass.isWhite(Int(bytes[18])), ByteClass.isWhite(Int(bytes[19]))
    else { return nil }
    switch bytes[17] {
    case 0x6E: return .offset(offset, generation: Int32(generation))
    case 0x66: return .free(offset)
    default: return nil
    }
  }

  private static func ascends(_ subsections: [Subsection]) -> Bool {
    var end = 0
    for subsection in subsections {
      guard subsection.first >= end else { return false }
      end = subsection.first + subsection.count
    }
    return true
  }
}
