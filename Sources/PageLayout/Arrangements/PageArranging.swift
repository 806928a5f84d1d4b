public import RectoGeometry

/// Where one spread sits in the content.
public struct SpreadPlace: Hashable, Sendable {
  /// The spread's frame, empty columns included. It has the shape of the spread's size.
  public var frame: Rect
  /// The part of the content that belongs to the spread; what reaches out of it is not seen.
  public var cell: Rect
  /// The size of `frame` as a multiple of the spread's own size; nil: taken from the widths.
  public var scale: Double?

  /// A place from its parts; without a cell, the frame is the cell.
  ///
  /// - Parameters:
  ///   - frame: The spread's frame, empty columns included, in content coordinates.
  ///   - cell: The part of the content that belongs to the spread; nil: `frame`.
  ///   - scale: The size of `frame` as a multiple of the spread's own size; nil: taken from the
  ///     widths.
  public init(frame: Rect, cell: Rect? = nil, scale: Double? = nil) {
    self.frame = frame
    self.cell = cell ?? frame
    self.scale = scale
  }
}

/// The position pass of a layout: given the spreads and their sizes, where does each one sit?
///
/// Everything else (pairing, fitting, measuring, anchors, queries) is the same for all layouts and
/// comes from ``Layout``. Conform a value type of your own and hand it to
/// ``Layout/init(_:arrangement:pages:sizes:viewport:)``; three methods suffice.
///
/// An arrangement must be a function of its arguments alone. Spreads are placed in content
/// coordinates: layout units, y down, the origin at the content's top left. Along the axis, in reading
/// direction, no spread rests in front of one with a lower index.
///
/// The arrangements of the modes are public, so that one of your own can change what one of them
/// answers: wrap it and pass on the rest.
public protocol PageArranging: Sendable {
  /// The size of the whole content.
  func contentSize(of spreads: Spreads) -> Size

  /// Where the spread `index` sits while `window` is the visible part of the content. Most layouts
  /// place their spreads without regard to the window.
  ///
  /// - Parameters:
  ///   - index: The spread, which exists.
  ///   - spreads: The spreads and their sizes.
  ///   - window: The visible part of the content.
  /// - Returns: The spread's place in the content.
  func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace

  /// The spreads that take up room in `window` along the axis, whether or not they reach it across
  /// the axis. Should cost no more than the answer is long.
  func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int>

  /// The scale of a spread before `zoom`, in layout units per point. By default, that of the
  /// configuration's fit in ``LayoutEnvironment/room``.
  ///
  /// - Parameters:
  ///   - width: The widths of the columns together, in points.
  ///   - height: The height of the spread, in points.
  ///   - columns: The number of columns.
  ///   - environment: The configuration and viewport.
  /// - Returns: Layout units per point.
  func scale(width: Double, height: Double, columns: Int, in environment: LayoutEnvironment)
    -> Double

  /// How many spreads share a line across the axis; 1 by default.
  func spreadsPerLine(in environment: LayoutEnvironment) -> Int

  /// How spreads break into lines by their own extents across the axis; nil, the default: each line
  /// holds `spreadsPerLine`.
  func lineBreaking(in environment: LayoutEnvironment) -> LineBreaking?

  /// The spreads whose sizes decide where the spreads of a range sit. By default, all in front of
  /// them and themselves.
  func spreadsDeciding(_ range: Range<Int>, of spreads: Spreads) -> Range<Int>

  /// The spreads that may sit elsewhere once sizes in a range have changed: the counterpart of
  /// `spreadsDeciding`. By default, the range and all behind it.
  func spreadsAffected(by range: Range<Int>, of spreads: Spreads) -> Range<Int>

  /// The offset along the axis at which the spread `index` is at rest at the viewport's start edge.
  /// By default, where the spread's frame begins.
  func restingOffset(of index: Int, of spreads: Spreads) -> Double

  /// Whether all spreads lie on one canvas; true by default. Then gaps stay as they are on the screen,
  /// gap rules hold, and a cover stands on its side of the spine. Otherwise each spread is seen as a
  /// whole of its own: the gaps between its pages scale with it, and a cover stands in the middle.
  var isOneCanvas: Bool { get }

  /// Whether going to a page means going to where its spread is at rest; false by default. Then the
  /// arrangement applies the zoom and pan of each spread, see ``Spreads/view(of:)``.
  var restsAtSpreads: Bool { get }

  /// Whether frames follow the window, so that a frame alone does not tell an offset; false by
  /// default.
  var followsWindow: Bool { get }
}

extension PageArranging {
  /// The scale of the configuration's fit in ``LayoutEnvironment/room``.
  ///
  /// - Parameters:
  ///   - width: The widths of the columns together, in points.
  ///   - height: The height of the spread, in points.
  ///   - columns: The number of columns.
  ///   - environment: The configuration and viewport.
  /// - Returns: Layout units per point.
  public func scale(
    width: Double,
    height: Double,
    columns: Int,
    in environment: LayoutEnvironment
  ) -> Double {
    environment.scale(
      environment.configuration.fit,
      width: width,
      height: height,
      columns: columns,
      in: environment.room
    )
  }

  /// One spread in a line.
  public func spreadsPerLine(in environment: LayoutEnvironment) -> Int { 1 }

  /// Lines of `spreadsPerLine`.
  public func lineBreaking(in environment: LayoutEnvironment) -> LineBreaking? { nil }

  /// All spreads in front of the range, and the range.
  public func spreadsDeciding(_ range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    0..<range.upperBound
  }

  /// The start of the spread's frame along the axis, without the content inset there.
  public func restingOffset(of index: Int, of spreads: Spreads) -> Double {
    let environment = spreads.environment
    let window = Rect(origin: .zero, size: environment.viewport)
    let frame = place(index, of: spreads, in: window).frame
    let inset = environment.leading(environment.configuration.contentInsets)
    if environment.isVertical { return frame.minY - inset }
    if environment.runsBackwards { return frame.maxX + inset - environment.viewport.width }
    return frame.minX - inset
  }

  /// The range and all spreads behind it.
  public func spreadsAffected(by range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    range.lowerBound..<spreads.count
  }

  /// All spreads on one canvas.
  public var isOneCanvas: Bool { true }

  /// Any offset is as good as another.
  public var restsAtSpreads: Bool { false }

  /// Frames stay where they are.
  public var followsWindow: Bool { false }
}

extension LayoutEnvironment {
  /// The part of a rectangle along the axis.
  func along(_ rect: Rect) -> (min: Double, max: Double) {
    isVertical ? (rect.minY, rect.maxY) : (rect.minX, rect.maxX)
  }

  /// A rectangle from its parts along and across the axis.
  ///
  /// - Parameters:
  ///   - along: Where it begins and ends along the axis.
  /// - Returns: The rectangle in content coordinates.
  func rect(along: (min: Double, max: Double), across: Double, breadth: Double) -> Rect {
    isVertical
      ? Rect(x: across, y: along.min, width: breadth, height: along.max - along.min)
      : Rect(x: along.min, y: across, width: along.max - along.min, height: breadth)
  }
}
