/// Maps positions of one layout to those of another.
struct PositionMatch {
  private let old: Layout
  private let new: Layout
  private let counterparts: Counterparts?
  private let isSame: Bool

  /// Matches the positions of two layouts.
  ///
  /// - Parameters:
  ///   - new: The new layout.
  ///   - changes: The changes of an edit; nil to compare occurrences of pages.
  init(_ old: Layout, _ new: Layout, _ changes: PageChanges?) {
    self.old = old
    self.new = new
    counterparts = changes.map { Counterparts($0) }
    isSame = changes == nil && old.pages == new.pages
  }

  func newPosition(of position: Int) -> Int? {
    if isSame { return position }
    guard let counterparts else { return Self.counterpart(of: position, in: old, new) }
    var found: Int?
    counterparts.forEachNew(of: position..<position + 1) { found = $0.lowerBound }
    return found
  }

  func oldPosition(of position: Int) -> Int? {
    if isSame { return position }
    guard let counterparts else { return Self.counterpart(of: position, in: new, old) }
    return counterparts.old(of: position..<position + 1)?.lowerBound
  }

  /// The same occurrence of the same page in another layout.
  private static func counterpart(of position: Int, in first: Layout, _ second: Layout) -> Int? {
    guard let page = first.pages.page(at: position) else { return nil }
    let positions = second.pages.positions(of: page)
    let occurrence = first.occurrence(of: page, at: position)
    return occurrence < positions.count ? positions[occurrence] : nil
  }
}
