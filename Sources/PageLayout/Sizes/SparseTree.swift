/// A sum over the elements of a ``SparseTree``.
protocol SparseTotal: Sendable {
  /// The sum over nothing.
  static var zero: Self { get }
  /// The number of elements summed up.
  var count: Int { get }
  /// Adds the sum over the following elements.
  mutating func add(_ other: Self)
}

/// A value that can be summed up.
protocol SparseElement: Sendable {
  associatedtype Total: SparseTotal
  /// The sum over this element alone.
  var total: Total { get }
}

/// A sparse array over the keys 0, 1, 2, … with sums over any prefix.
///
/// A radix tree with 64 children per node, packed with a bit mask: memory grows only with the
/// elements, and absent keys cost nothing. Its shape and the order of additions depend only on the
/// keys, so the same elements give the same floating-point sums in any order of arrival. Nodes are
/// values: a copy of the tree is free, and a change after a copy copies one path.
struct SparseTree<Element: SparseElement>: Sendable {
  typealias Total = Element.Total

  /// Sixty-four consecutive keys in a leaf, sixty-four children above.
  struct Node: Sendable {
    /// Which of the 64 places are taken.
    var mask: UInt64 = 0
    /// The children of an inner node, packed; empty in a leaf.
    var children: [Node] = []
    /// The elements of a leaf, packed; empty above.
    var elements: [Element] = []
    /// The sum over everything below.
    var total = Total.zero

    /// The index of the child for `digit`, whether or not it exists.
    func slot(_ digit: Int) -> Int { (mask & ((1 << UInt64(digit)) &- 1)).nonzeroBitCount }
    /// The sum over the child in a slot. Reads through a pointer: loading the child would retain
    /// its arrays, which costs more than the sum.
    @inline(__always)
    func total(of slot: Int, level: Int) -> Total {
      level == 0
        ? elements.withUnsafeBufferPointer { $0[slot].total }
        : children.withUnsafeBufferPointer { $0[slot].total }
    }

    /// The sum over the children in the slots below `end`.
    @inline(__always)
    func total(below end: Int, level: Int) -> Total {
      var sum = Total.zero
      if level == 0 {
        elements.withUnsafeBufferPointer { for slot in 0..<end { sum.add($0[slot].total) } }
      } else {
        children.withUnsafeBufferPointer { for slot in 0..<end { sum.add($0[slot].total) } }
      }
      return sum
    }

    /// Whether there is a child for `digit`.
    func has(_ digit: Int) -> Bool { mask & (1 << UInt64(digit)) != 0 }
  }

  var root = Node()
  /// The number of levels above the leaves.
  private(set) var height = 0

  /// The sum over all elements.
  var total: Total { root.total }
  /// The number of elements.
  var count: Int { root.total.count }

  /// The element at `key`, if there is one. O(log *n*).
  subscript(key: Int) -> Element? {
    guard key >= 0, key >> (6 * height) < 64 else { return nil }
    return withUnsafePointer(to: root) { Self.element(at: key, in: $0, height: height) }
  }

  private static func element(
    at key: Int,
    in node: UnsafePointer<Node>,
    height: Int
  ) -> Element? {
    let digit = (key >> (6 * height)) & 63
    guard node.pointee.has(digit) else { return nil }
    let slot = node.pointee.slot(digit)
    if height == 0 { return node.pointee.elements[slot] }
    return node.pointee.children.withUnsafeBufferPointer { children in
      children.baseAddress.flatMap { element(at: key, in: $0 + slot, height: height - 1) }
    }
  }

  /// The sum over the elements whose key is smaller than `key`. O(log *n*).
  ///
  /// Added up in the same order as the nodes' sums: after the last element, it equals `total`
  /// exactly.
  func total(before key: Int) -> Total {
    guard key > 0 else { return .zero }
    guard key >> (6 * height) < 64 else { return root.total }
    return withUnsafePointer(to: root) { Self.total(before: key, of: $0, height: height) }
  }

  /// By pointer: a copy of a node retains its arrays, which costs more than the sums.
  private static func total(
    before key: Int,
    of node: UnsafePointer<Node>,
    height: Int
  ) -> Total {
    let digit = (key >> (6 * height)) & 63
    let slot = node.pointee.slot(digit)
    var sum = node.pointee.total(below: slot, level: height)
    if height > 0, node.pointee.has(digit) {
      node.pointee.children.withUnsafeBufferPointer { children in
        guard let first = children.baseAddress else { return }
        sum.add(total(before: key, of: first + slot, height: height - 1))
      }
    }
    return sum
  }

  /// The sums over the elements before both bounds, each equal to ``total(before:)``. For nearby
  /// bounds most of the path is shared. O(log *n*).
  func totals(before keys: Range<Int>) -> (lower: Total, upper: Total) {
    guard keys.lowerBound > 0, keys.upperBound >> (6 * height) < 64 else {
      return (total(before: keys.lowerBound), total(before: keys.upperBound))
    }
    return withUnsafePointer(to: root) { Self.totals(before: keys, of: $0, height: height) }
  }

  private static func totals(
    before keys: Range<Int>,
    of node: UnsafePointer<Node>,
    height: Int
  ) -> (lower: Total, upper: Total) {
    if height == 0 {
      let lower = node.pointee.slot(keys.lowerBound & 63)
      let upper = node.pointee.slot(keys.upperBound & 63)
      let sum = node.pointee.total(below: lower, level: 0)
      var through = sum
      for slot in lower..<upper { through.add(node.pointee.total(of: slot, level: 0)) }
      return (sum, through)
    }
    guard keys.lowerBound >> (6 * height) == keys.upperBound >> (6 * height) else {
      return (
        total(before: keys.lowerBound, of: node, height: height),
        total(before: keys.upperBound, of: node, height: height)
      )
    }
    let digit = (keys.lowerBound >> (6 * height)) & 63
    let slot = node.pointee.slot(digit)
    var lower = node.pointee.total(below: slot, level: height)
    var upper = lower
    if node.pointee.has(digit) {
      node.pointee.children.withUnsafeBufferPointer { children in
        guard let first = children.baseAddress else { return }
        let below = totals(before: keys, of: first + slot, height: height - 1)
        lower.add(below.lower)
        upper.add(below.upper)
      }
    }
    return (lower, upper)
  }

  /// Sets one element; returns the previous one. O(log *n*).
  @discardableResult
  mutating func set(_ key: Int, to element: Element) -> Element? {
    grow(for: key)
    return Self.set(key, to: element, in: &root, height: height)
  }

  mutating func grow(for key: Int) {
    while key >> (6 * height) >= 64 {
      if root.mask != 0 {
        let total = root.total
        root = Node(mask: 1, children: [root], elements: [], total: total)
      }
      height += 1
    }
  }

  private static func set(
    _ key: Int,
    to element: Element,
    in node: inout Node,
    height: Int
  ) -> Element? {
    let digit = (key >> (6 * height)) & 63
    let slot = node.slot(digit)
    var old: Element?
    if height == 0 {
      if node.has(digit) {
        old = node.elements[slot]
        node.elements[slot] = element
      } else {
        node.elements.insert(element, at: slot)
        node.mask |= 1 << UInt64(digit)
      }
    } else {
      if !node.has(digit) {
        node.children.insert(Node(), at: slot)
        node.mask |= 1 << UInt64(digit)
      }
      old = set(key, to: element, in: &node.children[slot], height: height - 1)
    }
    sum(&node, height: height)
    return old
  }

  static func sum(_ node: inout Node, height: Int) {
    let count = height == 0 ? node.elements.count : node.children.count
    node.total = node.total(below: count, level: height)
  }

  /// Sets many elements; keys ascend and are unique. Each node on the path is summed up once.
  ///
  /// - Parameters:
  ///   - note: Called in order with the index of each entry, and the previous element.
  mutating func set(
    _ entries: [(key: Int, element: Element)],
    _ note: (Int, Element?) -> Void = { _, _ in }
  ) {
    guard let last = entries.last else { return }
    grow(for: last.key)
    Self.set(entries[...], in: &root, height: height, note)
  }

  private static func set(
    _ entries: ArraySlice<(key: Int, element: Element)>,
    in node: inout Node,
    height: Int,
    _ note: (Int, Element?) -> Void
  ) {
    var index = entries.startIndex
    // One allocation instead of one per doubling; a node has at most 64.
    if height == 0, node.elements.isEmpty { node.elements.reserveCapacity(entries.count) }
    while index < entries.endIndex {
      let digit = (entries[index].key >> (6 * height)) & 63
      let slot = node.slot(digit)
      if height == 0 {
        if node.has(digit) {
          note(index, node.elements[slot])
          node.elements[slot] = entries[index].element
        } else {
          note(index, nil)
          node.elements.insert(entries[index].element, at: slot)
          node.mask |= 1 << UInt64(digit)
        }
        index += 1
        continue
      }
      if !node.has(digit) {
        node.children.insert(Node(), at: slot)
        node.mask |= 1 << UInt64(digit)
      }
      let end = ((entries[index].key >> (6 * height)) + 1) << (6 * height)
      var next = index + 1
      while next < entries.endIndex, entries[next].key < end { next += 1 }
      set(entries[index..<next], in: &node.children[slot], height: height - 1, note)
      index = next
    }
    sum(&node, height: height)
  }

  /// Removes every element whose key is in `keys`. O(log *n* + the number removed).
  mutating func removeAll(in keys: Range<Int>) {
    guard !keys.isEmpty, root.mask != 0 else { return }
    Self.removeAll(in: keys, from: &root, base: 0, height: height)
  }

  private static func removeAll(
    in keys: Range<Int>,
    from node: inout Node,
    base: Int,
    height: Int
  ) {
    let span = 1 << (6 * height)
    var removed = false
    for digit in (0..<64).reversed() where node.has(digit) {
      let child = (base + digit * span)..<(base + (digit + 1) * span)
      guard child.overlaps(keys) else { continue }
      let slot = node.slot(digit)
      removed = true
      if height == 0 {
        node.elements.remove(at: slot)
      } else {
        if !(keys.lowerBound <= child.lowerBound && child.upperBound <= keys.upperBound) {
          removeAll(
            in: keys,
            from: &node.children[slot],
            base: child.lowerBound,
            height: height - 1
          )
          guard node.children[slot].mask == 0 else { continue }
        }
        node.children.remove(at: slot)
      }
      node.mask &= ~(1 << UInt64(digit))
    }
    if removed { sum(&node, height: height) }
  }
}

extension SparseTree {
  /// Calls `body` for the elements with keys in `keys`, in order, skipping every subtree whose sum
  /// does not satisfy `predicate`.
  ///
  /// - Parameters:
  ///   - predicate: Whether a subtree with this sum can contain a matching element.
  ///   - body: Called with the key and the element.
  func forEach(
    in keys: Range<Int>,
    where predicate: (Total) -> Bool = { _ in true },
    _ body: (Int, Element) -> Void
  ) {
    guard !keys.isEmpty else { return }
    Self.forEach(in: keys, where: predicate, of: root, base: 0, height: height, body)
  }

  private static func forEach(
    in keys: Range<Int>,
    where predicate: (Total) -> Bool,
    of node: Node,
    base: Int,
    height: Int,
    _ body: (Int, Element) -> Void
  ) {
    guard predicate(node.total) else { return }
    forEachSlot(of: node, in: keys, base: base, span: 1 << (6 * height)) { slot, start in
      if height == 0 {
        if predicate(node.elements[slot].total) { body(start, node.elements[slot]) }
      } else {
        forEach(
          in: keys,
          where: predicate,
          of: node.children[slot],
          base: start,
          height: height - 1,
          body
        )
      }
    }
  }

  /// Calls `body` with each slot of a node that may have keys in `keys`, and the first possible key in it.
  ///
  /// - Parameters:
  ///   - base: The first possible key in the node.
  ///   - span: The number of possible keys in a slot.
  @inline(__always)
  private static func forEachSlot(
    of node: Node,
    in keys: Range<Int>,
    base: Int,
    span: Int,
    _ body: (_ slot: Int, _ start: Int) -> Void
  ) {
    var rest = node.mask
    var slot = 0
    while rest != 0 {
      let start = base + rest.trailingZeroBitCount * span
      rest &= rest &- 1
      defer { slot += 1 }
      guard start < keys.upperBound else { return }
      if start + span > keys.lowerBound { body(slot, start) }
    }
  }

  /// Calls `body` for the ranges of `keys` without an element, in order. O(log *n* + the number of
  /// ranges).
  func forEachMissing(in keys: Range<Int>, _ body: (Range<Int>) -> Void) {
    guard !keys.isEmpty else { return }
    var cursor = keys.lowerBound
    Self.present(in: keys, of: root, base: 0, height: height) { range in
      if range.lowerBound > cursor { body(cursor..<range.lowerBound) }
      cursor = max(cursor, range.upperBound)
    }
    if cursor < keys.upperBound { body(cursor..<keys.upperBound) }
  }

  /// Calls `body` for ranges of keys that all have an element, in order and clipped to `keys`.
  private static func present(
    in keys: Range<Int>,
    of node: Node,
    base: Int,
    height: Int,
    _ body: (Range<Int>) -> Void
  ) {
    let span = 1 << (6 * height)
    if node.total.count == span << 6 {
      body((base..<(base + span << 6)).clamped(to: keys))
      return
    }
    forEachSlot(of: node, in: keys, base: base, span: span) { slot, start in
      if height == 0 {
        body(start..<(start + 1))
      } else {
        present(in: keys, of: node.children[slot], base: start, height: height - 1, body)
      }
    }
  }
}

extension SparseTree {
  /// The last place at which `holds` is true, as far as the tree's elements decide.
  ///
  /// `holds(key, sum)` is called with ascending keys and the sum over the elements before that key;
  /// it must be true up to some key and false from there on. The result is the sum over the
  /// elements before the place, and the range of keys around it without elements, for which the
  /// caller computes the rest. O(log *n*), with at most 16 calls per level.
  ///
  /// Inlined: what `holds` captures, such as all spreads, would be copied for each call.
  @inline(__always)
  func lastPlace(where holds: (Int, Total) -> Bool) -> (sum: Total, keys: Range<Int>) {
    var sum = Total.zero
    var node = root
    var base = 0
    var level = height
    var lower = 0
    var upper = Int.max
    while true {
      let span = 1 << (6 * level)
      let count = level == 0 ? node.elements.count : node.children.count
      var rest = node.mask
      var slot = 0
      var descended = false
      // Calls cost more than additions: eight children at a time, then one by one.
      var stride = 8
      while slot < count {
        if stride > 1, slot + stride <= count {
          var behind = sum
          var skipped = rest
          var end = 0
          for index in slot..<slot + stride {
            behind.add(node.total(of: index, level: level))
            end = base + (skipped.trailingZeroBitCount + 1) * span
            skipped &= skipped &- 1
          }
          if holds(end, behind) {
            sum = behind
            rest = skipped
            lower = end
            slot += stride
            continue
          }
        }
        stride = 1
        let start = base + rest.trailingZeroBitCount * span
        rest &= rest &- 1
        var behind = sum
        behind.add(node.total(of: slot, level: level))
        if holds(start + span, behind) {
          sum = behind
          lower = start + span
          slot += 1
          continue
        }
        guard holds(start, sum) else {
          upper = start
          break
        }
        // The place is inside this child.
        upper = start + span
        lower = start
        if level > 0 {
          base = start
          node = node.children[slot]
          descended = true
        }
        break
      }
      if !descended { return (sum, lower..<upper) }
      level -= 1
    }
  }
}
