internal import RectoGeometry

extension Layout {
  /// What has moved since another layout of the same document: after an edit, under another
  /// configuration, in another viewport or arrangement, with other sizes, or all of these at once.
  ///
  /// Computed on demand; creating a layout does not include its cost.
  /// - Parameters:
  ///   - old: The old layout.
  ///   - changes: The changes of an edit to the order (``EditedLayout/changes``), from `old` to this layout; nil to
  ///     compare each position with the same old one, which has changed if it shows another page. Removed pages are in
  ///     ``PageChanges/removed``, not here.
  ///   - anchor: An anchor in `old` for the offset adjustment: its offset in this layout minus that in `old`. After an
  ///     edit it follows its position, as in ``edited(keeping:_:)``.
  /// - Returns: The exact differences, by the rules of ``Invalidation``.
  /// - Complexity: O((*m* + *s*) log *n*) for *m* measured and customized pages of both layouts and *s*
  ///   pieces of the edit, whatever the page count.
  public func invalidation(
    since old: Layout,
    changes: PageChanges? = nil,
    keeping anchor: Anchor? = nil
  ) -> Invalidation {
    let counterparts =
      changes.map { Counterparts($0) } ?? Counterparts(pages, old.pages)
    var moves = moves(since: old, counterparts)
    moves.adjustContent(from: old.contentSize, to: contentSize)
    if let anchor {
      let now = changes.map { old.follow(anchor, to: self, $0) } ?? anchor
      moves.adjustOffset(
        from: old.stillOffset(of: anchor),
        to: now.flatMap { stillOffset(of: $0) }
      )
    }
    return moves
  }

  private func moves(since old: Layout, _ counterparts: Counterparts) -> Invalidation {
    if isEmpty, old.isEmpty { return .none }
    let isComparable =
      !isEmpty && !old.isEmpty && placesByRule && old.placesByRule
      && configuration.rotation == old.configuration.rotation
    guard isComparable else {
      var result = Invalidation()
      result.append(0..<spreads.count, .changed)
      return result
    }
    return LayoutComparison.moves(self, since: old, counterparts)
  }

  /// The reference of an anchor's offset while the layout changes: the anchor itself; if spreads rest, the rest
  /// position of its spread, so that it stays at rest.
  func stillOffset(of anchor: Anchor) -> Point? {
    guard arrangement.restsAtSpreads, let position = position(of: anchor) else {
      return offset(of: anchor)
    }
    return offset(restingAt: spreads.spread(of: position))
  }
}
