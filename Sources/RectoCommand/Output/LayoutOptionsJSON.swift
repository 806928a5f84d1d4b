internal import PageLayout
internal import RectoBase
internal import RectoGeometry

/// The options of a layout in JSON. `docs/COMMAND.md` describes them.
extension JSONWriter {
  /// Writes every option; rare ones only if they differ from the default.
  mutating func layout(_ configuration: LayoutConfiguration, sizes: String?) {
    object("layout") { object in
      object.member("mode", configuration.mode.rawValue)
      object.spread(configuration.spread)
      object.member("axis", configuration.axis.rawValue)
      object.member("rtl", configuration.isRightToLeft)
      object.member("fit", configuration.fit.rawValue)
      if configuration.fitScope != .spread {
        object.member("fitScope", configuration.fitScope.rawValue)
      }
      if configuration.match != .none { object.member("match", configuration.match.rawValue) }
      object.member(exact: "zoom", configuration.zoom)
      object.member(exact: "gap", configuration.gap)
      object.member(exact: "pageGap", configuration.pageGap)
      object.insets("margin", configuration.margins)
      object.member("align", configuration.align.rawValue)
      if configuration.centering != .viewport {
        object.member("centerIn", configuration.centering.rawValue)
      }
      object.member("rotate", configuration.rotation.degrees)
      if configuration.mode == .grid {
        if let columns = configuration.grid.columns { object.member("columns", columns) }
        object.member("justify", configuration.grid.isJustified)
      }
      if configuration.mode == .flow {
        if let height = configuration.flow.rowHeight { object.member(exact: "rowHeight", height) }
        object.member("justify", configuration.flow.isJustified)
        object.member("lastRow", configuration.flow.lastRow.rawValue)
      }
      if let tile = configuration.grid.tile { object.member(exact: "gridTile", tile) }
      if configuration.carousel != CarouselOptions() { object.carousel(configuration.carousel) }
      if let ratio = configuration.pairing.wideRatio { object.member(exact: "wideAlone", ratio) }
      object.pages("alone", configuration.pairing.alone.sorted())
      object.pages("together", configuration.pairing.together.sorted())
      object.pages("sections", configuration.pairing.sectionStarts.sorted())
      object.pages("sticky", configuration.stickyPages)
      object.member("scaleGaps", configuration.gapsScaleWithZoom)
      object.spacing(configuration)
      object.member("sizes", sizes)
    }
  }

  /// Writes the columns of a spread: `spread`, if it has a name, else the options that replace it.
  private mutating func spread(_ spread: LayoutConfiguration.Spread) {
    switch (spread.columnCount, spread.startColumn) {
    case (1, 0): member("spread", "single")
    case (2, 0): member("spread", "double")
    case (2, 1): member("spread", "book")
    case (let count, let start):
      member("spreadColumns", count)
      member("startColumn", start + 1)
    }
  }

  private mutating func insets(_ key: String, _ insets: Insets) {
    array(key) { array in
      for side in insets.sides { array.value(exact: side) }
    }
  }

  private mutating func carousel(_ options: CarouselOptions) {
    array("carousel") { array in
      array.value(exact: options.currentShare)
      array.value(exact: options.neighborShare)
      array.value(exact: options.hiddenShare)
    }
  }

  /// Writes exceptions to the regular spacing in the syntax of the options.
  private mutating func spacing(_ configuration: LayoutConfiguration) {
    let spacing = configuration.spacing
    if let gap = spacing.sectionGap { member(exact: "sectionGap", gap) }
    if !spacing.gaps.isEmpty {
      array("gapBefore") { array in
        for rule in spacing.gaps { array.value("\(rule.pages.typed):\(rule.gap.exactDecimal)") }
      }
    }
    if !spacing.pageMargins.isEmpty {
      array("pageMargin") { array in
        for (pages, margins) in spacing.pageMargins.rows {
          array.value(
            "\(pages.typed):\(margins.sides.map(\.exactDecimal).joined(separator: ","))"
          )
        }
      }
    }
    if configuration.contentInsets != .zero { insets("insets", configuration.contentInsets) }
    let least = configuration.minimumContentSize
    if least != .zero {
      member("minContent", "\(least.width.exactDecimal)x\(least.height.exactDecimal)")
    }
    if configuration.trailingSpace != 0 {
      member(exact: "trailingSpace", configuration.trailingSpace)
    }
  }

  /// Writes a list of page numbers, unless it is empty.
  private mutating func pages(_ key: String, _ pages: [PageIndex]) {
    guard !pages.isEmpty else { return }
    array(key) { array in
      for page in pages { array.value(page.number) }
    }
  }
}

extension Insets {
  /// As CSS orders them.
  fileprivate var sides: [Double] { [top, right, bottom, left] }
}

extension Range<PageIndex> {
  /// The page numbers in the syntax of a page list.
  fileprivate var typed: String {
    guard count > 1, let last else { return "\(lowerBound.number)" }
    return "\(lowerBound.number)-\(last.number)"
  }
}

extension [PageIndex: Insets] {
  /// Consecutive pages with the same margins, ascending.
  fileprivate var rows: [(pages: Range<PageIndex>, margins: Insets)] {
    var rows: [(pages: Range<PageIndex>, margins: Insets)] = []
    for (page, margins) in sorted(by: { $0.key < $1.key }) {
      if let last = rows.last, last.pages.upperBound == page, last.margins == margins {
        rows[rows.count - 1].pages = last.pages.lowerBound..<page.advanced(by: 1)
      } else {
        rows.append((Range(only: page), margins))
      }
    }
    return rows
  }
}
