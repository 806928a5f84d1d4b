import PageLayout

extension NumberReader {
  /// Changes the options that are given; the others keep their values. Negative infinity removes an optional value.
  mutating func change(_ configuration: inout LayoutConfiguration) throws(LayoutError) {
    try choose(&configuration.mode, "mode")
    changeSpread(&configuration.spread)
    try choose(&configuration.axis, "axis")
    change(&configuration.isRightToLeft)
    try choose(&configuration.fit, "fit")
    try choose(&configuration.fitScope, "fitScope")
    try choose(&configuration.match, "match")
    change(&configuration.zoom)
    change(&configuration.gap)
    change(&configuration.pageGap)
    change(&configuration.margins)
    try choose(&configuration.align, "align")
    try choose(&configuration.centering, "centering")
    if let degrees = integer() {
      guard let rotation = Rotation(degrees: degrees) else {
        throw LayoutError(field: "rotation", reason: "must be a multiple of 90, is \(degrees)")
      }
      configuration.rotation = rotation
    }
    change(&configuration.gapsScaleWithZoom)
    change(&configuration.contentInsets)
    change(&configuration.minimumContentSize.width)
    change(&configuration.minimumContentSize.height)
    change(&configuration.trailingSpace)
    try changeModes(&configuration)
    changeRules(&configuration)
  }

  private mutating func changeModes(_ configuration: inout LayoutConfiguration) throws(LayoutError)
  {
    var columns = configuration.grid.columns.map { Double($0) }
    change(&columns)
    configuration.grid.columns = columns.map { Int(min(max($0, -1), 1e9)) }
    change(&configuration.grid.tile)
    change(&configuration.grid.isJustified)
    change(&configuration.flow.rowHeight)
    change(&configuration.flow.isJustified)
    try choose(&configuration.flow.lastRow, "flow.lastRow")
    change(&configuration.carousel.currentShare)
    change(&configuration.carousel.neighborShare)
    change(&configuration.carousel.hiddenShare)
  }

  private mutating func changeRules(_ configuration: inout LayoutConfiguration) {
    change(&configuration.pairing.wideRatio)
    if let pages = list({ $0.page() }) { configuration.pairing.alone = Set(pages) }
    if let pages = list({ $0.page() }) { configuration.pairing.together = Set(pages) }
    if let pages = list({ $0.page() }) { configuration.pairing.sectionStarts = Set(pages) }
    let gaps = list { GapRule(pages: $0.range { PageIndex($0) }, gap: $0.number()) }
    if let gaps { configuration.spacing.gaps = gaps }
    change(&configuration.spacing.sectionGap)
    let margins = list { (page: $0.page(), insets: $0.insets()) }
    if let margins {
      configuration.spacing.pageMargins = [:]
      for (page, insets) in margins { configuration.spacing.pageMargins[page] = insets }
    }
    let views = list { (page: $0.page(), view: SpreadView(zoom: $0.number(), pan: $0.pan())) }
    if let views {
      configuration.spreadViews = [:]
      for (page, view) in views { configuration.spreadViews[page] = view }
    }
    if let pages = list({ $0.page() }) { configuration.stickyPages = pages }
  }

  /// Columns and start column.
  private mutating func changeSpread(_ spread: inout LayoutConfiguration.Spread) {
    let (columns, start) = (integer(), integer())
    switch (columns, start) {
    case (nil, _): break
    case (1, 0): spread = .single
    case (2, 0): spread = .double
    case (2, 1): spread = .book
    case (let columns?, let start): spread = .columns(columns, start: start ?? 0)
    }
  }

  private mutating func change(_ value: inout Double) {
    let number = number()
    if !number.isNaN { value = number }
  }

  private mutating func change(_ value: inout Double?) {
    let number = number()
    if !number.isNaN { value = number == -.infinity ? nil : number }
  }

  private mutating func change(_ value: inout Bool) {
    let number = number()
    if !number.isNaN { value = number != 0 }
  }

  private mutating func change(_ insets: inout Insets) {
    change(&insets.top)
    change(&insets.right)
    change(&insets.bottom)
    change(&insets.left)
  }

  private mutating func insets() -> Insets {
    let (top, right) = (number(), number())
    return Insets(top: top, right: right, bottom: number(), left: number())
  }

  private mutating func pan() -> Point { Point(x: number(), y: number()) }

  /// One of the cases, by its place among all.
  private mutating func choose<Choice: CaseIterable>(
    _ value: inout Choice,
    _ field: String
  ) throws(LayoutError) where Choice.AllCases == [Choice] {
    guard let index = integer() else { return }
    guard Choice.allCases.indices.contains(index) else {
      throw LayoutError(field: field, reason: "is none of \(Choice.allCases.count) choices")
    }
    value = Choice.allCases[index]
  }
}
