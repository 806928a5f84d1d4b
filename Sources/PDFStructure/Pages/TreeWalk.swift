/// A page found in the tree.
struct FoundPage {
  var reference: Reference
  var node: TreeNode
  var inherited: InheritedAttributes

  var page: PageNode { inherited.page(node, reference) }
}

/// Walks the leaves of the page tree in order, like poppler's catalog.
///
/// - The walk ends at a kid that is not a reference, a /Kids that is not an array, or a page that
///   poppler would refuse: the rest is missing.
/// - A kid that is missing, of the wrong type or one of its own ancestors is skipped.
struct TreeWalk {
  /// A node that is being walked.
  struct StackFrame {
    var reference: Reference
    var kids: TreeNode.Kids
    /// The index of the next kid.
    var index: Int
    var inherited: InheritedAttributes
    /// The value of /Count, and the number of pages found so far.
    var count: Double?
    var produced: Int
    /// Identifies this visit of the node.
    var serial = 0
  }

  /// How a step ended.
  enum Step {
    case page(FoundPage)
    /// The tree has no more pages, or poppler's walk would end here.
    case end
  }

  private let store: ObjectStore
  private var path: TreePath
  private var visitsLeft: Int
  /// Whether the number of pages of a finished node differs from its /Count.
  private(set) var hasMiscounted = false
  private var serial = 0

  /// A walk that continues from the given frames, outermost first.
  ///
  /// - Parameters:
  ///   - frames: The nodes that are being walked, outermost first.
  ///   - visits: The most nodes that the walk may visit.
  init(_ store: ObjectStore, from frames: [StackFrame], visits: Int) {
    self.store = store
    path = TreePath(frames, kidsHeld: frames.reduce(0) { $0 + $1.kids.count })
    visitsLeft = visits
  }

  /// The nodes that are being walked, outermost first.
  var frames: [StackFrame] { path.frames }

  /// The next page.
  ///
  /// - Throws: ``StructureError`` with `limit` when the tree is deeper or has more nodes than allowed.
  mutating func next() throws(StructureError) -> Step {
    while let top = path.frames.indices.last {
      guard case .list(let kids) = path.frames[top].kids else { return .end }
      guard path.frames[top].index < kids.count else {
        leave()
        continue
      }
      let packed = kids[path.frames[top].index]
      path.frames[top].index += 1
      guard packed != 0 else { return .end }
      visitsLeft -= 1
      guard visitsLeft >= 0 else {
        throw StructureError(.limit, "a page tree of more nodes than it can have")
      }
      let reference = Reference(packed: packed)
      guard !path.contains(reference) else { continue }
      guard let node = try store.node(reference) else { continue }
      if node.isLeaf {
        guard node.isAcceptable else { return .end }
        path.frames[top].produced += 1
        return .page(
          FoundPage(reference: reference, node: node, inherited: path.frames[top].inherited)
        )
      }
      try path.checkDepth(store.limits)
      serial += 1
      try path.enter(node, reference, serial: serial, store.limits)
    }
    return .end
  }

  private mutating func leave() {
    guard let done = path.leave() else { return }
    if done.count != Double(done.produced) { hasMiscounted = true }
    if let parent = path.frames.indices.last { path.frames[parent].produced += done.produced }
  }
}
