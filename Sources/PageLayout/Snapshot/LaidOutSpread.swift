public import RectoGeometry

/// One spread of a layout, with its pages.
public struct LaidOutSpread: Hashable, Sendable {
  /// The index of the spread, from 0.
  public var index: Int
  /// The smallest rectangle around its pages; around its empty columns if there are no pages.
  public var frame: Rect
  /// The part of the content that belongs to the spread, which is clipped to it.
  public var cell: Rect
  /// Its pages in reading order, without blanks.
  public var pages: [LaidOutPage]
  /// Whether its position and its pages depend on no unmeasured page.
  public var isExact: Bool
  /// Whether it is pinned to an edge of the window, where it covers other spreads.
  public var isPinned: Bool

  /// A spread from its parts.
  ///
  /// - Parameters:
  ///   - index: The index of the spread, from 0.
  ///   - frame: The smallest rectangle around its pages, in layout units.
  ///   - cell: The part of the content that belongs to the spread.
  ///   - pages: Its pages in reading order, without blanks.
  ///   - isExact: Whether its position and its pages depend on no unmeasured page.
  ///   - isPinned: Whether it is pinned to an edge of the window.
  public init(
    index: Int,
    frame: Rect,
    cell: Rect,
    pages: [LaidOutPage],
    isExact: Bool,
    isPinned: Bool = false
  ) {
    self.index = index
    self.frame = frame
    self.cell = cell
    self.pages = pages
    self.isExact = isExact
    self.isPinned = isPinned
  }

  /// Sets `isExact` of the spread and its pages.
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
  /// The part of the content to which it is clipped.
  public var clip: Rect
  /// Its displayed size in points, before the view's rotation.
  public var size: Size
  /// The rotation of the view, on top of the page's own.
  public var rotation: Rotation
  /// Layout units per point: fit × zoom.
  public var scale: Double
  /// Whether its own size is measured.
  public var isMeasured: Bool
  /// Whether its position and size depend on no unmeasured page.
  public var isExact: Bool

  /// A page from its parts.
  ///
  /// - Parameters:
  ///   - page: The page of the document.
  ///   - position: The page's place in the order shown, from 0.
  ///   - frame: Where it sits in the content, in layout units.
  ///   - clip: The part of the content to which it is clipped.
  ///   - size: Its displayed size in points, before the view's rotation.
  ///   - rotation: The rotation of the view, on top of the page's own.
  ///   - scale: Layout units per point.
  ///   - isMeasured: Whether its own size is measured.
  ///   - isExact: Whether its position and size depend on no unmeasured page.
  public init(
    page: PageIndex,
    position: Int,
    frame: Rect,
    clip: Rect,
    size: Size,
    rotation: Rotation,
    scale: Double,
    isMeasured: Bool,
    isExact: Bool
  ) {
    self.page = page
    self.position = position
    self.frame = frame
    self.clip = clip
    self.size = size
    self.rotation = rotation
    self.scale = scale
    self.isMeasured = isMeasured
    self.isExact = isExact
  }

  /// The part of the frame that is visible in `window`; nil if there is none. Touching edges and
  /// empty areas do not count.
  public func visible(in window: Rect) -> Rect? {
    frame.intersection(clip)?.intersection(window)
  }

  /// Whether the page is visible in `window`, by more than rounding errors.
  func isSeen(in window: Rect) -> Bool {
    guard let seen = visible(in: window) else { return false }
    return seen.width > min(.lengthTolerance, frame.width / 2)
      && seen.height > min(.lengthTolerance, frame.height / 2)
  }

  /// The fraction of the page's area that is visible in `window`, 0…1.
  public func visibleFraction(in window: Rect) -> Double {
    guard let visible = visible(in: window) else { return 0 }
    return min(1, visible.area / frame.area)
  }
}

#if !hasFeature(Embedded)
  extension LaidOutSpread: Codable {}
  extension LaidOutPage: Codable {}
#endif
