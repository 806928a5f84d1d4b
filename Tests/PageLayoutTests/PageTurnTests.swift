import PageLayout
import RectoGeometry
import TestSupport
import Testing

@Suite struct PageTurnTests {
  /// The turns of random layouts, with the two spreads as they are at rest.
  private struct Case {
    var seed: Int
    var layout: Layout
    var index: Int
    var turn: PageTurn

    /// What is seen of a page at rest, in coordinates around the first spread.
    func rest(_ page: PageTurn.Page) -> Rect {
      let step = page.spread == index ? .zero : turn.step
      let page = page.page
      return page.frame.clipped(to: page.clip).offsetBy(x: -step.x, y: -step.y)
    }
  }

  /// Turns in random layouts: all pairings, directions, fits, rotations, sizes, gaps and zooms.
  private func cases(_ count: Int) throws -> [Case] {
    var cases: [Case] = []
    for seed in seeds(count) {
      var input = RandomInput(seed: seed, mode: .paged)
      var layout = try input.layout(measuring: input.generator.pick([0.5, 1]))
      guard !layout.isEmpty, layout.spreadCount > 1 else { continue }
      let index = Int.random(in: 0..<layout.spreadCount - 1, using: &input.generator)
      for spread in [index, index + 1] where input.generator.chance(0.3) {
        var view = SpreadView()
        view.zoom = input.generator.pick([1, 2.5])
        view.pan = Point(x: input.generator.number(0...1), y: input.generator.number(0...1))
        layout = layout.setting(view, ofSpread: spread)
      }
      guard let turn = layout.pageTurn(from: index) else {
        #expect(layout.spread(index)?.pages.isEmpty == true, "seed \(seed)")
        continue
      }
      cases.append(Case(seed: seed, layout: layout, index: index, turn: turn))
    }
    return cases
  }

  @Test func `a turn begins with the one spread and ends with the other`() throws {
    let cases = try cases(3000)
    #expect(cases.count > 1500)
    for item in cases {
      let (turn, seed) = (item.turn, Comment("seed \(item.seed)"))
      let pages = [item.index, item.index + 1].map { item.layout.spread($0)?.pages ?? [] }
      #expect(turn.pages.map(\.page) == pages.flatMap(\.self), seed)
      for (progress, spread) in [(0.0, item.index), (1, item.index + 1)] {
        for page in turn.pages where page.spread == spread {
          let place = turn.place(of: page, at: progress)
          #expect(isClose(place.clip ?? place.frame, item.rest(page)), seed)
          let step = spread == item.index ? .zero : turn.step
          guard !item.rest(page).isEmpty else { continue }
          let frame = page.page.frame.offsetBy(x: -step.x, y: -step.y)
          #expect(isClose(place.frame, frame), seed)
        }
      }
      // Nothing of the next spread is seen at the start, nothing of the first one at the end.
      let (start, end) = (turn.places.curl(at: 0), turn.places.curl(at: 1))
      #expect(isNear(start.front, Quad(turn.places.front)), seed)
      #expect(start.back.area == 0 && start.revealed.area == 0, seed)
      #expect(end.front.area == 0, seed)
      let revealed = try #require(turn.places.place(of: .revealed, at: 1))
      #expect(isNear(end.revealed, Quad(revealed)), seed)
      guard let back = turn.places.back else {
        #expect(end.back.area == 0, seed)
        let covered = turn.places.place(of: .covered, at: 1)
        #expect(covered == nil || covered?.width == 0, seed)
        continue
      }
      #expect(turn.places.place(of: .back, at: 1).map { isClose($0, back) } == true, seed)
      // The back shows its left edge where the sheet had the right one.
      #expect(isNear(end.back, Quad(back).withEdgesExchanged), seed)
      #expect(turn.places.place(of: .covered, at: 1) == back, seed)
    }
  }

  @Test func `nothing jumps on the way`() throws {
    let steps = 200
    for item in try cases(300) {
      let places = item.turn.places
      var previous: [Point] = []
      for step in 0...steps {
        let progress = Double(step) / Double(steps)
        let curl = places.curl(at: progress)
        let rects = TurnPlaces.Part.allCases.compactMap { places.place(of: $0, at: progress) }
        let points =
          [curl.fold.0, curl.fold.1] + [curl.front, curl.back, curl.revealed].flatMap(\.corners)
          + rects.flatMap { Quad($0).corners }
        // Everything moves inside the viewport and what lies mirrored beside it.
        let reach = item.layout.viewport.width + item.layout.viewport.height
        for (point, before) in zip(points, previous) {
          let way = abs(point.x - before.x) + abs(point.y - before.y)
          #expect(way <= 12 * reach / Double(steps), "seed \(item.seed) at \(progress)")
        }
        previous = points
      }
    }
  }

  @Test func `quads are the parts of the places on their side of the fold`() throws {
    for item in try cases(500) {
      let places = item.turn.places
      for step in 0...20 {
        let progress = Double(step) / 20
        let seed = Comment("seed \(item.seed) at \(progress)")
        let curl = places.curl(at: progress)
        let sheet = try #require(places.place(of: .front, at: progress))
        let width = places.back == nil ? 1 - progress : 1
        let turned = sheet.area - curl.front.area
        #expect(abs(curl.back.area - turned * width) <= 1e-6 * (1 + sheet.area), seed)
        #expect(isInside(curl.front, sheet), seed)
        let revealed = try #require(places.place(of: .revealed, at: progress))
        #expect(isInside(curl.revealed, revealed), seed)
        #expect(places.spineEdge(at: progress) == (places.spine == .left ? sheet.minX : sheet.maxX))
      }
    }
  }

  private func isInside(_ quad: Quad, _ rect: Rect) -> Bool {
    let lost = 1e-6 * (1 + abs(rect.minX) + abs(rect.minY) + rect.width + rect.height)
    return quad.corners.allSatisfy {
      $0.x >= rect.minX - lost && $0.x <= rect.maxX + lost && $0.y >= rect.minY - lost
        && $0.y <= rect.maxY + lost
    }
  }

  @Test func `a turn to the left is the mirror image of one to the right`() {
    var random = SeededGenerator(7)
    for _ in 0..<500 {
      func rect() -> Rect {
        Rect(
          x: random.number(-500...500),
          y: random.number(-500...500),
          width: random.number(0...500),
          height: random.number(0...500)
        )
      }
      let covered = random.chance(0.5) ? rect() : nil
      let back = random.chance(0.5) ? rect() : nil
      let revealed = random.chance(0.5) ? rect() : nil
      let left = TurnPlaces(
        spine: .left,
        covered: covered,
        front: rect(),
        back: back,
        revealed: revealed
      )
      let right = TurnPlaces(
        spine: .right,
        covered: left.covered.map(mirrored),
        front: mirrored(left.front),
        back: left.back.map(mirrored),
        revealed: left.revealed.map(mirrored)
      )
      let progress = random.number(0...1)
      for part in TurnPlaces.Part.allCases {
        let place = left.place(of: part, at: progress).map(mirrored)
        let other = right.place(of: part, at: progress)
        #expect((place == nil) == (other == nil))
        if let place, let other { #expect(isClose(place, other)) }
      }
      let (curl, other) = (left.curl(at: progress), right.curl(at: progress))
      for (quad, other) in [
        (curl.front, other.front), (curl.back, other.back), (curl.revealed, other.revealed),
      ] {
        for (corner, other) in zip(quad.corners, other.withEdgesExchanged.corners) {
          #expect(isNear(Point(x: -corner.x, y: corner.y), other))
        }
      }
    }
  }

  private func isNear(_ first: Quad, _ second: Quad) -> Bool {
    zip(first.corners, second.corners).allSatisfy(isNear)
  }

  private func isNear(_ first: Point, _ second: Point) -> Bool {
    let lost = 1e-9 * (1e4 + abs(first.x) + abs(first.y))
    return abs(first.x - second.x) <= lost && abs(first.y - second.y) <= lost
  }

  private func mirrored(_ rect: Rect) -> Rect {
    Rect(x: -rect.maxX, y: rect.minY, width: rect.width, height: rect.height)
  }

  /// Pages of 400 by 600, but for those that are given.
  private func layout(
    _ count: Int = 8,
    sizes: [PageIndex: Size] = [:],
    _ change: (inout LayoutConfiguration) -> Void
  ) throws -> Layout {
    var configuration = LayoutConfiguration()
    configuration.mode = .paged
    configuration.fit = .page
    configuration.margins = .zero
    change(&configuration)
    let measured = sizes.map { MeasuredSize(page: $0, size: $1) }
    return try Layout(
      configuration,
      pages: PageSequence(pageCount: count),
      sizes: PageSizes(
        measured: measured,
        estimate: .fixed(Size(width: 400, height: 600))
      ),
      viewport: Size(width: 1000, height: 600)
    )
  }

  /// The page numbers of each part of a turn.
  private func parts(_ layout: Layout, from index: Int) -> [TurnPlaces.Part: [Int]] {
    let pages = layout.pageTurn(from: index)?.pages ?? []
    return Dictionary(grouping: pages, by: \.part).mapValues { $0.map(\.page.page.number) }
  }

  @Test(arguments: [false, true])
  func `the back is the page on the other side of the spine`(isRightToLeft: Bool) throws {
    func layout(_ count: Int, _ change: (inout LayoutConfiguration) -> Void) throws -> Layout {
      try self.layout(count) {
        $0.isRightToLeft = isRightToLeft
        change(&$0)
      }
    }
    let book = try layout(8) { $0.spread = .book }
    // The cover is in the middle of its cell; the last page is on its side of the spine.
    #expect(parts(book, from: 0) == [.front: [1], .back: [2], .revealed: [3]])
    #expect(
      parts(book, from: 1) == [.covered: [2], .front: [3], .back: [4], .revealed: [5]]
    )
    #expect(parts(book, from: 3) == [.covered: [6], .front: [7], .back: [8]])
    #expect(book.pageTurn(from: 4) == nil && book.pageTurn(from: -1) == nil)
    let double = try layout(3) { $0.spread = .double }
    #expect(parts(double, from: 0) == [.covered: [1], .front: [2], .back: [3]])
    let single = try layout(3) { _ in }
    #expect(parts(single, from: 0) == [.front: [1], .revealed: [2]])
    let columns = try layout(8) { $0.spread = .columns(3, start: 0) }
    #expect(parts(columns, from: 1) == [.front: [4, 5, 6], .revealed: [7, 8]])
    let alone = try layout(6) {
      $0.spread = .double
      $0.pairing.alone = [2, 3]
    }
    #expect(parts(alone, from: 0) == [.covered: [1], .front: [2], .back: [3]])
    #expect(parts(alone, from: 1) == [.front: [3], .revealed: [4]])
    #expect(parts(alone, from: 2) == [.front: [4], .back: [5], .revealed: [6]])
    let sections = try layout(6) {
      $0.spread = .book
      $0.pairing.sectionStarts = [3]
    }
    // Pages 2 and 3, then page 4 alone, on the side on which a section begins.
    #expect(parts(sections, from: 1) == [.covered: [2], .front: [3], .revealed: [4]])
    #expect(parts(sections, from: 2) == [.front: [4], .back: [5], .revealed: [6]])
  }

  @Test func `pages of one size stay where they are while one is turned`() throws {
    let layout = try layout { $0.spread = .double }
    let turn = try #require(layout.pageTurn(from: 0))
    let cell = Rect(x: 0, y: 0, width: 1000, height: 600)
    let left = Rect(x: 100, y: 0, width: 400, height: 600)
    let right = Rect(x: 500, y: 0, width: 400, height: 600)
    for progress in [0, 0.2, 0.5, 1] {
      #expect(turn.places.place(of: .covered, at: progress) == left)
      #expect(turn.places.place(of: .front, at: progress) == right)
      #expect(turn.places.place(of: .back, at: progress) == left)
      #expect(turn.places.place(of: .revealed, at: progress) == right)
      #expect(turn.places.spineEdge(at: progress) == 500)
    }
    #expect(turn.step == Point(x: 0, y: cell.height + layout.configuration.gap))
  }

  @Test func `pages of other sizes get them on the way`() throws {
    // The first page of the next spread is as high as the others are wide, and the other way round.
    let layout = try layout(sizes: [2: Size(width: 600, height: 400)]) { $0.spread = .double }
    let turn = try #require(layout.pageTurn(from: 0))
    let left = Rect(x: 0, y: 100, width: 600, height: 400)
    let right = Rect(x: 600, y: 0, width: 400, height: 600)
    #expect(turn.places.back == left && turn.places.revealed == right)
    let middle = try #require(turn.places.place(of: .front, at: 0.5))
    #expect(isClose(middle, Rect(x: 550, y: 50, width: 500, height: 500)))
    #expect(
      turn.places.place(of: .covered, at: 0.5) == Rect(x: 50, y: 50, width: 500, height: 500)
    )
    #expect(
      turn.places.place(of: .revealed, at: 0.5) == Rect(x: 550, y: 0, width: 400, height: 600)
    )
    #expect(layout.pageCurl(from: 0, progress: 0.5) == turn.places.curl(at: 0.5))
  }
}

extension Quad {
  /// The same corners, left and right exchanged.
  fileprivate var withEdgesExchanged: Quad {
    Quad(topLeft: topRight, topRight: topLeft, bottomRight: bottomLeft, bottomLeft: bottomRight)
  }
}
