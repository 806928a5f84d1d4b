/// The objects that drawing some pages will probably need, and where they are.
///
/// A window lists them in its own cross-reference section, so that poppler does not have to read
/// the file's: that takes it 40 ms for 170,000 objects, more than drawing the page. An object that
/// is left out here is found in the older sections all the same, only later; so nothing here has
/// to be complete, and whatever cannot be read is passed over.
struct NeededObjects {
  /// Objects by number.
  private(set) var places: [Int32: (place: ObjectPlace, generation: Int32)] = [:]

  private let store: ObjectStore
  private let pages: Set<Int32>
  private var waiting: [Reference] = []
  private var seen: Set<Int32>
  private var bytesLeft = 4 << 20

  /// The most objects to list, the most to look into, and the most to read of one.
  private static let entryLimit = 16384
  private static let lookLimit = 4096
  private static let objectBytes = 65536

  /// Searches from the catalog, the information, the pages and what the window says itself;
  /// `replaced` are the objects that it has its own of.
  init(
    _ store: ObjectStore,
    pages: [Reference],
    written: [[UInt8]],
    replaced: [Reference]
  ) {
    self.store = store
    self.pages = Set(pages.map(\.number))
    seen = Set(replaced.map(\.number))
    for key in [Key.root, Key.info] {
      if case .reference(let reference) = store.crossReference.trailer[key] { add(reference) }
    }
    for page in pages { add(page) }
    for source in written {
      let cursor = ByteCursor(memory: source, at: 0, limit: source.count, meter: store.meter)
      for reference in references(from: cursor) { add(reference) }
    }
    var looked = 0
    while let next = waiting.popLast(), looked < Self.lookLimit, bytesLeft > 0 {
      looked += 1
      guard let cursor = try? store.open(next) else { continue }
      let isWanted = self.pages.contains(next.number)
      for reference in references(from: cursor, ofOtherPages: isWanted) { add(reference) }
    }
  }

  private mutating func add(_ reference: Reference) {
    guard places.count < Self.entryLimit, seen.insert(reference.number).inserted,
      let found = try? store.crossReference.place(of: Int(reference.number))
    else { return }
    switch found {
    case .free: return
    case .offset(_, let generation): places[reference.number] = (found, generation)
    case .compressed(let stream, _):
      // A table has no words for such an object.
      guard store.crossReference.isStream, let number = Int32(exactly: stream),
        case .offset(_, let generation)? = try? store.crossReference.place(of: stream)
      else { return }
      places[reference.number] = (found, 0)
      if places[number] == nil, seen.insert(number).inserted,
        let container = try? store.crossReference.place(of: stream)
      {
        places[number] = (container, generation)
        waiting.append(Reference(number: number, generation: generation))
      }
    }
    waiting.append(reference)
  }

  /// The references in an object, in any depth, without those that lead to other pages.
  private mutating func references(
    from cursor: ByteCursor,
    ofOtherPages isWanted: Bool = true
  ) -> [Reference] {
    var lexer = Lexer(cursor)
    var found: [Reference] = []
    var numbers: (Int32, Int32) = (0, 0)
    var isSkipped = false
    var lastName = PackedName()
    let start = cursor.position
    scan: while lexer.cursor.position - start < Self.objectBytes,
      let token = try? lexer.next()
    {
      switch token {
      case .end, .command(Keyword.endobj), .command(Keyword.stream): break scan
      case .int(let number): numbers = (numbers.1, number)
      case .command(Keyword.r):
        if !isSkipped, numbers.0 > 0, numbers.1 >= 0 {
          found.append(Reference(number: numbers.0, generation: numbers.1))
        }
        isSkipped = false
      case .name(let name):
        // Another page, or the tree itself: what it refers to is not needed.
        if lastName == Key.type, name == Key.page || name == Key.pages, !isWanted {
          found = []
          break scan
        }
        isSkipped = Self.isLeadingAway(name)
        lastName = name
      default: break
      }
    }
    bytesLeft -= lexer.cursor.position - start
    return found
  }

  /// Whether what follows the key is a page, or something that is not drawn.
  private static func isLeadingAway(_ name: PackedName) -> Bool {
    for key in awayKeys where key == name { return true }
    return false
  }

  private static let awayKeys: [PackedName] = [
    Key.p, Key.pages, Key.pageLabels, "Parent", "Dest", "D", "Outlines", "Names", "Dests",
    "StructTreeRoot", "Metadata", "Threads", "OpenAction", "PieceInfo", "B",
  ]
}
