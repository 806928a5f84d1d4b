public import RectoGeometry

extension LayoutColumn {
  /// The spreads visible in a window, part by part from top to bottom; in a part, in reading order
  /// with pinned ones last.
  ///
  /// A sticky page is pinned to an edge of the window while its part reaches that edge, and never
  /// leaves its part: before the part begins it is at its own place, and the end of the part pushes
  /// it out of the window, like the header of a section in a list. `isExact` also means that all
  /// previous parts are measured.
  ///
  /// - Parameter window: The visible part, in the column's coordinates.
  /// - Returns: The spreads, each with the path of its part.
  /// - Complexity: O(log *p* + *k* log *n*) for *k* spreads.
  public func spreads(visibleIn window: Rect) -> [ColumnSpread] {
    var result: [ColumnSpread] = []
    forEachLayout(touching: window) { layout, place in
      for spread in layout.spreads(visibleIn: place.window, clearOf: contentInsets) {
        result.append(ColumnSpread(path: place.path, spread: place.column(spread)))
      }
    }
    return result
  }

  /// The page at a point of the column, the topmost if a pinned page covers another; nil if there is none.
  ///
  /// - Parameters:
  ///   - point: In the column's coordinates.
  ///   - window: The visible part, to whose edges sticky pages are pinned; nil to ignore pinning.
  /// - Returns: The page, with the path of its part.
  /// - Complexity: O(log *p* + log *n*); in a part with sticky pages as ``spreads(visibleIn:)``.
  public func page(at point: Point, in window: Rect? = nil) -> ColumnPage? {
    guard point.x.isFinite, point.y.isFinite else { return nil }
    var found: ColumnPage?
    let line = Rect(x: point.x, y: point.y, width: 1, height: 0)
    forEachLayout(touching: line) { layout, place in
      let frame = place.origin
      let inner = Point(x: point.x - frame.x, y: point.y - frame.y)
      let seen = window?.offsetBy(x: -frame.x, y: -frame.y)
      guard let page = layout.page(at: inner, seenThrough: seen, clearOf: contentInsets) else {
        return
      }
      found = ColumnPage(path: place.path, page: page.offsetBy(x: frame.x, y: frame.y))
    }
    return found
  }

  // MARK: Offsets

  /// The nearest offset at which a window of the size ``viewport`` shows the column: see ``Layout/clamped(_:)``. NaN
  /// counts as 0.
  public func clamped(_ offset: Point) -> Point {
    Point(
      x: Self.clamped(
        offset.x,
        size.width,
        viewport.width,
        contentInsets.left,
        contentInsets.right
      ),
      y: Self.clamped(
        offset.y,
        size.height,
        viewport.height,
        contentInsets.top,
        contentInsets.bottom
      )
    )
  }

  private static func clamped(
    _ value: Double,
    _ content: Double,
    _ viewport: Double,
    _ near: Double,
    _ far: Double
  ) -> Double {
    // Written as a subtraction to avoid an offset of minus zero.
    let first = 0 - near
    return min(max(value.isNaN ? 0 : value, first), max(first, content - viewport + far))
  }

  /// The visible part of the column at an offset, which is clamped.
  public func window(at offset: Point) -> Rect {
    Rect(origin: clamped(offset), size: viewport)
  }

  // MARK: Iterating over the parts

  /// The position of a layout in the column, and its visible part.
  struct Placement {
    var path: PartPath
    /// The layout's origin in the outermost column.
    var origin: Point
    /// The window in the layout's coordinates.
    var window: Rect
    /// Whether the origin depends only on measured sizes.
    var isExact: Bool

    /// A spread of the layout in coordinates of the outermost column.
    func column(_ spread: LaidOutSpread) -> LaidOutSpread {
      var spread = spread.offsetBy(x: origin.x, y: origin.y)
      if !isExact { spread.markExact(false) }
      return spread
    }
  }

  /// Calls `body` with the layouts between the upper and the lower edge of a window, from top to
  /// bottom; for a window of height 0, with the one at `y`.
  func forEachLayout(touching window: Rect, _ body: (Layout, Placement) -> Void) {
    let whole = Placement(path: [], origin: .zero, window: window, isExact: true)
    forEachLayout(in: whole, body)
  }

  private func forEachLayout(in place: Placement, _ body: (Layout, Placement) -> Void) {
    var touching = parts(touching: place.window)
    if place.window.height == 0 {
      let first = firstPart(endingBelow: place.window.minY)
      let isInside = first < count && frames[first].minY <= place.window.minY
      touching = first..<(isInside ? first + 1 : first)
    }
    for index in touching {
      let start = frames[index].origin
      let inner = Placement(
        path: place.path.appending(index),
        origin: Point(x: place.origin.x + start.x, y: place.origin.y + start.y),
        window: place.window.offsetBy(x: -start.x, y: -start.y),
        isExact: place.isExact && isPlaceExact(index)
      )
      switch contents[index] {
      case .layout(let layout): body(layout, inner)
      case .column(let column): column.forEachLayout(in: inner, body)
      }
    }
  }
}

extension Layout {
  /// The window of a layout in a column, in its own coordinates. If frames follow the window, it is moved inside the
  /// content, so that no frame leaves the part.
  func columnWindow(_ window: Rect) -> Rect {
    arrangement.mayFollowWindow ? self.window(at: window.origin) : window
  }

  /// The visible spreads of a part of a column, with pinned ones last and kept inside the content.
  ///
  /// - Parameters:
  ///   - window: The visible part, which may extend beyond the content.
  ///   - insets: The parts of the window to stay clear of.
  /// - Returns: The spreads, in the coordinates of the part.
  func spreads(visibleIn window: Rect, clearOf insets: Insets) -> [LaidOutSpread] {
    guard !isEmpty else { return [] }
    let seen = columnWindow(window)
    let pinned = pinnedSpreads(in: seen, insets: insets, staysInContent: true)
    var result = spreads(visibleIn: seen, besides: pinned)
    if arrangement.mayFollowWindow { result.removeAll { !$0.cell.intersects(window) } }
    markStickySpreads(in: &result)
    let content = Rect(origin: .zero, size: contentSize)
    return result
      + pinned.map { $0.clipped(by: content) }.filter { $0.cell.intersects(window) }
  }

  /// The page at a point of the content, with sticky pages at the positions of ``spreads(visibleIn:clearOf:)``.
  ///
  /// - Parameters:
  ///   - window: The visible part, which may extend beyond the content; nil to ignore pinning.
  ///   - insets: The parts of the window to stay clear of.
  /// - Returns: The page on top; nil where there is none.
  func page(at point: Point, seenThrough window: Rect?, clearOf insets: Insets) -> LaidOutPage? {
    guard let window else { return page(at: point) }
    guard !configuration.stickyPages.isEmpty, window.contains(point) else {
      return page(at: point, in: arrangement.mayFollowWindow ? columnWindow(window) : nil)
    }
    for spread in spreads(visibleIn: window, clearOf: insets).reversed() {
      if let page = spread.page(at: point) { return page }
    }
    return nil
  }
}

extension LaidOutSpread {
  /// The spread clipped to a rectangle.
  fileprivate func clipped(by rect: Rect) -> LaidOutSpread {
    guard let seen = cell.intersection(rect), seen != cell else { return self }
    var spread = self
    spread.cell = seen
    for index in spread.pages.indices { spread.pages[index].clip = seen }
    return spread
  }

  /// The spread moved by the given distances.
  public func offsetBy(x: Double, y: Double) -> LaidOutSpread {
    var spread = self
    spread.frame = frame.offsetBy(x: x, y: y)
    spread.cell = cell.offsetBy(x: x, y: y)
    for index in spread.pages.indices {
      spread.pages[index] = spread.pages[index].offsetBy(x: x, y: y)
    }
    return spread
  }
}

extension LaidOutPage {
  /// The page moved by the given distances.
  public func offsetBy(x: Double, y: Double) -> LaidOutPage {
    var page = self
    page.frame = frame.offsetBy(x: x, y: y)
    page.clip = clip.offsetBy(x: x, y: y)
    return page
  }
}
