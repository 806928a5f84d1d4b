public import PageLayout

/// Spreads in columns of equal widths, each at the end of the shortest column.
///
/// ```
/// ┌───┐ ┌───┐ ┌───┐
/// │ 0 │ │ 1 │ │ 2 │
/// │   │ └───┘ │   │
/// └───┘ ┌───┐ │   │
/// ┌───┐ │ 3 │ └───┘
/// │ 4 │ └───┘ ┌───┐
/// ```
/// A place depends on the heights of all previous spreads. So places are computed once for each change, from the first
/// spread that it concerns, and a window looks up its own. Vertical.
public struct Masonry: PageArranging {
  private let columnCount: Int
  /// The column of each spread.
  private var columns: [Int] = []
  /// Where each spread begins and ends below the upper margin.
  private var spans = SpreadSpans()

  /// A masonry of so many columns, at least one.
  public init(columns: Int) { columnCount = max(1, columns) }

  /// Places spreads from the first changed one on.
  public mutating func prepare(for spreads: Spreads, changed: [Range<Int>]?) {
    let first = changed.map { $0.first?.lowerBound ?? spreads.count } ?? 0
    columns.removeLast(max(0, columns.count - first))
    spans.keepFirst(first)
    let gap = spreads.environment.gap
    var tops = (0..<columnCount).map { column in
      columns.lastIndex(of: column).map { spans[$0].end + gap } ?? 0
    }
    for index in columns.count..<spreads.count {
      let column = tops.indices.min { tops[$0] < tops[$1] } ?? 0
      let end = tops[column] + spreads.size(of: index).height
      columns.append(column)
      spans.append(from: tops[column], to: end)
      tops[column] = end + gap
    }
  }

  /// The width of a column before zoom.
  private func width(in environment: LayoutEnvironment) -> Double {
    let gaps = Double(columnCount - 1) * environment.configuration.gap
    return max(0, environment.room.width - gaps) / Double(columnCount)
  }

  /// The scale at which a spread is as wide as a column.
  public func scale(
    width: Double,
    height: Double,
    columns: Int,
    in environment: LayoutEnvironment
  ) -> Double {
    let room = Size(width: self.width(in: environment), height: environment.room.height)
    return environment.scale(.width, width: width, height: height, columns: columns, in: room)
  }

  /// The columns and the margins around them.
  public func contentSize(of spreads: Spreads) -> Size {
    let environment = spreads.environment
    let margins = environment.configuration.margins
    let width = width(in: environment) * environment.configuration.zoom + environment.gap
    return Size(
      width: Double(columnCount) * width - environment.gap + margins.left + margins.right,
      height: margins.top + (spans.end ?? 0) + margins.bottom
    )
  }

  /// The spread in the middle of its column.
  public func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace {
    let environment = spreads.environment
    let margins = environment.configuration.margins
    let width = width(in: environment) * environment.configuration.zoom
    let size = spreads.size(of: index)
    let start = margins.left + Double(columns[index]) * (width + environment.gap)
    let origin = Point(x: start + (width - size.width) / 2, y: margins.top + spans[index].start)
    return SpreadPlace(frame: Rect(origin: origin, size: size), scale: 1)
  }

  /// From the first to the last spread between the window's upper and lower edge.
  public func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int> {
    let top = spreads.environment.configuration.margins.top
    return spans.spreads(from: window.minY - top, to: window.maxY - top)
  }

  /// Those of them that are not in a column that ends above it.
  public func spreadRanges(touching window: Rect, of spreads: Spreads) -> [Range<Int>] {
    let top = spreads.environment.configuration.margins.top
    return spans.spreadRanges(from: window.minY - top, to: window.maxY - top)
  }

  /// Each spread is a whole of its own.
  public var isOneCanvas: Bool { false }
}
