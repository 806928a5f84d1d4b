/// The objects of a file with an unusable cross-reference, and those that may lead to its pages.
struct FoundObjects {
  /// Where each object is.
  private(set) var table = RebuiltTable()
  /// Candidates for the catalog: those named in trailers, then objects of that type; the last one in the file first.
  private(set) var catalogs: [Reference] = []
  /// The information dictionary named in the last trailer of the file.
  private(set) var info: Reference?
  /// Objects of type page, in file order.
  private(set) var pages: [Reference] = []

  /// The properties read from each object.
  private static let keys: [PackedName] =
    StreamDecoder.keys + [Key.type, Key.root, Key.info, Key.encrypt, Key.n, Key.first]
  /// Catalogs that are tried.
  static let mostCatalogs = 4

  /// Where the header is.
  let start: Int

  private let store: ObjectStore
  private var named: [Reference] = []
  private var typed: [Reference] = []

  /// The entries of a trailer that names a catalog, in PDF syntax.
  func trailer(_ catalog: Reference) -> String {
    let root = "/Root \(catalog.number) \(catalog.generation) R"
    return info.map { "\(root) /Info \($0.number) \($0.generation) R" } ?? root
  }

  /// Looks for objects.
  ///
  /// - Throws: ``StructureError``; `notPDF` without a header, `encrypted` for an encrypted file, and `limit` if there
  ///   is too much to read.
  /// - Complexity: O(bytes).
  init(_ file: any ByteSource, limits: ReaderLimits) throws(StructureError) {
    let cache = BlockCache(
      source: file,
      meter: WorkMeter(limit: limits.work, seconds: limits.seconds)
    )
    start = try FileLayout.header(of: cache)
    let scan = try HeaderScan(cache, limits: limits)
    for header in scan.headers where header.start >= start {
      let reference = header.reference
      table.take(
        reference.number,
        .offset(header.start - start, generation: reference.generation),
        at: header.start
      )
    }
    let tail = table.tail(adding: [], "", at: file.count - start)
    store = try ObjectStore(RebuiltBytes(file: file, tail: tail), limits: limits)
    for position in scan.trailers {
      let cursor = ByteCursor(store.file, at: position, reach: Self.trailerBytes)
      if let trailer = read(cursor) { try take(trailer: trailer) }
    }
    let ends = scan.headers.dropFirst().map(\.start) + [file.count]
    for (header, end) in zip(scan.headers, ends) where header.start >= start {
      try look(at: header, until: end)
    }
    // With an exhausted budget, essential objects may not have been read.
    try store.meter.charge(0)
    pages = pages.filter { isCurrent($0) }
    for catalog in named.reversed() + typed.reversed().filter({ isCurrent($0) })
    where !catalogs.contains(catalog) && catalogs.count < Self.mostCatalogs {
      catalogs.append(catalog)
    }
  }

  /// Bytes of a trailer.
  private static let trailerBytes = 1 << 14

  /// Where those of a type were met last.
  private var met: [Reference: RebuiltTable.Location] = [:]

  /// The dictionary at a cursor; nil if there is none, or it is unterminated.
  private func read(_ cursor: ByteCursor) -> PartialDictionary? {
    let found = try? PartialDictionary.read(
      cursor,
      picking: Self.keys,
      nesting: store.limits.nesting
    )
    return found ?? nil
  }

  private mutating func take(trailer: PartialDictionary) throws(StructureError) {
    switch trailer[Key.encrypt] {
    case nil, .null: break
    default: throw StructureError(.encrypted, "the file is encrypted")
    }
    if case .reference(let root) = trailer[Key.root] { named.append(root) }
    if case .reference(let found) = trailer[Key.info] { info = found }
  }

  /// Reads the object after a header, unless another one has its number.
  private mutating func look(
    at header: HeaderScan.Header,
    until end: Int
  ) throws(StructureError) {
    let place = RebuiltTable.Location.offset(
      header.start - start,
      generation: header.reference.generation
    )
    // An object may be longer than it seems, but nothing is read twice.
    let cursor = ByteCursor(store.file, at: header.body, reach: end - header.body)
    guard let dictionary = read(cursor) else { return }
    if case .name("XRef") = dictionary[Key.type] { try take(trailer: dictionary) }
    guard table[header.reference.number] == place else { return }
    if case .name("ObjStm") = dictionary[Key.type] {
      takeMembers(of: header, dictionary)
    } else {
      take(dictionary, header.reference, place)
    }
  }

  /// Adds a possible page or catalog.
  private mutating func take(
    _ dictionary: PartialDictionary,
    _ reference: Reference,
    _ place: RebuiltTable.Location
  ) {
    let isPage: Bool
    switch dictionary[Key.type] {
    case .name(Key.page): isPage = true
    case .name("Catalog"): isPage = false
    default: return
    }
    // Another revision of it may have been met.
    if met.updateValue(place, forKey: reference) != nil { return }
    if isPage { pages.append(reference) } else { typed.append(reference) }
  }

  private func isCurrent(_ reference: Reference) -> Bool {
    met[reference] == table[reference.number]
  }

  /// Adds the objects of an object stream; none if it cannot be decoded.
  private mutating func takeMembers(
    of header: HeaderScan.Header,
    _ dictionary: PartialDictionary
  ) {
    guard header.reference.generation == 0, let start = dictionary.streamStart,
      let count = dictionary.integer(Key.n), (1...store.limits.rebuiltObjects).contains(count),
      let first = dictionary.integer(Key.first), first >= 0,
      let data = try? store.decodedStream(of: dictionary, from: start),
      let stream = try? ObjectStream(data, count: count, first: first, meter: store.meter)
    else { return }
    for (index, number) in stream.numbers.enumerated()
    where number > 0 && number <= store.limits.rebuiltObjects {
      let place = RebuiltTable.Location.member(stream: header.reference.number, index: index)
      table.take(number, place, at: header.start)
      guard let cursor = stream.object(Int(number), at: index, meter: store.meter),
        let dictionary = read(cursor)
      else { continue }
      take(dictionary, Reference(number: number, generation: 0), place)
    }
  }
}
