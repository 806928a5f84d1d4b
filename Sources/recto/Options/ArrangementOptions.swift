internal import ArgumentParser
internal import PageLayout
internal import SystemPackage

/// Departures from the regular arrangement, and what only some modes know.
struct ArrangementOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Columns of a grid. (default: as many as fit)",
      valueName: "number"
    )
  )
  var columns: Int?

  @Option(
    help: ArgumentHelp(
      """
      Side of a grid's tile across the axis in layout units at zoom 1, without --columns. \
      (default: as a spread like the first page)
      """,
      valueName: "units"
    )
  )
  var gridTile: Double?

  @Flag(
    help: "The columns of a grid spread over the whole width; the rows of a flow are scaled to it."
  )
  var justify = false

  @Option(
    help: ArgumentHelp(
      """
      Shares of the viewport for the boxes of a carousel: the current spread's, its neighbours', \
      and those beyond.
      """,
      valueName: "C,N,H"
    )
  )
  var carousel: CarouselShares = CarouselShares(CarouselOptions())

  @Option(
    help: ArgumentHelp(
      "Height of the rows of a flow in layout units, before --zoom. (default: the pages' own)",
      valueName: "units"
    )
  )
  var rowHeight: Double?

  @Option(help: "The last row of a flow with --justify.")
  var lastRow: FlowOptions.LastRow = .natural

  @Option(
    help: ArgumentHelp(
      "Pages side by side in a spread, in place of --spread.",
      valueName: "number"
    )
  )
  var spreadColumns: Int?

  @Option(
    help: ArgumentHelp(
      "The column of the first page in its spread, from 1. (default: 1, with book 2)",
      valueName: "column"
    )
  )
  var startColumn: Int?

  @Option(
    help: ArgumentHelp(
      "Pages at least this many times as wide as high stand alone in their spread.",
      valueName: "ratio"
    )
  )
  var wideAlone: Double?

  @Option(help: ArgumentHelp("Pages that stand alone in their spread.", valueName: "pages"))
  var alone: PageList?

  @Option(
    help: ArgumentHelp(
      "Pages that share a spread with the page behind them.",
      valueName: "pages"
    )
  )
  var together: PageList?

  @Option(
    help: ArgumentHelp(
      "Pages that begin a section: a new spread, in the column of the first page.",
      valueName: "pages"
    )
  )
  var sections: PageList?

  @Option(
    help: ArgumentHelp(
      "Pages that stay in sight at the nearer edge while the rest scrolls.",
      valueName: "pages"
    )
  )
  var sticky: PageList?

  @Flag(help: "Gaps grow with --zoom.")
  var scaleGaps = false

  /// Takes the options over into a configuration.
  func apply(
    to configuration: inout LayoutConfiguration,
    pageCount: Int,
    path: FilePath
  ) throws(Failure) {
    func indices(_ list: PageList?, _ option: String) throws(Failure) -> [Int] {
      guard let list else { return [] }
      return try Failure.naming(option) { () throws(Failure) in
        try list.indices(pageCount: pageCount, path: path)
      }
    }
    configuration.spread = try columns(instead: configuration.spread)
    configuration.grid = GridOptions(columns: columns, tile: gridTile, isJustified: justify)
    configuration.flow = FlowOptions(rowHeight: rowHeight, isJustified: justify, lastRow: lastRow)
    configuration.carousel = carousel.options
    configuration.pairing = PairingRules(
      wideRatio: wideAlone,
      alone: Set(try indices(alone, "alone")),
      together: Set(try indices(together, "together")),
      sectionStarts: Set(try indices(sections, "sections"))
    )
    configuration.stickyPages = try indices(sticky, "sticky")
    configuration.gapsScaleWithZoom = scaleGaps
  }

  /// The columns that were asked for in place of those of `--spread`.
  private func columns(
    instead spread: LayoutConfiguration.Spread
  ) throws(Failure) -> LayoutConfiguration.Spread {
    guard spreadColumns != nil || startColumn != nil else { return spread }
    let count = spreadColumns ?? spread.columnCount
    // The layout counts columns from 0 and says so; a count that is none is for it to refuse.
    if let startColumn, count >= 1, !(1...count).contains(startColumn) {
      throw Failure(
        usage: "must be between 1 and \(count), is \(startColumn)",
        option: OptionName("startColumn")
      )
    }
    return .columns(
      count,
      start: startColumn.map { max(1, $0) - 1 } ?? (spreadColumns == nil ? spread.startColumn : 0)
    )
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
    guard shares.count == 3, let current = shares[0], let neighbour = shares[1],
      let hidden = shares[2]
    else { return nil }
    options = CarouselOptions(
      currentShare: current,
      neighbourShare: neighbour,
      hiddenShare: hidden
    )
  }

  var defaultValueDescription: String {
    [options.currentShare, options.neighbourShare, options.hiddenShare].map(\.decimal)
      .joined(separator: ",")
  }
}
