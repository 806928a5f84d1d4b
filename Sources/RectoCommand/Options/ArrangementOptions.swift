internal import ArgumentParser
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// Exceptions to the regular arrangement, and options of some modes only.
struct ArrangementOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Columns of a grid. (default: as many as fit)",
      valueName: "number"
    ),
    reading: .number(1...LayoutConfiguration.largestColumnCount)
  )
  var columns: Int?

  @Option(
    help: ArgumentHelp(
      """
      Size of a grid cell across the axis, in layout units at zoom 1; for a grid without \
      --columns. (default: the size of the first page's spread)
      """,
      valueName: "units"
    ),
    reading: .extent
  )
  var gridTile: Double?

  @Flag(
    help: "Distribute the columns of a grid, or scale the rows of a flow, to the full width."
  )
  var justify = false

  @Option(
    help: ArgumentHelp(
      """
      Box sizes in a carousel as fractions of the viewport without insets and margins: current \
      spread, neighbors, others. (default: 0.7,0.45,0.3)
      """,
      valueName: "C,N,H"
    ),
    reading: .shares
  )
  var carousel: CarouselShares?

  @Option(
    help: ArgumentHelp(
      "Row height in a flow, in layout units before --zoom. (default: the page height)",
      valueName: "units"
    ),
    reading: .extent
  )
  var rowHeight: Double?

  @Option(
    help: "Last row of a flow with --justify. (default: natural)",
    reading: .choice
  )
  var lastRow: FlowOptions.LastRow?

  @Option(
    help: ArgumentHelp(
      "Pages side by side in a spread; overrides --spread.",
      valueName: "number"
    ),
    reading: .number(1...LayoutConfiguration.largestColumnCount)
  )
  var spreadColumns: Int?

  @Option(
    help: ArgumentHelp(
      "Column of the first page in its spread, from 1. (default: 1; with book: 2)",
      valueName: "column"
    ),
    reading: .number(1...LayoutConfiguration.largestColumnCount)
  )
  var startColumn: Int?

  @Option(
    help: ArgumentHelp(
      "Width-to-height ratio from which a page is alone in its spread.",
      valueName: "ratio"
    ),
    reading: .factor
  )
  var wideAlone: Double?

  @Option(
    help: ArgumentHelp("Pages that are alone in their spread.", valueName: "pages"),
    reading: .pages
  )
  var alone: PageList?

  @Option(
    help: ArgumentHelp(
      "Pages that share a spread with the next page.",
      valueName: "pages"
    ),
    reading: .pages
  )
  var together: PageList?

  @Option(
    help: ArgumentHelp(
      "Pages that start a section: a new spread, in the start column.",
      valueName: "pages"
    ),
    reading: .pages
  )
  var sections: PageList?

  @Option(
    help: ArgumentHelp(
      "Pages that stay visible, at the nearer edge, while the others scroll.",
      valueName: "pages"
    ),
    reading: .pages
  )
  var sticky: PageList?

  @Flag(help: "Scale gaps with --zoom.")
  var scaleGaps = false

  /// Copies the options into a configuration.
  ///
  /// - Throws: A usage failure that names the option.
  func apply(
    to configuration: inout LayoutConfiguration,
    pageCount: Int,
    path: FilePath
  ) throws(Failure) {
    /// The pages of a list.
    ///
    /// - Throws: A usage failure that names the option.
    func indices(_ list: PageList?, _ option: String) throws(Failure) -> [PageIndex] {
      guard let list else { return [] }
      return try Failure.naming(option) { () throws(Failure) in
        try list.indices(pageCount: pageCount, path: path)
      }
    }
    configuration.spread = try columns(instead: configuration.spread)
    configuration.grid = GridOptions(columns: columns, tile: gridTile, isJustified: justify)
    configuration.flow = FlowOptions(
      rowHeight: rowHeight,
      isJustified: justify,
      lastRow: lastRow ?? .natural
    )
    configuration.carousel = carousel?.options ?? CarouselOptions()
    configuration.pairing = PairingRules(
      wideRatio: wideAlone,
      alone: Set(try indices(alone, "alone")),
      together: Set(try indices(together, "together")),
      sectionStarts: Set(try indices(sections, "sections"))
    )
    configuration.stickyPages = try indices(sticky, "sticky")
    configuration.gapsScaleWithZoom = scaleGaps
  }

  /// The columns of a spread: those given, or those of `--spread`.
  ///
  /// - Throws: A usage failure if the start column is not one of the columns.
  private func columns(
    instead spread: LayoutConfiguration.Spread
  ) throws(Failure) -> LayoutConfiguration.Spread {
    guard spreadColumns != nil || startColumn != nil else { return spread }
    let count = spreadColumns ?? spread.columnCount
    // The layout counts columns from 0 in its message.
    if let startColumn, startColumn > count {
      throw Failure(
        usage: "must be at most \(count), the number of columns of a spread, is \(startColumn)",
        option: OptionName("startColumn")
      )
    }
    return .columns(
      count,
      start: startColumn.map { max(1, $0) - 1 } ?? (spreadColumns == nil ? spread.startColumn : 0)
    )
  }
}

extension ValueReader<CarouselShares> {
  /// Three shares of the viewport.
  static var shares: Self {
    value("must be three numbers above 0 and at most 1, such as 0.7,0.45,0.3") { shares in
      let options = shares.options
      return [options.currentShare, options.neighborShare, options.hiddenShare]
        .allSatisfy { $0 > 0 && $0 <= 1 }
    }
  }
}

/// `CURRENT,NEIGHBOUR,HIDDEN`, three shares.
struct CarouselShares: ExpressibleByArgument {
  var options: CarouselOptions

  init(_ options: CarouselOptions) {
    self.options = options
  }

  init?(argument: String) {
    let shares = argument.split(separator: ",", omittingEmptySubsequences: false).map { Double($0) }
    guard shares.count == 3, let current = shares[0], let neighbor = shares[1],
      let hidden = shares[2]
    else { return nil }
    options = CarouselOptions(
      currentShare: current,
      neighborShare: neighbor,
      hiddenShare: hidden
    )
  }

  var defaultValueDescription: String {
    [options.currentShare, options.neighborShare, options.hiddenShare].map(\.decimal)
      .joined(separator: ",")
  }
}
