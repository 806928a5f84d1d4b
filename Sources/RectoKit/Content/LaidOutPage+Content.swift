public import DocumentModel
public import Geometry
public import PageLayout

/// From places on a page, as links and text have them, to the content and back.
///
/// Places are in points from the top left of the page as it is shown, not enlarged by its user unit; the
/// size of a page in a layout is.
extension LaidOutPage {
  /// The point of the content at a place on the page.
  public func contentPoint(_ place: Point, userUnit: Double) -> Point {
    contentPoint(place * userUnit)
  }

  /// The place on the page at a point of the content: the inverse of ``contentPoint(_:userUnit:)``.
  public func pagePoint(_ point: Point, userUnit: Double) -> Point {
    pagePoint(point) * (1 / userUnit)
  }

  /// The part of the content that a rectangle on the page takes up.
  public func contentRect(_ area: Rect, userUnit: Double) -> Rect {
    contentRect(Rect(origin: area.origin * userUnit, size: area.size * userUnit))
  }
}

extension DocumentLayout {
  /// The user unit of a page: 1 where it is not known.
  public func userUnit(of page: LaidOutPage) -> Double {
    pages.info(of: page.page)?.userUnit ?? 1
  }
}
