/// Distinguishes nodes of the page tree from dictionaries that only look like them.
///
/// An object is a node when its /Parent lists it among its /Kids, and so on up to the root. /Type
/// does not matter: a graphics state may have /Type /Page.
struct PageTreeMembers {
  private let store: ObjectStore
  private let root: Reference
  /// The kids of the nodes seen so far, by the node's number.
  private var kids: [Int32: Set<UInt64>] = [:]
  private var kidsHeld = 0

  /// The most levels above an object to check; deeper nodes count as something else.
  private static let depthLimit = 64
  /// The most kids kept in memory, some thirty bytes each.
  private static let kidsLimit = 1 << 18

  /// The members of the tree below a root.
  init(_ store: ObjectStore, root: Reference) {
    self.store = store
    self.root = root
  }

  /// Whether an object is a node of the tree, the root included.
  ///
  /// - Throws: ``StructureError`` when a node cannot be read, or a limit is reached.
  /// - Complexity: O(levels), and O(kids) the first time that an ancestor is seen.
  mutating func contains(_ reference: Reference) throws(StructureError) -> Bool {
    var current = reference
    for _ in 0..<Self.depthLimit {
      if current == root { return true }
      guard let picked = try store.dictionary(current, picking: [Key.parent]),
        case .reference(let parent) = picked[Key.parent],
        try kids(of: parent).contains(current.packed)
      else { return false }
      current = parent
    }
    return false
  }

  private mutating func kids(of node: Reference) throws(StructureError) -> Set<UInt64> {
    if let known = kids[node.number] { return known }
    let picked = try store.dictionary(node, picking: [Key.kids])
    var found: Set<UInt64> = []
    if case .list(let list) = try store.references(picked?.sourcedValue(Key.kids)) {
      kidsHeld += list.count
      guard kidsHeld <= Self.kidsLimit else {
        throw StructureError(.limit, "more than \(Self.kidsLimit) kids in nodes around a subset")
      }
      found = Set(list)
    }
    kids[node.number] = found
    return found
  }
}
