/// The nodes from the root of the page tree down to the current one.
struct TreePath {
  /// The nodes, outermost first.
  var frames: [TreeWalk.StackFrame]
  /// The object numbers of the nodes, to detect cycles.
  private var ancestors: Set<Int32>
  /// The number of kids kept in memory for the nodes.
  private var kidsHeld: Int

  /// A path along the given nodes.
  ///
  /// - Parameters:
  ///   - kidsHeld: The number of their kids, which counts toward ``ReaderLimits/kids``.
  init(_ frames: [TreeWalk.StackFrame], kidsHeld: Int = 0) {
    self.frames = frames
    self.kidsHeld = kidsHeld
    ancestors = Set(frames.map(\.reference.number))
  }

  /// Whether an object is one of the nodes.
  func contains(_ reference: Reference) -> Bool { ancestors.contains(reference.number) }

  /// - Throws: ``StructureError`` with `limit` if no further level is allowed.
  func checkDepth(_ limits: ReaderLimits) throws(StructureError) {
    guard frames.count < limits.depth else {
      throw StructureError(.limit, "a page tree deeper than \(limits.depth) levels")
    }
  }

  /// Appends a kid of the last node.
  ///
  /// - Throws: ``StructureError`` with `limit` if the nodes together have too many kids.
  mutating func enter(
    _ node: TreeNode,
    _ reference: Reference,
    serial: Int = 0,
    _ limits: ReaderLimits
  ) throws(StructureError) {
    guard let parent = frames.last else { return }
    ancestors.insert(reference.number)
    kidsHeld += node.kids.count
    guard kidsHeld <= limits.kids else {
      throw StructureError(.limit, "more than \(limits.kids) kids in nodes inside each other")
    }
    frames.append(
      TreeWalk.StackFrame(
        reference: reference,
        kids: node.kids,
        index: 0,
        inherited: parent.inherited.passing(node, reference),
        count: node.count,
        produced: 0,
        serial: serial
      )
    )
  }

  /// Removes the last node; nil when there is none.
  mutating func leave() -> TreeWalk.StackFrame? {
    guard let done = frames.popLast() else { return nil }
    ancestors.remove(done.reference.number)
    kidsHeld -= done.kids.count
    return done
  }
}
