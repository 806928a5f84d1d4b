internal import RectoGeometry

extension Layout {
  /// What has moved since another layout of the same document: after an edit, under another
  /// configuration, in another viewport or arrangement, with other sizes, or all of these at once.
  ///
  /// Worked out when it is asked for; making a layout does not pay for it.
  /// - Parameters:
  ///   - old: The layout before.
  ///   - changes: What an edit did to the order (``EditedLayout/changes``), from `old` to this layout;
  ///     nil: each position is compared with the same one before, and has changed where it shows
  ///     another page. Pages that have gone are told by ``PageChanges/removed``, not here.
  ///   - anchor: An anchor in `old` that the offset adjustment is for: its offset in this layout less
  ///     that in `old`. After an edit it follows its position, as ``edited(keeping:_:)`` has it.
  /// - Returns: Exactly what has moved, by the rules of ``Invalidation``.
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

  /// What an anchor's offset is counted from while the layout changes: the anchor itself; where spreads rest,
  /// the rest position of its spread, so that what was at rest stays so.
  func stillOffset(of anchor: Anchor) -> Point? {
    guard arrangement.restsAtSpreads, let position = position(of: anchor) else {
      return offset(of: anchor)
    }
    return offset(restingAt: spreads.spread(of: position))
  }
}
