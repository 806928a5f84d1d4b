public import RectoGeometry

extension LayoutColumn {
  /// The unmeasured pages that decide what a window shows, and where: after measuring them, all frames in the window
  /// are exact. Measuring moves pages, so repeat this for the new window until the result is empty.
  ///
  /// A part's position depends on all pages of the previous parts, and on its own pages if it is narrower than the
  /// viewport and therefore aligned.
  /// - Returns: The pages by part, from top to bottom.
  /// - Complexity: Linear in the number of parts and of ranges of unmeasured pages down to the window's
  ///   end.
  public func unmeasuredPages(neededFor window: Rect) -> [ColumnPages] {
    var result: [ColumnPages] = []
    addPages(neededFor: window, [], to: &result)
    return result
  }

  private func addPages(
    neededFor window: Rect,
    _ path: PartPath,
    to result: inout [ColumnPages]
  ) {
    guard let last = partsConcerned(by: window).last else { return }
    for index in exactCount..<max(exactCount, last) { addAllPages(of: index, path, to: &result) }
    if isAligned(last) { return addAllPages(of: last, path, to: &result) }
    let inner = self.window(window, inPart: last)
    switch contents[last] {
    case .layout(let layout):
      result.add(layout.unmeasuredPages(neededFor: layout.columnWindow(inner)), path, last)
    case .column(let column):
      column.addPages(neededFor: inner, path.appending(last), to: &result)
    }
  }

  /// The unmeasured pages inside a window, including those pinned to its edges.
  ///
  /// - Returns: The pages by part, from top to bottom.
  public func unmeasuredPages(inside window: Rect) -> [ColumnPages] {
    var result: [ColumnPages] = []
    addPages(inside: window, [], to: &result)
    return result
  }

  private func addPages(inside window: Rect, _ path: PartPath, to result: inout [ColumnPages]) {
    for index in partsConcerned(by: window) {
      let inner = self.window(window, inPart: index)
      switch contents[index] {
      case .layout(let layout):
        result.add(layout.unmeasuredPages(inside: layout.columnWindow(inner)), path, index)
      case .column(let column):
        column.addPages(inside: inner, path.appending(index), to: &result)
      }
    }
  }

  /// All unmeasured pages that are shown, by part, from top to bottom.
  public var unmeasuredPages: [ColumnPages] {
    var result: [ColumnPages] = []
    for index in contents.indices { addAllPages(of: index, [], to: &result) }
    return result
  }

  private func addAllPages(of index: Int, _ path: PartPath, to result: inout [ColumnPages]) {
    switch contents[index] {
    case .layout(let layout): result.add(layout.unmeasuredPages, path, index)
    case .column(let column):
      for inner in column.contents.indices {
        column.addAllPages(of: inner, path.appending(index), to: &result)
      }
    }
  }

  /// The parts in a window; if there are none, the next one, or else the last.
  private func partsConcerned(by window: Rect) -> Range<Int> {
    let shown = parts(touching: window)
    guard shown.isEmpty, count > 0 else { return shown }
    let nearest = min(shown.lowerBound, count - 1)
    return nearest..<nearest + 1
  }

  private func window(_ window: Rect, inPart index: Int) -> Rect {
    window.offsetBy(x: -frames[index].minX, y: -frames[index].minY)
  }
}

extension [ColumnPages] {
  fileprivate mutating func add(_ pages: [Range<PageIndex>], _ column: PartPath, _ index: Int) {
    if !pages.isEmpty { append(ColumnPages(path: column.appending(index), pages: pages)) }
  }
}
