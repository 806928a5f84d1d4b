public import RectoGeometry

/// The current spread large, with small neighbors beside it.
///
/// A spread's role is its distance from the current spread: current, neighbor, or beyond. Each role has a box, a
/// fraction of the room, equal for all roles beyond the neighbors; a spread fits its box, keeping its aspect ratio. At
/// rest, the same fraction of each neighbor is visible at the viewport's edge, whatever its shape. Between two rest
/// positions, size and center of each spread are interpolated between its roles. Adjacent spreads are at least one gap
/// apart. Frames follow the window: the content is one step long per spread, and scrolling changes roles. A spread that
/// is zoomed beyond its box is panned inside it and clipped by it.
public struct CarouselArrangement: PageArranging {
  /// The arrangement.
  public init() {}

  /// Spreads follow the lines.
  public var placesByRule: Bool { true }

  /// Each spread is placed separately.
  public var isOneCanvas: Bool { false }

  /// The scale at which a spread fits the box of the current one.
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
    let share = environment.configuration.carousel.currentShare
    return environment.scale(
      .page,
      width: width,
      height: height,
      columns: columns,
      in: environment.room * share
    )
  }

  /// The fraction of the room, by the distance from the current role.
  private func share(_ distance: Double, _ options: CarouselOptions) -> Double {
    let neighbor = options.neighborShare
    if distance <= 1 { return options.currentShare + (neighbor - options.currentShare) * distance }
    return neighbor + (options.hiddenShare - neighbor) * min(1, distance - 1)
  }

  /// The starts of the boxes of the neighbor and the next spread, measured from the center of the
  /// room, and the distance between further boxes. That is at least one layout unit, so that a
  /// window never shows more spreads than its length.
  private func boxes(_ environment: LayoutEnvironment) -> (
    neighbor: Double, beyond: Double, pitch: Double
  ) {
    let options = environment.configuration.carousel
    let room = environment.along(environment.room)
    let gap = environment.configuration.gap
    let neighbor = room * options.currentShare / 2 + gap
    return (
      neighbor, neighbor + room * options.neighborShare + gap,
      max(1, room * options.hiddenShare + gap)
    )
  }

  /// The distance between the centers of a spread and the room, by its distance from the current role.
  ///
  /// - Parameters:
  ///   - extent: The visible extent of the spread along the axis as the current one.
  ///   - edge: The distance of the viewport's edge from the center of the room, on the spread's
  ///     side.
  /// - Returns: The distance, in layout units along the axis.
  private func middle(
    _ distance: Double,
    extent: Double,
    edge: Double,
    _ environment: LayoutEnvironment
  ) -> Double {
    let options = environment.configuration.carousel
    let neighbor = extent * options.neighborShare / options.currentShare
    let hidden = extent * options.hiddenShare / options.currentShare
    let boxes = boxes(environment)
    let box = environment.along(environment.room) * options.neighborShare
    let seen = (edge - boxes.neighbor) / box
    // A neighbor whose box is wholly visible is centered in it.
    let beside =
      seen >= 1
      ? boxes.neighbor + box / 2
      : max(edge + (0.5 - seen) * neighbor, boxes.neighbor + neighbor / 2)
    if distance <= 1 { return beside * distance }
    let beyond = boxes.beyond + hidden / 2
    if distance <= 2 { return beside + (beyond - beside) * (distance - 1) }
    return beyond + boxes.pitch * (distance - 2)
  }

  /// The offset between two rest positions: the distance to the center of a neighbor that fills its
  /// box.
  private func step(_ environment: LayoutEnvironment) -> Double {
    let options = environment.configuration.carousel
    let room = environment.along(environment.room)
    return room * (options.currentShare + options.neighborShare) / 2
      + environment.configuration.gap
  }

  /// One step for each spread.
  public func contentSize(of spreads: Spreads) -> Size {
    guard spreads.count > 0 else { return .zero }
    let environment = spreads.environment
    return environment.size(
      along: Double(spreads.count - 1) * step(environment)
        + environment.along(environment.viewport),
      across: environment.across(environment.viewport)
    )
  }

  /// One step for each previous spread.
  public func restingOffset(of index: Int, of spreads: Spreads) -> Double {
    let environment = spreads.environment
    let place = environment.runsBackwards ? spreads.count - 1 - index : index
    return Double(place) * step(environment)
  }

  /// The window's position in steps, in reading direction.
  private func progress(_ window: Rect, _ spreads: Spreads) -> Double {
    let environment = spreads.environment
    let steps = environment.along(window).min / step(environment)
    return environment.runsBackwards ? Double(spreads.count - 1) - steps : steps
  }

  /// The center of a spread's box, and the size of the box as a multiple of the current one's.
  ///
  /// - Parameters:
  ///   - extent: The visible extent of the spread along the axis as the current one.
  /// - Returns: The center in content coordinates, and the factor.
  private func middle(
    of index: Int,
    extent: Double,
    in window: Rect,
    _ spreads: Spreads
  ) -> (middle: Point, factor: Double) {
    let environment = spreads.environment
    let configuration = environment.configuration
    let role = Double(index) - progress(window, spreads)
    let distance = abs(role)
    let margins = configuration.margins
    // The side of the screen on which the spread is.
    let sign: Double = (role < 0) == environment.runsBackwards ? 1 : -1
    let margin =
      environment.isVertical
      ? (sign < 0 ? margins.top : margins.bottom) : (sign < 0 ? margins.left : margins.right)
    let edge = environment.along(environment.room) / 2 + margin
    let away = sign * middle(distance, extent: extent, edge: edge, environment)
    var middle = middleOfRoom(in: window, environment)
    if environment.isVertical { middle.y += away } else { middle.x += away }
    return (middle, share(distance, configuration.carousel) / configuration.carousel.currentShare)
  }

  /// The center of the room in a window, in content coordinates.
  private func middleOfRoom(in window: Rect, _ environment: LayoutEnvironment) -> Point {
    let insets = environment.configuration.contentInsets
    let margins = environment.configuration.margins
    return Point(
      x: window.minX + insets.left + margins.left + environment.room.width / 2,
      y: window.minY + insets.top + margins.top + environment.room.height / 2
    )
  }

  /// The spread in its role for a window.
  ///
  /// - Parameters:
  ///   - index: The spread, which exists.
  ///   - spreads: The spreads and their sizes.
  ///   - window: The visible part of the content.
  /// - Returns: The spread's place in the content.
  public func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace {
    let environment = spreads.environment
    let view = spreads.view(of: index)
    let largest = environment.room * environment.configuration.carousel.currentShare
    let natural = spreads.size(of: index) * view.zoom
    let (middle, factor) = middle(
      of: index,
      extent: min(environment.along(natural), environment.along(largest)),
      in: window,
      spreads
    )
    let size = natural * factor
    let box = Rect(around: middle, size: largest * factor)
    let origin = Point(
      x: SpreadView.start(
        of: size.width,
        axis: size.width / 2,
        from: box.minX,
        to: box.maxX,
        pan: view.pan.x
      ),
      y: SpreadView.start(
        of: size.height,
        axis: size.height / 2,
        from: box.minY,
        to: box.maxY,
        pan: view.pan.y
      )
    )
    // A spread zoomed beyond its box is clipped by it.
    let clip = Size(
      width: min(size.width, box.width) + SpreadPlace.roundingMargin,
      height: min(size.height, box.height) + SpreadPlace.roundingMargin
    )
    return SpreadPlace(
      frame: Rect(origin: origin, size: size),
      cell: Rect(around: middle, size: clip),
      scale: factor * view.zoom
    )
  }

  /// The spreads that intersect the window in their roles.
  public func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int> {
    let environment = spreads.environment
    let progress = progress(window, spreads)
    guard progress.isFinite, !window.isEmpty else { return 0..<0 }
    let part = environment.along(window)
    let center = middleOfRoom(in: window, environment)
    let along = environment.isVertical ? center.y : center.x
    let boxes = boxes(environment)
    /// The farthest role whose box begins within a distance from the center; at least 2.
    func role(_ distance: Double) -> Double { 2 + max(0, distance - boxes.beyond) / boxes.pitch }
    var (before, after) = (role(along - part.min), role(part.max - along))
    if environment.runsBackwards { swap(&before, &after) }
    let last = Double(spreads.count)
    var lower = Int(min(max((progress - before).rounded(.up), 0), last))
    var upper = Int(min(max((progress + after).rounded(.down) + 1, 0), last))
    // Assumes a spread that fills its box, because the visible spreads must not depend on unmeasured sizes.
    func touches(_ index: Int) -> Bool {
      let largest = environment.room * environment.configuration.carousel.currentShare
      let (middle, factor) = middle(
        of: index,
        extent: environment.along(largest),
        in: window,
        spreads
      )
      let along = environment.isVertical ? middle.y : middle.x
      let reach = environment.along(largest) * factor / 2
      return along + reach > part.min && along - reach < part.max
    }
    while lower < upper, !touches(lower) { lower += 1 }
    while upper > lower, !touches(upper - 1) { upper -= 1 }
    return lower..<upper
  }

  /// As in paged: its own pages.
  public func spreadsDeciding(_ range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    PagedArrangement().spreadsDeciding(range, of: spreads)
  }

  /// The counterpart of ``spreadsDeciding(_:of:)``.
  public func spreadsAffected(by range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    PagedArrangement().spreadsAffected(by: range, of: spreads)
  }

  /// Every spread has a rest position.
  public var restsAtSpreads: Bool { true }
  /// Frames follow the window.
  public var followsWindow: Bool { true }
}
