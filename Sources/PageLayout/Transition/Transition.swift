public import RectoGeometry

/// A transition from one viewpoint of a document to another: the position of each page at any time
/// in between.
///
/// The two may differ in mode, zoom, rotation, viewport, order of pages, or all of these. It
/// includes only pages visible in one of the two windows, and those whose path crosses the
/// viewport.
/// ```
/// let (edited, changes) = viewpoint.edited { $0.remove(4..<5) }
/// let transition = Transition(from: viewpoint, to: edited, changes: changes)
/// for page in transition.pages(at: 0.4) { draw(page) }
/// ```
/// A page moves straight from its frame in one window to that in the other, in coordinates of the viewport, whose
/// origin is its top left. If the rotation changes, all pages rotate about the ``pivot``. So the anchor does not move
/// if it has the same position in both windows; else it also moves straight.
///
/// A page that only one of the layouts shows fades. It moves with the nearest previous page, or
/// else the next one, that takes part and that both show: an inserted page appears from behind its
/// neighbors, a removed one is covered by them.
public struct Transition: Sendable {
  /// Where it begins.
  public let start: Viewpoint
  /// Where it ends.
  public let end: Viewpoint
  /// The center of the rotation: the position of the anchor at the start and at the end, in
  /// coordinates of the viewport. If the anchor's page is not in both layouts, the center of the
  /// viewport.
  public let pivot: (start: Point, end: Point)
  /// Clockwise degrees of the view's rotation at the start and at the end. They differ by at most
  /// 180.
  public let angle: (start: Double, end: Double)
  /// The pages that take part, in drawing order: the last ones cover the others. Fading pages come first, the anchor's
  /// page and pinned ones last.
  public private(set) var motions: [PageMotion] = []

  /// A transition between two viewpoints of one document.
  ///
  /// - Parameters:
  ///   - start: Where it begins.
  ///   - end: Where it ends.
  ///   - changes: The changes of the order by an edit between the two. Without it, a page is the
  ///     same in both layouts if it is the same occurrence of the same page of the document.
  ///   - anchor: What to keep in place, if both viewpoints show it at the same position; nil for
  ///     the anchor of the start's place.
  /// - Complexity: O(*k* log *n*) for *k* pages in the two windows, and linear in the pieces of
  ///   `changes`.
  public init(
    from start: Viewpoint,
    to end: Viewpoint,
    changes: PageChanges? = nil,
    keeping anchor: Anchor? = nil
  ) {
    self.start = start
    self.end = end
    let match = PositionMatch(start.layout, end.layout, changes)
    let anchor = (anchor ?? start.place?.anchor).flatMap { anchor in
      start.layout.position(of: anchor).map { (anchor, position: $0) }
    }
    let held = anchor.flatMap { anchor, position -> (start: Point, end: Point)? in
      guard let before = start.place(of: anchor, at: position),
        let after = match.newPosition(of: position).flatMap({ end.place(of: anchor, at: $0) })
      else { return nil }
      return (before, after)
    }
    pivot = held ?? (start.layout.viewportMiddle, end.layout.viewportMiddle)
    let first = Double(start.layout.configuration.rotation.degrees)
    let turn = (end.layout.configuration.rotation + start.layout.configuration.rotation.inverse)
      .degrees
    angle = (first, first + Double(turn > 180 ? turn - 360 : turn))
    motions = Self.ways(
      PagesInSight(of: start),
      PagesInSight(of: end),
      match,
      anchor: anchor?.position
    )
    .filter { isTurning || $0.crosses(from: start.layout.viewport, to: end.layout.viewport) }
  }

  /// The size of the viewport at a time of the transition.
  ///
  /// - Parameter progress: From 0, the start, to 1, the end; clamped to this range. NaN counts as
  ///   0.
  /// - Returns: The size, in layout units.
  public func viewport(at progress: Double) -> Size {
    start.layout.viewport.moved(to: end.layout.viewport, by: Self.held(progress))
  }

  /// The visible pages at a time of the transition, the last ones on top.
  ///
  /// - Parameter progress: From 0, the start, to 1, the end; clamped to this range. NaN counts as
  ///   0.
  /// - Returns: The pages, in coordinates of the viewport.
  /// - Complexity: O(*k*) for *k* ``motions``.
  public func pages(at progress: Double) -> [MovingPage] {
    let progress = Self.held(progress)
    // Touching edges may overlap by rounding errors.
    let window = Rect(origin: .zero, size: viewport(at: progress))
      .inset(by: Insets(.lengthTolerance))
    return motions.compactMap { motion in
      let page = page(of: motion, at: progress)
      let shown = page.clip.map { page.frame.intersection($0) } ?? page.frame
      return page.opacity > 0 && shown?.intersects(window) == true ? page : nil
    }
  }

  /// One page at a time of the transition, visible or not.
  ///
  /// - Parameters:
  ///   - motion: One of ``motions``.
  ///   - progress: From 0 to 1.
  /// - Returns: The page, in coordinates of the viewport.
  public func page(of motion: PageMotion, at progress: Double) -> MovingPage {
    let progress = Self.held(progress)
    let (start, end) = (motion.start, motion.end)
    var frame = start.frame.moved(to: end.frame, by: progress)
    var size = frame.size.upright(at: angle.start)
    var angle = angle.start
    if isTurning {
      angle = self.angle.start * (1 - progress) + self.angle.end * progress
      let pivot = self.pivot.start.moved(to: self.pivot.end, by: progress)
      // Positions in upright content, relative to the pivot.
      let before = (start.frame.center - self.pivot.start).turned(byDegrees: -self.angle.start)
      let after = (end.frame.center - self.pivot.end).turned(byDegrees: -self.angle.end)
      size = start.frame.size.upright(at: self.angle.start)
        .moved(to: end.frame.size.upright(at: self.angle.end), by: progress)
      frame = Rect(
        around: pivot + before.moved(to: after, by: progress).turned(byDegrees: angle),
        size: size.boundingBox(turnedByDegrees: angle)
      )
    }
    return MovingPage(
      page: motion.page,
      position: motion.position,
      frame: frame,
      size: size,
      angle: angle,
      clip: start.clip.flatMap { clip in end.clip.map { clip.moved(to: $0, by: progress) } },
      opacity: start.opacity * (1 - progress) + end.opacity * progress
    )
  }

  private var isTurning: Bool { angle.start != angle.end }

  private static func held(_ progress: Double) -> Double {
    progress.isNaN ? 0 : min(max(progress, 0), 1)
  }
}

extension Viewpoint {
  /// The position of an anchor in the viewport; nil if its page is not shown at the position.
  fileprivate func place(of anchor: Anchor, at position: Int) -> Point? {
    guard let page = layout.page(anchor.page, at: position, in: window) else { return nil }
    let share = anchor.place.turnedInUnitSquare(by: layout.configuration.rotation)
    return Point(
      x: page.frame.minX + share.x * page.frame.width - offset.x,
      y: page.frame.minY + share.y * page.frame.height - offset.y
    )
  }
}
