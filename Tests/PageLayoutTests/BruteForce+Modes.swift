import PageLayout
import RectoGeometry

/// Where the modes put spreads whose sizes are known.
extension BruteForce {
  func gapInFront(of spread: Spread) -> Double {
    let factor = configuration.gapsScaleWithZoom ? zoom : 1
    guard let page = positions[spread.positions.lowerBound] else { return gap }
    for rule in configuration.spacing.gaps.reversed() where rule.pages.contains(page) {
      return rule.gap * factor
    }
    if let section = configuration.spacing.sectionGap,
      configuration.pairing.sectionStarts.contains(page)
    {
      return section * factor
    }
    return gap
  }

  mutating func stack() {
    let margins = configuration.margins
    let isBackwards = !isVertical && configuration.isRightToLeft
    let lead = isVertical ? margins.top : isBackwards ? margins.right : margins.left
    let trail = isVertical ? margins.bottom : isBackwards ? margins.left : margins.right
    func along(_ size: Size) -> Double { isVertical ? size.height : size.width }
    func across(_ size: Size) -> Double { isVertical ? size.width : size.height }
    var starts: [Double] = []
    var cursor = lead
    for (index, spread) in spreads.enumerated() {
      if index > 0 { cursor += gapInFront(of: spread) }
      starts.append(cursor)
      cursor += along(size(of: spread))
    }
    var length = cursor + trail + configuration.trailingSpace
    let least = along(configuration.minimumContentSize)
    let shift = max(0, least - length) / 2
    length = max(length, least)
    let breadth = spreads.map { across(size(of: $0)) }.max() ?? 0
    let near = isVertical ? margins.left : margins.top
    let far = isVertical ? margins.right : margins.bottom
    let given = max(across(uncovered), across(configuration.minimumContentSize)) - near - far
    let common = configuration.centering == .content ? max(given, breadth) : given
    contentSize =
      isVertical
      ? Size(width: max(common, breadth) + near + far, height: length)
      : Size(width: length, height: max(common, breadth) + near + far)
    for index in spreads.indices {
      let size = size(of: spreads[index])
      var start = starts[index] + shift
      if isBackwards { start = length - start - size.width }
      let own = across(size)
      let band = max(common, own)
      let axis = isVertical ? spine(of: spreads[index]) : own / 2
      var place: Double
      switch configuration.align {
      case .center: place = min(max(band / 2 - axis, 0), band - own)
      case .start: place = isVertical && configuration.isRightToLeft ? band - own : 0
      case .end: place = isVertical && configuration.isRightToLeft ? 0 : band - own
      }
      place += near
      spreads[index].box = Rect(
        origin: isVertical ? Point(x: place, y: start) : Point(x: start, y: place),
        size: size
      )
      placePages(index, factor: 1)
    }
  }

  /// The side of a grid's tile across the axis, before zoom.
  var tile: Double {
    let room = isVertical ? self.room.width : self.room.height
    if let columns = configuration.grid.columns {
      return max(0, room - Double(columns - 1) * configuration.gap) / Double(columns)
    }
    if let tile = configuration.grid.tile { return min(tile, room) }
    let first = size(at: 0)
    let columns = positions.count == 1 ? 1 : configuration.spread.columnCount
    let natural =
      first.width * Double(columns)
      + Double(configuration.spread.columnCount - 1) * configuration.pageGap
    return min(room, isVertical ? natural : first.height)
  }

  var tilesPerRow: Int {
    if let columns = configuration.grid.columns { return columns }
    let room = isVertical ? self.room.width : self.room.height
    var count = 1
    while Double(count + 1) * tile * zoom + Double(count) * gap <= room * (1 + 1e-12) { count += 1 }
    return count
  }

  mutating func wrap() {
    let margins = configuration.margins
    let isBackwards = !isVertical && configuration.isRightToLeft
    let perRow = tilesPerRow
    let tile = tile * zoom
    func along(_ size: Size) -> Double { isVertical ? size.height : size.width }
    func across(_ size: Size) -> Double { isVertical ? size.width : size.height }
    let near = isVertical ? margins.left : margins.top
    let far = isVertical ? margins.right : margins.bottom
    var given = max(across(uncovered), across(configuration.minimumContentSize)) - near - far
    if configuration.centering == .content {
      // The widest row counts as it would in a stack.
      given = max(given, spreads.map { across(size(of: $0)) }.max() ?? 0)
    }
    var distance = gap
    if configuration.grid.isJustified, perRow > 1 {
      distance = max(gap, (given - Double(perRow) * tile) / Double(perRow - 1))
    }
    let breadth = Double(perRow) * tile + Double(perRow - 1) * distance
    var cursor = isVertical ? margins.top : isBackwards ? margins.right : margins.left
    var starts: [Double] = []
    var heights: [Double] = []
    for row in stride(from: 0, to: spreads.count, by: perRow) {
      if row > 0 { cursor += gap }
      let height = spreads[row..<min(spreads.count, row + perRow)].map { along(size(of: $0)) }.max()
      starts.append(cursor)
      heights.append(height ?? 0)
      cursor += height ?? 0
    }
    cursor += isVertical ? margins.bottom : isBackwards ? margins.left : margins.right
    var length = cursor + configuration.trailingSpace
    let least = along(configuration.minimumContentSize)
    let shift = max(0, least - length) / 2
    length = max(length, least)
    let band = max(given, breadth)
    contentSize =
      isVertical
      ? Size(width: band + near + far, height: length)
      : Size(width: length, height: band + near + far)
    let isMirrored = isVertical && configuration.isRightToLeft
    let rowStart: Double
    switch configuration.align {
    case .center: rowStart = near + (band - breadth) / 2
    case .start: rowStart = near + (isMirrored ? band - breadth : 0)
    case .end: rowStart = near + (isMirrored ? 0 : band - breadth)
    }
    for index in spreads.indices {
      let row = index / perRow
      let column = isMirrored ? perRow - 1 - index % perRow : index % perRow
      let size = size(of: spreads[index])
      var start = starts[row] + shift
      if isBackwards { start = length - start - heights[row] }
      let tileStart = rowStart + Double(column) * (tile + distance)
      spreads[index].row = (start, start + heights[row])
      let middle = (start + heights[row] / 2, tileStart + tile / 2)
      let center = isVertical ? Point(x: middle.1, y: middle.0) : Point(x: middle.0, y: middle.1)
      spreads[index].box = Rect(
        x: center.x - size.width / 2,
        y: center.y - size.height / 2,
        width: size.width,
        height: size.height
      )
      placePages(index, factor: 1)
    }
  }

  /// The carousel as it is at an offset along the axis, given in steps from spread 0.
  mutating func turn(to progress: Double, windowStart: Double) {
    let options = configuration.carousel
    let extent = isVertical ? room.height : room.width
    func boxExtent(_ role: Int) -> Double {
      extent * [options.currentShare, options.neighborShare, options.hiddenShare][min(2, role)]
    }
    let margins = configuration.margins
    let insets = configuration.contentInsets
    /// Where the middle of a spread stands in a role, to one side: so that as much of it is seen as of
    /// a neighbor that fills its box.
    func place(_ role: Int, _ current: Double, _ edge: Double) -> Double {
      let own = current * boxExtent(role) / boxExtent(0)
      let start = boxExtent(0) / 2 + configuration.gap
      let end = start + boxExtent(1)
      switch role {
      case 0: return 0
      case 1 where end <= edge: return (start + end) / 2
      case 1:
        let share = (edge - start) / boxExtent(1)
        return max(start, edge - share * own) + own / 2
      default:
        // The others beyond, box behind box.
        let beyond = max(1, boxExtent(2) + configuration.gap) * Double(role - 2)
        return end + configuration.gap + beyond + own / 2
      }
    }
    for index in spreads.indices {
      let distance = Double(index) - progress
      let from = Int(abs(distance))
      let part = abs(distance) - Double(from)
      let share = (boxExtent(from) * (1 - part) + boxExtent(from + 1) * part) / extent
      let factor = share / options.currentShare
      let isNegative = (distance < 0) != (configuration.isRightToLeft && !isVertical)
      let margin =
        isVertical
        ? (isNegative ? margins.top : margins.bottom) : (isNegative ? margins.left : margins.right)
      let whole = size(of: spreads[index], times: 1)
      let current = min(isVertical ? whole.height : whole.width, boxExtent(0))
      let edge = extent / 2 + margin
      var away =
        place(from, current, edge) * (1 - part) + place(from + 1, current, edge) * part
      if isNegative { away = -away }
      let own = size(of: spreads[index], times: factor)
      let middleX = insets.left + margins.left + room.width / 2
      let middleY = insets.top + margins.top + room.height / 2
      // What does not fit its box is panned to the top, and to the middle from side to side.
      let overhang = max(0, own.height - room.height * share) / 2
      spreads[index].box = Rect(
        x: (isVertical ? 0 : windowStart + away) + middleX - own.width / 2,
        y: (isVertical ? windowStart + away : 0) + middleY - own.height / 2 + overhang,
        width: own.width,
        height: own.height
      )
      placePages(index, factor: factor)
    }
  }

  var carouselStep: Double {
    let extent = isVertical ? room.height : room.width
    let shares = configuration.carousel.currentShare + configuration.carousel.neighborShare
    return extent * shares / 2 + configuration.gap
  }

  mutating func page() {
    let isBackwards = !isVertical && configuration.isRightToLeft
    let extent = isVertical ? viewport.height : viewport.width
    let length = Double(spreads.count) * extent + Double(spreads.count - 1) * gap
    contentSize =
      isVertical
      ? Size(width: viewport.width, height: length) : Size(width: length, height: viewport.height)
    for index in spreads.indices {
      let place = isBackwards ? spreads.count - 1 - index : index
      let start = Double(place) * (extent + gap)
      let cell = Rect(
        origin: isVertical ? Point(x: 0, y: start) : Point(x: start, y: 0),
        size: viewport
      )
      let room = cell.inset(by: configuration.contentInsets).inset(by: configuration.margins)
      let size = size(of: spreads[index])
      func begin(_ own: Double, _ axis: Double, _ low: Double, _ high: Double, _ pan: Double)
        -> Double
      {
        let slack = high - low - own
        if slack < 0 { return low + slack * pan }
        return min(max((low + high) / 2 - axis, low), high - own)
      }
      spreads[index].box = Rect(
        x: begin(
          size.width,
          isVertical ? spine(of: spreads[index]) : size.width / 2,
          room.minX,
          room.maxX,
          0.5
        ),
        y: begin(size.height, size.height / 2, room.minY, room.maxY, 0),
        width: size.width,
        height: size.height
      )
      placePages(index, factor: 1)
    }
  }
}
