import PageLayout
import RectoGeometry

/// The same layouts made in the plainest way: every page is looked at, every sum is a loop.
///
/// Written from the documentation, without any type of the module beyond its inputs.
struct BruteForce {
  struct Page {
    var page: PageIndex
    var position: Int
    var frame: Rect
    var scale: Double
  }
  struct Spread {
    var positions: Range<Int>
    var columns: Int
    var firstColumn: Int
    var pages: [Page] = []
    var box = Rect.zero
    var scale = 1.0
    var width = 0.0
    var height = 0.0
    var widths: [Double] = []
    /// How much larger each of its pages is than the spread's scale makes it.
    var factors: [Double] = []
    /// What its row takes along the axis, in a grid and a flow.
    var row: (start: Double, end: Double)?
  }

  let configuration: LayoutConfiguration
  let positions: [PageIndex?]
  let viewport: Size
  let sizes: [PageIndex: Size]
  let estimate: Size
  var spreads: [Spread] = []
  var contentSize = Size.zero

  init(
    _ configuration: LayoutConfiguration,
    positions: [PageIndex?],
    sizes: [PageIndex: Size],
    estimate: Size,
    viewport: Size
  ) {
    self.configuration = configuration
    self.positions = positions
    self.sizes = sizes
    self.estimate = estimate
    self.viewport = viewport
    pair()
    guard room.width > 0, room.height > 0, !positions.isEmpty else { return }
    for index in spreads.indices { fit(index) }
    share()
    switch configuration.mode {
    case .continuous: stack()
    case .paged: page()
    case .grid: wrap()
    case .carousel: break
    case .flow: flow()
    }
  }

  init(_ layout: Layout) {
    var sizes: [PageIndex: Size] = [:]
    for entry in layout.sizes.measured { sizes[entry.page] = entry.size }
    self.init(
      layout.configuration,
      positions: (0..<layout.pages.count).map { layout.pages.page(at: $0) },
      sizes: sizes,
      estimate: layout.sizes.estimated,
      viewport: layout.viewport
    )
  }

  var uncovered: Size {
    Size(
      width: viewport.width - configuration.contentInsets.horizontal,
      height: viewport.height - configuration.contentInsets.vertical
    )
  }
  var room: Size {
    Size(
      width: uncovered.width - configuration.margins.horizontal,
      height: uncovered.height - configuration.margins.vertical
    )
  }
  var isVertical: Bool { configuration.axis == .vertical }
  var zoom: Double { configuration.zoom }
  var gap: Double { configuration.gap * (configuration.gapsScaleWithZoom ? zoom : 1) }
  var pageGap: Double {
    let scales = configuration.gapsScaleWithZoom || configuration.mode != .continuous
    return configuration.pageGap * (scales ? zoom : 1)
  }

  // MARK: Pairing

  func isAlone(_ position: Int) -> Bool {
    guard configuration.spread.columnCount > 1, let page = positions[position] else { return false }
    if configuration.pairing.alone.contains(page) { return true }
    guard let ratio = configuration.pairing.wideRatio, let size = sizes[page] else { return false }
    let turned = size.rotated(by: configuration.rotation)
    return turned.width >= ratio * turned.height
  }

  func isMarked(_ position: Int, _ pages: Set<PageIndex>) -> Bool {
    positions[position].map { pages.contains($0) } ?? false
  }

  mutating func pair() {
    let count = positions.count
    let columns = count == 1 ? 1 : configuration.spread.columnCount
    let start = count == 1 ? 0 : configuration.spread.startColumn
    var position = 0
    var column = start
    while position < count {
      if isMarked(position, configuration.pairing.sectionStarts) { column = start }
      if isMarked(position, configuration.pairing.together), position + 1 < count {
        spreads.append(
          Spread(
            positions: position..<position + 2,
            columns: max(2, configuration.spread.columnCount),
            firstColumn: 0
          )
        )
        position += 2
        column = 0
        continue
      }
      if isAlone(position) {
        spreads.append(Spread(positions: position..<position + 1, columns: 1, firstColumn: 0))
        position += 1
        column = 0
        continue
      }
      let first = position
      let firstColumn = column
      repeat {
        position += 1
        column += 1
      } while position < count && column < columns && !begins(position)
      spreads.append(
        Spread(positions: first..<position, columns: columns, firstColumn: firstColumn)
      )
      column = 0
    }
    if configuration.mode != .continuous, let cover = spreads.first, cover.firstColumn > 0,
      cover.positions.count == 1
    {
      spreads[0].columns = 1
      spreads[0].firstColumn = 0
    }
  }

  func begins(_ position: Int) -> Bool {
    isAlone(position) || isMarked(position, configuration.pairing.sectionStarts)
      || (isMarked(position, configuration.pairing.together) && position + 1 < positions.count)
  }

  // MARK: Sizes

  func size(at position: Int) -> Size {
    var page = positions[position]
    var isMissing = false
    if page == nil {
      var other = position
      while other >= 0, positions[other] == nil { other -= 1 }
      if other < 0 {
        other = position
        while other < positions.count, positions[other] == nil { other += 1 }
      }
      isMissing = other == positions.count
      page = isMissing ? nil : positions[other]
    }
    guard let page else {
      return Size(width: 612, height: 792).rotated(by: configuration.rotation)
    }
    var size = sizes[page] ?? estimate
    if let margin = configuration.spacing.pageMargins[page] {
      size.width += margin.horizontal
      size.height += margin.vertical
    }
    return size.rotated(by: configuration.rotation)
  }

  mutating func fit(_ index: Int) {
    var spread = spreads[index]
    var present = spread.positions.map { size(at: $0) }
    spread.factors = factors(present)
    for place in present.indices { present[place] = present[place] * spread.factors[place] }
    let widest = present.map(\.width).max() ?? 0
    var widths = [Double](repeating: widest, count: spread.columns)
    for (offset, size) in present.enumerated() { widths[spread.firstColumn + offset] = size.width }
    spread.widths = configuration.isRightToLeft ? widths.reversed() : widths
    spread.width = widths.reduce(0, +)
    spread.height = present.map(\.height).max() ?? 0
    let gaps = Double(spread.columns - 1) * configuration.pageGap
    let byWidth = max(0, room.width - gaps) / spread.width
    let byHeight = room.height / spread.height
    if configuration.mode == .grid {
      let tile = tile
      let tileByWidth = max(0, tile - gaps) / spread.width
      let tileByHeight = tile / spread.height
      let across = isVertical ? tileByWidth : tileByHeight
      switch configuration.fit {
      case .none: spread.scale = min(1, across)
      case .width where isVertical: spread.scale = across
      case .height where !isVertical: spread.scale = across
      default: spread.scale = min(tileByWidth, tileByHeight)
      }
      spread.scale *= zoom
      spreads[index] = spread
      return
    }
    if configuration.mode == .flow {
      var natural = 1.0
      if let height = configuration.flow.rowHeight {
        natural = isVertical ? height / spread.height : max(0, height - gaps) / spread.width
      }
      spread.scale = min(natural, isVertical ? byWidth : byHeight) * zoom
      spreads[index] = spread
      return
    }
    if configuration.mode == .carousel {
      let share = configuration.carousel.currentShare
      spread.scale =
        zoom
        * min(
          max(0, room.width * share - gaps) / spread.width,
          room.height * share / spread.height
        )
      spreads[index] = spread
      return
    }
    switch (configuration.fit, configuration.mode) {
    case (.none, .paged): spread.scale = min(1, byWidth, byHeight)
    case (.none, _): spread.scale = 1
    case (.width, _): spread.scale = byWidth
    case (.height, _): spread.scale = byHeight
    case (.page, _): spread.scale = min(byWidth, byHeight)
    }
    spread.scale *= zoom
    spreads[index] = spread
  }

  /// What brings pages to one height or width: that of the largest.
  private func factors(_ sizes: [Size]) -> [Double] {
    let sides: [Double]
    switch configuration.match {
    case .none: return sizes.map { _ in 1 }
    case .height: sides = sizes.map(\.height)
    case .width: sides = sizes.map(\.width)
    }
    let largest = sides.max() ?? 0
    return zip(sizes, sides).map { size, side in
      let factor = largest / side
      return max(size.width, size.height) * factor <= 14_400 * 75_000 ? factor : 1
    }
  }

  /// One scale for all spreads: the smallest, at which all of them fit.
  private mutating func share() {
    guard configuration.fitScope == .document else { return }
    if configuration.mode == .continuous, configuration.fit == .none { return }
    let smallest = spreads.map(\.scale).min() ?? 1
    for index in spreads.indices { spreads[index].scale = smallest }
  }

  func size(of spread: Spread, times factor: Double = 1) -> Size {
    Size(
      width: factor * (spread.width * spread.scale + Double(spread.columns - 1) * pageGap),
      height: factor * spread.height * spread.scale
    )
  }

  func spine(of spread: Spread) -> Double {
    guard spread.columns % 2 == 0 else { return size(of: spread).width / 2 }
    let half = spread.columns / 2
    return spread.widths.prefix(half).reduce(0, +) * spread.scale + (Double(half) - 0.5) * pageGap
  }

  mutating func placePages(_ index: Int, factor: Double) {
    let spread = spreads[index]
    let spreadScale = spread.scale * factor
    var x = spread.box.minX
    var pages: [Page] = []
    for (column, width) in spread.widths.enumerated() {
      let logical =
        configuration.isRightToLeft ? spread.columns - 1 - column : column
      let position = spread.positions.lowerBound + logical - spread.firstColumn
      if spread.positions.contains(position), let page = positions[position] {
        let size = size(at: position)
        let scale = spreadScale * spread.factors[position - spread.positions.lowerBound]
        var frame = Rect(
          x: x,
          y: spread.box.center.y - size.height * scale / 2,
          width: size.width * scale,
          height: size.height * scale
        )
        if let margin = configuration.spacing.pageMargins[page] {
          var sides = [margin.top, margin.right, margin.bottom, margin.left]
          for _ in 0..<configuration.rotation.degrees / 90 {
            sides.insert(sides.removeLast(), at: 0)
          }
          frame = frame.inset(
            by: Insets(
              top: sides[0] * scale,
              right: sides[1] * scale,
              bottom: sides[2] * scale,
              left: sides[3] * scale
            )
          )
        }
        pages.append(Page(page: page, position: position, frame: frame, scale: scale))
      }
      x += width * spreadScale + pageGap * factor
    }
    spreads[index].pages = pages.sorted { $0.position < $1.position }
  }
}

/// Whether two lengths are the same but for what sums of doubles lose.
func isClose(_ first: Double, _ second: Double, _ extent: Double = 1) -> Bool {
  abs(first - second) <= 1e-9 * max(1, abs(first), abs(second), extent)
}

/// Whether two rectangles are the same but for what sums of doubles lose.
func isClose(_ first: Rect, _ second: Rect, _ extent: Double = 1) -> Bool {
  isClose(first.minX, second.minX, extent) && isClose(first.minY, second.minY, extent)
    && isClose(first.width, second.width, extent) && isClose(first.height, second.height, extent)
}
