public import RectoGeometry

/// An arrangement that changes some answers of another one.
///
/// Everything is forwarded to ``base``; a conforming type implements only what it changes. An arrangement that moves
/// spreads along the axis changes ``PageArranging/restingOffset(of:of:)`` as well, and the windows that it forwards.
/// ``PageArranging/placesByRule`` is also that of the base: with places that depend on sizes in another way than those of
/// the base, it must be false.
public protocol ArrangementWrapper: PageArranging {
  /// The type of the other arrangement.
  associatedtype Base: PageArranging
  /// The other arrangement.
  var base: Base { get set }
}

extension ArrangementWrapper {
  /// That of the base.
  public func contentSize(of spreads: Spreads) -> Size { base.contentSize(of: spreads) }

  /// The place in the base.
  ///
  /// - Parameters:
  ///   - index: The spread, which exists.
  ///   - spreads: The spreads and their sizes.
  ///   - window: The visible part of the content.
  /// - Returns: The spread's place in the content.
  public func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace {
    base.place(index, of: spreads, in: window)
  }

  /// Those of the base.
  public func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int> {
    base.spreads(touching: window, of: spreads)
  }

  /// Those of the base.
  public func spreadRanges(touching window: Rect, of spreads: Spreads) -> [Range<Int>] {
    base.spreadRanges(touching: window, of: spreads)
  }

  /// Prepares the base.
  public mutating func prepare(for spreads: Spreads, changed: [Range<Int>]?) {
    base.prepare(for: spreads, changed: changed)
  }

  /// That of the base.
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
    base.scale(width: width, height: height, columns: columns, in: environment)
  }

  /// That of the base.
  public func spreadsPerLine(in environment: LayoutEnvironment) -> Int {
    base.spreadsPerLine(in: environment)
  }

  /// That of the base.
  public func lineBreaking(in environment: LayoutEnvironment) -> LineBreaking? {
    base.lineBreaking(in: environment)
  }

  /// Those of the base.
  public func spreadsDeciding(_ range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    base.spreadsDeciding(range, of: spreads)
  }

  /// Those of the base.
  public func spreadsAffected(by range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    base.spreadsAffected(by: range, of: spreads)
  }

  /// That of the base.
  public func restingOffset(of index: Int, of spreads: Spreads) -> Double {
    base.restingOffset(of: index, of: spreads)
  }

  /// As in the base.
  public var isOneCanvas: Bool { base.isOneCanvas }

  /// As in the base.
  public var restsAtSpreads: Bool { base.restsAtSpreads }

  /// As in the base.
  public var followsWindow: Bool { base.followsWindow }

  /// As in the base.
  public var placesByRule: Bool { base.placesByRule }
}
