import PageLayout
import RectoGeometry
import TestSupport

extension Reader {
  /// What the viewpoint, its layout and a transition to it answer.
  mutating func answers(since first: Viewpoint) -> JSONText {
    let layout = viewpoint.layout
    let point = Point(
      x: random.number(0...1) * layout.viewport.width,
      y: random.number(0...1) * layout.viewport.height
    )
    let page = PageIndex(Int.random(in: 0..<input.sizes.count, using: &random))
    let content = Point(x: viewpoint.offset.x + point.x, y: viewpoint.offset.y + point.y)
    let anchor = layout.anchor(at: viewpoint.offset, point: point)
    let hit = layout.page(at: content, in: viewpoint.window)
    let spreads = layout.spreads(visibleIn: viewpoint.window)
    let transition = Transition(from: first, to: viewpoint)
    let progress = random.pick([0, 0.25, 0.37, 1])
    return .object([
      ("offset", .init(viewpoint.offset)), ("viewport", .init(layout.viewport)),
      ("contentSize", .init(layout.contentSize)), ("spreadCount", .init(layout.spreadCount)),
      ("positionCount", .init(layout.pages.count)),
      ("isContentExact", .init(layout.isContentExact)), ("zoom", .init(viewpoint.zoom)),
      ("rotation", .init(layout.configuration.rotation.degrees)),
      ("currentPage", viewpoint.current.map { .init($0) }),
      ("restingSpread", viewpoint.restingSpread.map { .init($0) }),
      ("isAtRest", .init(viewpoint.isAtRest)), ("place", viewpoint.place.map { .init($0) }),
      ("visibleSpreads", .init(spreads.count)),
      (
        "spreads",
        .list(
          (spreads.count > 3 ? spreads.prefix(2) + spreads.suffix(1) : spreads[...]).map {
            JSONText($0)
          }
        )
      ),
      ("unmeasured", .init(layout.unmeasuredPages(neededFor: viewpoint.window))),
      ("unmeasuredInside", .init(layout.unmeasuredPages(inside: viewpoint.window))),
      ("point", .init(point)),
      (
        "hit",
        hit.map { .object([("page", .init($0.page)), ("point", .init($0.pagePoint(content)))]) }
      ),
      ("anchor", anchor.map { .init($0) }),
      ("offsetOfAnchor", anchor.flatMap { layout.offset(of: $0, point: point) }.map { .init($0) }),
      ("page", .init(page)),
      ("spreadOfPage", layout.spread(containingPage: page).map { .init($0) }),
      ("offsetOfPage", layout.offset(showing: page, fraction: 0.25).map { .init($0) }),
      ("nextSpread", layout.stop(.forward, from: viewpoint.offset).map { .init($0) }),
      ("previousScreen", layout.screenStop(.backward, from: viewpoint.offset).map { .init($0) }),
      ("invalidation", .init(viewpoint.invalidation(since: first))),
      ("progress", .init(progress)),
      ("transition", .init(transition, at: progress)),
    ])
  }
}

extension JSONText {
  fileprivate init(_ ranges: [Range<PageIndex>]) { self = .list(ranges.map { JSONText($0) }) }

  fileprivate init(_ anchor: Anchor) {
    self = .numbers(
      Double(anchor.page.value),
      Double(anchor.occurrence),
      anchor.place.x,
      anchor.place.y
    )
  }

  fileprivate init(_ place: Place) {
    self = .object([
      ("anchor", .init(place.anchor)), ("point", .init(place.point)),
      ("current", .list([.init(place.current.page), .init(place.current.occurrence)])),
      ("progress", .init(place.progress)),
    ])
  }

  fileprivate init(_ spread: LaidOutSpread) {
    self = .object([
      ("index", .init(spread.index)), ("frame", .init(spread.frame)), ("cell", .init(spread.cell)),
      ("isExact", .init(spread.isExact)), ("isPinned", .init(spread.isPinned)),
      ("pages", .list(spread.pages.map { JSONText($0) })),
    ])
  }

  private init(_ page: LaidOutPage) {
    self = .object([
      ("page", .init(page.page)), ("position", .init(page.position)), ("frame", .init(page.frame)),
      ("clip", .init(page.clip)), ("size", .init(page.size)), ("scale", .init(page.scale)),
      ("isMeasured", .init(page.isMeasured)), ("isExact", .init(page.isExact)),
    ])
  }

  init(_ invalidation: Invalidation) {
    self = .object([
      ("changed", .list(invalidation.changed.map { JSONText($0) })),
      (
        "displaced",
        .list(
          invalidation.displaced.map {
            .object([("spreads", .init($0.spreads)), ("distance", .init($0.distance))])
          }
        )
      ),
      ("contentSizeAdjustment", .init(invalidation.contentSizeAdjustment)),
      ("offsetAdjustment", .init(invalidation.offsetAdjustment)),
    ])
  }

  init(_ changes: PageChanges) {
    self = .object([
      ("inserted", .list(changes.inserted.map { JSONText($0) })),
      ("removed", .list(changes.removed.map { JSONText($0) })),
      (
        "kept",
        .list(changes.kept.map { .object([("old", .init($0.old)), ("new", .init($0.new))]) })
      ),
    ])
  }

  fileprivate init(_ transition: Transition, at progress: Double) {
    let pages = transition.pages(at: progress)
    self = .object([
      ("pivot", .list([.init(transition.pivot.start), .init(transition.pivot.end)])),
      ("angle", .numbers(transition.angle.start, transition.angle.end)),
      ("motions", .init(transition.motions.count)),
      ("viewport", .init(transition.viewport(at: progress))), ("visiblePages", .init(pages.count)),
      ("pages", .list(pages.suffix(2).map { JSONText($0) })),
    ])
  }

  private init(_ page: MovingPage) {
    self = .object([
      ("page", .init(page.page)), ("position", .init(page.position)), ("frame", .init(page.frame)),
      ("size", .init(page.size)), ("angle", .init(page.angle)),
      ("clip", page.clip.map { .init($0) }),
      ("opacity", .init(page.opacity)),
    ])
  }
}
