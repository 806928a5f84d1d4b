public import PageLayout

/// A list of lots, one below the other, of which the one that is called stays in the window.
///
/// ```
/// │ 2 │            │ 7 │            ╔═══╗
/// ╔═══╗ called     ╔═══╗            ║ 3 ║ pinned: it covers lot 7
/// ║ 3 ║            ║ 3 ║ pinned     ╚═══╝
/// ╚═══╝            ╚═══╝            │ 8 │
/// ```
/// The list is the arrangement of `continuous`. Only one place is another: that of the called lot follows the window,
/// above all others. Whatever asks for the lot itself (`offset(showing:)`, an anchor) gets its place in the list.
public struct AuctionList: ArrangementWrapper {
  /// The list.
  public var base = StackArrangement()
  private let called: PageIndex
  /// The spread of the called lot; nil if it is not shown.
  private var lot: Int?

  /// A list in which the lot on this page is called.
  public init(called: PageIndex) { self.called = called }

  /// Finds the called lot.
  public mutating func prepare(for spreads: Spreads, changed: [Range<Int>]?) {
    lot = spreads.pages.positions(of: called).first.map { spreads.spread(of: $0) }
  }

  /// The place in the list; for the called lot, the nearest one inside the window.
  public func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace {
    let place = base.place(index, of: spreads, in: window)
    guard index == lot else { return place }
    var pinned = place
    pinned.level = 1
    let environment = spreads.environment
    let uncovered = window.inset(by: environment.configuration.contentInsets)
    let (own, room) = (environment.along(place.frame), environment.along(uncovered))
    let last = room.max - (own.max - own.min)
    let distance = max(room.min, min(own.min, last)) - own.min
    guard last >= room.min, abs(distance) > 1e-6 else { return pinned }
    let x = environment.isVertical ? 0 : distance
    let y = environment.isVertical ? distance : 0
    pinned.frame = place.frame.offsetBy(x: x, y: y)
    pinned.cell = place.cell.offsetBy(x: x, y: y)
    pinned.isPinned = true
    return pinned
  }

  /// Those of the list, and the called lot, without what is between them.
  public func spreadRanges(touching window: Rect, of spreads: Spreads) -> [Range<Int>] {
    let list = base.spreads(touching: window, of: spreads)
    guard let lot, place(lot, of: spreads, in: window).isPinned else { return [list] }
    return [list, lot..<lot + 1]
  }

  /// From the first to the last of them.
  public func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int> {
    let ranges = spreadRanges(touching: window, of: spreads).filter { !$0.isEmpty }
    let first = ranges.map(\.lowerBound).min() ?? 0
    return first..<(ranges.map(\.upperBound).max() ?? first)
  }
}
