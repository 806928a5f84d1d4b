internal import RectoGeometry

/// A layout after an edit of the order of its pages.
/// ``Layout/invalidation(since:changes:keeping:)`` computes what has moved.
public struct EditedLayout: Sendable {
  /// The layout; sizes are kept.
  public var layout: Layout
  /// The anchor in it; nil if there was none, or no page is left.
  public var anchor: Anchor?
  /// Which positions are new, removed and kept.
  public var changes: PageChanges
}

extension Layout {
  /// The layout after pages were inserted, removed, moved or duplicated; sizes are kept.
  ///
  /// The anchor follows its position. If the position was removed, the anchor moves to the top of the next page, or
  /// else of the previous one.
  ///
  /// - Parameters:
  ///   - anchor: What to keep in place.
  ///   - edit: Changes the order; positions in its first step are those of ``pages``.
  /// - Returns: The layout, with the anchor in it and the changes of the edit.
  /// - Complexity: As making the layout, and linear in the number of runs and steps.
  public func edited(keeping anchor: Anchor? = nil, _ edit: (inout PageEdit) -> Void)
    -> EditedLayout
  {
    var steps = PageEdit(pages)
    edit(&steps)
    let layout = reordered(steps.pages)
    let changes = steps.changes(of: pages.count)
    let kept = anchor.flatMap { follow($0, to: layout, changes) }
    return EditedLayout(layout: layout, anchor: kept, changes: changes)
  }

  /// The anchor in the layout after an edit; nil if no page is left.
  func follow(_ anchor: Anchor, to layout: Layout, _ changes: PageChanges) -> Anchor? {
    position(of: anchor).flatMap { layout.anchor(anchor, from: $0, changes) }
  }

  /// An anchor after an edit.
  ///
  /// - Parameters:
  ///   - anchor: The anchor before the edit.
  ///   - position: The anchor's position before the edit.
  /// - Returns: The anchor in this layout; nil if no page is left.
  private func anchor(_ anchor: Anchor, from position: Int, _ changes: PageChanges) -> Anchor? {
    if let new = changes.newPosition(of: position) {
      var anchor = anchor
      anchor.occurrence = occurrence(of: anchor.page, at: new)
      return anchor
    }
    let survivor = nearest(behind: position, changes) ?? nearest(before: position, changes)
    return survivor.flatMap { position in
      pages.page(at: position).map {
        Anchor(
          page: $0,
          occurrence: occurrence(of: $0, at: position),
          place: Point(x: 0.5, y: 0)
        )
      }
    }
  }

  /// The new position of the first page after an old position that is still shown.
  private func nearest(behind position: Int, _ changes: PageChanges) -> Int? {
    for stretch in changes.kept.sorted(by: { $0.old.lowerBound < $1.old.lowerBound })
    where stretch.old.upperBound > position {
      let skipped = max(0, position - stretch.old.lowerBound)
      let new = stretch.new.lowerBound + skipped..<stretch.new.upperBound
      var found: Int?
      pages.forEachPiece(of: new) { positions, run in
        if found == nil, run.pages != nil { found = positions.lowerBound }
      }
      if let found { return found }
    }
    return nil
  }

  /// The new position of the last page before an old position that is still shown.
  private func nearest(before position: Int, _ changes: PageChanges) -> Int? {
    for stretch in changes.kept.sorted(by: { $0.old.lowerBound > $1.old.lowerBound })
    where stretch.old.lowerBound < position {
      let count = min(stretch.old.count, position - stretch.old.lowerBound)
      let new = stretch.new.lowerBound..<stretch.new.lowerBound + count
      var found: Int?
      pages.forEachPiece(of: new) { positions, run in
        if run.pages != nil { found = positions.upperBound - 1 }
      }
      if let found { return found }
    }
    return nil
  }

  /// The anchor in a layout of other pages that does not show its page: the top of the next page
  /// that is still shown, or else of the previous one.
  func successor(of anchor: Anchor, in layout: Layout) -> Anchor? {
    guard let position = position(of: anchor) else { return nil }
    let survivor =
      survivor(in: position + 1..<pages.count, of: layout, forward: true)
      ?? survivor(in: 0..<position, of: layout, forward: false)
    return survivor.map { Anchor(page: $0, place: Point(x: 0.5, y: 0)) }
  }

  /// The first (or last) page at these positions that the other layout also shows.
  private func survivor(in positions: Range<Int>, of layout: Layout, forward: Bool) -> PageIndex? {
    var found: PageIndex?
    pages.forEachPiece(of: positions) { _, run in
      guard let range = run.pages, !forward || found == nil else { return }
      var best: PageIndex?
      // The first (or last) page of this run, in either direction.
      let wantsLowest = forward != run.isBackwards
      layout.pages.forEachRange(of: range) { _, part in
        let page = wantsLowest ? part.lowerBound : part.upperBound.advanced(by: -1)
        best = best.map { wantsLowest ? min($0, page) : max($0, page) } ?? page
      }
      found = best ?? found
    }
    return found
  }
}
