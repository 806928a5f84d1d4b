internal import Geometry
internal import PageLayout
internal import PageNumbers

/// The options of a layout in JSON. `docs/COMMAND.md` describes them.
extension JSONWriter {
  /// Every option as used; the rarer ones only where they are not the default.
  mutating func layout(_ configuration: LayoutConfiguration, sizes: String?) {
    object("layout") { object in
      object.member("mode", configuration.mode.rawValue)
      object.member("spread", configuration.spread.name)
      object.member("axis", configuration.axis.rawValue)
      object.member("rtl", configuration.isRightToLeft)
      object.member("fit", configuration.fit.rawValue)
      object.member("zoom", configuration.zoom)
      object.member("gap", configuration.gap)
      object.member("pageGap", configuration.pageGap)
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
        if let height = configuration.flow.rowHeight { object.member("rowHeight", height) }
        object.member("justify", configuration.flow.isJustified)
        object.member("lastRow", configuration.flow.lastRow.rawValue)
      }
      if let tile = configuration.grid.tile { object.member("gridTile", tile) }
      if configuration.carousel != CarouselOptions() { object.carousel(configuration.carousel) }
      if let ratio = configuration.pairing.wideRatio { object.member("wideAlone", ratio) }
      object.pages("alone", configuration.pairing.alone.sorted())
      object.pages("together", configuration.pairing.together.sorted())
      object.pages("sections", configuration.pairing.sectionStarts.sorted())
      object.pages("sticky", configuration.stickyPages)
      object.member("scaleGaps", configuration.gapsScaleWithZoom)
      object.spacing(configuration)
      object.member("sizes", sizes)
    }
  }

  private mutating func insets(_ key: String, _ insets: Insets) {
    array(key) { array in
      for side in insets.sides { array.value(side) }
    }
  }

  private mutating func carousel(_ options: CarouselOptions) {
    array("carousel") { array in
      array.value(options.currentShare)
      array.value(options.neighborShare)
      array.value(options.hiddenShare)
    }
  }

  /// Departures from the regular spacing, written as they are typed.
  private mutating func spacing(_ configuration: LayoutConfiguration) {
    let spacing = configuration.spacing
    if let gap = spacing.sectionGap { member("sectionGap", gap) }
    if !spacing.gaps.isEmpty {
      array("gapBefore") { array in
        for rule in spacing.gaps { array.value("\(rule.pages.typed):\(rule.gap.decimal)") }
      }
    }
    if !spacing.pageMargins.isEmpty {
      array("pageMargin") { array in
        for (pages, margins) in spacing.pageMargins.rows {
          array.value(
            "\(pages.typed):\(margins.sides.map(\.decimal).joined(separator: ","))"
          )
        }
      }
    }
    if configuration.contentInsets != .zero { insets("insets", configuration.contentInsets) }
    let least = configuration.minimumContentSize
    if least != .zero { member("minContent", "\(least.width.decimal)x\(least.height.decimal)") }
    if configuration.trailingSpace != 0 { member("trailingSpace", configuration.trailingSpace) }
  }

  /// A list of page numbers, unless it is empty.
  private mutating func pages(_ key: String, _ pages: [PageIndex]) {
    guard !pages.isEmpty else { return }
    array(key) { array in
      for page in pages { array.value(page.number) }
    }
  }
}

extension LayoutConfiguration.Spread {
  var name: String {
    switch self {
    case .single: "single"
    case .double: "double"
    case .book: "book"
    case .columns(let count, let start): "\(count) columns, from column \(start + 1)"
    }
  }
}

extension Insets {
  /// As CSS orders them.
  fileprivate var sides: [Double] { [top, right, bottom, left] }
}

extension Range<PageIndex> {
  /// Pages by number, as a list of them is typed.
  fileprivate var typed: String {
    guard count > 1, let last else { return "\(lowerBound.number)" }
    return "\(lowerBound.number)-\(last.number)"
  }
}

extension [PageIndex: Insets] {
  /// Pages in a row that have the same margins, ascending.
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
