internal import RectoGeometry

/// Finds page k by the counts in the tree, without a look at the pages before it.
///
/// A node whose /Count equals its number of kids is taken to hold pages only, so that a million
/// kids need not be looked at; in any other node the kids' counts are added up, and have to give
/// the node's own. What is found at the end has to be a page.
final class TreeDescent {
  let store: ObjectStore
  let root: TreeWalk.StackFrame
  /// Nodes met on the way, and for those that were added up, how many pages lie before each kid.
  private var nodes: [Int32: TreeNode] = [:]
  private var sums: [Int32: [Int]] = [:]
  private var kept = 0
  /// For nodes on the way from pages: where their kids stand, and how many pages lie before them.
  var positions: [Int32: ReferencePositions] = [:]
  var starts: [Int32: Int] = [:]

  /// A descent from the root node's frame.
  init(_ store: ObjectStore, root: TreeWalk.StackFrame) {
    self.store = store
    self.root = root
  }

  /// The frames around page `index`, outermost first, each one step behind the way to the page;
  /// and the page. Nil when something on the way is not as it should be, so that only a complete
  /// walk can tell.
  ///
  /// - Throws: ``StructureError`` when a node cannot be read, or a limit is reached.
  func find(
    _ index: PageIndex
  ) throws(StructureError) -> (page: FoundPage, frames: [TreeWalk.StackFrame])? {
    var path = TreePath([root])
    // The pages in front of it inside the node at hand.
    var remaining = index.value
    while let top = path.frames.indices.last {
      guard case .list(let kids) = path.frames[top].kids,
        let found = try kid(of: remaining, in: path.frames[top], kids, path)
      else { return nil }
      path.frames[top].index = found.kid + 1
      path.frames[top].produced = remaining - found.offset
      let reference = Reference(packed: kids[found.kid])
      guard reference.number > 0, !path.contains(reference),
        let node = try node(reference)
      else { return nil }
      if node.isLeaf {
        guard found.offset == 0, node.isAcceptable else { return nil }
        path.frames[top].produced += 1
        let page = FoundPage(
          reference: reference,
          node: node,
          inherited: path.frames[top].inherited
        )
        return (page, path.frames)
      }
      try path.checkDepth(store.limits)
      guard let count = node.count, Double(found.offset) < count else { return nil }
      try path.enter(node, reference, store.limits)
      remaining = found.offset
    }
    return nil
  }

  /// The kid that holds the page, and the page's index inside it.
  private func kid(
    of index: Int,
    in frame: TreeWalk.StackFrame,
    _ kids: [UInt64],
    _ path: TreePath
  ) throws(StructureError) -> (kid: Int, offset: Int)? {
    if frame.count == Double(kids.count), index < kids.count, kids[index] != 0,
      let kid = try node(Reference(packed: kids[index])), kid.isLeaf || kid.count == 1
    {
      return (index, 0)
    }
    guard
      let sums = try sums(
        of: frame.reference,
        counting: frame.count,
        kids,
        isAncestor: { path.contains($0) }
      ), index < sums.last ?? 0
    else {
      return nil
    }
    // The last kid with no more than `index` pages before it; empty ones share their sum with
    // their successor and are passed over.
    let kid = sums.partitioningIndex { $0 > index } - 1
    return (kid, index - sums[kid])
  }

  /// How many pages lie before each kid, and at last how many there are.
  ///
  /// - Parameters:
  ///   - isAncestor: Whether a node is one of those that it is in.
  /// - Returns: The sums; nil when they are not what the node says.
  /// - Throws: ``StructureError`` when a kid cannot be read, or a limit is reached.
  func sums(
    of node: Reference,
    counting count: Double?,
    _ kids: [UInt64],
    isAncestor: (Reference) -> Bool
  ) throws(StructureError) -> [Int]? {
    if let known = sums[node.number] { return known }
    // Counting so many costs no less than walking.
    guard kids.count <= store.limits.extraVisits else { return nil }
    var sums = [0]
    var total = 0
    for packed in kids {
      let reference = Reference(packed: packed)
      guard reference.number > 0, !isAncestor(reference),
        let pages = try store.pagesBelow(reference)
      else { return nil }
      total += pages
      sums.append(total)
    }
    guard Double(total) == count else { return nil }
    makeRoom(for: sums.count)
    self.sums[node.number] = sums
    return sums
  }

  /// A node, kept if it is none of the leaves.
  ///
  /// - Throws: ``StructureError`` when the node cannot be read, or a limit is reached.
  func node(_ reference: Reference) throws(StructureError) -> TreeNode? {
    if let known = nodes[reference.number] { return known }
    guard let node = try store.node(reference) else { return nil }
    if !node.isLeaf, case .list(let kids) = node.kids {
      makeRoom(for: kids.count)
      nodes[reference.number] = node
    }
    return node
  }

  private func makeRoom(for kids: Int) {
    kept += kids + 16
    guard kept > store.limits.kids else { return }
    nodes = [:]
    sums = [:]
    positions = [:]
    starts = [:]
    kept = kids + 16
  }
}

extension ObjectStore {
  /// How many pages a kid claims to hold: 1 for a page; nil when it is neither page nor node or
  /// its count is no number a tree can have.
  ///
  /// - Throws: ``StructureError`` when the object cannot be read, or a limit is reached.
  func pagesBelow(_ reference: Reference) throws(StructureError) -> Int? {
    guard let cursor = try open(reference) else { return nil }
    var parser = ObjectParser(cursor, nesting: limits.nesting)
    guard try parser.opensDictionary() else { return nil }
    var hasKids = false
    var stated: Value?
    while let key = try parser.nextKey() {
      hasKids = hasKids || key == Key.kids
      // A count in front of the kids is enough: a thousand siblings need not be read to their end.
      if hasKids && stated != nil { break }
      let value = try parser.entryValue()
      if key == Key.count { stated = value }
      if key == Key.type, case .name(Key.page) = value { return 1 }
    }
    guard hasKids else { return 1 }
    guard let count = try number(stated.map { SourcedValue(value: $0, origin: cursor) }),
      count >= 0,
      count < Double(Int32.max), count == count.rounded(.towardZero)
    else { return nil }
    return Int(count)
  }
}
