public import PageLayout

/// Spreads at their dates, in lanes: each in the first lane that is free; if none is, in the one that becomes
/// free first, where it covers the end of the spread before.
///
/// ```
/// ┌───┐       ┌───┐
/// │ 0 │       │ 2 │ ┌───┐
/// └───┘ ┌───┐ └───┘ │ 3 │
///       │ 1 │       └───┘
/// ──────┴───┴─────────────▶ days
/// ```
/// A wide page reaches past the dates of many others, so the spreads of a window are several ranges. Horizontal, from
/// left to right.
public struct TimeLine: PageArranging {
  private let days: [Double]
  private let unitsPerDay: Double
  private let laneCount: Int
  /// The lane of each spread.
  private var lanes: [Int] = []
  /// Where each spread begins and ends after the left margin.
  private var spans = SpreadSpans()

  /// A time line.
  ///
  /// - Parameters:
  ///   - days: The day of each page of the document; a page of an earlier day than the one before has that day.
  ///   - unitsPerDay: The extent of a day at zoom 1, in layout units.
  ///   - lanes: The number of lanes, at least one.
  public init(days: [Double], unitsPerDay: Double, lanes: Int) {
    self.days = days
    self.unitsPerDay = unitsPerDay
    laneCount = max(1, lanes)
  }

  /// Finds lanes from the first changed spread on.
  public mutating func prepare(for spreads: Spreads, changed: [Range<Int>]?) {
    let first = changed.map { $0.first?.lowerBound ?? spreads.count } ?? 0
    lanes.removeLast(max(0, lanes.count - first))
    spans.keepFirst(first)
    var ends = (0..<laneCount).map { lane in lanes.lastIndex(of: lane).map { spans[$0].end } ?? 0 }
    var start = first > 0 ? spans[first - 1].start : 0
    for index in first..<spreads.count {
      let page = spreads.pages.page(at: spreads.positions(of: index).lowerBound)?.value ?? -1
      if days.indices.contains(page) {
        start = max(start, days[page] * unitsPerDay * spreads.environment.configuration.zoom)
      }
      let lane = ends.firstIndex { $0 <= start } ?? ends.indices.min { ends[$0] < ends[$1] } ?? 0
      ends[lane] = start + spreads.size(of: index).width
      lanes.append(lane)
      spans.append(from: start, to: ends[lane])
    }
  }

  /// The height of a lane before zoom.
  private func height(in environment: LayoutEnvironment) -> Double {
    let gaps = Double(laneCount - 1) * environment.configuration.gap
    return max(0, environment.room.height - gaps) / Double(laneCount)
  }

  /// The scale at which a spread is as high as a lane.
  public func scale(width: Double, height: Double, columns: Int, in environment: LayoutEnvironment)
    -> Double
  {
    self.height(in: environment) / height
  }

  /// The lanes, from the first date to the last end, and the margins around them.
  public func contentSize(of spreads: Spreads) -> Size {
    let environment = spreads.environment
    let margins = environment.configuration.margins
    let lane = height(in: environment) * environment.configuration.zoom + environment.gap
    return Size(
      width: margins.left + (spans.end ?? 0) + margins.right,
      height: margins.top + Double(laneCount) * lane - environment.gap + margins.bottom
    )
  }

  /// The spread at its date, in its lane.
  public func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace {
    let environment = spreads.environment
    let margins = environment.configuration.margins
    let lane = height(in: environment) * environment.configuration.zoom + environment.gap
    let y = margins.top + Double(lanes[index]) * lane
    let origin = Point(x: margins.left + spans[index].start, y: y)
    return SpreadPlace(frame: Rect(origin: origin, size: spreads.size(of: index)), scale: 1)
  }

  /// From the first to the last spread between the window's left and right edge.
  public func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int> {
    let left = spreads.environment.configuration.margins.left
    return spans.spreads(from: window.minX - left, to: window.maxX - left)
  }

  /// Those of them that do not end before it.
  public func spreadRanges(touching window: Rect, of spreads: Spreads) -> [Range<Int>] {
    let left = spreads.environment.configuration.margins.left
    return spans.spreadRanges(from: window.minX - left, to: window.maxX - left)
  }
}
