internal import Geometry

extension Layout {
  /// The layout after pages were inserted, removed, moved or duplicated; sizes are kept.
  ///
  /// The anchor follows its page wherever that has gone. When the page is not shown any more, the
  /// anchor goes to the top of the page that was shown next behind it, or else in front of it.
  /// - Parameters:
  ///   - anchor: What is to stay where it is.
  ///   - edit: Changes the order; positions in it are those of ``pages``.
  /// - Returns: The new layout, and the anchor in it; nil when no page is left.
  public func edited(keeping anchor: Anchor? = nil, _ edit: (inout PageSequence) -> Void)
    -> (layout: Layout, anchor: Anchor?)
  {
    var pages = self.pages
    edit(&pages)
    let layout = reordered(pages)
    guard let anchor else { return (layout, nil) }
    if layout.firstPosition(of: anchor.page) != nil { return (layout, anchor) }
    guard let position = position(of: anchor) else { return (layout, nil) }
    let survivor =
      survivor(in: position + 1..<self.pages.count, of: layout, forward: true)
      ?? survivor(in: 0..<position, of: layout, forward: false)
    return (layout, survivor.map { Anchor(page: $0, place: Point(x: 0.5, y: 0)) })
  }

  /// The first (or last) page at these positions that the other layout shows too.
  private func survivor(in positions: Range<Int>, of layout: Layout, forward: Bool) -> Int? {
    var found: Int?
    pages.forEachPiece(of: positions) { _, run in
      guard let range = run.pages, !forward || found == nil else { return }
      var best: Int?
      // The one that comes first (or last) in this run, whichever way it runs.
      let wantsLowest = forward != run.isBackwards
      layout.pages.forEachRange(of: range) { _, part in
        let page = wantsLowest ? part.lowerBound : part.upperBound - 1
        best = best.map { wantsLowest ? min($0, page) : max($0, page) } ?? page
      }
      found = best ?? found
    }
    return found
  }
}
