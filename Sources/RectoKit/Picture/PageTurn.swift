public import Geometry
public import PageLayout

/// A page of a paged layout that is being turned, in content coordinates.
public struct PageTurn: Sendable {
  /// The fold.
  public var curl: PageCurl
  /// Where the sheet lies before it is turned.
  public var sheet: Rect
  /// The edge at which the sheet is bound.
  public var spine: PageCurl.Spine
  /// What has to be added to a point of the window to get the point of the next spread that is seen
  /// there.
  public var step: Point
  /// The page on the back of the sheet, where it lies in the next spread; nil if the next spread has
  /// no page on that side of the spine.
  public var back: LaidOutPage?

  /// The turn from one spread to the next; nil when there is no such spread, no next one, or no page
  /// to turn.
  ///
  /// - Parameters:
  ///   - index: The spread that is left.
  ///   - progress: 0…1.
  ///   - layout: A layout of the mode `paged`.
  public init?(from index: Int, progress: Double, in layout: Layout) {
    guard let curl = layout.pageCurl(from: index, progress: progress),
      let sheet = layout.spread(index)?.pages.last?.frame,
      let next = layout.spread(index + 1),
      let start = layout.offset(restingAt: index), let end = layout.offset(restingAt: index + 1)
    else { return nil }
    self.curl = curl
    self.sheet = sheet
    let isRightToLeft = layout.configuration.isRightToLeft
    spine = isRightToLeft ? .right : .left
    let step = Point(x: end.x - start.x, y: end.y - start.y)
    self.step = step
    let edge = (isRightToLeft ? sheet.maxX : sheet.minX) + step.x
    back = next.pages.first {
      isRightToLeft ? $0.frame.minX >= edge - 1e-6 : $0.frame.maxX <= edge + 1e-6
    }
  }
}
