internal import DocumentModel

/// Indirect objects by number.
final class ObjectStore {
  let file: BlockCache
  let meter: WorkMeter
  let layout: FileLayout
  let crossReference: CrossReference
  let limits: ReaderLimits
  /// The part of pages that is shown.
  let shownBox: ShownBox
  /// Replacements of objects while a subset is written.
  var replacements: [Reference: Replacement] = [:]
  private let decoder: StreamDecoder
  /// The least cost of looking up an object, in bytes of work: it takes as long as reading that many.
  private static let objectCharge = 512
  /// Object streams that may depend on each other, for their lengths, when one is opened.
  private static let openingLimit = 8

  /// The decoded sizes of streams by the positions of their data, and whether font programs are usable: subsets have the
  /// same fonts.
  private var decodedSizes: [Range<Int>: Int] = [:]
  private var usablePrograms: [Reference: Bool] = [:]
  /// The most of each that are kept.
  private static let mostKept = 4096

  private var streams: [Int: ObjectStream] = [:]
  private var streamOrder: [Int] = []
  private var streamBytes = 0
  /// Object streams being opened, to detect cycles.
  private var opening: Set<Int> = []
  /// The start positions of objects, after they were needed.
  private var starts: ObjectStarts?
  private var isReadingStarts = false

  /// Reads both ends of the file, and the newest cross-reference section.
  ///
  /// - Throws: ``StructureError`` when they cannot be read as poppler reads them, or a limit is
  ///   reached.
  init(
    _ source: any ByteSource,
    limits: ReaderLimits,
    box: ShownBox = .crop
  ) throws(StructureError) {
    self.limits = limits
    shownBox = box
    meter = WorkMeter(limit: limits.work, seconds: limits.seconds)
    file = BlockCache(source: source, meter: meter)
    layout = try FileLayout(file, limits: limits)
    decoder = try StreamDecoder(file, limits: limits)
    do throws(StructureError) {
      crossReference = try CrossReference(
        file,
        layout: layout,
        decoder: decoder,
        limits: limits
      )
    } catch {
      guard !layout.hasHeader, error.reason == .needsRepair else { throw error }
      throw StructureError(.notPDF, "no header, and no cross-reference either")
    }
    file.beginsOneObject = { [weak self] (range) throws(StructureError) in
      try self?.beginsOneObject(in: range) ?? false
    }
  }

  /// Whether exactly one object begins in a range of positions, as far as poppler can tell.
  ///
  /// - Throws: ``StructureError`` when an entry of the cross-reference cannot be read, or a limit is reached.
  private func beginsOneObject(in range: Range<Int>) throws(StructureError) -> Bool {
    // Poppler compares positions with offsets, which are relative to the header.
    guard layout.start == 0, !isReadingStarts else { return false }
    return try knownStarts().beginsOne(in: range)
  }

  private func knownStarts() throws(StructureError) -> ObjectStarts {
    if let starts { return starts }
    isReadingStarts = true
    defer { isReadingStarts = false }
    let read = try ObjectStarts(crossReference, atMost: limits.knownStarts)
    starts = read
    return read
  }

  /// The offset at which the object after the one at an offset begins; nil if it is not known, or would have to be read
  /// from the file.
  func end(ofObjectAt offset: Int) -> Int? {
    guard crossReference.isStream, !layout.isLinearized, !isReadingStarts else { return nil }
    return (try? knownStarts())?.next(after: offset)
  }

  /// The position where an object's value begins; nil when it is null or missing.
  ///
  /// - Throws: ``StructureError`` with `needsRepair` if poppler would scan the file for the object.
  func open(_ reference: Reference) throws(StructureError) -> ByteCursor? {
    let number = Int(reference.number)
    try meter.charge(Self.objectCharge)
    if let content = replacements[reference]?.content {
      return ByteCursor(memory: content, at: 0, limit: content.count, meter: meter)
    }
    guard try crossReference.hasRoom(for: number) else { return try absent(number) }
    switch try crossReference.entry(of: number) {
    case nil, .free: return try absent(number)
    case .offset(let offset, let generation):
      guard generation == reference.generation else { return try absent(number) }
      return try open(reference, at: offset)
    case .compressed(let stream, let index):
      guard try crossReference.hasRoom(for: stream),
        case .offset(_, let generation)? = try crossReference.entry(of: stream), generation == 0
      else { return try absent(number) }
      guard let opened = try objectStream(stream) else { return try absent(number) }
      return opened.object(number, at: index, meter: meter)
    }
  }

  private func open(_ reference: Reference, at offset: Int) throws(StructureError) -> ByteCursor? {
    let (position, overflow) = layout.start.addingReportingOverflow(offset)
    guard !overflow, position >= 0, position < file.source.count else {
      return try absent(Int(reference.number))
    }
    let cursor = ByteCursor(file, at: position, reach: limits.objectBytes)
    var lexer = Lexer(cursor)
    guard case .int(reference.number) = try lexer.next(),
      case .int(reference.generation) = try lexer.next(),
      case .command(let word) = try lexer.next()
    else { return try absent(Int(reference.number)) }
    if word == Keyword.obj { return lexer.cursor }
    // Poppler reads `obj12` as an object with the value 12.
    guard !word.begins(with: Keyword.obj) else {
      throw StructureError(
        .unsupported,
        "object \(reference.number) has no space behind its header"
      )
    }
    return try absent(Int(reference.number))
  }

  private func absent(_ number: Int) throws(StructureError) -> ByteCursor? {
    guard crossReference.isStream else {
      throw StructureError(.needsRepair, "object \(number) is not where it should be")
    }
    return nil
  }

  // MARK: Values

  /// Resolves a value: itself, or the object it refers to. Follows only one reference.
  ///
  /// A missing object is null.
  ///
  /// - Throws: ``StructureError`` when the object cannot be read as poppler reads it, or a limit is
  ///   reached.
  func resolve(_ sourced: SourcedValue) throws(StructureError) -> SourcedValue {
    guard case .reference(let reference) = sourced.value else { return sourced }
    guard let cursor = try open(reference) else {
      return SourcedValue(value: .null, origin: sourced.origin)
    }
    var parser = ObjectParser(cursor, nesting: limits.nesting)
    let value = try parser.value()
    switch value {
    // In poppler these are not values, but not null either.
    case .end, .error, .command:
      throw StructureError(.damaged, "object \(reference.number) has no value")
    default: return SourcedValue(value: value, origin: cursor)
    }
  }

  /// Entries of the dictionary of an object; nil if the object is not a dictionary.
  ///
  /// - Parameters:
  ///   - fetchedKeys: Entries whose references are kept without fetching them.
  /// - Throws: ``StructureError``, `damaged` also for the dictionary of a stream, or an
  ///   unterminated array.
  func dictionary(
    _ reference: Reference,
    picking keys: [PackedName],
    fetching fetchedKeys: [PackedName] = []
  ) throws(StructureError) -> PartialDictionary? {
    guard let cursor = try open(reference) else { return nil }
    guard
      let picked = try PartialDictionary.read(
        cursor,
        picking: keys,
        fetching: fetchedKeys,
        nesting: limits.nesting
      )
    else {
      // Poppler reads a whole array, too, which may extend into the following objects.
      var parser = ObjectParser(cursor, nesting: limits.nesting)
      _ = try parser.value()
      return nil
    }
    // Poppler reads a stream's length at once, and scans the file if it is missing.
    guard picked.streamStart == nil else {
      throw StructureError(
        .damaged,
        "object \(reference.number) is a stream instead of a dictionary"
      )
    }
    return picked
  }

  /// Entries of a direct or indirect dictionary.
  ///
  /// - Throws: ``StructureError`` as for ``dictionary(_:picking:fetching:)``.
  func dictionary(
    _ sourced: SourcedValue?,
    picking keys: [PackedName]
  ) throws(StructureError) -> PartialDictionary? {
    guard let sourced else { return nil }
    switch sourced.value {
    case .reference(let reference): return try dictionary(reference, picking: keys)
    case .dictionary(let span):
      return try PartialDictionary.read(
        sourced.inside(span),
        picking: keys,
        nesting: limits.nesting
      )
    default: return nil
    }
  }

  /// Reads data that does not affect pages, and may begin with a long string.
  ///
  /// - Throws: What `body` throws.
  func readingText<Answer>(_ body: () throws(StructureError) -> Answer) throws(StructureError)
    -> Answer
  {
    meter.isReadingText = true
    defer { meter.isReadingText = false }
    return try body()
  }

  // MARK: Object streams

  private func objectStream(_ number: Int) throws(StructureError) -> ObjectStream? {
    if let stream = streams[number] { return stream }
    guard opening.count < Self.openingLimit, opening.insert(number).inserted else {
      throw StructureError(.damaged, "object stream \(number) needs itself")
    }
    defer { opening.remove(number) }
    // Half of the cache is freed before one is decoded, so that two large ones are never in memory at once.
    makeRoom(for: limits.objectStreamCache / 2)
    guard let stream = try readObjectStream(number) else { return nil }
    makeRoom(for: stream.size)
    streams[number] = stream
    streamOrder.append(number)
    streamBytes += stream.size
    return stream
  }

  /// Evicts streams, first in, first out: pages are read in order, and so are their streams.
  private func makeRoom(for bytes: Int) {
    while streamBytes + bytes > limits.objectStreamCache, let oldest = streamOrder.first {
      streamOrder.removeFirst()
      if let removed = streams.removeValue(forKey: oldest) { streamBytes -= removed.size }
    }
  }

  private func readObjectStream(_ number: Int) throws(StructureError) -> ObjectStream? {
    let reference = Reference(number: Int32(number), generation: 0)
    let keys = StreamDecoder.keys + [Key.n, Key.first]
    guard let cursor = try open(reference),
      let dictionary = try PartialDictionary.read(cursor, picking: keys, nesting: limits.nesting),
      let dataStart = dictionary.streamStart,
      case .int(let count)? = try value(dictionary, Key.n), count > 0, count <= 1_000_000,
      let first = try integer(dictionary, Key.first), first >= 0
    else { return nil }
    let data = try decodedStream(of: dictionary, from: dataStart)
    return try ObjectStream(data, count: Int(count), first: first, meter: meter)
  }

  /// The decoded data of the stream that begins with a dictionary.
  ///
  /// - Parameters:
  ///   - dictionary: Read with ``StreamDecoder/keys``.
  /// - Returns: The decoded bytes.
  /// - Throws: ``StructureError`` as ``StreamDecoder`` throws it.
  func decodedStream(
    of dictionary: PartialDictionary,
    from start: Int
  ) throws(StructureError) -> [UInt8] {
    let filters = try filters(of: dictionary)
    let claimed = try integer(dictionary, Key.length)
    return try decoder.decode(
      from: start,
      length: claimed,
      filters: filters,
      expecting: nil,
      surplus: nil
    )
  }

  private func filters(
    of dictionary: PartialDictionary
  ) throws(StructureError) -> [(name: PackedName, predictor: Predictor)] {
    try StreamDecoder.filters(of: dictionary, nesting: limits.nesting) {
      (value) throws(StructureError) in try self.resolve(value)
    }
  }

  /// Whether data is only deflated.
  private static func isDeflated(_ filters: [(name: PackedName, predictor: Predictor)]) -> Bool {
    filters.count == 1 && filters[0].name == "FlateDecode" && filters[0].predictor.kind == 1
  }

  /// The decoded data of a stream, whose size is kept if it is only deflated.
  private func decoded(
    _ data: Range<Int>,
    _ filters: [(name: PackedName, predictor: Predictor)]
  ) throws(StructureError) -> [UInt8] {
    let bytes = try decoder.decode(
      from: data.lowerBound,
      length: data.count,
      filters: filters,
      expecting: nil,
      surplus: nil
    )
    if Self.isDeflated(filters) {
      if decodedSizes.count == Self.mostKept { decodedSizes.removeAll() }
      decodedSizes[data] = bytes.count
    }
    return bytes
  }

  /// The position in the file of the data of the stream with a dictionary.
  ///
  /// - Throws: ``StructureError``, `damaged` when /Length does not lead to their end.
  func streamData(of dictionary: PartialDictionary, from start: Int) throws(StructureError)
    -> Range<Int>
  {
    guard dictionary.origin.isInFile, let length = try integer(dictionary, Key.length),
      length >= 0, start <= file.source.count, length <= file.source.count - start,
      try decoder.endsStream(at: start + length)
    else { throw StructureError(.damaged, "a stream of wrong length") }
    return start..<start + length
  }

  /// The position of a stream's data, even if /Length is wrong: like poppler, up to the next `endstream`.
  ///
  /// - Throws: ``StructureError``, `damaged` when there is none within the limits.
  func mendedStreamData(
    of dictionary: PartialDictionary,
    from start: Int
  ) throws(StructureError) -> Range<Int> {
    if let data = try? streamData(of: dictionary, from: start) { return data }
    guard dictionary.origin.isInFile, start <= file.source.count else {
      throw StructureError(.damaged, "a stream outside the file")
    }
    let bytes = try file.read(start, min(limits.decodedStream, file.source.count - start))
    try meter.charge(bytes.count)
    guard let end = bytes.firstRange(of: Array("endstream".utf8))?.lowerBound else {
      throw StructureError(.damaged, "a stream without an end")
    }
    return start..<start + end
  }

  /// The decoded data of a stream, even if /Length is wrong, like poppler.
  ///
  /// - Throws: ``StructureError`` as ``StreamDecoder`` throws it; `limit` for more encoded bytes than are allowed.
  func mendedStream(
    of dictionary: PartialDictionary,
    from start: Int,
    atMost limit: Int = .max
  ) throws(StructureError) -> [UInt8] {
    let data = try mendedStreamData(of: dictionary, from: start)
    guard data.count <= limit else {
      throw StructureError(.limit, "an encoded stream of \(data.count) bytes")
    }
    return try decoded(data, filters(of: dictionary))
  }

  /// The decoded size of a stream that should be decoded in advance for poppler; nil for large
  /// streams, and for other filters than a single deflate.
  ///
  /// - Parameters:
  ///   - dictionary: Read with ``StreamDecoder/keys``.
  ///   - data: The position of the stream's data in the file.
  /// - Returns: The size in bytes.
  func decodedSize(of dictionary: PartialDictionary, _ data: Range<Int>) -> Int? {
    guard data.count <= limits.decodedStream, dictionary[Key.f] == nil,
      let filters = try? filters(of: dictionary), Self.isDeflated(filters)
    else { return nil }
    if let size = decodedSizes[data] { return size }
    // A damaged or truncated stream is left to poppler, which draws as much of it as possible.
    return try? decoded(data, filters).count
  }

  /// Whether poppler can use a font program, which is decided once.
  ///
  /// - Parameters:
  ///   - judge: The decision; nil if the program cannot be read.
  /// - Returns: The decision, now or before.
  func isUsable(_ program: Reference, _ judge: () -> Bool?) -> Bool? {
    if let known = usablePrograms[program] { return known }
    guard let isUsable = judge() else { return nil }
    if usablePrograms.count == Self.mostKept { usablePrograms.removeAll() }
    usablePrograms[program] = isUsable
    return isUsable
  }
}

/// A decoded object stream.
struct ObjectStream {
  private let data: [UInt8]
  /// The numbers of its objects, in order.
  let numbers: [Int32]
  /// The start of each object, then the end of the data.
  private let bounds: [Int]

  /// The bytes it occupies.
  var size: Int { data.count + numbers.count * 12 }

  /// Reads the table at the beginning; nil if poppler would not accept it.
  ///
  /// - Parameters:
  ///   - first: The offset of the first object, /First.
  /// - Throws: ``StructureError``; `damaged` for a stream that ends before its first object.
  init?(_ data: [UInt8], count: Int, first: Int, meter: WorkMeter) throws(StructureError) {
    // Poppler then reads each of its objects as the end of a file, not as null.
    guard first <= data.count else {
      throw StructureError(.damaged, "an object stream that ends before its first object")
    }
    var lexer = Lexer(ByteCursor(memory: data, at: 0, limit: first, meter: meter))
    var numbers: [Int32] = []
    var bounds: [Int] = []
    // A pair takes at least four bytes, so a wrong count does not reserve much memory.
    numbers.reserveCapacity(min(count, first / 4 + 1))
    bounds.reserveCapacity(min(count, first / 4 + 1) + 1)
    for _ in 0..<count {
      guard let (number, offset) = try Self.entry(&lexer) else { return nil }
      let (position, overflow) = offset.addingReportingOverflow(first)
      guard offset >= 0, !overflow, position >= bounds.last ?? 0 else { return nil }
      numbers.append(number)
      bounds.append(min(position, data.count))
    }
    guard bounds.first == first else {
      throw StructureError(
        .unsupported,
        "an object stream that does not begin with its first object"
      )
    }
    bounds.append(data.count)
    self.data = data
    self.numbers = numbers
    self.bounds = bounds
  }

  /// An object's number and its offset from the first object; nil when there is no such entry.
  private static func entry(_ lexer: inout Lexer) throws(StructureError) -> (
    number: Int32, offset: Int
  )? {
    if let (number, offset) = try lexer.cursor.nextPlainPair() { return (number, Int(offset)) }
    guard case .int(let number) = try lexer.next(), number >= 0 else { return nil }
    switch try lexer.next() {
    case .int(let offset): return (number, Int(offset))
    case .long(let offset): return (number, Int(offset))
    default: return nil
    }
  }

  /// The position of an object; nil when the object at the index is another one.
  ///
  /// - Returns: A cursor at the object.
  func object(_ number: Int, at index: Int, meter: WorkMeter) -> ByteCursor? {
    guard index >= 0, index < numbers.count, Int(numbers[index]) == number else { return nil }
    return ByteCursor(memory: data, at: bounds[index], limit: bounds[index + 1], meter: meter)
  }
}
