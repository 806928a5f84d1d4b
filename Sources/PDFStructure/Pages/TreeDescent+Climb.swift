internal import RectoGeometry

extension TreeDescent {
  /// The index of a page, by the counts of its ancestors; nil if it is not a page, or something on the path is
  /// irregular. The result must be verified from the root.
  ///
  /// - Complexity: O(levels) if the ancestors are known.
  /// - Throws: ``StructureError`` when a node cannot be read, or a limit is reached.
  func index(of page: Reference) throws(StructureError) -> PageIndex? {
    var way = [page]
    var seen: Set<Int32> = [page.number]
    var start = 0
    while let last = way.last, last != root.reference {
      if let known = starts[last.number] {
        start = known
        break
      }
      guard way.count <= store.limits.depth, let parent = try parent(of: last),
        seen.insert(parent.number).inserted
      else { return nil }
      way.append(parent)
    }
    for level in way.indices.dropLast().reversed() {
      guard let before = try pages(before: way[level], in: way[level + 1]) else { return nil }
      start += before
      guard level > 0 else { continue }
      if starts.count > store.limits.extraVisits { starts = [:] }
      starts[way[level].number] = start
    }
    return PageIndex(start)
  }

  private func parent(of node: Reference) throws(StructureError) -> Reference? {
    guard let picked = try store.dictionary(node, picking: [Key.parent]),
      case .reference(let parent) = picked[Key.parent]
    else { return nil }
    return parent
  }

  /// The number of pages before a kid in its node; nil if it is not among the kids.
  private func pages(before kid: Reference, in parent: Reference) throws(StructureError) -> Int? {
    guard let node = try node(parent), case .list(let kids) = node.kids, !node.isLeaf,
      let place = positions[parent.number, default: ReferencePositions()]
        .position(of: kid.packed, in: kids)
    else { return nil }
    if node.count == Double(kids.count) { return place }
    let sums = try sums(
      of: parent,
      counting: node.count,
      kids,
      isAncestor: { $0 == parent }
    )
    return sums.flatMap { place < $0.count ? $0[place] : nil }
  }
}
