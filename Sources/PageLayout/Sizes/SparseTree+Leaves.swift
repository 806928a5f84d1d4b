extension SparseTree {
  /// The elements of 64 consecutive keys, readable without a tree traversal for each.
  struct Leaf: Sendable {
    /// The first of the 64 keys.
    var base: Int
    /// Which of the keys have an element.
    var mask: UInt64
    /// The elements, packed.
    var elements: [Element]

    /// The first element at or after `key` that satisfies `predicate`.
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

  /// The first leaf with keys at or after `key` whose sum satisfies `predicate`, as every node above it must. O(log
  /// *n*).
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
      // Children before the one with the key are skipped.
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

extension SparseTree {
  /// Reads elements in ascending order, leaf by leaf, without a tree traversal for neighbors.
  struct Reader {
    private let tree: SparseTree
    private var leaf: Leaf?
    /// The last result, and the key from which it is valid.
    private var from: Int?
    private var found: (key: Int, element: Element)?

    init(_ tree: SparseTree) { self.tree = tree }

    /// The first element at or after `key` that satisfies `predicate`.
    ///
    /// Keys ascend from call to call, or start again. O(log *n*), and less for neighbors.
    ///
    /// - Parameters:
    ///   - predicate: Whether an element matches.
    ///   - sum: Whether the elements of a sum may include such an element.
    /// - Returns: The element with its key; nil when there is none.
    @inline(__always)
    mutating func next(
      from key: Int,
      where predicate: (Element) -> Bool,
      among sum: (Total) -> Bool
    ) -> (key: Int, element: Element)? {
      if let from, from <= key, found.map({ key <= $0.key }) ?? true { return found }
      from = key
      found = nil
      var start = key
      while true {
        if leaf.map({ start < $0.base || start >= $0.base + 64 }) ?? true {
          leaf = tree.firstLeaf(from: start, where: sum)
        }
        guard let leaf else { return nil }
        found = leaf.first(from: start, where: predicate)
        if found != nil { return found }
        start = max(start, leaf.base) + 64
        start -= start % 64
      }
    }
  }

  /// Replaces all elements with a key in `keys` by others, whose keys ascend and are in `keys`. Each node on the path
  /// is summed up once.
  mutating func replace(in keys: Range<Int>, by entries: [(key: Int, element: Element)]) {
    guard !keys.isEmpty else { return }
    if let last = entries.last { grow(for: last.key) }
    guard root.mask != 0 || !entries.isEmpty else { return }
    Self.replace(in: keys, by: entries[...], of: &root, base: 0, height: height)
  }

  private static func replace(
    in keys: Range<Int>,
    by entries: ArraySlice<(key: Int, element: Element)>,
    of node: inout Node,
    base: Int,
    height: Int
  ) {
    let shift = 6 * height
    let first = max(0, keys.lowerBound - base) >> shift
    let last = min(63, (keys.upperBound - 1 - base) >> shift)
    if height == 0 {
      let range = UInt64.max << UInt64(first) & UInt64.max >> UInt64(63 - last)
      let slots = node.slot(first)..<node.slot(first) + (node.mask & range).nonzeroBitCount
      node.elements.replaceSubrange(slots, with: entries.lazy.map { $0.element })
      node.mask &= ~range
      for entry in entries { node.mask |= 1 << UInt64(entry.key - base) }
    } else {
      var index = entries.startIndex
      for digit in first...last {
        let start = base + digit << shift
        let end = start + 1 << shift
        var next = index
        while next < entries.endIndex, entries[next].key < end { next += 1 }
        defer { index = next }
        let slot = node.slot(digit)
        if !node.has(digit) {
          if index == next { continue }
          node.children.insert(Node(), at: slot)
          node.mask |= 1 << UInt64(digit)
        }
        replace(
          in: keys,
          by: entries[index..<next],
          of: &node.children[slot],
          base: start,
          height: height - 1
        )
        if node.children[slot].mask == 0 {
          node.children.remove(at: slot)
          node.mask &= ~(1 << UInt64(digit))
        }
      }
    }
    sum(&node, height: height)
  }
}
