public import RectoGeometry

/// The position of a spread in the content.
public struct SpreadPlace: Hashable, Sendable {
  /// The spread's frame, empty columns included. It has the shape of the spread's size.
  public var frame: Rect
  /// The part of the content that belongs to the spread, which is clipped to it.
  public var cell: Rect
  /// How far a cell of the spread's own size should be enlarged at each edge, so that rounding errors do not clip the
  /// spread: a millionth of a layout unit.
  public static let roundingMargin = Double.lengthTolerance
  /// The size of `frame` as a multiple of the spread's own size; nil to derive it from the widths.
  public var scale: Double?
  /// Where spreads overlap, those of a higher level cover those of a lower one; 0 at first. Within a level, pinned
  /// spreads cover others, and later ones earlier ones.
  public var level = 0
  /// Whether the spread stays in the window while the rest is scrolled; false at first. Then it does not count for the
  /// current page and for anchors, which have its place at rest.
  public var isPinned = false

  /// A place from its parts; without a cell, the frame is the cell.
  ///
  /// - Parameters:
  ///   - frame: The spread's frame, empty columns included, in content coordinates.
  ///   - cell: The part of the content that belongs to the spread; nil for `frame`.
  ///   - scale: The size of `frame` as a multiple of the spread's own size; nil to derive it from
  ///     the widths.
  public init(frame: Rect, cell: Rect? = nil, scale: Double? = nil) {
    self.frame = frame
    self.cell = cell ?? frame
    self.scale = scale
  }
}

/// The position pass of a layout: places spreads of given sizes.
///
/// Everything else (pairing, fitting, measuring, anchors, queries) is the same for all layouts and
/// part of ``Layout``. For a custom layout, conform a value type and pass it to
/// ``Layout/init(_:arrangement:pages:sizes:viewport:)``; three methods suffice.
///
/// An arrangement must depend only on its arguments, and on what it has prepared from them. Spreads are placed in content
/// coordinates: layout units, y down, the origin at the content's top left. Along the axis, in reading direction, no
/// spread rests before one with a lower index.
///
/// If a place depends on all previous spreads, a question must not walk them: use the sums of ``Spreads``, such as
/// ``Spreads/contentEdges(ofLine:)``, or compute places once, in ``prepare(for:changed:)``.
///
/// The arrangements of the modes are public. ``ArrangementWrapper`` changes some answers of one of them, or of any other
/// arrangement, and forwards the rest.
public protocol PageArranging: Sendable {
  /// The size of the whole content.
  func contentSize(of spreads: Spreads) -> Size

  /// The position of the spread `index` while `window` is the visible part of the content. Most
  /// layouts ignore the window.
  ///
  /// - Parameters:
  ///   - index: The spread, which exists.
  ///   - spreads: The spreads and their sizes.
  ///   - window: The visible part of the content.
  /// - Returns: The spread's place in the content.
  func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace

  /// The spreads that overlap `window` along the axis, whether or not they overlap it across: from the first to the last
  /// of them. Spreads after the last may be added that would overlap the window if they were larger: all of the range
  /// is measured before a window is exact.
  ///
  /// - Complexity: Should not grow with the number of spreads.
  func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int>

  /// The same without those in between that do not overlap `window`, for layouts in which a spread stays in the window,
  /// or extends along many others. By default, the range of ``spreads(touching:of:)``.
  ///
  /// - Parameters:
  ///   - window: The visible part of the content.
  ///   - spreads: The spreads and their sizes.
  /// - Returns: Ranges of spreads that exist, in any order.
  func spreadRanges(touching window: Rect, of spreads: Spreads) -> [Range<Int>]

  /// Prepares for questions about these spreads; by default nothing. Called by each layout that is made, and after new
  /// sizes, so that stored properties can hold places or sums of extents. They are values: a copy of a layout keeps its
  /// own.
  ///
  /// Neither the zoom and pan of single spreads (``Spreads/view(of:)``) nor sizes that equal their estimates cause a
  /// call.
  ///
  /// - Parameters:
  ///   - spreads: The spreads and their sizes.
  ///   - changed: Ranges of spreads, ascending and disjoint, without which all sizes are those of the previous call, and
  ///     so is everything else; nil if anything may be different.
  mutating func prepare(for spreads: Spreads, changed: [Range<Int>]?)

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

  /// How spreads break into lines by their extents across the axis; nil, the default, for
  /// `spreadsPerLine` in each line. ``Spreads/brokenLine(ofSpread:)`` returns the lines.
  func lineBreaking(in environment: LayoutEnvironment) -> LineBreaking?

  /// The spreads whose sizes decide the positions of the spreads of a range. By default, all
  /// previous ones and the range.
  func spreadsDeciding(_ range: Range<Int>, of spreads: Spreads) -> Range<Int>

  /// The spreads whose positions may change with sizes in a range: the counterpart of
  /// `spreadsDeciding`. By default, the range and all following ones.
  func spreadsAffected(by range: Range<Int>, of spreads: Spreads) -> Range<Int>

  /// The offset along the axis at which the spread `index` is at rest at the viewport's start edge.
  /// By default, the start of the spread's frame.
  func restingOffset(of index: Int, of spreads: Spreads) -> Double

  /// Whether all spreads are on one canvas; true by default. Then gaps do not scale, gap rules apply, and a cover is on
  /// its side of the spine. Otherwise each spread is displayed by itself: the gaps between its pages scale with it, and
  /// a cover is centered.
  var isOneCanvas: Bool { get }

  /// Whether going to a page means going to the rest position of its spread; false by default. Then
  /// the arrangement applies the zoom and pan of each spread, see ``Spreads/view(of:)``.
  var restsAtSpreads: Bool { get }

  /// Whether frames follow the window, so that a frame alone does not determine an offset; false by default. Places of
  /// single spreads may depend on the window all the same (``SpreadPlace/isPinned``): their own places are those in the
  /// window at their ``restingOffset(of:of:)``.
  var followsWindow: Bool { get }

  /// Whether places follow the lines of ``Spreads`` by a rule: of consecutive spreads of unchanged sizes, all move by
  /// the vector of the first and the last. Then an ``Invalidation`` has the spreads that have really moved. False by
  /// default: everything in ``spreadsAffected(by:of:)`` counts as changed.
  var placesByRule: Bool { get }
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

  /// The range of ``spreads(touching:of:)``.
  public func spreadRanges(touching window: Rect, of spreads: Spreads) -> [Range<Int>] {
    [self.spreads(touching: window, of: spreads)]
  }

  /// Nothing.
  public mutating func prepare(for spreads: Spreads, changed: [Range<Int>]?) {}

  /// One spread in a line.
  public func spreadsPerLine(in environment: LayoutEnvironment) -> Int { 1 }

  /// Lines of `spreadsPerLine`.
  public func lineBreaking(in environment: LayoutEnvironment) -> LineBreaking? { nil }

  /// All spreads before the range, and the range.
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

  /// The range and all following spreads.
  public func spreadsAffected(by range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    range.lowerBound..<spreads.count
  }

  /// All spreads on one canvas.
  public var isOneCanvas: Bool { true }

  /// Any offset is as good as another.
  public var restsAtSpreads: Bool { false }

  /// Frames stay where they are.
  public var followsWindow: Bool { false }

  /// Spreads may move in any way.
  public var placesByRule: Bool { false }
}

extension LayoutEnvironment {
  /// The part of a rectangle along the axis.
  public func along(_ rect: Rect) -> (min: Double, max: Double) {
    isVertical ? (rect.minY, rect.maxY) : (rect.minX, rect.maxX)
  }

  /// A rectangle from its parts along and across the axis.
  ///
  /// - Parameters:
  ///   - along: Where it begins and ends along the axis.
  ///   - across: Where it begins across the axis.
  ///   - breadth: Its extent across the axis.
  /// - Returns: The rectangle in content coordinates.
  public func rect(along: (min: Double, max: Double), across: Double, breadth: Double) -> Rect {
    isVertical
      ? Rect(x: across, y: along.min, width: breadth, height: along.max - along.min)
      : Rect(x: along.min, y: across, width: along.max - along.min, height: breadth)
  }
}
