internal import DocumentModel

/// Writes a subset as a standalone document: only the pages and everything they refer to.
///
/// ```
/// %PDF-1.7
/// 2 0 obj  the catalog, with what drawing needs of it
/// 3 0 obj  the root of the page tree; then nodes for pages that inherit attributes
/// …        the pages, then the streams that were referred to, in the order in which they were met
/// 1 0 obj  an object stream of everything else that was referred to
/// xref     a cross-reference stream, because in a file with one poppler takes what is missing for
///          null and never searches for it
/// ```
///
/// Objects are renumbered, so that a file of 200,000 objects costs poppler no more than one of
/// 200. All objects other than streams are in one object stream: poppler keeps the objects of a few object streams, and
///   parses others again each time they are fetched, such as a font and its widths for every page. All else is copied
///   as it stands. The data of large streams are not even read: they are pieces of the file. Other streams are to be
///   decoded by the process that opens the subset: poppler would decode a font's program anew for each page that uses
///   the font, which takes it a third of the time of a thumbnail, and takes ten times as long for it and for pictures.
///
/// Omitted are entries of the catalog, form and pages that are never drawn, invisible links (``DrawnAnnotations``), and
/// the targets of other links. Other nodes of the page tree keep only entries that are not specific to nodes, so that
/// no page leads to all the others. If anything cannot be read plainly, writing fails.
struct SubsetWriter {
  private let store: ObjectStore
  private let form: Reference?
  private let catalog: Reference
  private let root: Reference
  /// Whether the root has only entries that are rewritten.
  private let isRootPlain: Bool
  /// Whether pages keep their embedded thumbnails.
  var keepsEmbedded = false
  private var tree: PageTreeMembers
  /// The annotations of the subset's pages.
  private var annotations: Set<Reference> = []
  /// Replacements of the pages' lists of annotations.
  private var drawnAnnotations: [Reference: [Reference]] = [:]

  /// Objects that lost entries, and objects used as a list of names: none may be both.
  private var reduced: Set<Reference> = []
  private var containers: Set<Reference> = []

  private var output: SubsetOutput
  /// The remaining bytes of decoded streams.
  private var decodedLeft: Int

  private var numbers: [Reference: Int] = [:]
  /// Referenced objects that are not written yet.
  private var waiting: [(reference: Reference, number: Int)] = []

  private static let catalogKeys: [PackedName] = [
    Key.type, Key.acroForm, "Version", "Extensions", Key.ocProperties, "OutputIntents",
  ]
  private static let undrawnFormKeys: [PackedName] = ["XFA", "CO"]
  /// The target of a link; an index has a thousand links, each to another page.
  private static let undrawnLinkKeys: [PackedName] = ["A", "PA", "AA", "Dest"]
  private static let undrawnPageKeys: [PackedName] = [
    Key.parent, "B", "AA", "Thumb", "Metadata", "PieceInfo",
  ]
  /// Keys of dictionaries whose entries have names of any kind.
  private static let containerKeys: [PackedName] = [
    Key.resources, "XObject", "ExtGState", "Font", "Pattern", "Shading", "ColorSpace", "Properties",
    "CharProcs", "AP", "N", "D", "R", "DR",
  ]
  /// The entries that only a node of the page tree has.
  private static let nodeKeys: [PackedName] =
    undrawnPageKeys + [Key.kids, Key.contents, Key.annots, Key.resources]

  /// A writer for pages of the document with the given catalog and root of the page tree.
  ///
  /// - Parameters:
  ///   - isRootPlain: Whether the root has only entries that are rewritten.
  /// - Throws: ``StructureError`` when the catalog cannot be read.
  init(
    _ store: ObjectStore,
    catalog: Reference,
    root: Reference,
    isRootPlain: Bool
  ) throws(StructureError) {
    self.store = store
    self.isRootPlain = isRootPlain
    self.catalog = catalog
    self.root = root
    tree = PageTreeMembers(store, root: root)
    output = SubsetOutput(store.limits)
    decodedLeft = store.limits.decodedBytes
    let picked = try store.dictionary(catalog, picking: [Key.acroForm])
    form = if case .reference(let form)? = picked?[Key.acroForm] { form } else { nil }
  }

  /// The subset's pieces.
  ///
  /// - Throws: ``StructureError`` when something that the pages refer to cannot be copied, or exceeds the limits.
  consuming func write(_ runs: [PageRun]) throws(StructureError) -> [DocumentSubset.Piece] {
    let catalogNumber = try newNumber(for: catalog)
    let rootNumber = try newNumber(for: root)
    let tree = try numberTree(runs)
    // Objects that have a number by now are written here, not copied.
    waiting = []
    output.begin(catalogNumber)
    try appendDictionary(at: store.open(catalog), adding: "/Pages \(rootNumber) 0 R") { key in
      Self.catalogKeys.contains(key)
    }
    output.end()
    try appendNodes(tree.nodes, below: rootNumber)
    for page in runs.flatMap(\.annotated) {
      annotations.formUnion(try store.annotations(of: page))
      guard let drawn = try DrawnAnnotations(store, of: page) else { continue }
      for link in drawn.links { try requireTargets(of: link) }
      drawnAnnotations[page] = drawn.kept
    }
    try appendPages(tree.pages)
    while let next = waiting.popLast() { try copy(next.reference, as: next.number) }
    guard reduced.isDisjoint(with: containers) else {
      throw StructureError(.unsupported, "a list of resources that is something else as well")
    }
    return try output.finish(catalog: catalogNumber)
  }

  // MARK: Page tree

  /// A node of the subset's page tree: the pages of a run.
  private struct Node {
    var number: Int
    var run: PageRun
    /// The numbers of its pages.
    var pages: [Int]
  }

  /// A page, and the number of the node that it is written for.
  private struct Page {
    var reference: Reference
    var number: Int
    var parent: Int
  }

  /// Assigns numbers to the nodes and pages. A page in several runs is one object.
  private mutating func numberTree(
    _ runs: [PageRun]
  ) throws(StructureError) -> (nodes: [Node], pages: [Page]) {
    var nodes: [Node] = []
    var pages: [Page] = []
    for run in runs {
      let parent = try output.newNumber()
      var numbers: [Int] = []
      for page in run.pages {
        let known = self.numbers[page]
        let number = if let known { known } else { try newNumber(for: page) }
        if known == nil {
          pages.append(Page(reference: page, number: number, parent: parent))
        }
        numbers.append(number)
      }
      nodes.append(Node(number: parent, run: run, pages: numbers))
    }
    return (nodes, pages)
  }

  /// Appends the root of the page tree and the nodes below it.
  private mutating func appendNodes(
    _ nodes: [Node],
    below rootNumber: Int
  ) throws(StructureError) {
    try appendNode(
      rootNumber,
      nodes.map(\.number),
      pages: nodes.reduce(0) { $0 + $1.pages.count },
      parent: nil,
      InheritedAttributes(),
      with: isRootPlain ? nil : root
    )
    for node in nodes {
      try appendNode(
        node.number,
        node.pages,
        pages: node.pages.count,
        parent: rootNumber,
        node.run.attributes
      )
    }
  }

  private mutating func appendPages(_ pages: [Page]) throws(StructureError) {
    let undrawn = Self.undrawnPageKeys.filter { !keepsEmbedded || $0 != "Thumb" }
    for page in pages {
      let drawn = drawnAnnotations[page.reference]
      var added = "/Parent \(page.parent) 0 R"
      if let drawn, !drawn.isEmpty {
        added += " /Annots ["
        for annotation in drawn { added += " \(try number(of: annotation)) 0 R" }
        added += " ]"
      }
      output.begin(page.number)
      try appendDictionary(at: store.open(page.reference), adding: added) { key in
        !undrawn.contains(key) && (drawn == nil || key != Key.annots)
      }
      output.end()
    }
    reduced = Set(pages.map(\.reference))
  }

  private mutating func appendNode(
    _ number: Int,
    _ kids: [Int],
    pages: Int,
    parent: Int?,
    _ attributes: InheritedAttributes,
    with original: Reference? = nil
  ) throws(StructureError) {
    output.begin(number)
    output.append("<< /Count \(pages) /Kids [")
    for kid in kids { output.append(" \(kid) 0 R") }
    output.append(" ]")
    if let parent { output.append(" /Parent \(parent) 0 R") }
    for (name, source) in try store.entries(attributes) {
      output.append("\n/\(name) ")
      try appendRenumbered(source)
    }
    if let original {
      // The root may also be something else, and keeps the entries for that.
      try appendEntries(at: store.open(original)) { !IncrementalUpdateWriter.rootKeys.contains($0) }
    } else {
      output.append("\n/Type /Pages")
    }
    output.append(" >>")
    output.end()
  }

  // MARK: Objects

  private mutating func copy(_ reference: Reference, as number: Int) throws(StructureError) {
    guard let cursor = try store.open(reference) else { return }
    guard
      let dictionary = try PartialDictionary.read(
        cursor,
        picking: StreamDecoder.keys + [Key.subtype, Key.parent],
        nesting: store.limits.nesting
      )
    else {
      output.beginMember(number)
      try appendValue(at: cursor)
      output.endMember()
      return
    }
    if let dataStart = dictionary.streamStart {
      let data =
        if let data = store.replacements[reference]?.data { data } else {
          try store.streamData(of: dictionary, from: dataStart)
        }
      try appendStream(number, dictionary, data)
      return
    }
    let undrawn = try undrawnKeys(of: reference, dictionary)
    if !undrawn.isEmpty { reduced.insert(reference) }
    output.beginMember(number)
    try appendDictionary(at: cursor, adding: "") { !undrawn.contains($0) }
    output.endMember()
  }

  /// The entries of a dictionary that drawing the subset's pages does not need.
  private mutating func undrawnKeys(
    of reference: Reference,
    _ dictionary: PartialDictionary
  ) throws(StructureError) -> [PackedName] {
    if reference == form { return Self.undrawnFormKeys }
    if annotations.contains(reference) {
      if case .name(Key.link) = dictionary[Key.subtype] { return Self.undrawnLinkKeys }
      return []
    }
    guard dictionary[Key.parent] != nil || reference == root, try tree.contains(reference) else {
      return []
    }
    // A page that is also a font or an annotation needs all of its entries.
    guard dictionary[Key.subtype] == nil else {
      throw StructureError(.unsupported, "a node of the page tree that is used as something else")
    }
    return Self.nodeKeys
  }

  /// The dictionary at a cursor, with some of its entries.
  private mutating func appendDictionary(
    at cursor: ByteCursor?,
    adding entry: String,
    where isKept: (PackedName) -> Bool
  ) throws(StructureError) {
    output.append("<< \(entry)")
    try appendEntries(at: cursor, where: isKept)
    output.append("\n>>")
  }

  /// Some of the entries of the dictionary at a cursor.
  private mutating func appendEntries(
    at cursor: ByteCursor?,
    where isKept: (PackedName) -> Bool
  ) throws(StructureError) {
    guard let cursor else { throw StructureError(.damaged, "an object of the subset is missing") }
    var parser = ObjectParser(cursor, nesting: store.limits.nesting)
    guard try parser.opensDictionary() else {
      throw StructureError(.damaged, "an object of the subset is no dictionary")
    }
    var keys: [PackedName] = []
    while let (key, span) = try parser.nextEntry() {
      keys.append(key)
      if isKept(key) {
        output.append("\n")
        try appendRenumbered(cursor.bytes(from: span.start, to: span.end))
      } else if !store.crossReference.isStream, !Self.treeKeys.contains(key),
        let source = try cursor.bytes(from: span.start, to: span.end)
      {
        try requireObjects(in: source, depth: Self.fetchDepth)
      }
    }
    guard keys.count < Self.manyEntries || !Self.hasRepeated(keys) else {
      throw StructureError(.unsupported, "a key twice in one large dictionary")
    }
  }

  /// Entries that lead to other nodes of the page tree, which are not followed from a page.
  private static let treeKeys: [PackedName] = [Key.parent, Key.kids]

  /// The number of entries from which poppler sorts a dictionary, less those that are added or left out: then it is
  /// undefined which of two equal keys counts.
  private static let manyEntries = 24
  private static let mostEntries = 4096

  private static func hasRepeated(_ keys: [PackedName]) -> Bool {
    guard keys.count <= mostEntries else { return true }
    return keys.indices.contains { index in keys[..<index].contains(keys[index]) }
  }

  /// Checks that omitted objects exist, as deep as poppler fetches them: it would scan a file with a table for missing
  /// ones.
  private func requireObjects(in source: [UInt8], depth: Int) throws(StructureError) {
    var references = ReferenceTokens(source, store.meter)
    while let found = try references.next() { try requireObject(found.reference, depth: depth) }
  }

  /// Checks that the target of a link exists.
  private func requireTargets(of link: Reference) throws(StructureError) {
    guard !store.crossReference.isStream, let cursor = try store.open(link) else { return }
    var parser = ObjectParser(cursor, nesting: store.limits.nesting)
    guard try parser.opensDictionary() else { return }
    while let (key, span) = try parser.nextEntry() {
      guard key != Key.p, let source = try cursor.bytes(from: span.start, to: span.end) else {
        continue
      }
      try requireObjects(in: source, depth: Self.fetchDepth)
    }
  }

  private func requireObject(_ reference: Reference, depth: Int) throws(StructureError) {
    // The root has been read, and its kids are not followed from a page.
    guard reference != root, let cursor = try store.open(reference), depth > 0 else { return }
    var parser = ObjectParser(cursor, nesting: store.limits.nesting)
    let start = cursor.position
    _ = try parser.value()
    guard let source = try cursor.bytes(from: start, to: parser.lexer.cursor.position) else {
      return
    }
    try requireObjects(in: source, depth: depth - 1)
  }

  /// Levels of objects that are fetched through an omitted entry: an action and its references.
  private static let fetchDepth = 1

  private mutating func appendValue(at cursor: ByteCursor) throws(StructureError) {
    var parser = ObjectParser(cursor, nesting: store.limits.nesting)
    switch try parser.value() {
    case .end, .error, .command, .nothing:
      throw StructureError(.damaged, "an object without a value")
    default: break
    }
    try appendRenumbered(cursor.bytes(from: cursor.position, to: parser.lexer.cursor.position))
  }

  private mutating func appendStream(
    _ number: Int,
    _ dictionary: PartialDictionary,
    _ data: Range<Int>
  ) throws(StructureError) {
    output.begin(number)
    if dictionary.entryCount < Self.manyEntries, decodedLeft > 0,
      let count = store.decodedSize(of: dictionary, data), count <= decodedLeft
    {
      decodedLeft -= count
      try appendDictionary(at: dictionary.origin, adding: "/Length \(count)") { key in
        ![Key.length, Key.filter, Key.decodeParms, Key.dp].contains(key)
      }
      output.endStream(with: .inflated(data, count: count))
      return
    }
    try appendRenumbered(dictionary.source())
    output.endStream(with: .file(data))
  }

  /// Syntax with the subset's numbers in its references.
  private mutating func appendRenumbered(_ source: [UInt8]?) throws(StructureError) {
    guard let source else { throw StructureError(.damaged, "an object outside the file") }
    try output.requireRoom(for: source.count)
    var references = ReferenceTokens(source, store.meter)
    var copied = 0
    while let found = try references.next() {
      output.append(source[copied..<found.range.lowerBound])
      guard found.reference != catalog else {
        throw StructureError(.unsupported, "a catalog that is used as something else")
      }
      if Self.containerKeys.contains(found.key) { containers.insert(found.reference) }
      try output.appendReference(to: number(of: found.reference))
      copied = found.range.upperBound
    }
    output.append(source[copied...])
  }

  // MARK: Numbers

  private mutating func number(of reference: Reference) throws(StructureError) -> Int {
    if let known = numbers[reference] { return known }
    return try newNumber(for: reference)
  }

  private mutating func newNumber(for reference: Reference) throws(StructureError) -> Int {
    let number = try output.newNumber()
    numbers[reference] = number
    waiting.append((reference, number))
    return number
  }
}
