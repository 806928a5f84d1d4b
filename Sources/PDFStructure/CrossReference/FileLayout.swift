internal import RectoGeometry

/// The start of a PDF inside its file, and the position of its first cross-reference section.
struct FileLayout {
  /// The position of `%PDF-`; all offsets in the file are relative to it, as in poppler.
  var start = 0
  /// Whether there is a header at all.
  var hasHeader = false
  /// The first cross-reference section to read, counted from ``start``.
  var crossReference = 0
  /// The linearization parameters; nil if poppler treats it as a plain file.
  var linearization: Linearization?
  /// Whether poppler treats the file as linearized.
  var isLinearized: Bool { linearization != nil }

  /// Bytes at the beginning that are searched for the header and for the end of the first object.
  private static let headBytes = 1024
  /// Bytes at the end that are searched for `startxref`; poppler searches in steps of this size.
  private static let tailBytes = 24576
  private static let tailSegment = 1024

  /// Reads both ends of the file.
  ///
  /// - Throws: ``StructureError``; `notPDF` for an empty file.
  init(_ file: BlockCache, limits: ReaderLimits) throws(StructureError) {
    let size = file.source.count
    guard size > 0 else { throw StructureError(.notPDF, "the file is empty") }
    let head = try file.read(0, min(Self.headBytes, size))
    if let header = Self.header(in: head) {
      start = header
      hasHeader = true
    }
    try readLinearization(file, limits)
    crossReference =
      isLinearized ? Self.behindFirstObject(head) : try Self.lastStartxref(file)
    guard crossReference > 0 else {
      throw StructureError(
        hasHeader ? .needsRepair : .notPDF,
        "no position of a cross-reference table"
      )
    }
  }

  /// Where the header is.
  ///
  /// - Throws: ``StructureError``; `notPDF` when there is none.
  static func header(of file: BlockCache) throws(StructureError) -> Int {
    let head = try file.read(0, min(headBytes, file.source.count))
    guard let start = header(in: head) else { throw StructureError(.notPDF, "no header") }
    return start
  }

  private static func header(in head: [UInt8]) -> Int? {
    firstIndex(of: Array("%PDF-".utf8), in: head).flatMap { $0 < head.count - 5 ? $0 : nil }
  }

  private mutating func readLinearization(
    _ file: BlockCache,
    _ limits: ReaderLimits
  ) throws(StructureError) {
    guard let dictionary = try firstDictionary(file, limits) else { return }
    switch dictionary[Key.linearized] {
    case .int(let value) where value > 0: break
    case .real(let value) where value > 0: break
    default: return
    }
    guard case .int(let length) = dictionary[Key.l] else { return }
    let size = file.source.count
    if start > 0, Int(length) == size || Int(length) == size - start {
      // Poppler's result depends on whether it reads a file or memory.
      throw StructureError(.linearized, "linearized, and the header is not at the beginning")
    }
    guard Int(length) == size else { return }
    func number(_ key: PackedName) -> Int {
      if case .int(let value) = dictionary[key], value > 0 { Int(value) } else { 0 }
    }
    var found = Linearization()
    found.pages = number(Key.n)
    found.firstPage = number(Key.p) < found.pages ? PageIndex(number(Key.p)) : 0
    found.firstObject = Int32(number(Key.o))
    found.mainEntries = number(Key.t)
    found.hints = try Self.hints(dictionary, limits)
    linearization = found
  }

  /// The dictionary at the start of the file; nil if there is something else.
  private func firstDictionary(
    _ file: BlockCache,
    _ limits: ReaderLimits
  ) throws(StructureError) -> PartialDictionary? {
    let cursor = ByteCursor(file, at: start, reach: limits.objectBytes)
    var parser = ObjectParser(cursor, nesting: limits.nesting)
    guard case .int? = try? parser.value(), case .int? = try? parser.value(),
      case .command(Keyword.obj)? = try? parser.value()
    else { return nil }
    do throws(StructureError) {
      return try PartialDictionary.read(
        parser.lexer.cursor,
        picking: [Key.linearized, Key.l, Key.n, Key.t, Key.p, Key.o, Key.h],
        nesting: limits.nesting
      )
    } catch {
      // Poppler uses even a damaged one.
      throw StructureError(.linearized, "the first object cannot be read: \(error.detail)")
    }
  }

  /// The range of the hints according to /H; nil if it is missing.
  private static func hints(
    _ dictionary: PartialDictionary,
    _ limits: ReaderLimits
  ) throws(StructureError) -> Range<Int>? {
    guard let array = dictionary.sourcedValue(Key.h), case .array(let span) = array.value else {
      return nil
    }
    var parser = ObjectParser(array.inside(span), nesting: limits.nesting)
    guard try parser.opensArray() else { return nil }
    var numbers: [Int] = []
    while let value = try parser.nextElement() {
      guard case .int(let number) = value, number > 0, numbers.count < 2 else {
        // A second hint stream, or none: poppler concatenates both.
        throw StructureError(.linearized, "linearized, with unusual hints")
      }
      numbers.append(Int(number))
    }
    return numbers.count == 2 ? numbers[0]..<numbers[0] + numbers[1] : nil
  }

  /// The first section of a linearized file follows its first object.
  private static func behindFirstObject(_ head: [UInt8]) -> Int {
    guard let word = firstIndex(of: Array("endobj".utf8), in: head) else { return 0 }
    var index = word + 6
    while index < head.count, ByteClass.isWhite(Int(head[index])) { index += 1 }
    return index
  }

  /// The number after the last `startxref`; 0 if there is none.
  private static func lastStartxref(_ file: BlockCache) throws(StructureError) -> Int {
    let size = file.source.count
    let word = Array("startxref".utf8)
    var segment = 0
    while (tailSegment - 16) * segment < min(tailBytes, size) {
      let from = max(0, size - (tailSegment - 16) * segment - tailSegment)
      let bytes = try file.read(from, min(tailSegment, size - from))
      segment += 1
      guard let index = lastIndex(of: word, in: bytes) else { continue }
      var cursor = ByteCursor(file, at: from + index + word.count, reach: 4096)
      var value = 0
      var byte = try cursor.peek()
      // White space as in C, without the zero byte.
      while byte == 0x20 || (0x09...0x0D).contains(byte) {
        cursor.advance()
        byte = try cursor.peek()
      }
      while ByteClass.isDigit(byte) {
        let (product, overflow) = value.multipliedReportingOverflow(by: 10)
        let (sum, overflowAgain) = product.addingReportingOverflow(byte - 48)
        if overflow || overflowAgain { break }
        value = sum
        cursor.advance()
        byte = try cursor.peek()
      }
      return value
    }
    return 0
  }

  private static func firstIndex(of word: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= word.count else { return nil }
    return (0...bytes.count - word.count).first { bytes[$0..<$0 + word.count].elementsEqual(word) }
  }

  private static func lastIndex(of word: [UInt8], in bytes: [UInt8]) -> Int? {
    guard bytes.count >= word.count else { return nil }
    return (0...bytes.count - word.count).last { bytes[$0..<$0 + word.count].elementsEqual(word) }
  }
}
