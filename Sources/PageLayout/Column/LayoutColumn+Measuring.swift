public import RectoGeometry

extension LayoutColumn {
  /// Sets the sizes of pages of one part.
  ///
  /// Only that part is laid out again; the parts after it, and after the columns around it, are
  /// moved.
  /// - Parameters:
  ///   - sizes: The sizes, as for ``Layout/measure(_:keeping:)-([MeasuredSize],_)``.
  ///   - path: The part, a layout.
  ///   - anchor: The anchor that the offset adjustment is for.
  /// - Returns: What has moved; nothing if the path names no layout.
  /// - Complexity: O(*p*) additions and the cost of measuring in the part. If a copy of the column exists, O(*p*) more,
  ///   once.
  @discardableResult
  public mutating func measure(
    _ sizes: [MeasuredSize],
    in path: PartPath,
    keeping anchor: ColumnAnchor? = nil
  ) -> ColumnInvalidation {
    invalidation(keeping: anchor, at: path.indices[...]) { $0.measure(sizes) }
  }

  /// Sets the size of one page of one part; see ``measure(_:in:keeping:)``.
  ///
  /// - Parameters:
  ///   - page: The page of the document.
  ///   - size: Its displayed size, in points.
  ///   - path: The part, a layout; where there is none, nothing changes.
  ///   - anchor: The anchor that the offset adjustment is for.
  /// - Returns: What has moved in the column.
  @discardableResult
  public mutating func measure(
    _ page: PageIndex,
    as size: Size,
    in path: PartPath,
    keeping anchor: ColumnAnchor? = nil
  ) -> ColumnInvalidation {
    invalidation(keeping: anchor, at: path.indices[...]) { $0.measure(page, as: size) }
  }

  /// Sets sizes in all parts, which must belong to one document: each size in the parts that show the page, and that of
  /// page 0 also where it is the estimate.
  ///
  /// - Complexity: O(*p* *b*) look-ups for *b* sizes and all parts *p* of all columns, and the cost of measuring in the
  ///   affected parts.
  @discardableResult
  public mutating func measure(
    _ sizes: [MeasuredSize],
    keeping anchor: ColumnAnchor? = nil
  ) -> ColumnInvalidation {
    invalidation(keeping: anchor, at: nil) { layout in
      let own = sizes.filter { layout.isConcerned(by: $0.page) }
      return own.isEmpty ? .none : layout.measure(own)
    }
  }

  /// Marks pages of a part as having no size; see ``Layout/markMissing(_:)``. Nothing moves.
  ///
  /// - Complexity: As for measuring.
  public mutating func markMissing(_ pages: Range<PageIndex>, in path: PartPath) {
    _ = invalidation(keeping: nil, at: path.indices[...]) { layout in
      layout.markMissing(pages)
      return .none
    }
  }

  /// Marks pages as having no size in any part; see ``markMissing(_:in:)``.
  public mutating func markMissing(_ pages: Range<PageIndex>) {
    _ = invalidation(keeping: nil, at: nil) { layout in
      layout.markMissing(pages)
      return .none
    }
  }

  // MARK: Changing parts in place

  /// The changes, and the old positions.
  private struct Record {
    var changes: [ColumnInvalidation.Change] = []
    /// The visited columns: the old frames of their parts, and which of these are visited columns themselves.
    var columns: [PartPath: (frames: [Rect], inner: Set<Int>)] = [:]
  }

  /// Changes layouts and reports what has moved.
  ///
  /// - Parameters:
  ///   - anchor: The anchor that the offset adjustment is for.
  ///   - target: A path; nil for all layouts.
  ///   - change: Changes one layout, and returns what has moved in it.
  /// - Returns: What has moved in the column.
  private mutating func invalidation(
    keeping anchor: ColumnAnchor?,
    at target: ArraySlice<Int>?,
    _ change: (inout Layout) -> Invalidation
  ) -> ColumnInvalidation {
    let sizeBefore = size
    let offsetBefore = anchor.flatMap { offset(of: $0) }
    var record = Record()
    update(target, [], &record, change)
    guard !record.changes.isEmpty else { return .none }
    var result = ColumnInvalidation.none
    result.changes = record.changes
    addDisplacements([], by: .zero, since: record, to: &result.displacements)
    result.contentSizeAdjustment = Size(
      width: size.width - sizeBefore.width,
      height: size.height - sizeBefore.height
    )
    if let before = offsetBefore, let after = anchor.flatMap({ offset(of: $0) }) {
      result.offsetAdjustment = Point(x: after.x - before.x, y: after.y - before.y)
    }
    return result
  }

  private mutating func update(
    _ target: ArraySlice<Int>?,
    _ own: PartPath,
    _ record: inout Record,
    _ change: (inout Layout) -> Invalidation
  ) {
    var indices = contents.indices
    if let target {
      guard let index = target.first, indices.contains(index) else { return }
      indices = index..<index + 1
    }
    let before = frames
    var inner: Set<Int> = []
    for index in indices {
      let path = own.appending(index)
      switch take(index) {
      case .layout(var layout):
        let isMeant = target == nil || target?.count == 1
        let invalidation = isMeant ? change(&layout) : .none
        contents[index] = .layout(layout)
        if !invalidation.isEmpty {
          record.changes.append(.init(path: path, invalidation: invalidation))
        }
      case .column(var column):
        column.update(target?.dropFirst(), path, &record, change)
        contents[index] = .column(column)
        inner.insert(index)
      }
      noteSize(of: index)
    }
    place()
    record.columns[own] = (before, inner)
  }

  /// Takes a part out of the column, so that it has a unique reference and is changed in place.
  private mutating func take(_ index: Int) -> Content {
    var content = Content.column(.hollow)
    swap(&content, &contents[index])
    return content
  }

  /// Adds how far parts have moved, in coordinates of the outermost column.
  private func addDisplacements(
    _ own: PartPath,
    by distance: Point,
    since record: Record,
    to result: inout [ColumnInvalidation.Displacement]
  ) {
    guard let (before, inner) = record.columns[own], before.count == frames.count else { return }
    var open: ColumnInvalidation.Displacement?
    func close() {
      if let displacement = open, displacement.distance != .zero { result.append(displacement) }
      open = nil
    }
    for index in frames.indices {
      let moved = Point(
        x: distance.x + frames[index].minX - before[index].minX,
        y: distance.y + frames[index].minY - before[index].minY
      )
      // Checking each part would cost more than all the rest.
      if inner.contains(index), case .column(let column) = contents[index] {
        close()
        column.addDisplacements(own.appending(index), by: moved, since: record, to: &result)
        continue
      }
      if let last = open, last.distance.isClose(to: moved, extent: frames[index].maxY) {
        open?.parts = last.parts.lowerBound..<index + 1
      } else {
        close()
        open = .init(column: own, parts: index..<index + 1, distance: moved)
      }
    }
    close()
  }
}

extension Layout {
  /// Whether the size of a page affects the layout.
  fileprivate func isConcerned(by page: PageIndex) -> Bool {
    if page == 0, case .firstPage = sizes.estimate { return true }
    return firstPosition(of: page) != nil
  }
}

extension Point {
  /// Whether two distances are equal, within the rounding errors of sums up to `extent`.
  fileprivate func isClose(to other: Point, extent: Double) -> Bool {
    let tolerance = 1e-12 * (1 + abs(extent))
    return (self == .zero) == (other == .zero)
      && abs(x - other.x) <= tolerance && abs(y - other.y) <= tolerance
  }
}
