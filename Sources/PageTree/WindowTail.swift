extension PageTreeReader {
  /// An incremental update that leaves the document only some of its pages.
  ///
  /// Appended to the file's bytes it gives a PDF whose page tree holds the pages asked for, in that
  /// order, and nothing else; the catalog and every other object stay what they were, so optional
  /// content, forms and output intents still work. Poppler then opens page 15,000 as fast as
  /// page 1, because there is no page before it any more, and it follows /Prev only for objects
  /// the update does not list.
  ///
  /// In a file of many objects the update also says where the objects are that drawing will need;
  /// poppler would otherwise read the whole cross-reference, which takes longer than the page.
  /// A form of many fields is left only those whose widgets are on the pages.
  ///
  /// The update has three parts: the root of the page tree under its old number, with new /Kids;
  /// one node for each run of pages that inherit attributes, which carries them; and a
  /// cross-reference section of the kind the file has, because poppler treats missing objects
  /// by that kind.
  ///
  /// The bytes fit exactly the file the reader was opened with: it must not have changed.
  ///
  /// - Parameter indices: pages from 0; a page may be asked for more than once.
  /// - Complexity: as ``page(at:)`` for each page; the bytes grow with the number of pages only.
  /// - Throws: ``NotMine``; `damaged` when a page is missing, `unsupported` when the tree is of a
  ///   kind that cannot be replaced.
  public func windowTail(for indices: [Int]) throws(NotMine) -> [UInt8] {
    store.meter.reset()
    guard case .reference(let root) = catalog[Key.pages], !hasLonePage,
      case .reference(let catalog) = store.crossReference.trailer[Key.root],
      catalog.number != root.number
    else { throw NotMine(.unsupported, "a page tree whose root cannot be replaced") }
    var runs: [(attributes: InheritedAttributes, pages: [Reference])] = []
    for index in indices {
      guard let found = try find(index) else {
        throw NotMine(.damaged, "page \(index + 1) is missing")
      }
      try refuseLinearizedInheritance(found)
      if let last = runs.indices.last, runs[last].attributes == found.inherited {
        runs[last].pages.append(found.reference)
      } else {
        runs.append((found.inherited, [found.reference]))
      }
    }
    var writer = TailWriter(store: store, root: root)
    if store.crossReference.size >= store.budgets.manyObjects {
      // Whatever is wrong with a form is no reason against a window.
      writer.fields =
        (try? FormFields(store, catalog: self.catalog, pages: runs.flatMap(\.pages))) ?? nil
      if let number = writer.fields?.reference.number,
        number == root.number || number == catalog.number
          || runs.contains(where: { $0.pages.contains { $0.number == number } })
      {
        writer.fields = nil
      }
    }
    return try writer.write(runs)
  }

  /// Poppler passes nothing on from node to page when it reads a linearized file through its hint
  /// tables; a window would, and look different.
  private func refuseLinearizedInheritance(_ found: FoundPage) throws(NotMine) {
    guard store.layout.isLinearized else { return }
    _ = try checked(found)
    guard found.node.hasResources || found.inherited.resourcesFrom == nil else {
      throw NotMine(.linearized, "linearized, and the page inherits its resources")
    }
  }
}

/// Writes the update.
struct TailWriter {
  private let store: ObjectStore
  private let root: Reference
  private let origin: Int
  /// What replaces the form's list of fields.
  var fields: FormFields?
  private var tail: [UInt8] = []
  /// What the cross-reference section lists, by object number.
  private var places: [Int32: (place: ObjectPlace, generation: Int32)] = [:]
  private var nextNumber: Int

  init(store: ObjectStore, root: Reference) {
    self.store = store
    self.root = root
    // Offsets count from the header, as all offsets in the file do.
    origin = store.file.source.count - store.layout.start
    nextNumber = store.crossReference.size
  }

  /// The bytes for the pages of all runs.
  consuming func write(
    _ runs: [(attributes: InheritedAttributes, pages: [Reference])]
  ) throws(NotMine) -> [UInt8] {
    guard nextNumber + runs.count + 1 < Int(Int32.max) else {
      throw NotMine(.unsupported, "no object number is left")
    }
    try addNeededObjects(runs)
    append("\n")
    let pages = runs.reduce(0) { $0 + $1.pages.count }
    if let only = runs.first, runs.count == 1 {
      // A single run's attributes fit on the root itself.
      try appendNode(root, parent: nil, only.pages, count: pages, only.attributes)
    } else {
      var nodes: [Reference] = []
      for run in runs {
        if try inherited(run.attributes).isEmpty {
          nodes += run.pages
        } else {
          let node = Reference(number: Int32(nextNumber), generation: 0)
          nextNumber += 1
          try appendNode(node, parent: root, run.pages, count: run.pages.count, run.attributes)
          nodes.append(node)
        }
      }
      try appendNode(root, parent: nil, nodes, count: pages, nil)
    }
    if let fields {
      beginObject(fields.reference)
      tail += fields.content
      append("\nendobj\n")
    }
    if store.crossReference.isStream {
      try appendCrossReferenceStream()
    } else {
      try appendCrossReferenceTable()
    }
    return tail
  }

  // MARK: Nodes

  private mutating func appendNode(
    _ reference: Reference,
    parent: Reference?,
    _ kids: [Reference],
    count: Int,
    _ attributes: InheritedAttributes?
  ) throws(NotMine) {
    beginObject(reference)
    append("<< /Type /Pages /Count \(count)")
    if let parent { append(" /Parent \(parent.number) \(parent.generation) R") }
    append(" /Kids [")
    for kid in kids { append(" \(kid.number) \(kid.generation) R") }
    append(" ]")
    if let attributes { tail += try inherited(attributes) }
    append(" >>\nendobj\n")
  }

  /// The entries that pages inherit, in the words of the nodes they come from.
  private func inherited(_ attributes: InheritedAttributes) throws(NotMine) -> [UInt8] {
    var entries: [UInt8] = []
    func add(_ key: PackedName, _ name: String, from holder: Reference?) throws(NotMine) {
      guard let holder, let node = try store.dictionary(holder, picking: [key]),
        let source = try node.source(of: key)
      else { return }
      // A comment at the end of a value cannot be: its last token ends it.
      entries += Array("\n/\(name) ".utf8) + source
    }
    try add(Key.mediaBox, "MediaBox", from: attributes.mediaBoxFrom)
    try add(Key.cropBox, "CropBox", from: attributes.cropBoxFrom)
    try add(Key.rotate, "Rotate", from: attributes.rotationFrom)
    try add(Key.resources, "Resources", from: attributes.resourcesFrom)
    return entries
  }

  /// In a large file, lists the objects that drawing will need.
  private mutating func addNeededObjects(
    _ runs: [(attributes: InheritedAttributes, pages: [Reference])]
  ) throws(NotMine) {
    guard store.crossReference.size >= store.budgets.manyObjects else { return }
    var sources: [[UInt8]] = []
    for run in runs { sources.append(try inherited(run.attributes)) }
    var replaced = [root]
    if let fields {
      sources.append(fields.content)
      replaced.append(fields.reference)
    }
    let needed = NeededObjects(
      store,
      pages: runs.flatMap(\.pages),
      written: sources,
      replaced: replaced
    )
    places = needed.places
  }

  // MARK: Cross-reference

  /// The listed objects in order, in stretches without a gap.
  private func stretches() -> [[Int32]] {
    var stretches: [[Int32]] = []
    for number in places.keys.sorted() {
      if let last = stretches.last?.last, last + 1 == number {
        stretches[stretches.count - 1].append(number)
      } else {
        stretches.append([number])
      }
    }
    return stretches
  }

  private mutating func appendCrossReferenceTable() throws(NotMine) {
    let start = origin + tail.count
    append("xref\n")
    for stretch in stretches() {
      append("\(stretch[0]) \(stretch.count)\n")
      for number in stretch {
        guard case (.offset(let offset, _), let generation)? = places[number] else { continue }
        append("\(Self.padded(offset, 10)) \(Self.padded(Int(generation), 5)) n \n")
      }
    }
    append("trailer\n<< /Size \(nextNumber) /Prev \(store.crossReference.origin)")
    try appendTrailerEntries()
    append(" >>\nstartxref\n\(start)\n%%EOF\n")
  }

  private mutating func appendCrossReferenceStream() throws(NotMine) {
    let reference = Reference(number: Int32(nextNumber), generation: 0)
    nextNumber += 1
    let start = origin + tail.count
    beginObject(reference)
    var index = ""
    var rows: [UInt8] = []
    for stretch in stretches() {
      index += " \(stretch[0]) \(stretch.count)"
      for number in stretch {
        switch places[number] {
        case (.offset(let offset, _), let generation)?:
          rows.append(1)
          rows += Self.bytes(offset, 8) + Self.bytes(Int(generation), 4)
        case (.compressed(let stream, let index), _)?:
          rows.append(2)
          rows += Self.bytes(stream, 8) + Self.bytes(index, 4)
        case (.free, _)?, nil: rows += Self.bytes(0, 13)
        }
      }
    }
    append("<< /Type /XRef /W [ 1 8 4 ] /Index [\(index) ] /Length \(rows.count)")
    append(" /Size \(nextNumber) /Prev \(store.crossReference.origin)")
    try appendTrailerEntries()
    append(" >>\nstream\n")
    tail += rows
    append("\nendstream\nendobj\nstartxref\n\(start)\n%%EOF\n")
  }

  /// What the newest trailer says of the document as a whole.
  private mutating func appendTrailerEntries() throws(NotMine) {
    let trailer = store.crossReference.trailer
    for (key, name) in [(Key.root, "Root"), (Key.info, "Info"), (Key.id, "ID")] {
      guard let source = try trailer.source(of: key) else { continue }
      append("\n/\(name) ")
      tail += source
    }
  }

  // MARK: Bytes

  private mutating func beginObject(_ reference: Reference) {
    let place = ObjectPlace.offset(origin + tail.count, generation: reference.generation)
    places[reference.number] = (place, reference.generation)
    append("\(reference.number) \(reference.generation) obj\n")
  }

  private mutating func append(_ text: String) { tail += Array(text.utf8) }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private static func bytes(_ number: Int, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
