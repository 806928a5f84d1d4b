internal import Geometry

/// The current spread large, its neighbours small beside it.
///
/// Five roles: the spread before the previous one, previous, current, next, and the one after it.
/// Each role has a box, a share of the room; a spread fits its box, aspect ratio kept. Between two
/// rest positions, every spread's box and middle are interpolated from those of its role to those
/// of its next role. Boxes side by side are one gap apart at rest and never nearer in between.
/// Frames follow the window: the content is one step long per spread, and what scrolling does is
/// to move roles.
struct CarouselArrangement: PageArranging {
  func scale(width: Double, height: Double, columns: Int, in environment: LayoutEnvironment)
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

  /// The share of the room, by the distance from the current role.
  private func share(_ distance: Double, _ options: CarouselOptions) -> Double {
    let shares = [options.currentShare, options.neighbourShare, options.hiddenShare]
    let lower = min(1, Int(distance))
    let part = min(1, distance - Double(lower))
    return shares[lower] + (shares[lower + 1] - shares[lower]) * part
  }

  /// The distance of a box's middle from the viewport's, by the distance from the current role.
  private func middle(_ distance: Double, _ environment: LayoutEnvironment) -> Double {
    let options = environment.configuration.carousel
    let room = environment.along(environment.room)
    let first =
      room * (options.currentShare + options.neighbourShare) / 2 + environment.configuration.gap
    let second =
      first + room * (options.neighbourShare + options.hiddenShare) / 2
      + environment.configuration.gap
    return distance <= 1 ? first * distance : first + (second - first) * (distance - 1)
  }

  /// The offset between two rest positions: a neighbour's way to the middle.
  private func step(_ environment: LayoutEnvironment) -> Double { middle(1, environment) }

  func contentSize(of spreads: Spreads) -> Size {
    guard spreads.count > 0 else { return .zero }
    let environment = spreads.environment
    return environment.size(
      along: Double(spreads.count - 1) * step(environment)
        + environment.along(environment.viewport),
      across: environment.across(environment.viewport)
    )
  }

  func restingOffset(of index: Int, of spreads: Spreads) -> Double {
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

  func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace {
    let environment = spreads.environment
    let configuration = environment.configuration
    let role = Double(index) - progress(window, spreads)
    let distance = min(2, abs(role))
    let share = share(distance, configuration.carousel)
    let factor = share / configuration.carousel.currentShare
    var away = middle(distance, environment) * (role < 0 ? -1 : 1)
    if environment.runsBackwards { away = -away }
    let insets = configuration.contentInsets
    let margins = configuration.margins
    let middle = Point(
      x: window.minX + insets.left + margins.left + environment.room.width / 2
        + (environment.isVertical ? 0 : away),
      y: window.minY + insets.top + margins.top + environment.room.height / 2
        + (environment.isVertical ? away : 0)
    )
    let size = spreads.size(of: index) * factor
    let box = environment.room * share
    // The box clips a spread that is zoomed beyond it; a millionth more, for what sums lose.
    let clip = Size(width: box.width + 1e-6, height: box.height + 1e-6)
    return SpreadPlace(
      frame: Rect(
        x: middle.x - size.width / 2,
        y: middle.y - size.height / 2,
        width: size.width,
        height: size.height
      ),
      cell: Rect(
        x: middle.x - clip.width / 2,
        y: middle.y - clip.height / 2,
        width: clip.width,
        height: clip.height
      ),
      scale: factor
    )
  }

  func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int> {
    let progress = progress(window, spreads)
    guard progress.isFinite, !window.isEmpty else { return 0..<0 }
    let last = Double(spreads.count)
    var lower = Int(min(max((progress - 2).rounded(.up), 0), last))
    var upper = Int(min(max((progress + 2).rounded(.down) + 1, 0), last))
    func touches(_ index: Int) -> Bool {
      let place = spreads.environment.along(self.place(index, of: spreads, in: window).cell)
      let part = spreads.environment.along(window)
      return place.max > part.min && place.min < part.max
    }
    while lower < upper, !touches(lower) { lower += 1 }
    while upper > lower, !touches(upper - 1) { upper -= 1 }
    return lower..<upper
  }

  func spreadsDeciding(_ range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    PagedArrangement().spreadsDeciding(range, of: spreads)
  }

  func spreadsAffected(by range: Range<Int>, of spreads: Spreads) -> Range<Int> {
    PagedArrangement().spreadsAffected(by: range, of: spreads)
  }

  var restsAtSpreads: Bool { true }
  var followsWindow: Bool { true }
}
