import PageLayout
import RectoGeometry

extension BruteForce {
  /// A row of a flow.
  private struct Row {
    var spreads: Range<Int>
    /// The sum of its spreads across the axis.
    var sum: Double
    var breadth: Double
    var extent: Double
    var scale = 1.0
  }

  /// Spread after spread, each into the row while the row fits.
  private func rows() -> [Row] {
    let room = isVertical ? self.room.width : self.room.height
    func along(_ size: Size) -> Double { isVertical ? size.height : size.width }
    func across(_ size: Size) -> Double { isVertical ? size.width : size.height }
    var rows: [Row] = []
    for (index, spread) in spreads.enumerated() {
      let size = size(of: spread)
      if var row = rows.last, row.breadth + gap + across(size) <= room * (1 + 1e-12) {
        row.spreads = row.spreads.lowerBound..<index + 1
        row.sum += across(size)
        row.breadth += gap + across(size)
        row.extent = max(row.extent, along(size))
        rows[rows.count - 1] = row
      } else {
        rows.append(
          Row(
            spreads: index..<index + 1,
            sum: across(size),
            breadth: across(size),
            extent: along(size)
          )
        )
      }
    }
    guard configuration.flow.isJustified else { return rows }
    for index in rows.indices {
      let isLast = index == rows.count - 1
      if isLast, configuration.flow.lastRow == .natural { continue }
      // Zoomed beyond the room.
      if rows[index].breadth > room * (1 + 1e-12) { continue }
      let gaps = gap * Double(rows[index].spreads.count - 1)
      rows[index].scale = (room - gaps) / rows[index].sum
      rows[index].breadth = room
      rows[index].extent *= rows[index].scale
    }
    return rows
  }

  mutating func flow() {
    let margins = configuration.margins
    let isBackwards = !isVertical && configuration.isRightToLeft
    let isMirrored = isVertical && configuration.isRightToLeft
    func along(_ size: Size) -> Double { isVertical ? size.height : size.width }
    func across(_ size: Size) -> Double { isVertical ? size.width : size.height }
    let near = isVertical ? margins.left : margins.top
    let far = isVertical ? margins.right : margins.bottom
    let rows = rows()
    var given = max(across(uncovered), across(configuration.minimumContentSize)) - near - far
    let broadest = rows.map(\.breadth).max() ?? 0
    if configuration.centering == .content { given = max(given, broadest) }
    let lead = isVertical ? margins.top : isBackwards ? margins.right : margins.left
    let trail = isVertical ? margins.bottom : isBackwards ? margins.left : margins.right
    let sum = rows.map(\.extent).reduce(0, +) + gap * Double(rows.count - 1)
    var length = lead + sum + trail + configuration.trailingSpace
    let least = along(configuration.minimumContentSize)
    var cursor = lead + max(0, least - length) / 2
    length = max(length, least)
    contentSize =
      isVertical
      ? Size(width: max(given, broadest) + near + far, height: length)
      : Size(width: length, height: max(given, broadest) + near + far)
    for (number, row) in rows.enumerated() {
      let isLast = number == rows.count - 1
      let keepsStart =
        isLast && configuration.flow.isJustified && configuration.flow.lastRow == .natural
      // What is aligned: the row, or all the room that the rows above fill.
      let aligned =
        keepsStart ? max(row.breadth, isVertical ? room.width : room.height) : row.breadth
      let slack = max(given, aligned) - aligned
      var start = near
      switch configuration.align {
      case .center: start += slack / 2
      case .start: start += isMirrored ? slack : 0
      case .end: start += isMirrored ? 0 : slack
      }
      if isMirrored { start += aligned - row.breadth }
      let begin = isBackwards ? length - cursor - row.extent : cursor
      for index in isMirrored ? row.spreads.reversed() : Array(row.spreads) {
        let size = size(of: spreads[index], times: row.scale)
        let middle = begin + row.extent / 2
        spreads[index].row = (begin, begin + row.extent)
        spreads[index].box = Rect(
          x: isVertical ? start : middle - size.width / 2,
          y: isVertical ? middle - size.height / 2 : start,
          width: size.width,
          height: size.height
        )
        start += across(size) + gap
        placePages(index, factor: row.scale)
      }
      cursor += row.extent + gap
    }
  }
}
