internal import DocumentModel

/// Writes a subset as an incremental update of the file.
///
/// Appended to the file's bytes, it reduces the document to some of its pages; the catalog and all other objects are
/// unchanged, and poppler follows /Prev to them. The update has four parts: the root of the page tree with its old
/// number and new /Kids; a node with the inherited attributes for each run of pages; replacements of other objects,
/// such as repaired ones; and a cross-reference section of the same kind as the file's, because that decides how
/// poppler treats missing objects.
struct IncrementalUpdateWriter {
  private let store: ObjectStore
  private let root: Reference
  /// The pieces after the file, up to the bytes in `tail`.
  private var pieces: [DocumentSubset.Piece] = []
  private var tail: [UInt8] = []
  /// Where `tail` begins.
  private var tailStart: Int
  /// The entries of the cross-reference section, by object number.
  private var written: [Int32: (offset: Int, generation: Int32)] = [:]
  private var nextNumber: Int

  /// A writer for pages of one document.
  ///
  /// - Throws: ``StructureError`` when a cross-reference section cannot be read, or a limit is
  ///   reached.
  init(store: ObjectStore, root: Reference) throws(StructureError) {
    self.store = store
    self.root = root
    // Offsets are relative to the header, like all offsets in the file.
    tailStart = store.file.source.count - store.layout.start
    // Older sections may list further objects. No number may be left out, because poppler would search for its object.
    try store.crossReference.readAll()
    nextNumber = store.crossReference.size
  }

  /// The file and its update for the pages of all runs.
  ///
  /// - Throws: ``StructureError``; `unsupported` when no object number is left.
  consuming func pieces(_ runs: [PageRun]) throws(StructureError) -> [DocumentSubset.Piece] {
    pieces.append(.file(0..<store.file.source.count))
    guard nextNumber + runs.count + 1 < CrossReference.mostObjects else {
      throw StructureError(.unsupported, "no object number is left")
    }
    append("\n")
    let pages = runs.reduce(0) { $0 + $1.pages.count }
    if let only = runs.first, runs.count == 1 {
      // A single run's attributes fit on the root itself.
      try appendNode(root, parent: nil, only.pages, count: pages, only.attributes)
    } else {
      var nodes: [Reference] = []
      for run in runs {
        if try store.entries(run.attributes).isEmpty {
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
    appendReplacements()
    if store.crossReference.isStream {
      try appendCrossReferenceStream()
    } else {
      try appendCrossReferenceTable()
    }
    endTail()
    return pieces
  }

  /// Appends the replacements of objects, except the root.
  private mutating func appendReplacements() {
    let others = store.replacements.filter { $0.key != root }
    for (reference, replacement) in others.sorted(by: { $0.key.packed < $1.key.packed }) {
      beginObject(reference)
      tail += replacement.content
      if let data = replacement.data {
        endTail()
        pieces.append(.file(data))
        tailStart += data.count
        append("\nendstream")
      }
      append("\nendobj\n")
    }
  }

  private mutating func endTail() {
    pieces.append(.bytes(tail))
    tailStart += tail.count
    tail = []
  }

  // MARK: Nodes

  private mutating func appendNode(
    _ reference: Reference,
    parent: Reference?,
    _ kids: [Reference],
    count: Int,
    _ attributes: InheritedAttributes?
  ) throws(StructureError) {
    beginObject(reference)
    append("<< /Count \(count)")
    if let parent { append(" /Parent \(parent.number) \(parent.generation) R") }
    append(" /Kids [")
    for kid in kids { append(" \(kid.number) \(kid.generation) R") }
    append(" ]")
    if let attributes {
      for (name, source) in try store.entries(attributes) {
        // A value cannot end with a comment, because it ends with its last token.
        tail += Array("\n/\(name) ".utf8) + source
      }
    }
    if reference == root {
      try appendOtherEntries(of: root)
    } else {
      append("\n/Type /Pages")
    }
    append("\n>>\nendobj\n")
  }

  /// The entries of a root that is replaced.
  static let rootKeys: [PackedName] = [
    Key.kids, Key.count, Key.parent, Key.mediaBox, Key.cropBox, Key.rotate, Key.resources,
  ]

  /// Appends the root's other entries, because it may also be something else.
  private mutating func appendOtherEntries(of root: Reference) throws(StructureError) {
    guard let cursor = try store.open(root) else { return }
    var parser = ObjectParser(cursor, nesting: store.limits.nesting)
    guard try parser.opensDictionary() else { return }
    while let (key, span) = try parser.nextEntry() {
      guard !Self.rootKeys.contains(key),
        let source = try cursor.bytes(from: span.start, to: span.end)
      else { continue }
      tail += [0x0A] + source
    }
  }

  // MARK: Cross-reference

  /// The listed objects in order, as ranges without gaps.
  private func stretches() -> [[Int32]] {
    var stretches: [[Int32]] = []
    for number in written.keys.sorted() {
      if let last = stretches.last?.last, last + 1 == number {
        stretches[stretches.count - 1].append(number)
      } else {
        stretches.append([number])
      }
    }
    return stretches
  }

  private mutating func appendCrossReferenceTable() throws(StructureError) {
    let start = tailStart + tail.count
    append("xref\n")
    for stretch in stretches() {
      append("\(stretch[0]) \(stretch.count)\n")
      for number in stretch {
        guard let (offset, generation) = written[number] else { continue }
        append("\(Self.padded(offset, 10)) \(Self.padded(Int(generation), 5)) n \n")
      }
    }
    append("trailer\n<< /Size \(nextNumber) /Prev \(store.crossReference.origin)")
    try appendTrailerEntries()
    append(" >>\nstartxref\n\(start)\n%%EOF\n")
  }

  private mutating func appendCrossReferenceStream() throws(StructureError) {
    let reference = Reference(number: Int32(nextNumber), generation: 0)
    nextNumber += 1
    let start = tailStart + tail.count
    beginObject(reference)
    var index = ""
    var rows: [UInt8] = []
    for stretch in stretches() {
      index += " \(stretch[0]) \(stretch.count)"
      for number in stretch {
        guard let (offset, generation) = written[number] else { continue }
        rows.append(1)
        rows += Self.bytes(offset, 8) + Self.bytes(Int(generation), 4)
      }
    }
    append("<< /Type /XRef /W [ 1 8 4 ] /Index [\(index) ] /Length \(rows.count)")
    append(" /Size \(nextNumber) /Prev \(store.crossReference.origin)")
    try appendTrailerEntries()
    append(" >>\nstream\n")
    tail += rows
    append("\nendstream\nendobj\nstartxref\n\(start)\n%%EOF\n")
  }

  /// Appends the entries of the newest trailer about the document as a whole.
  private mutating func appendTrailerEntries() throws(StructureError) {
    let trailer = store.crossReference.trailer
    for (key, name) in [(Key.root, "Root"), (Key.info, "Info"), (Key.id, "ID")] {
      guard let source = try trailer.source(of: key) else { continue }
      append("\n/\(name) ")
      tail += source
    }
  }

  // MARK: Bytes

  private mutating func beginObject(_ reference: Reference) {
    written[reference.number] = (tailStart + tail.count, reference.generation)
    append("\(reference.number) \(reference.generation) obj\n")
  }

  private mutating func append(_ text: String) { tail += Array(text.utf8) }

  private static func padded(_ number: Int, _ width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  static func bytes(_ number: Int, _ width: Int) -> [UInt8] {
    (0..<width).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
  }
}
