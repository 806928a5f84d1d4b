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

  @Flag(help: "The columns of a grid spread over the whole width.")
  var justify = false

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
    configuration.grid = GridOptions(columns: columns, isJustified: justify)
    configuration.pairing = PairingRules(
      wideRatio: wideAlone,
      alone: Set(try indices(alone, "alone")),
      together: Set(try indices(together, "together"))
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
