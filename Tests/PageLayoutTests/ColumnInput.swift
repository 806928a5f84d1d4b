import PageLayout
import RectoGeometry
import TestSupport

/// A column of random layouts and columns, drawn from a seed, with the true sizes of its pages.
struct ColumnInput {
  var column: LayoutColumn
  /// The true sizes, by part.
  var sizes: [PartPath: [Size]] = [:]
  var generator: SeededGenerator

  /// A column of random parts, the same for each seed.
  ///
  /// - Parameters:
  ///   - seed: The seed of the random numbers.
  ///   - modes: The modes of the parts.
  ///   - share: The share of the pages that is measured.
  /// - Throws: An error of the layout if the column cannot be made.
  init(
    seed: Int,
    modes: [LayoutConfiguration.Mode] = BruteForceTests.modes,
    measuring share: Double
  ) throws {
    var random = SeededGenerator(seed)
    var sizes: [PartPath: [Size]] = [:]
    column = try Self.column([], 0, modes, share, &random, &sizes)
    self.sizes = sizes
    generator = random
  }

  private static func column(
    _ path: PartPath,
    _ level: Int,
    _ modes: [LayoutConfiguration.Mode],
    _ share: Double,
    _ random: inout SeededGenerator,
    _ sizes: inout [PartPath: [Size]]
  ) throws -> LayoutColumn {
    var parts: [LayoutColumn.Content] = []
    for index in 0..<random.pick(level == 0 ? [1, 2, 3, 5, 6] : [0, 1, 2, 3]) {
      let own = path.appending(index)
      if level < 3, random.chance(0.25) {
        parts.append(.column(try column(own, level + 1, modes, share, &random, &sizes)))
        continue
      }
      var input = RandomInput(
        seed: Int.random(in: 0..<1_000_000, using: &random),
        mode: random.pick(modes),
        pageCount: random.pick([1, 2, 5, 13, 30])
      )
      // An empty part, and one of blanks alone.
      if random.chance(0.1) { input.pages = PageSequence([]) }
      if random.chance(0.05) { input.pages = PageSequence([.blanks(2)]) }
      if random.chance(0.6) {
        input.configuration.stickyPages = (0..<random.pick([1, 1, 2, 3])).map { _ in
          random.pick(Array(Range(pageCount: input.sizes.count)))
        }
      }
      sizes[own] = input.sizes
      parts.append(
        .layout(
          try input.layout(measuring: share, estimate: random.pick([.firstPage, .mostCommon]))
        )
      )
    }
    return try LayoutColumn(
      parts: parts,
      gap: random.pick([0, 12, random.number(0...60)]),
      alignment: random.pick(LayoutConfiguration.Alignment.allCases),
      viewport: random.chance(0.3)
        ? nil : Size(width: random.number(100...2500), height: random.number(100...1500)),
      contentInsets: random.chance(0.7) ? .zero : Insets(random.number(0...20))
    )
  }

  /// The column with all pages measured.
  var measured: LayoutColumn {
    var column = column
    for (path, sizes) in sizes {
      column.measure(sizes.measured, in: path)
    }
    return column
  }

  /// Some true sizes of a part.
  mutating func batch(of path: PartPath, _ count: Int) -> [MeasuredSize] {
    guard let sizes = sizes[path], !sizes.isEmpty else { return [] }
    return (0..<count).map { _ in
      sizes.measured(PageIndex(Int.random(in: sizes.indices, using: &generator)))
    }
  }

  mutating func window() -> Rect {
    Rect(
      x: generator.number(-50...(column.size.width + 50)),
      y: generator.number(-100...(column.size.height + 100)),
      width: generator.number(1...1500),
      height: generator.number(1...1500)
    )
  }
}

/// A column flattened by hand: every layout with the place of its origin, every sum a loop.
struct FlatColumn {
  struct Part {
    var path: PartPath
    var layout: Layout
    var frame: Rect
  }

  var parts: [Part] = []
  var size = Size.zero

  init(_ column: LayoutColumn, at path: PartPath = [], origin: Point = .zero) {
    let room = max(0, column.viewport.width - column.contentInsets.horizontal)
    var y = 0.0
    var width = room
    var showsAny = false
    for (index, part) in column.parts.enumerated() {
      if index > 0 { y += column.gap }
      let size: Size
      let madeFor: Double
      var inner: FlatColumn?
      switch part.content {
      case .layout(let layout):
        size = layout.contentSize
        madeFor = layout.viewport.width - layout.configuration.contentInsets.horizontal
        showsAny = showsAny || !layout.isEmpty
      case .column(let nested):
        let flat = FlatColumn(nested)
        size = flat.size
        madeFor = max(0, nested.viewport.width - nested.contentInsets.horizontal)
        showsAny = showsAny || flat.parts.contains { !$0.layout.isEmpty }
        inner = flat
      }
      var x = 0.0
      if madeFor < room, size.width < room {
        switch column.alignment {
        case .start: break
        case .center: x = (room - size.width) / 2
        case .end: x = room - size.width
        }
      }
      let start = Point(x: origin.x + x, y: origin.y + y)
      switch part.content {
      case .layout(let layout):
        let frame = Rect(origin: start, size: size)
        parts.append(Part(path: path.appending(index), layout: layout, frame: frame))
      case .column:
        for part in inner?.parts ?? [] {
          parts.append(
            Part(
              path: PartPath(path.indices + [index] + part.path.indices),
              layout: part.layout,
              frame: part.frame.offsetBy(x: start.x, y: start.y)
            )
          )
        }
      }
      y += size.height
      width = max(width, x + size.width)
    }
    if showsAny { size = Size(width: width, height: y) }
  }

  subscript(path: PartPath) -> Part? { parts.first { $0.path == path } }

  /// Where an anchor is, by the frame of its page.
  func place(of anchor: ColumnAnchor) -> Point? {
    guard let part = self[anchor.path] else { return nil }
    let positions = part.layout.pages.positions(of: anchor.anchor.page)
    guard !positions.isEmpty,
      let page = part.layout.page(
        anchor.anchor.page,
        at: positions[min(anchor.anchor.occurrence, positions.count - 1)]
      )
    else { return nil }
    let share = Self.turned(anchor.anchor.place, by: part.layout.configuration.rotation)
    return Point(
      x: part.frame.minX + page.frame.minX + share.x * page.frame.width,
      y: part.frame.minY + page.frame.minY + share.y * page.frame.height
    )
  }

  private static func turned(_ share: Point, by rotation: Rotation) -> Point {
    switch rotation {
    case .none: share
    case .quarter: Point(x: 1 - share.y, y: share.x)
    case .half: Point(x: 1 - share.x, y: 1 - share.y)
    case .threeQuarters: Point(x: share.y, y: 1 - share.x)
    }
  }
}
