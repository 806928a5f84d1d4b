public import RectoGeometry

/// One spread at a time, each in a cell as large as the viewport.
///
/// Spreads are fitted to their cell and zoomed individually. A spread larger than its cell is
/// panned inside it and clipped by it; without a fit, a spread is shown at its natural size, but
/// never larger than the cell at zoom 1. Cells follow each other at the regular gap.
public struct PagedArrangement: PageArranging {
  /// The arrangement.
  public init() {}

  /// Spreads follow the lines.
  public var placesByRule: Bool { true }

  /// Each spread is placed separately.
  public var isOneCanvas: Bool { false }

  /// The scale at which a spread fits its cell; without a fit, it is never enlarged.
  ///
  /// - Parameters:
  ///   - width: The widths of the columns together, in points.
  ///   - height: The height of the spread, in points.
  ///   - columns: The number of columns.
  ///   - environment: The configuration and viewport.
  /// - Returns: Layout units per point.
  public func scale(width: Double, height: Double, columns: Int, in environment: LayoutEnvironment)
    -> Double
  {
    let fit = environment.configuration.fit
    let scale = environment.scale(
      fit == .none ? .page : fit,
      width: width,
      height: height,
      columns: columns,
      in: environment.room
    )
    return fit == .none ? min(1, scale) : scale
  }

  /// One cell for each spread, a gap apart.
  public func contentSize(of spreads: Spreads) -> Size {
    guard spreads.count > 0 else { return .zero }
    let environment = spreads.environment
    let cell = environment.along(environment.viewport)
    return environment.size(
      along: Double(spreads.count) * cell + Double(spreads.count - 1) * environment.gap,
      across: environment.across(environment.viewport)
    )
  }

  /// The spread in its cell, panned if it is larger.
  ///
  /// - Parameters:
  ///   - index: The spread, which exists.
  ///   - spreads: The spreads and their sizes.
  ///   - window: The visible part of the content; has no effect.
  /// - Returns: The spread's place in the content.
  public func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace {
    let environment = spreads.environment
    let configuration = environment.configuration
    let start = restingOffset(of: index, of: spreads)
    let cell = Rect(
      origin: environment.isVertical ? Point(x: 0, y: start) : Point(x: start, y: 0),
      size: environment.viewport
    )
    let room = cell.inset(by: configuration.contentInsets).inset(by: configuration.margins)
    let view = spreads.view(of: index)
    let metric = spreads.metric(of: index)
    let natural = spreads.size(metric)
    let size = natural * view.zoom
    let spine = environment.isVertical ? spreads.spine(of: index, metric) * view.zoom : nil
    let x = SpreadView.start(
      of: size.width,
      axis: spine ?? size.width / 2,
      from: room.minX,
      to: room.maxX,
      pan: view.pan.x
    )
    let y = SpreadView.start(
      of: size.height,
      axis: size.height / 2,
      from: room.minY,
      to: room.maxY,
      pan: view.pan.y
    )
    return SpreadPlace(
      frame: Rect(origin: Point(x: x, y: y), size: size),
      cell: cell,
      scale: view.zoom
    )
  }

  /// The cells between the window's edges.
  public func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int> {
    let environment = spreads.environment
    let cell = environment.along(environment.viewport)
    let pitch = cell + environment.gap
    guard spreads.count > 0, cell > 0 else { return 0..<0 }
    var part = environment.along(window)
    guard part.max > part.min else { return 0..<0 }
    if environment.runsBackwards {
      let length = contentSize(of: spreads).width
      part = (length - part.max, length - part.min)
    }
    let last = Double(spreads.count)
    var lower = Int(min(max((part.min / pitch).rounded(.down), 0), last))
    if lower < spreads.count, Double(lower) * pitch + cell <= part.min { lower += 1 }
    let upper = Int(min(max((part.max / pitch).rounded(.up), 0), last))
    return lower..<max(lower, upper)
  }

  /// A cell depends only on its index, and its contents only on its own pages. Only if shapes
  /// decide the pairing do previous pages matter, and following pages, too, if cells are counted
  /// from the end.
  public func spreadsDeciding(_ range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    guard spreads.pairsByShape else { return range }
    return 0..<(spreads.environment.runsBackwards ? spreads.count : range.upperBound)
  }

  /// The counterpart of ``spreadsDeciding(_:of:)``.
  public func spreadsAffected(by range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    spreads.pairsByShape ? range.lowerBound..<spreads.count : range
  }

  /// Every spread has a rest position.
  public var restsAtSpreads: Bool { true }

  /// Where the spread's cell begins.
  public func restingOffset(of index: Int, of spreads: Spreads) -> Double {
    let environment = spreads.environment
    let pitch = environment.along(environment.viewport) + environment.gap
    let place = environment.runsBackwards ? spreads.count - 1 - index : index
    return Double(place) * pitch
  }
}
