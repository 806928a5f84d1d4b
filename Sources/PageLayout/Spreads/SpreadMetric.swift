/// The result of the size pass for one spread.
public struct SpreadMetric: Hashable, Sendable {
  /// The total width of its columns, without gaps, in points. An empty column is as wide as the
  /// widest page of the spread.
  public var width: Double
  /// The height of its highest page, in points.
  public var height: Double
  /// The number of columns.
  public var columns: Int
  /// Layout units per point before `zoom`.
  public var scale: Double
  /// Whether all its pages are measured.
  public var isMeasured: Bool
}

/// The scale that a spread would have by itself, if all spreads share one.
struct OwnScale: SparseElement {
  struct Total: SparseTotal {
    /// The number of spreads.
    var count = 0
    /// The smallest of their scales.
    var smallest = Double.infinity

    static let zero = Total()

    mutating func add(_ other: Total) {
      count += other.count
      smallest = min(smallest, other.smallest)
    }
  }

  var scale: Double

  var total: Total { Total(count: 1, smallest: scale) }
}

/// The contribution of a line to the prefix sums. A line is a spread, or a row of a grid.
struct LineMetric: SparseElement, Hashable {
  struct Total: SparseTotal, Hashable {
    /// The number of lines.
    var count = 0
    /// How many of them have only measured pages.
    var exact = 0
    /// How many of them have several columns, and so page gaps that do not scale.
    var multiple = 0
    /// The sum of their extents along the axis, before zoom and without page gaps.
    var along = 0.0
    /// The largest extent across the axis among the lines of one column.
    var crossOfSingle = 0.0
    /// The largest extent across the axis among the lines of several columns.
    var crossOfMultiple = 0.0

    static let zero = Total()

    mutating func add(_ other: Total) {
      count += other.count
      exact += other.exact
      multiple += other.multiple
      along += other.along
      crossOfSingle = max(crossOfSingle, other.crossOfSingle)
      crossOfMultiple = max(crossOfMultiple, other.crossOfMultiple)
    }
  }

  /// Extent along the axis, before zoom and without page gaps.
  var along = 0.0
  /// Extent across the axis, before zoom and without page gaps.
  var cross = 0.0
  /// Whether it has more than one column.
  var isMultiple = false
  /// Whether all its pages are measured.
  var isExact = false

  var total: Total {
    Total(
      count: 1,
      exact: isExact ? 1 : 0,
      multiple: isMultiple ? 1 : 0,
      along: along,
      crossOfSingle: isMultiple ? 0 : cross,
      crossOfMultiple: isMultiple ? cross : 0
    )
  }
}
