public import RectoGeometry

/// A sheet being turned, described as geometry.
///
/// The sheet is bound at its spine and folded flat along a line that moves from its free edge to
/// the spine as progress goes from 0 to 1. Between spine and fold is the unturned front; the part
/// beyond the fold is mirrored over it and shows the sheet's back; the next page appears in its
/// former place. The fold leans in between, the bottom corner first, and is upright at both ends.
/// Unless the back is narrowed, front and back together have the area of the sheet.
public struct PageCurl: Hashable, Sendable {
  /// The edge at which a sheet is bound.
  public enum Spine: String, Hashable, Sendable, CaseIterable {
    /// The left edge: the next sheet of a book read from left to right.
    case left
    /// The right edge: the next sheet of a book read from right to left.
    case right
    /// The top edge, as of a notepad.
    case top
  }

  /// The ends of the fold, first the one at the top (at the left, for a spine at the top).
  public var fold: (Point, Point) { (foldStart, foldEnd) }
  private var foldStart: Point
  private var foldEnd: Point
  /// The part of the sheet that has not been turned.
  public var front: Quad
  /// The turned part. Its corners are those of the sheet's part beyond the fold, so a picture of
  /// the back must be mirrored onto it.
  public var back: Quad
  /// The visible part of the next page, beyond the fold.
  public var revealed: Quad
  /// How far the sheet is turned, 0…1.
  public var progress: Double

  /// The geometry of a sheet at a moment of its turn.
  ///
  /// - Parameters:
  ///   - sheet: The sheet before it is turned.
  ///   - spine: The edge at which it is bound.
  ///   - progress: 0 unturned, 1 turned over; clamped to this range, NaN counts as 0.
  ///   - lean: How far the fold leans halfway, 0…0.5: a fraction of the sheet's extent, or of twice its length along the
  ///     spine if that is less. With more, the end of a long narrow sheet would rush round.
  ///   - place: The frame of the next page; nil for that of the sheet.
  ///   - backWidth: The width of the turned part, as a fraction of its full width, 0…1.
  public init(
    sheet: Rect,
    spine: Spine,
    progress: Double,
    lean: Double = 0.15,
    revealing place: Rect? = nil,
    backWidth: Double = 1
  ) {
    let progress = progress.isNaN ? 0 : min(max(progress, 0), 1)
    let lean = lean.isNaN ? 0 : min(max(lean, 0), 0.5)
    let backWidth = backWidth.isNaN ? 1 : min(max(backWidth, 0), 1)
    self.progress = progress
    // Computed for a spine on the left, with distances u from the spine and v along it.
    let extent = spine == .top ? sheet.height : sheet.width
    let length = spine == .top ? sheet.width : sheet.height
    let middle = extent * (1 - progress)
    // A parabola: 0 at both ends, the maximum halfway.
    let leaning = min(extent, 2 * length) * lean * 4 * progress * (1 - progress)
    let first = min(max(middle + leaning, 0), extent)
    let last = min(max(middle - leaning, 0), extent)
    func point(_ u: Double, _ v: Double) -> Point {
      switch spine {
      case .left: Point(x: sheet.minX + u, y: sheet.minY + v)
      case .right: Point(x: sheet.maxX - u, y: sheet.minY + v)
      case .top: Point(x: sheet.minX + v, y: sheet.minY + u)
      }
    }
    func mirrored(_ u: Double, _ v: Double) -> Point {
      let du = last - first
      let square = du * du + length * length
      // The nearest point of the fold, as a fraction of its length.
      let along = square > 0 ? ((u - first) * du + v * length) / square : 0
      let (foot, height) = (first + along * du, along * length)
      return point(foot + (foot - u) * backWidth, height + (height - v) * backWidth)
    }
    foldStart = point(first, 0)
    foldEnd = point(last, length)
    let front = [point(0, 0), foldStart, foldEnd, point(0, length)]
    let back = [foldStart, mirrored(extent, 0), mirrored(extent, length), foldEnd]
    let place = Self.distances(of: place ?? sheet, in: sheet, spine)
    // The fold is extended beyond the sheet, as far as the place.
    func cut(_ v: Double) -> Double {
      let u = length > 0 ? first + (last - first) * (v / length) : first
      return min(max(u, place.near), place.far)
    }
    let rest = [
      point(cut(place.start), place.start), point(place.far, place.start),
      point(place.far, place.end), point(cut(place.end), place.end),
    ]
    self.front = Self.quad(front, spine)
    self.back = Self.quad(back, spine)
    revealed = Self.quad(rest, spine)
  }

  /// The edges of a rectangle, as distances from the spine of a sheet and along it.
  ///
  /// - Parameters:
  ///   - spine: The edge at which it is bound.
  /// - Returns: The edge nearer to the spine and the other one; where it begins and ends along it.
  private static func distances(
    of rect: Rect,
    in sheet: Rect,
    _ spine: Spine
  ) -> (near: Double, far: Double, start: Double, end: Double) {
    let (left, top) = (rect.minX - sheet.minX, rect.minY - sheet.minY)
    return switch spine {
    case .left: (left, left + rect.width, top, top + rect.height)
    case .right:
      (sheet.maxX - rect.maxX, sheet.maxX - rect.maxX + rect.width, top, top + rect.height)
    case .top: (top, top + rect.height, left, left + rect.width)
    }
  }

  /// Corners in the page's order from the order spine-top, free-top, free-bottom, spine-bottom.
  private static func quad(_ points: [Point], _ spine: Spine) -> Quad {
    switch spine {
    case .left:
      Quad(
        topLeft: points[0],
        topRight: points[1],
        bottomRight: points[2],
        bottomLeft: points[3]
      )
    case .right:
      Quad(
        topLeft: points[1],
        topRight: points[0],
        bottomRight: points[3],
        bottomLeft: points[2]
      )
    case .top:
      Quad(
        topLeft: points[0],
        topRight: points[3],
        bottomRight: points[2],
        bottomLeft: points[1]
      )
    }
  }
}
