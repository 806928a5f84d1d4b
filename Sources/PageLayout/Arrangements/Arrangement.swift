internal import RectoGeometry

/// The arrangement of a layout: that of a mode, or a custom one.
///
/// The modes' are cases, so that a layout needs an existential only for a custom one, and none where the language has
/// none.
enum Arrangement: PageArranging {
  case stack(StackArrangement)
  case paged(PagedArrangement)
  case grid(GridArrangement)
  case carousel(CarouselArrangement)
  case flow(FlowArrangement)
  indirect case custom(CustomArrangement)

  /// The arrangement of a mode.
  init(_ mode: LayoutConfiguration.Mode) {
    switch mode {
    case .continuous: self = .stack(StackArrangement())
    case .paged: self = .paged(PagedArrangement())
    case .grid: self = .grid(GridArrangement())
    case .carousel: self = .carousel(CarouselArrangement())
    case .flow: self = .flow(FlowArrangement())
    }
  }

  /// Whether it is not that of a mode.
  var isCustom: Bool { if case .custom = self { true } else { false } }
  var isGrid: Bool { if case .grid = self { true } else { false } }
  /// Whether places may depend on the window.
  var mayFollowWindow: Bool { isCustom || followsWindow }

  func contentSize(of spreads: Spreads) -> Size {
    switch self {
    case .stack(let base): base.contentSize(of: spreads)
    case .paged(let base): base.contentSize(of: spreads)
    case .grid(let base): base.contentSize(of: spreads)
    case .carousel(let base): base.contentSize(of: spreads)
    case .flow(let base): base.contentSize(of: spreads)
    case .custom(let base): base.contentSize(of: spreads)
    }
  }

  func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace {
    switch self {
    case .stack(let base): base.place(index, of: spreads, in: window)
    case .paged(let base): base.place(index, of: spreads, in: window)
    case .grid(let base): base.place(index, of: spreads, in: window)
    case .carousel(let base): base.place(index, of: spreads, in: window)
    case .flow(let base): base.place(index, of: spreads, in: window)
    case .custom(let base): base.place(index, of: spreads, in: window)
    }
  }

  func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int> {
    switch self {
    case .stack(let base): base.spreads(touching: window, of: spreads)
    case .paged(let base): base.spreads(touching: window, of: spreads)
    case .grid(let base): base.spreads(touching: window, of: spreads)
    case .carousel(let base): base.spreads(touching: window, of: spreads)
    case .flow(let base): base.spreads(touching: window, of: spreads)
    case .custom(let base): base.spreads(touching: window, of: spreads)
    }
  }

  func spreadRanges(touching window: Rect, of spreads: Spreads) -> [Range<Int>] {
    if case .custom(let base) = self { return base.spreadRanges(touching: window, of: spreads) }
    return [self.spreads(touching: window, of: spreads)]
  }

  mutating func prepare(for spreads: Spreads, changed: [Range<Int>]?) {
    guard case .custom(var base) = self else { return }
    // Let go of, so that its storage is changed in place.
    self = .stack(StackArrangement())
    base.prepare(for: spreads, changed: changed)
    self = .custom(base)
  }

  func scale(width: Double, height: Double, columns: Int, in environment: LayoutEnvironment)
    -> Double
  {
    switch self {
    case .stack(let base):
      base.scale(width: width, height: height, columns: columns, in: environment)
    case .paged(let base):
      base.scale(width: width, height: height, columns: columns, in: environment)
    case .grid(let base):
      base.scale(width: width, height: height, columns: columns, in: environment)
    case .carousel(let base):
      base.scale(width: width, height: height, columns: columns, in: environment)
    case .flow(let base):
      base.scale(width: width, height: height, columns: columns, in: environment)
    case .custom(let base):
      base.scale(width: width, height: height, columns: columns, in: environment)
    }
  }

  func spreadsPerLine(in environment: LayoutEnvironment) -> Int {
    switch self {
    case .stack(let base): base.spreadsPerLine(in: environment)
    case .paged(let base): base.spreadsPerLine(in: environment)
    case .grid(let base): base.spreadsPerLine(in: environment)
    case .carousel(let base): base.spreadsPerLine(in: environment)
    case .flow(let base): base.spreadsPerLine(in: environment)
    case .custom(let base): base.spreadsPerLine(in: environment)
    }
  }

  func lineBreaking(in environment: LayoutEnvironment) -> LineBreaking? {
    switch self {
    case .stack(let base): base.lineBreaking(in: environment)
    case .paged(let base): base.lineBreaking(in: environment)
    case .grid(let base): base.lineBreaking(in: environment)
    case .carousel(let base): base.lineBreaking(in: environment)
    case .flow(let base): base.lineBreaking(in: environment)
    case .custom(let base): base.lineBreaking(in: environment)
    }
  }

  func spreadsDeciding(_ range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    switch self {
    case .stack(let base): base.spreadsDeciding(range, of: spreads)
    case .paged(let base): base.spreadsDeciding(range, of: spreads)
    case .grid(let base): base.spreadsDeciding(range, of: spreads)
    case .carousel(let base): base.spreadsDeciding(range, of: spreads)
    case .flow(let base): base.spreadsDeciding(range, of: spreads)
    case .custom(let base): base.spreadsDeciding(range, of: spreads)
    }
  }

  func spreadsAffected(by range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    switch self {
    case .stack(let base): base.spreadsAffected(by: range, of: spreads)
    case .paged(let base): base.spreadsAffected(by: range, of: spreads)
    case .grid(let base): base.spreadsAffected(by: range, of: spreads)
    case .carousel(let base): base.spreadsAffected(by: range, of: spreads)
    case .flow(let base): base.spreadsAffected(by: range, of: spreads)
    case .custom(let base): base.spreadsAffected(by: range, of: spreads)
    }
  }

  func restingOffset(of index: Int, of spreads: Spreads) -> Double {
    switch self {
    case .stack(let base): base.restingOffset(of: index, of: spreads)
    case .paged(let base): base.restingOffset(of: index, of: spreads)
    case .grid(let base): base.restingOffset(of: index, of: spreads)
    case .carousel(let base): base.restingOffset(of: index, of: spreads)
    case .flow(let base): base.restingOffset(of: index, of: spreads)
    case .custom(let base): base.restingOffset(of: index, of: spreads)
    }
  }

  var isOneCanvas: Bool {
    switch self {
    case .stack(let base): base.isOneCanvas
    case .paged(let base): base.isOneCanvas
    case .grid(let base): base.isOneCanvas
    case .carousel(let base): base.isOneCanvas
    case .flow(let base): base.isOneCanvas
    case .custom(let base): base.isOneCanvas
    }
  }

  var restsAtSpreads: Bool {
    switch self {
    case .stack(let base): base.restsAtSpreads
    case .paged(let base): base.restsAtSpreads
    case .grid(let base): base.restsAtSpreads
    case .carousel(let base): base.restsAtSpreads
    case .flow(let base): base.restsAtSpreads
    case .custom(let base): base.restsAtSpreads
    }
  }

  var followsWindow: Bool {
    switch self {
    case .stack(let base): base.followsWindow
    case .paged(let base): base.followsWindow
    case .grid(let base): base.followsWindow
    case .carousel(let base): base.followsWindow
    case .flow(let base): base.followsWindow
    case .custom(let base): base.followsWindow
    }
  }

  var placesByRule: Bool {
    if case .custom(let base) = self { return base.placesByRule }
    return true
  }
}
