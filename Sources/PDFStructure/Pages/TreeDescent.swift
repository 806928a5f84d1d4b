internal import RectoGeometry

/// Finds page k by the counts in the tree, without reading the pages before it.
///
/// A node whose /Count equals its number of kids is assumed to have only pages, so that a million
/// kids need not be read; in any other node the counts of the kids must add up to the node's count.
/// The object that is found must be a page.
final class TreeDescent {
  let store: ObjectStore
  let root: TreeWalk.StackFrame
  /// Nodes on earlier paths; for those whose counts were added up, the number of pages before each
  /// kid.
  private var nodes: [Int32: TreeNode] = [:]
  private var sums: [Int32: [Int]] = [:]
  private var kept = 0
  /// For ancestors of pages: the positions of their kids, and the number of pages before them.
  var positions: [Int32: ReferencePositions] = [:]
  var starts: [Int32: Int] = [:]

  /// A descent from the root node's frame.
  init(_ store: ObjectStore, root: TreeWalk.StackFrame) {
    self.store = store
    self.root = root
  }

  /// The page at `index`, and the frames around it, outermost first, each moved past the path to
  /// the page. Nil if something on the path is irregular, so that a complete walk is needed.
  ///
  /// - Throws: ``StructureError`` when a node cannot be read, or a limit is reached.
  func find(
    _ index: PageIndex
  ) throws(StructureError) -> (page: FoundPage, frames: [TreeWalk.StackFrame])? {
    var path = TreePath([root])
    // The pages before it in the current node.
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

  /// The kid that contains the page, and the page's index in it.
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
    // The last kid with at most `index` pages before it; empty kids have the same sum as their
    // successor and are skipped.
    let kid = sums.partitioningIndex { $0 > index } - 1
    return (kid, index - sums[kid])
  }

  /// The number of pages before each kid, then the total.
  ///
  /// - Parameters:
  ///   - isAncestor: Whether a node is one of its ancestors.
  /// - Returns: The sums; nil if they do not match the node's count.
  /// - Throws: ``StructureError`` when a kid cannot be read, or a limit is reached.
  func sums(
    of node: Reference,
    counting count: Double?,
    _ kids: [UInt64],
    isAncestor: (Reference) -> Bool
  ) throws(StructureError) -> [Int]? {
    if let known = sums[node.number] { return known }
    // Counting that many costs as much as walking.
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

  /// A node; cached if it is not a leaf.
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
  /// The number of pages that a kid claims to have: 1 for a page; nil if it is neither a page nor a
  /// node, or its count is invalid.
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
      // A count before the kids is enough, so that a thousand siblings need not be read.
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
