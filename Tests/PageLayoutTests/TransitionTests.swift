import Foundation
import PageLayout
import RectoGeometry
import TestSupport
import Testing

@Suite struct TransitionTests {
  private static let modes = LayoutConfiguration.Mode.allCases
  private static let times = [0.1, 0.25, 0.5, 0.8]

  /// Twenty pages of 400 by 500 in a viewport of 820 by 600.
  private func viewpoint(
    page: PageIndex = 5,
    _ change: (inout LayoutConfiguration) -> Void = { _ in }
  ) throws -> Viewpoint {
    var configuration = LayoutConfiguration()
    configuration.margins = .zero
    change(&configuration)
    let layout = try Layout(
      configuration,
      pages: PageSequence(pageCount: 20),
      sizes: PageSizes(estimate: .fixed(Size(width: 400, height: 500))),
      viewport: Size(width: 820, height: 600)
    )
    return try #require(Viewpoint(layout).showing(page: page))
  }

  /// A viewpoint, and another one made of it by a new configuration, viewport and order of pages.
  private func change(
    _ seed: Int,
    to mode: LayoutConfiguration.Mode,
    turning: Bool
  ) throws -> (start: Viewpoint, end: Viewpoint, changes: PageChanges?)? {
    var random = SeededGenerator(seed &* 31)
    var first = RandomInput(seed: seed, mode: random.pick(Self.modes))
    let second = RandomInput(seed: seed &+ 7919, mode: mode, pageCount: first.sizes.count)
    let layout = try first.layout(measuring: random.pick([0, 0.5, 1]))
    guard !layout.isEmpty, first.hasPages else { return nil }
    let page = Int.random(in: 0..<layout.pages.count, using: &random)
    let start =
      layout.pages.page(at: page).flatMap { Viewpoint(layout).showing(page: $0) }
      ?? Viewpoint(layout)
    var configuration = second.configuration
    if !turning { configuration.rotation = layout.configuration.rotation }
    var end = try start.reconfigured(configuration)
    if random.chance(0.3) { end = try end.resized(to: second.viewport) }
    var changes: PageChanges?
    if random.chance(0.4) {
      let edited = end.edited { edit in
        for _ in 0..<3 {
          let count = edit.pages.count
          let position = Int.random(in: 0...count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0: edit.insert([.pages(0..<2)], at: position)
          case 1: edit.remove(position..<min(count, position + 3))
          case 2: edit.move(position..<min(count, position + 2), to: count / 2)
          default: edit.duplicate(position..<min(count, position + 1))
          }
        }
      }
      end = edited.viewpoint
      changes = edited.changes
    }
    guard !end.layout.isEmpty else { return nil }
    return (start, end, changes)
  }

  /// What a window shows: the frame of each position, from the viewport's top left. An edge that
  /// overlaps by what sums lose does not count.
  private func shown(_ viewpoint: Viewpoint) -> [Int: Rect] {
    var frames: [Int: Rect] = [:]
    let window = viewpoint.window.inset(by: Insets(1e-6))
    for page in viewpoint.layout.spreads(visibleIn: viewpoint.window).flatMap(\.pages)
    where page.visible(in: window) != nil {
      frames[page.position] = page.frame.offsetBy(x: -viewpoint.offset.x, y: -viewpoint.offset.y)
    }
    return frames
  }

  @Test(arguments: modes)
  func `it begins and ends with what the two windows show`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for seed in seeds(300) {
      guard let (start, end, changes) = try change(seed, to: mode, turning: true) else { continue }
      let transition = Transition(from: start, to: end, changes: changes)
      for (progress, viewpoint) in [(0.0, start), (1.0, end)] {
        let expected = shown(viewpoint)
        var found: [Int: Rect] = [:]
        for motion in transition.motions {
          let page = transition.page(of: motion, at: progress)
          let position = progress == 0 ? motion.oldPosition : motion.newPosition
          guard let position, expected[position] != nil else { continue }
          #expect(page.opacity == 1, "seed \(seed)")
          #expect(viewpoint.layout.pages.page(at: position) == motion.page, "seed \(seed)")
          #expect(found.updateValue(page.frame, forKey: position) == nil, "seed \(seed)")
        }
        #expect(found.keys.sorted() == expected.keys.sorted(), "seed \(seed) at \(progress)")
        for (position, frame) in found {
          #expect(isClose(frame, expected[position] ?? .zero), "seed \(seed) at \(progress)")
        }
        #expect(
          transition.pages(at: progress).count == expected.count,
          "seed \(seed) at \(progress): nothing else is seen"
        )
      }
    }
  }

  @Test(arguments: modes)
  func `the anchor goes straight from its place to its place`(
    mode: LayoutConfiguration.Mode
  ) throws {
    for seed in seeds(300) {
      guard let (start, end, changes) = try change(seed, to: mode, turning: true),
        let anchor = start.place?.anchor
      else { continue }
      guard !start.layout.restsAtSpreads else { continue }
      let transition = Transition(from: start, to: end, changes: changes)
      let positions = start.layout.pages.positions(of: anchor.page)
      guard anchor.occurrence < positions.count else { continue }
      let position = positions[anchor.occurrence]
      guard let motion = transition.motions.first(where: { $0.oldPosition == position }),
        motion.newPosition != nil
      else { continue }
      for progress in [0] + Self.times + [1] {
        let page = transition.page(of: motion, at: progress)
        let expected = Point(
          x: transition.pivot.start.x * (1 - progress) + transition.pivot.end.x * progress,
          y: transition.pivot.start.y * (1 - progress) + transition.pivot.end.y * progress
        )
        let place = page.place(anchor.place)
        let scale = max(1, abs(page.frame.width), abs(page.frame.height), abs(page.frame.minX))
        #expect(abs(place.x - expected.x) <= 1e-9 * scale, "seed \(seed) at \(progress)")
        #expect(abs(place.y - expected.y) <= 1e-9 * scale, "seed \(seed) at \(progress)")
      }
    }
  }

  @Test(arguments: modes)
  func `backwards it is the same`(mode: LayoutConfiguration.Mode) throws {
    for seed in seeds(200) {
      guard let (start, end, changes) = try change(seed, to: mode, turning: false), changes == nil
      else { continue }
      let forward = Transition(from: start, to: end)
      let backward = Transition(from: end, to: start)
      for progress in Self.times {
        let there = forward.pages(at: progress).sorted { $0.position < $1.position }
        let back = backward.pages(at: 1 - progress).sorted { $0.position < $1.position }
        #expect(there.map(\.position) == back.map(\.position), "seed \(seed) at \(progress)")
        for (first, second) in zip(there, back) {
          #expect(isClose(first.frame, second.frame), "seed \(seed) at \(progress)")
        }
      }
    }
  }

  @Test(arguments: [LayoutConfiguration.Mode.continuous, .paged])
  func `no page is missing on the way between stacks`(mode: LayoutConfiguration.Mode) throws {
    for seed in seeds(600) {
      guard let (start, end, changes) = try change(seed, to: mode, turning: false), changes == nil
      else { continue }
      let (first, last) = (start.layout.configuration, end.layout.configuration)
      guard [.continuous, .paged].contains(first.mode), first.axis == last.axis,
        first.isRightToLeft == last.isRightToLeft || first.axis == .vertical
      else { continue }
      let transition = Transition(from: start, to: end)
      for progress in Self.times {
        let window = Rect(origin: .zero, size: transition.viewport(at: progress))
        let known = Set(transition.pages(at: progress).map(\.position))
        for position in 0..<start.layout.pages.count where !known.contains(position) {
          guard let page = start.layout.pages.page(at: position),
            let before = start.layout.page(page, at: position, in: start.window),
            let after = end.layout.page(page, at: position, in: end.window),
            // A page that reaches out of its cell is cut off there.
            [before, after].allSatisfy({ isClose($0.clip.union($0.frame), $0.clip) })
          else { continue }
          func between(_ first: Double, _ last: Double) -> Double {
            first * (1 - progress) + last * progress
          }
          let frame = Rect(
            x: between(before.frame.minX - start.offset.x, after.frame.minX - end.offset.x),
            y: between(before.frame.minY - start.offset.y, after.frame.minY - end.offset.y),
            width: between(before.frame.width, after.frame.width),
            height: between(before.frame.height, after.frame.height)
          )
          #expect(!frame.intersects(window), "seed \(seed) at \(progress): position \(position)")
        }
      }
    }
  }

  // MARK: Examples

  private func reconfigured(
    _ viewpoint: Viewpoint,
    _ change: (inout LayoutConfiguration) -> Void
  ) throws -> Viewpoint {
    var configuration = viewpoint.layout.configuration
    change(&configuration)
    return try viewpoint.reconfigured(configuration)
  }

  private func moving(_ page: PageIndex, of transition: Transition, at progress: Double)
    -> MovingPage?
  {
    transition.motions.first { $0.page == page }.map { transition.page(of: $0, at: progress) }
  }

  @Test func `an inserted page comes out from behind the page in front of it`() throws {
    let start = try viewpoint(page: 5) { $0.gap = 0 }
    let (end, changes) = start.edited { $0.insert([.pages(9..<10)], at: 6) }
    let transition = Transition(from: start, to: end, changes: changes)
    let new = try #require(transition.motions.first { $0.oldPosition == nil })
    #expect(new.page == 9 && new.newPosition == 6 && new.fades)
    let half = transition.page(of: new, at: 0.5)
    #expect(half.opacity == 0.5)
    // Page 6 is below page 5, and goes down as far as the new page is high.
    #expect(isClose(half.frame, Rect(x: 210, y: 500, width: 400, height: 500)))
    #expect(moving(6, of: transition, at: 0.5)?.frame.minY == 750)
    #expect(moving(5, of: transition, at: 0.5)?.frame.minY == 0, "the anchor")
    #expect(transition.motions.first == new, "under the others")
  }

  @Test func `a removed page is covered by those that take its place`() throws {
    let start = try viewpoint(page: 5) { $0.gap = 0 }
    let (end, changes) = start.edited { $0.remove(6..<7) }
    let transition = Transition(from: start, to: end, changes: changes)
    let old = try #require(transition.motions.first { $0.newPosition == nil })
    #expect(old.page == 6 && old.oldPosition == 6)
    #expect(transition.page(of: old, at: 0.25).opacity == 0.75)
    #expect(isClose(transition.page(of: old, at: 1).frame.minY, 500))
    #expect(moving(7, of: transition, at: 0.5)?.frame.minY == 750)
    #expect(transition.pages(at: 1).map(\.page).sorted() == [5, 7])
  }

  @Test func `pages of another order are told apart by their occurrence`() throws {
    let start = try viewpoint(page: 5)
    let end = start.carried(to: start.layout.reordered(PageSequence([.backwards(0..<20)])))
    let motions = Transition(from: start, to: end).motions
    #expect(motions.allSatisfy { !$0.fades && $0.oldPosition == 19 - ($0.newPosition ?? 0) })
    let other = start.carried(to: start.layout.reordered(PageSequence([.pages(100..<120)])))
    let replaced = Transition(from: start, to: other)
    #expect(replaced.motions.allSatisfy { $0.fades && $0.start.frame == $0.end.frame })
    #expect(replaced.pages(at: 0.5).count == 4)
  }

  @Test func `all turn about the anchor, the shorter way`() throws {
    let start = try viewpoint(page: 5) { $0.rotation = .threeQuarters }
    let end = try reconfigured(start) {
      $0.rotation = .none
    }
    let transition = Transition(from: start, to: end)
    #expect(transition.angle == (270, 360))
    let page = try #require(moving(5, of: transition, at: 0.5))
    #expect(page.angle == 315)
    #expect(isClose(page.size.width, 400) && isClose(page.size.height, 500))
    #expect(isClose(page.frame.width, 900 * 0.5.squareRoot()))
    let back = Transition(from: end, to: start)
    #expect(back.angle == (0, -90))
  }

  @Test func `a page comes from its place in a grid, however far it is`() throws {
    let start = try viewpoint(page: 7) {
      $0.mode = .grid
      $0.grid.columns = 5
      $0.fit = .width
    }
    let end = try reconfigured(start) {
      $0.mode = .paged
      $0.fit = .page
    }
    let transition = Transition(from: start, to: end)
    let anchor = try #require(transition.motions.last)
    #expect(anchor.page == 7, "the page that is kept covers the others")
    #expect(transition.pages(at: 1).map(\.page) == [7])
    #expect(transition.pages(at: 0).count > 10)
    let next = try #require(moving(8, of: transition, at: 0.75))
    #expect(next.frame.minY > 300, "on its way below the viewport")
  }
}

extension MovingPage {
  /// Where a share of the upright page is seen.
  fileprivate func place(_ share: Point) -> Point {
    let (x, y) = ((share.x - 0.5) * size.width, (share.y - 0.5) * size.height)
    let (sine, cosine) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
    return Point(
      x: frame.center.x + x * cosine - y * sine,
      y: frame.center.y + x * sine + y * cosine
    )
  }
}
