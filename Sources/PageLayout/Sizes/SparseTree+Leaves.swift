extension SparseTree {
  /// The elements of 64 consecutive keys, to be read without going through the tree for each.
  struct Leaf: Sendable {
    /// The first of the 64 keys.
    var base: Int
    /// Which of the keys have an element.
    var mask: UInt64
    /// The elements, packed.
    var elements: [Element]

    /// The first element at or behind `key` that satisfies `predicate`.
    func first(from key: Int, where predicate: (Element) -> Bool) -> (key: Int, element: Element)? {
      var rest = mask
      if key >= base + 64 { return nil }
      if key > base { rest &= ~((1 << UInt64(key - base)) &- 1) }
      var slot = (mask & ~rest).nonzeroBitCount
      while rest != 0 {
        if predicate(elements[slot]) { return (base + rest.trailingZeroBitCount, elements[slot]) }
        rest &= rest &- 1
        slot += 1
      }
      return nil
    }
  }

  /// The first leaf with keys at or behind `key` whose sum satisfies `predicate`, as every node above
  /// it must. O(log *n*).
  func firstLeaf(from key: Int, where predicate: (Total) -> Bool) -> Leaf? {
    guard key >> (6 * height) < 64 else { return nil }
    return withUnsafePointer(to: root) {
      Self.firstLeaf(from: key, where: predicate, in: $0, base: 0, height: height)
    }
  }

  /// By pointer: a copy of a node retains its arrays.
  private static func firstLeaf(
    from key: Int,
    where predicate: (Total) -> Bool,
    in node: UnsafePointer<Node>,
    base: Int,
    height: Int
  ) -> Leaf? {
    guard predicate(node.pointee.total) else { return nil }
    if height == 0 {
      return Leaf(base: base, mask: node.pointee.mask, elements: node.pointee.elements)
    }
    return node.pointee.children.withUnsafeBufferPointer { children in
      guard let first = children.baseAddress else { return nil }
      // Children in front of the one that holds the key are passed over.
      let digit = key > base ? (key - base) >> (6 * height) : 0
      guard digit < 64 else { return nil }
      var rest = node.pointee.mask & ~((1 << UInt64(digit)) &- 1)
      var slot = node.pointee.slot(digit)
      while rest != 0 {
        let start = base + rest.trailingZeroBitCount << (6 * height)
        let found = firstLeaf(
          from: key,
          where: predicate,
          in: first + slot,
          base: start,
          height: height - 1
        )
        if let found { return found }
        rest &= rest &- 1
        slot += 1
      }
      return nil
    }
  }
}
