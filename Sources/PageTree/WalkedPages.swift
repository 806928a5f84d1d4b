/// The pages in order after a complete walk.
struct WalkedPages {
  private var references: [UInt64] = []
  /// For each page, which of `inherited` is its own.
  private var states: [Int32] = []
  private var inherited: [InheritedAttributes] = []
  private var lastVisit = -1

  var count: Int { references.count }

  /// Adds the next page, which was found during the given visit of its parent.
  mutating func append(_ found: FoundPage, in visit: Int) {
    // Pages of one node share what they inherit, and nodes mostly do with their neighbours.
    if visit != lastVisit, inherited.last != found.inherited { inherited.append(found.inherited) }
    lastVisit = visit
    references.append(found.reference.packed)
    states.append(Int32(inherited.count - 1))
  }

  func page(at index: Int) -> (Reference, InheritedAttributes)? {
    guard index < references.count else { return nil }
    return (Reference(packed: references[index]), inherited[Int(states[index])])
  }
}
