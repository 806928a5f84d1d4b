/// The cross-reference: which object is where. Sections are read when they are needed, newest first.
final class CrossReference {
  /// The newest section's trailer dictionary.
  let trailer: PartialDictionary
  /// Whether the newest section is a stream. Poppler never repairs such a file: missing objects are
  /// null.
  let isStream: Bool
  /// The newest section's offset.
  let origin: Int
  /// Whether one of the sections read so far is a table with an additional stream.
  private(set) var isHybrid: Bool
  /// The highest known object number plus one; grows as older sections are read.
  private(set) var size: Int
  /// The ``size`` after reading only the newest section.
  private let newestSize: Int

  private let file: BlockCache
  private let reader: CrossReferenceSectionReader
  private let limits: ReaderLimits
  private var sections: [CrossReferenceSection] = []
  /// How many of the sections were read from the position of the newest one.
  private let newestCount: Int
  private var followed: Set<Int> = []
  private var next: Int?
  /// The position of the main table's entries according to a linearized file with a table: poppler reads them there and
  /// does not follow /Prev. Both must agree.
  private var mainEntries: Int?
  /// The number of sections whose rows have all been checked.
  private var checkedSections = 0
  private var subsectionCount = 0
  private var keptBytes = 0

  static let trailerKeys: [PackedName] = [
    Key.size, Key.root, Key.prev, Key.info, Key.id, Key.encrypt, Key.xrefStm,
  ]

  /// Reads the newest section only.
  ///
  /// - Parameters:
  ///   - layout: The positions of the header and the newest section.
  /// - Throws: ``StructureError`` when the section cannot be read as poppler reads it, or a limit
  ///   is reached.
  init(
    _ file: BlockCache,
    layout: FileLayout,
    decoder: StreamDecoder,
    limits: ReaderLimits
  ) throws(StructureError) {
    self.file = file
    self.limits = limits
    reader = CrossReferenceSectionReader(
      file: file,
      decoder: decoder,
      start: layout.start,
      limits: limits
    )
    origin = layout.crossReference
    let newest = try reader.read(at: origin)
    sections = newest.sections
    newestCount = newest.sections.count
    isHybrid = newest.sections.count > 1
    subsectionCount = newest.subsectionCount
    keptBytes = newest.bytes
    trailer = newest.trailer
    isStream = newest.isStream
    next = newest.previous
    var size = newest.size
    if case .int(let stated) = newest.trailer[Key.size] {
      guard Int(stated) <= Self.mostObjects else {
        throw StructureError(.needsRepair, "a /Size beyond what poppler has room for")
      }
      size = max(size, Int(stated))
    }
    self.size = size
    newestSize = size
    if !isStream, let linearization = layout.linearization, linearization.mainEntries > 0 {
      mainEntries = linearization.mainEntries
    }
  }

  /// The most entries of poppler 22.12: it doubles its table, and the number of bytes must fit 32 bits (XRef.cc,
  /// `reserve`).
  static let mostObjects = 1 << 25

  /// Where an object is; nil when no section lists it.
  ///
  /// - Throws: ``StructureError`` when an older section that is needed cannot be read, or a limit
  ///   is reached.
  func entry(of number: Int) throws(StructureError) -> CrossReferenceEntry? {
    var looked = 0
    while true {
      try file.meter.charge(sections.count - looked)
      while looked < sections.count {
        if let entry = try sections[looked].entry(of: number) {
          return looked < newestCount ? entry : try confirmed(entry, of: number)
        }
        looked += 1
      }
      guard try readOlder() else { return try confirmed(nil, of: number) }
    }
  }

  /// An entry of older sections, unless a linearized file's main table has another one.
  private func confirmed(_ entry: CrossReferenceEntry?, of number: Int) throws(StructureError)
    -> CrossReferenceEntry?
  {
    guard let mainEntries else { return entry }
    let main = try mainEntry(of: number, at: mainEntries)
    if case .free = main, case .free = entry { return entry }
    guard main == entry else {
      throw StructureError(.linearized, "linearized, and /Prev and /T lead to different tables")
    }
    return entry
  }

  /// An entry of a linearized file's main table; nil when there is none.
  private func mainEntry(of number: Int, at start: Int) throws(StructureError)
    -> CrossReferenceEntry?
  {
    let position = start + number * CrossReferenceSection.rowBytes
    var lexer = Lexer(ByteCursor(file, at: position, reach: limits.objectBytes))
    do throws(StructureError) {
      return try CrossReferenceSection.entry(&lexer)
    } catch {
      guard error.reason == .damaged else { throw error }
      return nil
    }
  }

  /// Checks the rows that were trusted when their tables were opened, once.
  ///
  /// - Complexity: O(rows) the first time.
  /// - Throws: ``StructureError``, `needsRepair` for a row that makes poppler scan the file.
  func checkRows() throws(StructureError) {
    while checkedSections < sections.count {
      guard try sections[checkedSections].hasOnlyRegularRows() else {
        throw StructureError(.needsRepair, "an irregular row in a cross-reference table")
      }
      checkedSections += 1
    }
  }

  /// Whether an object number is valid in the file.
  ///
  /// - Throws: ``StructureError``, `damaged` for a number that only older sections include: poppler treats it as
  ///   missing unless it has already read one of them.
  func hasRoom(for number: Int) throws(StructureError) -> Bool {
    guard number >= newestSize else { return number >= 0 }
    try readAll()
    guard number >= size else {
      throw StructureError(.damaged, "object \(number) is beyond the file's /Size")
    }
    return false
  }

  /// Reads all sections.
  ///
  /// - Throws: ``StructureError`` when a section cannot be read, or a limit is reached.
  func readAll() throws(StructureError) {
    while try readOlder() {}
  }

  /// Checks that each object number is listed somewhere, at least as free.
  ///
  /// - Complexity: O(*n* log *n*) in the number of subsections; reads all sections.
  /// - Throws: ``StructureError``, `unsupported` for a table that leaves one out.
  func requireAllObjects() throws(StructureError) {
    // The main table of a linearized file is read entry by entry.
    guard mainEntries == nil, sections.first?.lists(0..<newestSize) != true else { return }
    try readAll()
    var end = 0
    for numbers in sections.flatMap(\.listed).sorted(by: { $0.lowerBound < $1.lowerBound }) {
      guard numbers.lowerBound <= end else { break }
      end = max(end, numbers.upperBound)
    }
    guard end >= size else {
      throw StructureError(.unsupported, "a cross-reference table that leaves out object \(end)")
    }
  }

  /// Reads the next older section; false when there is none.
  private func readOlder() throws(StructureError) -> Bool {
    guard let position = next, position != 0 else { return false }
    guard followed.insert(position).inserted else {
      throw StructureError(.needsRepair, "cross-reference sections in a circle")
    }
    guard sections.count < limits.sections else {
      throw StructureError(.limit, "more than \(limits.sections) cross-reference sections")
    }
    let older = try reader.read(at: position)
    if older.isShifted {
      // Poppler shifts the rows only if it does not know object 1 yet.
      for section in sections where try section.entry(of: 1) != nil {
        throw StructureError(.unsupported, "object 1 twice, and a table that begins one row early")
      }
    }
    subsectionCount += older.subsectionCount
    guard subsectionCount <= limits.subsections else {
      throw StructureError(.limit, "more than \(limits.subsections) cross-reference subsections")
    }
    sections += older.sections
    isHybrid = isHybrid || older.sections.count > 1
    keptBytes += older.bytes
    guard keptBytes <= limits.crossReferenceBytes else {
      throw StructureError(
        .limit,
        "cross-references of more than \(limits.crossReferenceBytes) bytes"
      )
    }
    size = max(size, older.size)
    next = older.previous
    return true
  }
}
