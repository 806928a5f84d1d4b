internal import RectoGeometry

extension LayoutConfiguration {
  /// The largest zoom.
  public static let largestZoom = 1e6
  /// A layout whose zoom is below this shows nothing.
  public static let smallestVisibleZoom = 0.01
  /// The largest length that an option may have, in layout units.
  public static let largestLength = 1e9

  /// Checks that a layout can be made; the error has the name of the field.
  ///
  /// - Throws: ``LayoutError`` for NaN, infinite and negative lengths, lengths above
  ///   ``largestLength``, a zoom that is not above 0, columns below 1, and pages below 0.
  /// - Complexity: Linear in the number of rules.
  public func validate() throws(LayoutError) {
    try Self.factor(zoom, "zoom")
    try Self.length(gap, "gap")
    try Self.length(pageGap, "pageGap")
    try Self.insets(margins, "margins")
    try Self.insets(contentInsets, "contentInsets")
    try Self.length(minimumContentSize.width, "minimumContentSize.width")
    try Self.length(minimumContentSize.height, "minimumContentSize.height")
    try Self.length(trailingSpace, "trailingSpace")
    try validateSpread()
    try validateModes()
    try validateRules()
  }

  /// Refuses a viewport with NaN, infinite or negative sides; an empty one is allowed.
  ///
  /// - Throws: ``LayoutError`` with the name of the side.
  static func validate(viewport: Size) throws(LayoutError) {
    try length(viewport.width, "viewport.width")
    try length(viewport.height, "viewport.height")
  }

  private func validateSpread() throws(LayoutError) {
    let columns = spread.columnCount
    guard (1...Self.largestColumnCount).contains(columns) else {
      throw LayoutError(
        field: "spread.columns",
        reason: "must be between 1 and \(Self.largestColumnCount), is \(columns)"
      )
    }
    guard (0..<columns).contains(spread.startColumn) else {
      throw LayoutError(
        field: "spread.start",
        reason: "must be between 0 and \(columns - 1), is \(spread.startColumn)"
      )
    }
  }

  private func validateModes() throws(LayoutError) {
    if let columns = grid.columns, !(1...Self.largestColumnCount).contains(columns) {
      throw LayoutError(
        field: "grid.columns",
        reason: "must be between 1 and \(Self.largestColumnCount), is \(columns)"
      )
    }
    if let tile = grid.tile {
      try Self.length(tile, "grid.tile")
      guard tile > 0 else { throw LayoutError(field: "grid.tile", reason: "must be above 0, is 0") }
    }
    if let height = flow.rowHeight {
      try Self.length(height, "flow.rowHeight")
      guard height > 0 else {
        throw LayoutError(field: "flow.rowHeight", reason: "must be above 0, is 0")
      }
    }
    try Self.share(carousel.currentShare, "carousel.currentShare")
    try Self.share(carousel.neighborShare, "carousel.neighborShare")
    try Self.share(carousel.hiddenShare, "carousel.hiddenShare")
    for (page, view) in spreadViews {
      try Self.page(page, "spreadViews")
      try Self.factor(view.zoom, "spreadViews[\(page.value)].zoom")
      for pan in [view.pan.x, view.pan.y] where !(0...1).contains(pan) {
        throw LayoutError(
          field: "spreadViews[\(page.value)].pan",
          reason: "must be between 0 and 1, is \(pan)"
        )
      }
    }
    for page in stickyPages { try Self.page(page, "stickyPages") }
  }

  private func validateRules() throws(LayoutError) {
    if let ratio = pairing.wideRatio { try Self.factor(ratio, "pairing.wideRatio") }
    for page in pairing.alone { try Self.page(page, "pairing.alone") }
    for page in pairing.together { try Self.page(page, "pairing.together") }
    for page in pairing.sectionStarts { try Self.page(page, "pairing.sectionStarts") }
    for rule in spacing.gaps {
      try Self.page(rule.pages.lowerBound, "spacing.gaps.pages")
      try Self.length(rule.gap, "spacing.gaps.gap")
    }
    if let gap = spacing.sectionGap { try Self.length(gap, "spacing.sectionGap") }
    for (page, margins) in spacing.pageMargins {
      try Self.page(page, "spacing.pageMargins")
      try Self.insets(margins, "spacing.pageMargins[\(page.value)]")
    }
  }

  /// The largest number of columns. More would be useless, and sums could overflow.
  public static let largestColumnCount = 10_000

  private static func length(_ value: Double, _ field: String) throws(LayoutError) {
    // NaN fails every comparison, so it is refused, too.
    guard value >= 0, value <= largestLength else {
      throw LayoutError(
        field: field,
        reason: "must be a number between 0 and \(Int(largestLength)), is \(value)"
      )
    }
  }

  static func factor(_ value: Double, _ field: String) throws(LayoutError) {
    guard value > 0, value <= largestZoom else {
      throw LayoutError(
        field: field,
        reason: "must be a number above 0 and at most \(Int(largestZoom)), is \(value)"
      )
    }
  }

  private static func share(_ value: Double, _ field: String) throws(LayoutError) {
    guard value > 0, value <= 1 else {
      throw LayoutError(field: field, reason: "must be above 0 and at most 1, is \(value)")
    }
  }

  private static func page(_ page: PageIndex, _ field: String) throws(LayoutError) {
    guard page >= 0 else {
      throw LayoutError(field: field, reason: "page indices count from 0, is \(page.value)")
    }
  }

  private static func insets(_ insets: Insets, _ field: String) throws(LayoutError) {
    try length(insets.top, "\(field).top")
    try length(insets.right, "\(field).right")
    try length(insets.bottom, "\(field).bottom")
    try length(insets.left, "\(field).left")
  }
}
