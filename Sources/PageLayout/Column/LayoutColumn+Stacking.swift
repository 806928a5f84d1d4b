internal import RectoGeometry

extension LayoutColumn.Content {
  /// Whether there is nothing to see.
  var isEmpty: Bool {
    switch self {
    case .layout(let layout): layout.isEmpty
    case .column(let column): column.isEmpty
    }
  }

  /// The size of the content. A custom layout may have returned invalid lengths.
  var size: Size {
    guard case .layout(let layout) = self else { return column?.size ?? .zero }
    let size = layout.contentSize
    return Size(width: Self.length(size.width), height: Self.length(size.height))
  }

  private static func length(_ value: Double) -> Double {
    value > 0 && value.isFinite ? value : 0
  }

  var viewport: Size {
    switch self {
    case .layout(let layout): layout.viewport
    case .column(let column): column.viewport
    }
  }

  /// The width that the part was made for, which it has unless something in it is wider.
  var widthMadeFor: Double {
    switch self {
    case .layout(let layout): max(0, layout.environment.uncovered.width)
    case .column(let column): column.roomWidth
    }
  }

  var isExact: Bool {
    switch self {
    case .layout(let layout): layout.isContentExact
    case .column(let column): column.isContentExact
    }
  }

  var depth: Int { column?.depth ?? 0 }
}

extension LayoutColumn {
  /// The uncovered width of the viewport.
  var roomWidth: Double { max(0, viewport.width - contentInsets.horizontal) }

  /// Finds the parts' sizes and places anew.
  mutating func stack() {
    frames = contents.map { Rect(origin: .zero, size: $0.size) }
    widths = contents.map { $0.widthMadeFor }
    exact = contents.map { $0.isExact }
    depth = 1 + (contents.map { $0.depth }.max() ?? 0)
    place()
  }

  /// - Throws: ``LayoutError`` when columns are nested deeper than ``largestDepth``.
  func checkDepth() throws(LayoutError) {
    guard depth <= Self.largestDepth else {
      throw LayoutError(
        field: "parts",
        reason: "columns are nested \(depth) deep, the limit is \(Self.largestDepth)"
      )
    }
  }

  /// Updates a part that has another size or is now exact.
  mutating func noteSize(of index: Int) {
    frames[index].size = contents[index].size
    exact[index] = contents[index].isExact
  }

  /// Places all parts, whose sizes are known. O(*p*), independent of their contents.
  ///
  /// Positions are always summed from the top, never moved by a difference, so that the same sizes give exactly the
  /// same frames in any order of arrival.
  mutating func place() {
    var y = 0.0
    var width = roomWidth
    for index in frames.indices {
      if index > 0 { y += gap }
      frames[index].origin = Point(x: start(of: index), y: y)
      y = frames[index].maxY
      width = max(width, frames[index].maxX)
    }
    size = isEmpty ? .zero : Size(width: width, height: y)
    exactCount = exact.firstIndex(of: false) ?? exact.count
  }

  /// Where a part begins across the axis.
  private func start(of index: Int) -> Double {
    guard isAligned(index) else { return 0 }
    let slack = max(0, roomWidth - frames[index].width)
    return alignment == .center ? slack / 2 : slack
  }

  /// Whether a part's own width decides where it begins: only if it was made for a narrower
  /// viewport, so that unmeasured pages of other parts never matter.
  func isAligned(_ index: Int) -> Bool {
    alignment != .start && widths[index] < roomWidth
  }

  /// Whether a part's position inside this column depends only on measured sizes.
  func isPlaceExact(_ index: Int) -> Bool {
    index <= exactCount && (!isAligned(index) || exact[index])
  }

  /// The first part that ends below `y`, or the number of parts. O(log *p*).
  func firstPart(endingBelow y: Double) -> Int {
    frames.partitioningIndex { $0.maxY > y }
  }

  /// The parts between the upper and the lower edge of a window. O(log *p*).
  func parts(touching window: Rect) -> Range<Int> {
    let first = firstPart(endingBelow: window.minY)
    return first..<frames[first...].partitioningIndex { !($0.minY < window.maxY) }
  }
}
