internal import RectoGeometry

extension Transition {
  /// The motions of all pages near the two windows, in drawing order.
  ///
  /// - Parameters:
  ///   - match: Which positions are the same in both.
  ///   - anchor: The position of the anchor's page at the start.
  /// - Returns: The motions, the lowest page first.
  static func ways(
    _ start: PagesInSight,
    _ end: PagesInSight,
    _ match: PositionMatch,
    anchor: Int?
  ) -> [PageMotion] {
    var kept: [Kept] = []
    var going: [PagesInSight.Page] = []
    var appearing: [PagesInSight.Page] = []
    var known: Set<Int> = []
    for page in start.pages {
      let position = match.newPosition(of: page.page.position)
      if let position, let other = end.page(page.page.page, at: position) {
        known.insert(position)
        kept.append(Kept(old: page, new: other))
      } else if page.isSeen {
        going.append(page)
      }
    }
    for page in end.pages where !known.contains(page.page.position) {
      let position = match.oldPosition(of: page.page.position)
      if let position, let other = start.page(page.page.page, at: position) {
        kept.append(Kept(old: other, new: page))
      } else if page.isSeen {
        appearing.append(page)
      }
    }
    let leaving = withNeighbors(going, among: kept.map { $0.old }).map { page, index in
      motion(of: page, with: index.map { (kept[$0].new, kept[$0].old) })
        .reversed
    }
    let coming = withNeighbors(appearing, among: kept.map { $0.new }).map { page, index in
      motion(of: page, with: index.map { (kept[$0].old, kept[$0].new) })
    }
    kept.sort { $0.layer(anchor) < $1.layer(anchor) }
    return leaving + coming + kept.map { $0.motion(start, end) }
  }

  /// A page that both layouts have.
  private struct Kept {
    var old: PagesInSight.Page
    var new: PagesInSight.Page

    /// Where it stands in the order of drawing.
    func layer(_ anchor: Int?) -> (Int, Int) {
      let isPinned = old.isPinned || new.isPinned
      return (isPinned ? 2 : old.page.position == anchor ? 1 : 0, new.page.position)
    }

    func motion(_ start: PagesInSight, _ end: PagesInSight) -> PageMotion {
      var (first, last) = (old.end, new.end)
      if first.isClipped || last.isClipped {
        first.widenClip(toShow: start.viewpoint.layout.viewport)
        last.widenClip(toShow: end.viewpoint.layout.viewport)
      } else {
        first.clip = nil
        last.clip = nil
      }
      return PageMotion(
        page: new.page.page,
        newPosition: new.page.position,
        oldPosition: old.page.position,
        start: first,
        end: last
      )
    }
  }

  /// Pages, each with the index of the nearest previous page among others, or else the next one.
  ///
  /// - Parameters:
  ///   - others: Pages in any order.
  /// - Returns: The pages, with indices in `others`; nil if there are none.
  private static func withNeighbors(
    _ pages: [PagesInSight.Page],
    among others: [PagesInSight.Page]
  ) -> [(page: PagesInSight.Page, neighbor: Int?)] {
    guard !pages.isEmpty else { return [] }
    let order = others.indices.sorted { others[$0].page.position < others[$1].page.position }
    var next = 0
    return pages.map { page in
      let position = page.page.position
      while next < order.count, others[order[next]].page.position < position { next += 1 }
      return (page, next > 0 ? order[next - 1] : order.first)
    }
  }

  /// The motion of a page that only the last layout shows.
  ///
  /// - Parameters:
  ///   - neighbor: A page with the same path, in the first layout and in the last.
  private static func motion(
    of page: PagesInSight.Page,
    with neighbor: (first: PagesInSight.Page, last: PagesInSight.Page)?
  ) -> PageMotion {
    var end = page.end
    if !end.isClipped { end.clip = nil }
    var start = end
    start.opacity = 0
    if let neighbor {
      let (before, after) = (neighbor.first.page, neighbor.last.page)
      let turn = before.rotation + after.rotation.inverse
      let scale = before.scale / after.scale
      let distance = (end.frame.center - neighbor.last.end.frame.center)
        .turned(byDegrees: Double(turn.degrees))
      start.frame = Rect(
        around: neighbor.first.end.frame.center + distance * scale,
        size: end.frame.size.rotated(by: turn) * scale
      )
    }
    return PageMotion(
      page: page.page.page,
      newPosition: page.page.position,
      oldPosition: nil,
      start: start,
      end: end
    )
  }
}

extension PageMotion {
  /// The reversed motion: that of a page that only the first layout shows.
  fileprivate var reversed: PageMotion {
    PageMotion(
      page: page,
      newPosition: oldPosition,
      oldPosition: newPosition,
      start: end,
      end: start
    )
  }
}

extension PageMotion.End {
  /// Whether a part of the frame is cut off, by more than rounding errors.
  fileprivate var isClipped: Bool {
    guard let clip else { return false }
    let lost = Double.lengthTolerance
    return frame.minX < clip.minX - lost || frame.minY < clip.minY - lost
      || frame.maxX > clip.maxX + lost || frame.maxY > clip.maxY + lost
  }

  /// If nothing is cut off, allows the page in the whole viewport.
  fileprivate mutating func widenClip(toShow viewport: Size) {
    guard !isClipped else { return }
    clip = frame.union(Rect(origin: .zero, size: viewport))
  }
}
