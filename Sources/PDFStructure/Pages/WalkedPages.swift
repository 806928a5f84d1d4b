internal import RectoGeometry

/// The pages in order after a complete walk.
struct WalkedPages {
  private(set) var references: [UInt64] = []
  /// For each page, its index in `inherited`.
  private var states: [Int32] = []
  private var inherited: [InheritedAttributes] = []
  private var known: [InheritedAttributes: Int32] = [:]
  private var state: Int32 = 0
  private var lastVisit = -1

  var count: Int { references.count }

  /// Adds the next page, which was found during the given visit of its parent.
  ///
  /// - Parameters:
  ///   - limit: The most sets of attributes.
  /// - Throws: ``StructureError`` with `limit` for more than `limit` different sets of attributes.
  mutating func append(
    _ found: FoundPage,
    in visit: Int,
    atMost limit: Int
  ) throws(StructureError) {
    // Pages of a node inherit the same, and mostly so do neighboring nodes.
    if visit != lastVisit {
      if let old = known[found.inherited] {
        state = old
      } else {
        guard inherited.count < limit else {
          throw StructureError(.limit, "more than \(limit) sets of inherited attributes")
        }
        state = Int32(inherited.count)
        known[found.inherited] = state
        inherited.append(found.inherited)
      }
      lastVisit = visit
    }
    references.append(found.reference.packed)
    states.append(state)
  }

  func page(at index: PageIndex) -> (Reference, InheritedAttributes)? {
    let place = index.value
    guard place < references.count else { return nil }
    return (Reference(packed: references[place]), inherited[Int(states[place])])
  }
}
