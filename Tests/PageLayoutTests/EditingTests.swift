import PageLayout
import RectoGeometry
import TestSupport
import Testing

@Suite struct EditingTests {
  @Test func `edits do to a sequence what they do to an array`() {
    for seed in seeds(300) {
      var random = SeededGenerator(seed)
      var sequence = PageSequence(pageCount: 12)
      var array: [PageIndex?] = Array(Range(pageCount: 12))
      for _ in 0..<8 {
        let start = Int.random(in: 0...array.count, using: &random)
        let end = Int.random(in: start...array.count, using: &random)
        let target = Int.random(in: 0...array.count, using: &random)
        switch Int.random(in: 0..<5, using: &random) {
        case 0:
          sequence.insert([.pages(20..<23), .blanks(1), .backwards(19..<24)], at: target)
          array.insert(contentsOf: [20, 21, 22, nil, 23, 22, 21, 20, 19], at: target)
        case 1:
          sequence.remove(start..<min(end, start + 3))
          array.removeSubrange(start..<min(end, start + 3))
        case 2:
          sequence.move(start..<end, to: target)
          if target < start || target > end {
            let moved = array[start..<end]
            array.removeSubrange(start..<end)
            array.insert(contentsOf: moved, at: target > start ? target - moved.count : target)
          }
        case 3:
          sequence.duplicate(start..<min(end, start + 2))
          array.insert(contentsOf: array[start..<min(end, start + 2)], at: min(end, start + 2))
        default:
          sequence = sequence.part(0..<sequence.count)
        }
        #expect(sequence.count == array.count)
        #expect((0..<array.count).map { sequence.page(at: $0) } == array, "seed \(seed)")
        for page: PageIndex in [0, 5, 11, 21, 99] {
          #expect(sequence.positions(of: page) == array.indices.filter { array[$0] == page })
        }
      }
    }
  }

  @Test func `a sequence costs its runs, and equal orders are equal`() {
    #expect(PageSequence(pageCount: 1_000_000).runs.count == 1)
    #expect(PageSequence([.pages(0..<3), .pages(3..<9)]) == PageSequence(pageCount: 9))
    #expect(PageSequence([.pages(0..<3), .pages(2..<9)]).runs.count == 2)
    let all = Range(pageCount: .max)
    #expect(PageSequence([.pages(all), .pages(all)]).count == 1 << 48)
    let backwards = PageSequence([.backwards(0..<1_000_000)])
    #expect(backwards.runs.count == 1)
    #expect(backwards.page(at: 0) == 999_999)
    #expect(backwards.page(at: 999_999) == 0)
  }

  @Test func `a sequence has the same runs whatever it was made from`() {
    for seed in seeds(300) {
      var random = SeededGenerator(seed)
      var runs: [PageSequence.Run] = []
      for _ in 0..<8 {
        let start = Int.random(in: 0..<5, using: &random)
        let range = Range(indices: start..<Int.random(in: start...5, using: &random))
        runs.append(random.pick([.pages(range), .backwards(range), .blanks(range.count)]))
      }
      let whole = PageSequence(runs)
      let pages = (0..<whole.count).map { whole.page(at: $0) }
      let expected = runs.flatMap { run -> [PageIndex?] in
        switch run {
        case .pages(let range): Array(range)
        case .backwards(let range): range.reversed()
        case .blanks(let count): Array(repeating: nil, count: count)
        }
      }
      #expect(pages == expected, "seed \(seed)")
      let single = pages.map { $0.map { PageSequence.Run.pages(Range(only: $0)) } ?? .blanks(1) }
      #expect(PageSequence(single).runs == whole.runs, "seed \(seed)")
      let shown = Set(pages.compactMap(\.self))
      #expect(Set(whole.pageRanges.flatMap(Array.init)) == shown)
      #expect(
        zip(whole.pageRanges, whole.pageRanges.dropFirst()).allSatisfy {
          $0.upperBound < $1.lowerBound
        }
      )
    }
  }

  @Test(arguments: BruteForceTests.modes)
  func `the anchor follows its page through edits`(mode: LayoutConfiguration.Mode) throws {
    for seed in seeds(150) {
      var input = RandomInput(seed: seed, mode: mode, pageCount: 30)
      input.pages = PageSequence(pageCount: 30)
      let layout = try input.layout(measuring: 0.7)
      guard !layout.isEmpty else { continue }
      let offset = randomWindow(layout, &input.generator).origin
      let anchor = try #require(layout.anchor(at: offset))
      let start = Int.random(in: 0..<28, using: &input.generator)
      let kind = Int.random(in: 0..<4, using: &input.generator)
      let result = layout.edited(keeping: anchor) { pages in
        switch kind {
        case 0: pages.insert([.pages(100..<104), .blanks(1)], at: start)
        case 1: pages.remove(start..<start + 2)
        case 2: pages.move(start..<start + 2, to: 29 - start)
        default: pages.duplicate(start..<start + 2)
        }
      }
      let edited = result.layout
      let found = try #require(result.anchor, "seed \(seed)")
      #expect(edited.offset(of: found) != nil)
      compare(edited, "seed \(seed)")
      if kind == 1 && (start..<start + 2).contains(anchor.page.value) {
        #expect(found.page.value == start + 2, "the next page that is left takes over")
      } else {
        #expect(found == anchor)
        // The place on the page is at the same point of the viewport, to a millionth.
        let target = try #require(edited.offset(of: found))
        let page = try #require(edited.page(found.page))
        let share = found.place
        let point = page.contentPoint(
          Point(x: share.x * page.size.width, y: share.y * page.size.height)
        )
        let reading = edited.readingPoint
        #expect(abs(point.x - target.x - reading.x) < 1e-6, "seed \(seed)")
        #expect(abs(point.y - target.y - reading.y) < 1e-6, "seed \(seed)")
      }
    }
  }

  @Test func `without a page behind it, the anchor goes to the one in front, or nowhere`() throws {
    let layout = try Layout(
      LayoutConfiguration(),
      pages: PageSequence(pageCount: 10),
      sizes: PageSizes(),
      viewport: Size(width: 800, height: 600)
    )
    let anchor = Anchor(page: 9, place: Point(x: 0.5, y: 0.5))
    let kept = layout.edited(keeping: anchor) { $0.remove(5..<10) }
    #expect(kept.anchor == Anchor(page: 4, place: Point(x: 0.5, y: 0)))
    let empty = layout.edited(keeping: anchor) { $0.remove(0..<10) }
    #expect(empty.anchor == nil && empty.layout.isEmpty)
  }

  @Test func `what is read stays when its page is shown once more in front`() throws {
    let layout = try Layout(
      LayoutConfiguration(),
      pages: PageSequence(pageCount: 100),
      sizes: PageSizes(),
      viewport: Size(width: 800, height: 600)
    )
    let start = try #require(Viewpoint(layout).showing(page: 50, fraction: 0.3))
    let (inserted, _) = start.edited { $0.insert([.pages(50..<51)], at: 0) }
    #expect(inserted.anchor()?.occurrence == 1)
    #expect(isClose(inserted.offset.y, start.offset.y + 802), "one page and one gap further down")
    let (removed, _) = inserted.edited { $0.remove(0..<1) }
    #expect(removed.offset == start.offset && removed.anchor()?.occurrence == 0)
    let (gone, _) = inserted.edited { $0.remove(51..<52) }
    #expect(gone.anchor()?.page == 51, "the page behind it, not the copy far in front")
  }

  @Test func `an edit tells where each position has gone`() {
    for seed in seeds(300) {
      var random = SeededGenerator(seed)
      let layout = try? Layout(
        LayoutConfiguration(),
        pages: PageSequence(pageCount: 12),
        sizes: PageSizes(),
        viewport: Size(width: 800, height: 600)
      )
      // The old positions, as they end up; nil for what is new.
      var origins: [Int?] = Array(0..<12)
      let result = layout?.edited { edit in
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let start = Int.random(in: 0...origins.count, using: &random)
          let end = Int.random(in: start...origins.count, using: &random)
          let target = Int.random(in: 0...origins.count, using: &random)
          switch Int.random(in: 0..<4, using: &random) {
          case 0:
            edit.insert([.pages(20..<23), .blanks(1)], at: target)
            origins.insert(contentsOf: [nil, nil, nil, nil], at: target)
          case 1:
            edit.remove(start..<end)
            origins.removeSubrange(start..<end)
          case 2:
            edit.move(start..<end, to: target)
            guard target < start || target > end else { continue }
            let moved = origins[start..<end]
            origins.removeSubrange(start..<end)
            origins.insert(contentsOf: moved, at: target > start ? target - moved.count : target)
          default:
            edit.duplicate(start..<end)
            origins.insert(contentsOf: Array(repeating: nil, count: end - start), at: end)
          }
        }
      }
      guard let changes = result?.changes else { continue }
      #expect(origins.indices.map { changes.oldPosition(of: $0) } == origins, "seed \(seed)")
      #expect(changes.inserted.flatMap(Array.init) == origins.indices.filter { origins[$0] == nil })
      let left = Set(origins.compactMap(\.self))
      #expect(changes.removed.flatMap(Array.init) == (0..<12).filter { !left.contains($0) })
      // What has not moved is in order, and no more could be.
      let moved = Set(changes.moved.flatMap { Array($0.old) })
      let still = origins.compactMap(\.self).filter { !moved.contains($0) }
      #expect(still == still.sorted(), "seed \(seed)")
      #expect(still.count == longestAscent(origins.compactMap(\.self)), "seed \(seed)")
    }
  }

  /// The length of the longest ascending selection of numbers.
  private func longestAscent(_ numbers: [Int]) -> Int {
    var lengths: [Int] = []
    for (index, number) in numbers.enumerated() {
      let best = (0..<index).filter { numbers[$0] < number }.map { lengths[$0] }.max() ?? 0
      lengths.append(best + 1)
    }
    return lengths.max() ?? 0
  }
}
