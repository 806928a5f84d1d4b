/// The cross-reference: which object is where. Sections are read when they are needed, newest first.
final class CrossReference {
  /// The newest section's trailer dictionary.
  let trailer: PickedDictionary
  /// Whether the newest section is a stream. Poppler never repairs such a file: what is missing
  /// in it is null.
  let isStream: Bool
  /// The newest section's offset.
  let origin: Int
  /// One past the highest object number known so far; grows as older sections are read.
  private(set) var size: Int

  private let file: BlockCache
  private let decoder: StreamDecoder
  private let start: Int
  private let budgets: Budgets
  private var sections: [CrossReferenceSection] = []
  private var followed: Set<Int> = []
  private var next: Int?
  private var subsectionCount = 0
  private var keptBytes = 0

  static let trailerKeys: [PackedName] = [
    Key.size, Key.root, Key.prev, Key.info, Key.id, Key.encrypt, Key.xrefStm,
  ]

  /// Reads the newest section only.
  init(
    _ file: BlockCache,
    layout: FileLayout,
    decoder: StreamDecoder,
    budgets: Budgets
  ) throws(NotMine) {
    self.file = file
    self.decoder = decoder
    self.budgets = budgets
    start = layout.start
    origin = layout.crossReference
    let reader = SectionReader(file: file, decoder: decoder, start: start, budgets: budgets)
    let newest = try reader.read(at: origin)
    sections = newest.sections
    subsectionCount = newest.subsectionCount
    keptBytes = newest.bytes
    trailer = newest.trailer
    isStream = newest.isStream
    size = newest.size
    next = newest.previous
    if case .int(let stated) = trailer[Key.size] { size = max(size, Int(stated)) }
  }

  /// Where an object is; nil when no section lists it.
  func place(of number: Int) throws(NotMine) -> ObjectPlace? {
    var looked = 0
    while true {
      try file.meter.charge(sections.count - looked)
      while looked < sections.count {
        if let place = try sections[looked].place(of: number) { return place }
        looked += 1
      }
      guard try readOlder() else { return nil }
    }
  }

  /// Reads all sections there are.
  func readAll() throws(NotMine) {
    while try readOlder() {}
  }

  /// Reads the next older section; false when there is none.
  private func readOlder() throws(NotMine) -> Bool {
    guard let position = next, position != 0 else { return false }
    guard followed.insert(position).inserted else {
      throw NotMine(.needsRepair, "cross-reference sections in a circle")
    }
    guard sections.count < budgets.sections else {
      throw NotMine(.budget, "more than \(budgets.sections) cross-reference sections")
    }
    let reader = SectionReader(file: file, decoder: decoder, start: start, budgets: budgets)
    let older = try reader.read(at: position)
    subsectionCount += older.subsectionCount
    guard subsectionCount <= budgets.subsections else {
      throw NotMine(.budget, "more than \(budgets.subsections) cross-reference subsections")
    }
    sections += older.sections
    keptBytes += older.bytes
    guard keptBytes <= budgets.crossReferenceBytes else {
      throw NotMine(.budget, "cross-references of more than \(budgets.crossReferenceBytes) bytes")
    }
    size = max(size, older.size)
    next = older.previous
    return true
  }
}
