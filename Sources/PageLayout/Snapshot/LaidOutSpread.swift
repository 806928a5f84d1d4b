public import RectoGeometry

/// One spread of a layout, with its pages.
public struct LaidOutSpread: Hashable, Sendable {
  /// The spread's place among the spreads, from 0.
  public var index: Int
  /// The smallest rectangle around its pages; around its empty columns where there is no page.
  public var frame: Rect
  /// The part of the content that belongs to the spread; what reaches out of it is not seen.
  public var cell: Rect
  /// Its pages in reading order; blanks are not among them.
  public var pages: [LaidOutPage]
  /// Whether its place and its pages rest on no page that is still to be measured.
  public var isExact: Bool
  /// Whether it was pinned to an edge of the window: it covers what is under it.
  public var isPinned: Bool

  /// Says of the spread and its pages whether they rest on no page that is still to be measured.
  mutating func markExact(_ isExact: Bool) {
    self.isExact = isExact
    for index in pages.indices { pages[index].isExact = isExact }
  }
}

/// One page of a layout.
public struct LaidOutPage: Hashable, Sendable {
  /// The page of the document.
  public var page: PageIndex
  /// The page's place in the order shown.
  public var position: Int
  /// Where it sits in the content.
  public var frame: Rect
  /// The part of the content outside of which it is clipped.
  public var clip: Rect
  /// Its displayed size in points, before the view's rotation.
  public var size: Size
  /// The rotation of the view, on top of the page's own.
  public var rotation: Rotation
  /// Layout units per point: fit × zoom.
  public var scale: Double
  /// Whether its own size is measured.
  public var isMeasured: Bool
  /// Whether its place and its size rest on no page that is still to be measured.
  public var isExact: Bool

  /// The part of the frame that is seen in `window`; nil when there is none. Touching edges and
  /// empty areas do not count.
  public func visible(in window: Rect) -> Rect? {
    frame.intersection(clip)?.intersection(window)
  }

  /// Whether more of the page is seen in `window` than what sums lose.
  func isSeen(in window: Rect) -> Bool {
    guard let seen = visible(in: window) else { return false }
    return seen.width > min(.lengthTolerance, frame.width / 2)
      && seen.height > min(.lengthTolerance, frame.height / 2)
  }

  /// The share of the page's area that is seen in `window`, 0…1.
  public func visibleFraction(in window: Rect) -> Double {
    guard let visible = visible(in: window) else { return 0 }
    return min(1, visible.area / frame.area)
  }
}
