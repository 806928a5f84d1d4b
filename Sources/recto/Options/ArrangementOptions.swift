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

  @Flag(
    help: "The columns of a grid spread over the whole width; the rows of a flow are scaled to it."
  )
  var justify = false

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
      "Pages that stay in sight at the nearer edge while the rest scrolls.",
      valueName: "pages"
    )
  )
  var sticky: PageList?

  @Flag(help: "Gaps grow with --zoom.")
  var scaleGaps = false

  /// The index of a column that is counted from 1; the layout refuses one that is none.
  private static func index(ofColumn column: Int) -> Int { column > 0 ? column - 1 : -1 }

  /// Takes the options over into a configuration.
  func apply(
    to configuration: inout LayoutConfiguration,
    pageCount: Int,
    path: FilePath
  ) throws(Failure) {
    configuration.grid.columns = columns
    configuration.grid.isJustified = justify
    configuration.flow = FlowOptions(rowHeight: rowHeight, isJustified: justify, lastRow: lastRow)
    if spreadColumns != nil || startColumn != nil {
      let spread = configuration.spread
      configuration.spread = .columns(
        spreadColumns ?? spread.columnCount,
        start: startColumn.map { Self.index(ofColumn: $0) }
          ?? (spreadColumns == nil ? spread.startColumn : 0)
      )
    }
    configuration.pairing.wideRatio = wideAlone
    func indices(_ list: PageList?) throws(Failure) -> [Int] {
      try list?.indices(pageCount: pageCount, path: path) ?? []
    }
    configuration.pairing.alone = Set(try indices(alone))
    configuration.pairing.together = Set(try indices(together))
    configuration.stickyPages = try indices(sticky)
    configuration.gapsScaleWithZoom = scaleGaps
  }
}
