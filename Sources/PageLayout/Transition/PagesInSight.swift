internal import RectoGeometry

/// The visible pages of a window, and some spreads before and after it, which may cross the viewport on their path to
/// another layout.
struct PagesInSight {
  /// A page, and whether the window shows it.
  struct Page {
    var page: LaidOutPage
    /// Its state in coordinates of the viewport.
    var end: PageMotion.End
    var isSeen: Bool
    var isPinned: Bool
  }

  let viewpoint: Viewpoint
  /// The pages, by their position, ascending.
  private(set) var pages: [Page] = []
  /// For each position, its index in ``pages``.
  private var places: [Int: Int] = [:]

  init(of viewpoint: Viewpoint) {
    self.viewpoint = viewpoint
    let (layout, window) = (viewpoint.layout, viewpoint.window)
    guard !layout.isEmpty else { return }
    let shown = layout.touching(window)
    let pinned = layout.pinnedSpreads(in: window)
    let near = shown.extended(by: min(shown.count, Self.mostBeside), of: layout.spreadCount)
    var spreads: [LaidOutSpread] = []
    near.forEach { index in
      if pinned.contains(where: { $0.index == index }) { return }
      if let spread = layout.spread(index, in: window, isExact: false) { spreads.append(spread) }
    }
    for spread in (spreads + pinned).sorted(by: { $0.index < $1.index }) {
      for page in spread.pages.sorted(by: { $0.position < $1.position }) {
        places[page.position] = pages.count
        let isShown = spread.isPinned || shown.contains(spread.index)
        pages.append(entry(page, isShown: isShown, isPinned: spread.isPinned))
      }
    }
  }

  /// The most spreads considered on either side of the window, if it shows as many. With spreads in rows, those further
  /// away hardly ever cross the viewport.
  private static let mostBeside = 4

  /// The page at a position, near the window or elsewhere; nil if nothing is shown there.
  func page(_ page: PageIndex, at position: Int) -> Page? {
    if let place = places[position] { return pages[place] }
    let layout = viewpoint.layout
    guard let index = layout.spread(containingPosition: position),
      let spread = layout.spread(index, in: viewpoint.window, isExact: false),
      let found = spread.pages.first(where: { $0.position == position && $0.page == page })
    else { return nil }
    return entry(found, isShown: false, isPinned: false)
  }

  /// A page in the viewport.
  ///
  /// - Parameters:
  ///   - isShown: Whether the layout shows the page in the window. A carousel has positions in the
  ///     window for spreads that it does not show.
  ///   - isPinned: Whether it is a pinned sticky page.
  /// - Returns: The page in coordinates of the viewport.
  private func entry(_ page: LaidOutPage, isShown: Bool, isPinned: Bool) -> Page {
    let (x, y) = (-viewpoint.offset.x, -viewpoint.offset.y)
    let isInside = page.visible(in: viewpoint.window) != nil
    return Page(
      page: page,
      end: PageMotion.End(
        frame: page.frame.offsetBy(x: x, y: y),
        clip: page.clip.offsetBy(x: x, y: y),
        opacity: isInside && !isShown ? 0 : 1
      ),
      isSeen: isInside && isShown,
      isPinned: isPinned
    )
  }
}
