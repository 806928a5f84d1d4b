import PageLayout
import RectoGeometry
import TestSupport

/// A reader who changes a viewpoint at random, and writes down what happens.
struct Reader {
  var viewpoint: Viewpoint
  let input: RandomInput
  var random: SeededGenerator

  init(viewpoint: Viewpoint, input: RandomInput) {
    self.viewpoint = viewpoint
    self.input = input
    random = input.generator
  }

  /// Takes a step: the function of pagelayout.js, its arguments, and what it says about the change.
  mutating func step() -> JSONText {
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1:
      let offset = somewhere()
      return taken("moved", [.init(named: offset)], viewpoint.moved(to: offset))
    case 2:
      let distance = Point(x: random.number(-100...100), y: random.number(-900...900))
      return taken("scrolled", [.init(named: distance)], viewpoint.scrolled(by: distance))
    case 3: return taken("settled", [], viewpoint.settled)
    case 4: return zoom()
    case 5: return show()
    case 6:
      let viewport = Size(width: random.number(0...1500), height: random.number(0...1200))
      return attempted("resized", [.init(named: viewport)]) { (start) throws(LayoutError) in
        try start.resized(to: viewport)
      }
    case 7, 8: return reconfigure()
    case 9, 10: return measure()
    default: return edit()
    }
  }

  private func taken(
    _ name: String,
    _ arguments: [JSONText],
    changes: [(name: String, value: JSONText?)] = []
  ) -> JSONText {
    .object([("function", .init(word: name)), ("arguments", .list(arguments))] + changes)
  }

  /// A step to another viewpoint; without one, the function gives nothing.
  private mutating func taken(_ name: String, _ arguments: [JSONText], _ found: Viewpoint?)
    -> JSONText
  {
    guard let found else {
      return taken(name, arguments, changes: [("isRefused", .init(true))])
    }
    viewpoint = found
    return taken(name, arguments)
  }

  /// A step that a layout may refuse.
  private mutating func attempted(
    _ name: String,
    _ arguments: [JSONText],
    _ step: (Viewpoint) throws(LayoutError) -> Viewpoint
  ) -> JSONText {
    do throws(LayoutError) {
      return taken(name, arguments, try step(viewpoint))
    } catch {
      return taken(name, arguments, changes: [("error", .init(word: error.description))])
    }
  }

  /// An offset in the content or beside it.
  private mutating func somewhere() -> Point {
    let content = viewpoint.layout.contentSize
    return Point(
      x: random.number(-0.1...1.1) * content.width,
      y: random.number(-0.1...1.1) * content.height
    )
  }

  /// A point of the viewport, or none.
  private mutating func pointer() -> Point? {
    let viewport = viewpoint.layout.viewport
    guard random.chance(0.7) else { return nil }
    return Point(
      x: random.number(0...1) * viewport.width,
      y: random.number(0...1) * viewport.height
    )
  }

  private mutating func page() -> PageIndex {
    PageIndex(Int.random(in: 0...input.sizes.count, using: &random))
  }

  private mutating func zoom() -> JSONText {
    let point = pointer()
    let factor = random.pick([0.5, 1.25, 2, -1, 1e9, random.number(0.2...3)])
    let arguments = [JSONText(factor)] + (point.map { [JSONText(named: $0)] } ?? [])
    return random.chance(0.5)
      ? attempted("zoomedBy", arguments) { (start) throws(LayoutError) in
        try start.zoomed(by: factor, about: point)
      }
      : attempted("zoomedTo", arguments) { (start) throws(LayoutError) in
        try start.zoomed(to: factor, about: point)
      }
  }

  private mutating func show() -> JSONText {
    let page = page()
    guard random.chance(0.6) else {
      let anchor = Anchor(
        page: page,
        occurrence: random.pick([0, 0, 1]),
        place: Point(x: random.number(0...1), y: random.number(0...1))
      )
      let point = pointer()
      let arguments = [JSONText(named: anchor)] + (point.map { [JSONText(named: $0)] } ?? [])
      return taken("showingAnchor", arguments, viewpoint.showing(anchor, at: point))
    }
    let (occurrence, fraction) = (
      random.pick([0, 0, 1]), random.pick([0, random.number(-0.2...1.2)])
    )
    let across = random.chance(0.3) ? random.number(0...1) : nil
    return taken(
      "showingPage",
      [
        .init(page),
        .object([
          ("occurrence", .init(occurrence)), ("fraction", .init(fraction)),
          ("across", across.map { .init($0) }),
        ]),
      ],
      viewpoint.showing(page: page, occurrence: occurrence, fraction: fraction, across: across)
    )
  }

  private mutating func reconfigure() -> JSONText {
    // Every option of another input, which may be of another mode.
    let mode = random.pick(LayoutConfiguration.Mode.allCases)
    var configuration = viewpoint.layout.configuration
    let other = RandomInput(
      seed: Int.random(in: 0..<1_000_000, using: &random),
      mode: mode,
      pageCount: input.sizes.count
    ).configuration
    var members: [(name: String, value: JSONText?)] = []
    if random.chance(0.6) {
      configuration.mode = mode
      members.append(("mode", .init(word: mode.rawValue)))
    }
    if random.chance(0.4) {
      configuration.rotation = other.rotation
      members.append(("rotation", .init(other.rotation.degrees)))
    }
    if random.chance(0.4) {
      configuration.fit = other.fit
      members.append(("fit", .init(word: other.fit.rawValue)))
    }
    if random.chance(0.4) {
      configuration.zoom = other.zoom
      members.append(("zoom", .init(other.zoom)))
    }
    if random.chance(0.3) {
      configuration.spread = .book
      members.append(("spread", .init(word: "book")))
    }
    if random.chance(0.3) {
      configuration.grid.columns = nil
      configuration.pairing.wideRatio = nil
      members.append(("grid", .object([("columns", .text("null"))])))
      members.append(("pairing", .object([("wideRatio", .text("null"))])))
    }
    if random.chance(0.2) {
      let gap = random.pick([-1, 1e10, random.number(0...50)])
      configuration.gap = gap
      members.append(("gap", .init(gap)))
    }
    return attempted("reconfigured", [.object(members)]) { (start) throws(LayoutError) in
      try start.reconfigured(configuration)
    }
  }

  private mutating func measure() -> JSONText {
    var measured: [MeasuredSize] = []
    for _ in 0..<random.pick([1, 1, 2, 20]) {
      let page = page()
      guard page.value < input.sizes.count else { continue }
      measured.append(MeasuredSize(page: page, size: input.sizes[page.value]))
    }
    let missing = random.chance(0.2) ? [Range(only: page())] : []
    let start = viewpoint
    var layout = start.layout
    var invalidation = layout.measure(measured)
    for pages in missing { layout.markMissing(pages) }
    viewpoint = start.measured(layout)
    invalidation.adjustOffset(from: start.offset, to: viewpoint.offset)
    return taken(
      "measured",
      [.init(named: measured), .list(missing.map { JSONText(named: $0.values) })],
      changes: [("invalidation", .init(invalidation))]
    )
  }

  private mutating func edit() -> JSONText {
    let start = viewpoint
    var steps: [JSONText] = []
    var random = random
    let pageCount = input.sizes.count
    let (found, changes) = start.edited { edit in
      for _ in 0..<random.pick([1, 1, 3]) {
        let count = edit.pages.count
        let lower = Int.random(in: 0...count, using: &random)
        let positions = lower..<min(count, lower + random.pick([1, 2, 10]))
        let target = Int.random(in: 0...count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0:
          let run = random.pick([
            PageSequence.Run.blanks(2), .pages(Range(pageCount: min(2, pageCount))),
            .backwards(Range(pageCount: min(3, pageCount))),
          ])
          edit.insert([run], at: target)
          steps.append(.object([("insert", .list([.init(named: run)])), ("at", .init(target))]))
        case 1:
          edit.remove(positions)
          steps.append(.object([("remove", .init(named: positions))]))
        case 2:
          edit.move(positions, to: target)
          steps.append(.object([("move", .init(named: positions)), ("to", .init(target))]))
        default:
          edit.duplicate(positions)
          steps.append(.object([("duplicate", .init(named: positions))]))
        }
      }
    }
    self.random = random
    viewpoint = found
    return taken(
      "edited",
      [.list(steps)],
      changes: [
        ("changes", .init(changes)),
        ("invalidation", .init(found.invalidation(since: start, changes: changes))),
      ]
    )
  }
}
