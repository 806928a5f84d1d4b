/// The names of a document's destinations: the dictionary /Dests in the catalog, then the name tree /Dests in /Names,
/// searched by its /Limits.
///
/// If a name is not where the limits say, the tree is read completely, once; poppler does that with every tree.
final class DestinationNames {
  /// Names with their values. Positions of values are relative to the object they were read from.
  private struct Leaf {
    var origin: ByteCursor?
    var values: [[UInt8]: Value] = [:]

    subscript(name: [UInt8]) -> SourcedValue? {
      guard let origin, let value = values[name] else { return nil }
      return SourcedValue(value: value, origin: origin)
    }
  }

  private struct Node {
    /// The first and the last name below; nil if they are missing.
    var limits: (first: [UInt8], last: [UInt8])?
    var kids: [UInt64]
    var hasNames: Bool
  }

  private let store: ObjectStore
  private let dictionary: SourcedValue?
  private let tree: Reference?
  /// The names of the dictionary, after they were read.
  private var dictionaryNames: [PackedName: Value]?
  private var dictionaryOrigin: ByteCursor?
  private var nodes: [UInt64: Node] = [:]
  private var leaves: [UInt64: Leaf] = [:]
  private var keptNames = 0
  private var keptBytes = 0
  /// All nodes with names, after a complete walk.
  private var allLeaves: [Reference]?

  private static let depthLimit = 64

  /// The destination names of a catalog.
  ///
  /// - Throws: ``StructureError`` when it cannot be read, `unsupported` for a name tree that is not an indirect object.
  init(_ store: ObjectStore, _ catalog: PartialDictionary) throws(StructureError) {
    self.store = store
    dictionary = catalog.sourcedValue(Key.dests)
    let names = try store.dictionary(catalog.sourcedValue(Key.names), picking: [Key.dests])
    switch names?[Key.dests] {
    case nil, .null: tree = nil
    case .reference(let reference): tree = reference
    default: throw StructureError(.unsupported, "a name tree inside another object")
    }
  }

  /// The value of a name; nil when there is none.
  ///
  /// - Complexity: O(log *n*) in a valid tree; O(*n*) the first time in a dictionary, and for the first name that is
  ///   not in the tree.
  /// - Throws: ``StructureError`` when a node cannot be read, or a limit is reached.
  func value(of name: [UInt8]) throws(StructureError) -> SourcedValue? {
    if let found = try dictionaryValue(of: name) { return found }
    guard let tree else { return nil }
    if let found = try descend(to: name, from: tree) { return found }
    if allLeaves == nil { allLeaves = try walk(tree) }
    for leaf in allLeaves ?? [] {
      if let found = try self.leaf(leaf)[name] { return found }
    }
    return nil
  }

  /// All names with their values: those of the dictionary in order, then those of the tree.
  ///
  /// - Complexity: O(*n* log *n*).
  /// - Throws: ``StructureError`` when a node cannot be read, or there are more names than can be kept.
  func all() throws(StructureError) -> [(name: [UInt8], value: SourcedValue)] {
    var all: [(name: [UInt8], value: SourcedValue)] = []
    var known: Set<[UInt8]> = []
    var bytes = 0
    func add(_ name: [UInt8], _ value: SourcedValue?) throws(StructureError) {
      guard let value, known.insert(name).inserted else { return }
      all.append((name, value))
      bytes += name.count
      try requireRoom(all.count, bytes)
    }
    try forEachDictionaryName { (name) throws(StructureError) in
      try add(name, try self.dictionaryValue(of: name))
    }
    guard let tree else { return all }
    let leaves = if let allLeaves { allLeaves } else { try walk(tree) }
    allLeaves = leaves
    for reference in leaves {
      let leaf = try leaf(reference)
      for name in leaf.values.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        try add(name, leaf[name])
      }
    }
    return all
  }

  // MARK: The dictionary

  private func forEachDictionaryName(
    _ body: ([UInt8]) throws(StructureError) -> Void
  ) throws(StructureError) {
    guard let dictionary else { return }
    let resolved = try store.resolve(dictionary)
    guard case .dictionary(let span) = resolved.value else { return }
    let cursor = resolved.inside(span)
    var parser = ObjectParser(cursor, nesting: store.limits.nesting)
    guard try parser.opensDictionary() else { return }
    while let (key, entry) = try parser.nextEntry() {
      guard key.count <= store.limits.targetBytes else { continue }
      let end = min(entry.end, entry.start + 3 * key.count + 1)
      guard let source = try cursor.bytes(from: entry.start, to: end) else { continue }
      try body(TextString.nameBytes(source.dropFirst().prefix { !ByteClass.isBoundary(Int($0)) }))
    }
  }

  private func dictionaryValue(of name: [UInt8]) throws(StructureError) -> SourcedValue? {
    if dictionaryNames == nil { try readDictionary() }
    var key = PackedName()
    for byte in name { key.append(byte) }
    guard let value = dictionaryNames?[key], let origin = dictionaryOrigin else { return nil }
    if case .null = value { return nil }
    return SourcedValue(value: value, origin: origin)
  }

  private func readDictionary() throws(StructureError) {
    var names: [PackedName: Value] = [:]
    defer { dictionaryNames = names }
    guard let dictionary else { return }
    let resolved = try store.resolve(dictionary)
    guard case .dictionary(let span) = resolved.value else { return }
    dictionaryOrigin = resolved.origin
    var parser = ObjectParser(resolved.inside(span), nesting: store.limits.nesting)
    guard try parser.opensDictionary() else { return }
    while let key = try parser.nextKey() {
      names[key] = try parser.entryValue()
      try requireRoom(names.count, 0)
    }
  }

  // MARK: The tree

  private func descend(
    to name: [UInt8],
    from root: Reference
  ) throws(StructureError) -> SourcedValue? {
    var current = root
    for _ in 0..<Self.depthLimit {
      guard let node = try node(current) else { return nil }
      if node.hasNames, let found = try leaf(current)[name] { return found }
      guard let kid = try kid(of: node, holding: name) else { return nil }
      current = kid
    }
    return nil
  }

  /// The first kid that does not end before the name.
  private func kid(of node: Node, holding name: [UInt8]) throws(StructureError) -> Reference? {
    var (low, high) = (0, node.kids.count)
    while low < high {
      let middle = (low + high) / 2
      guard node.kids[middle] != 0,
        let limits = try self.node(Reference(packed: node.kids[middle]))?.limits
      else { return nil }
      if limits.last.lexicographicallyPrecedes(name) { low = middle + 1 } else { high = middle }
    }
    return low < node.kids.count ? Reference(packed: node.kids[low]) : nil
  }

  /// All nodes that have names, in the order of the tree.
  private func walk(_ root: Reference) throws(StructureError) -> [Reference] {
    var found: [Reference] = []
    var seen: Set<UInt64> = [root.packed]
    var waiting = [root]
    while let next = waiting.popLast() {
      guard let node = try node(next) else { continue }
      if node.hasNames { found.append(next) }
      for kid in node.kids.reversed() where kid != 0 && seen.insert(kid).inserted {
        waiting.append(Reference(packed: kid))
      }
      guard seen.count <= store.limits.keptNames else {
        throw StructureError(.limit, "a name tree of more than \(store.limits.keptNames) nodes")
      }
    }
    return found
  }

  private func node(_ reference: Reference) throws(StructureError) -> Node? {
    if let known = nodes[reference.packed] { return known }
    let keys = [Key.kids, Key.names, Key.limits]
    guard let picked = try store.dictionary(reference, picking: keys) else { return nil }
    var node = Node(limits: nil, kids: [], hasNames: picked.has(Key.names))
    if case .list(let kids) = try store.references(picked.sourcedValue(Key.kids)) {
      // Poppler must find out their order and contents.
      guard !kids.contains(0) else {
        throw StructureError(.unsupported, "a node of a name tree inside another object")
      }
      node.kids = kids
    }
    var limits: [[UInt8]] = []
    try store.elements(picked.sourcedValue(Key.limits)) { (element) throws(StructureError) in
      guard limits.count < 2, let bytes = try self.string(element) else { return }
      limits.append(bytes)
    }
    if limits.count == 2 { node.limits = (limits[0], limits[1]) }
    makeRoom(1 + node.kids.count, limits.reduce(0) { $0 + $1.count })
    nodes[reference.packed] = node
    return node
  }

  private func leaf(_ reference: Reference) throws(StructureError) -> Leaf {
    if let known = leaves[reference.packed] { return known }
    var leaf = Leaf()
    let picked = try store.dictionary(reference, picking: [Key.names])
    var name: [UInt8]?
    var isName = true
    var bytes = 0
    try store.elements(picked?.sourcedValue(Key.names)) { (element) throws(StructureError) in
      defer { isName.toggle() }
      if isName {
        name = try self.string(element)
      } else if let name, leaf.values[name] == nil {
        leaf.origin = element.origin
        leaf.values[name] = element.value
        bytes += name.count
        try self.requireRoom(leaf.values.count, bytes)
      }
    }
    makeRoom(leaf.values.count, bytes)
    leaves[reference.packed] = leaf
    return leaf
  }

  /// A string as a name; nil for anything else, and if it is too long.
  private func string(_ value: SourcedValue) throws(StructureError) -> [UInt8]? {
    let limit = store.limits.targetBytes
    let bytes = try store.resolve(value).stringBytes(atMost: limit + 1)
    return bytes.flatMap { $0.count <= limit ? $0 : nil }
  }

  private func requireRoom(_ names: Int, _ bytes: Int) throws(StructureError) {
    guard names <= store.limits.keptNames, bytes <= store.limits.keptNameBytes else {
      throw StructureError(.limit, "more named destinations in one object than can be kept")
    }
  }

  private func makeRoom(_ names: Int, _ bytes: Int) {
    keptNames += names
    keptBytes += bytes
    guard keptNames > store.limits.keptNames || keptBytes > store.limits.keptNameBytes else {
      return
    }
    nodes = [:]
    leaves = [:]
    keptNames = names
    keptBytes = bytes
  }
}
