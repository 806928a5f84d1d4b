public import RectoGeometry

/// The positions of the four parts of a page turn, between the rest positions of two spreads.
///
/// Each part has a place in its own spread at rest. During the turn it is stretched to a place between that and the
/// place of its counterpart: front and back are counterparts, on one sheet, and the part that the sheet uncovers or
/// covers takes the shape of the sheet's side while it is hidden. So the turn begins and ends with the exact spreads,
/// however different their shapes. A part without a counterpart narrows to nothing at the spine.
public struct TurnPlaces: Hashable, Sendable {
  /// A part of a page turn.
  public enum Part: String, Hashable, Sendable, CaseIterable {
    /// The part that the sheet covers, on the other side of the spine.
    case covered
    /// The sheet before it is turned.
    case front
    /// The back of the sheet: the other side of the spine in the next spread.
    case back
    /// The uncovered page.
    case revealed
  }

  /// The edge at which the sheet is bound.
  public var spine: PageCurl.Spine
  /// The first spread on the other side of the spine; nil if there is nothing.
  public var covered: Rect?
  /// The sheet in the first spread.
  public var front: Rect
  /// The sheet in the next spread, turned over; nil if its back is blank.
  public var back: Rect?
  /// The next spread on the side of the sheet; nil if there is nothing.
  public var revealed: Rect?

  /// Places in spreads at rest.
  ///
  /// - Parameters:
  ///   - spine: The edge at which the sheet is bound, left or right.
  ///   - covered: The first spread on the other side of the spine.
  ///   - front: The sheet in the first spread.
  ///   - back: The sheet in the next spread, turned over.
  ///   - revealed: The next spread on the side of the sheet.
  public init(
    spine: PageCurl.Spine,
    covered: Rect? = nil,
    front: Rect,
    back: Rect? = nil,
    revealed: Rect? = nil
  ) {
    self.spine = spine
    self.covered = covered
    self.front = front
    self.back = back
    self.revealed = revealed
  }

  /// The place of a part in its own spread at rest.
  public subscript(_ part: Part) -> Rect? {
    switch part {
    case .covered: covered
    case .front: front
    case .back: back
    case .revealed: revealed
    }
  }

  /// The place that a part is stretched to.
  ///
  /// - Parameters:
  ///   - part: The part.
  ///   - progress: 0 in the first spread, 1 in the next; held between the two, NaN counts as 0.
  /// - Returns: The place of the front before the turn, and of the back after it, ignoring the
  ///   fold; nil if there is nothing in either spread.
  public func place(of part: Part, at progress: Double) -> Rect? {
    let progress = progress.isNaN ? 0 : min(max(progress, 0), 1)
    switch part {
    case .covered: return across.map { $0.start.moved(to: $0.end, by: progress) }
    case .front: return sheet.start.moved(to: sheet.end, by: progress)
    case .back:
      guard back != nil else { return nil }
      return turnedOver(sheet.start.moved(to: sheet.end, by: progress))
    case .revealed: return beside.start.moved(to: beside.end, by: progress)
    }
  }

  /// The x coordinate of the spine.
  ///
  /// - Parameter progress: 0…1; held between the two, NaN counts as 0.
  /// - Returns: The edge at which the sheet is bound.
  public func spineEdge(at progress: Double) -> Double {
    edge(of: place(of: .front, at: progress) ?? front, isTurned: false).minX
  }

  /// The fold at a moment of the turn.
  ///
  /// A blank back narrows to nothing, because the next spread has no such page.
  ///
  /// - Parameters:
  ///   - progress: 0…1; held between the two, NaN counts as 0.
  ///   - lean: How far the fold leans at half way, as a share of the sheet's extent, 0…0.5.
  /// - Returns: The fold, and the quads of the parts.
  public func curl(at progress: Double, lean: Double = 0.15) -> PageCurl {
    PageCurl(
      sheet: place(of: .front, at: progress) ?? front,
      spine: spine,
      progress: progress,
      lean: lean,
      revealing: place(of: .revealed, at: progress),
      backWidth: back == nil ? 1 - progress : 1
    )
  }

  // MARK: Sheets turned over

  private typealias Way = (start: Rect, end: Rect)

  /// The sheet before it is turned.
  private var sheet: Way { (front, back.map(turnedBack) ?? beside.end) }

  /// The part on the side of the sheet.
  private var beside: Way {
    (front, revealed ?? back.map { edge(of: $0, isTurned: true) } ?? front)
  }

  /// The part on the other side of the spine.
  private var across: Way? {
    switch (covered, back) {
    case (nil, nil): nil
    case (let covered?, let back?): (covered, back)
    case (nil, let back?): (edge(of: front, isTurned: false), back)
    case (let covered?, nil): (covered, edge(of: beside.end, isTurned: false))
    }
  }

  /// The edge of a place at the spine, as a rectangle of width 0.
  private func edge(of rect: Rect, isTurned: Bool) -> Rect {
    let x = (spine == .left) != isTurned ? rect.minX : rect.maxX
    return Rect(x: x, y: rect.minY, width: 0, height: rect.height)
  }

  /// The position of a sheet after it is turned over.
  private func turnedOver(_ rect: Rect) -> Rect {
    rect.offsetBy(x: spine == .left ? -rect.width : rect.width, y: 0)
  }

  /// The position of a sheet before the turn, from its position after it.
  private func turnedBack(_ rect: Rect) -> Rect {
    rect.offsetBy(x: spine == .left ? rect.width : -rect.width, y: 0)
  }
}
