internal import ArgumentParser
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// Room around and between pages beyond `--gap`, `--page-gap` and `--margin`.
struct SpacingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Space before each section of --sections, in layout units. (default: --gap)",
      valueName: "units"
    ),
    reading: .length
  )
  var sectionGap: Double?

  @Option(
    help: ArgumentHelp(
      """
      Space before spreads that start with one of these pages, in layout units: "5-9:40". Can be \
      repeated; the last one for a page is used.
      """,
      valueName: "pages:units"
    ),
    reading: .gap
  )
  var gapBefore: [GapBefore] = []

  @Option(
    help: ArgumentHelp(
      """
      White space around pages, in points of the page; numbers as in --margin: "1-z:9,18". Can be \
      repeated; the last one for a page is used.
      """,
      valueName: "pages:points"
    ),
    reading: .pageMargin
  )
  var pageMargin: [PageMargin] = []

  @Option(
    help: ArgumentHelp(
      """
      Covered edges of the viewport, by toolbars for example, in layout units; numbers as in \
      --margin.
      """,
      valueName: "units"
    ),
    reading: .margin
  )
  var insets: Margin = Margin(.zero)

  @Option(
    help: ArgumentHelp(
      "Minimum size of the content, in layout units; smaller content is centered.",
      valueName: "WxH"
    ),
    reading: .size
  )
  var minContent: Extent = Extent(size: .zero)

  @Option(
    help: ArgumentHelp("Empty space after the last spread, in layout units.", valueName: "units"),
    reading: .length
  )
  var trailingSpace: Double = 0

  /// Copies the options into a configuration.
  ///
  /// - Throws: A usage failure that names the option.
  func apply(
    to configuration: inout LayoutConfiguration,
    pageCount: Int,
    path: FilePath
  ) throws(Failure) {
    configuration.contentInsets = insets.insets
    configuration.minimumContentSize = minContent.size
    configuration.trailingSpace = trailingSpace
    configuration.spacing = SpacingRules(
      gaps: try Failure.naming("gapBefore") { () throws(Failure) in
        try GapBefore.rules(gapBefore, pageCount: pageCount, path: path)
      },
      sectionGap: sectionGap,
      pageMargins: try Failure.naming("pageMargin") { () throws(Failure) in
        try PageMargin.margins(pageMargin, pageCount: pageCount, path: path)
      }
    )
  }
}

extension ValueReader<GapBefore> {
  /// Pages, and the gap before them.
  static var gap: Self {
    Self { text throws(InvalidValue) in try GapBefore(parsing: text) }
  }
}

extension ValueReader<PageMargin> {
  /// Pages, and the margins around them.
  static var pageMargin: Self {
    Self { text throws(InvalidValue) in try PageMargin(parsing: text) }
  }
}

extension Insets {
  /// Whether each side is a length that a layout can have.
  var isValid: Bool {
    [top, right, bottom, left].allSatisfy { (0...LayoutConfiguration.largestLength).contains($0) }
  }
}

/// `PAGES:UNITS`.
struct GapBefore: Hashable, Sendable {
  var pages: PageList
  var gap: Double

  /// A rule from the text of an option.
  ///
  /// - Throws: ``InvalidValue`` for a text that is not `PAGES:UNITS`.
  init(parsing argument: String) throws(InvalidValue) {
    let rest: String
    (pages, rest) = try PageList.split(argument, unit: "UNITS")
    let last = LayoutConfiguration.largestLength
    guard let gap = Double(rest), (0...last).contains(gap) else {
      throw InvalidValue(
        "must be PAGES:UNITS",
        detail: "\"\(rest)\" is not a number between 0 and \(last.decimal)"
      )
    }
    self.gap = gap
  }

  /// The rules for a configuration, in the order given.
  ///
  /// - Returns: The rules, one for each range of pages.
  /// - Throws: A usage failure if a page does not exist or there are too many ranges.
  static func rules(
    _ options: [GapBefore],
    pageCount: Int,
    path: FilePath
  ) throws(Failure) -> [GapRule] {
    var rules: [GapRule] = []
    for option in options {
      let runs = try option.pages.runs(pageCount: pageCount, path: path)
      for pages in PageSequence(runs).pageRanges {
        rules.append(GapRule(pages: pages, gap: option.gap))
      }
    }
    guard rules.count <= largestCount else {
      throw Failure(
        usage: "\(rules.count) page ranges; the limit is \(largestCount)",
        path: path
      )
    }
    return rules
  }

  /// The maximum number of page ranges; the cost of a layout grows with their square.
  static let largestCount = 1000
}

/// `PAGES:` and one, two or four numbers.
struct PageMargin: Hashable, Sendable {
  var pages: PageList
  var margins: Insets

  /// A rule from the text of an option.
  ///
  /// - Throws: ``InvalidValue`` for a text that is not `PAGES:POINTS`.
  init(parsing argument: String) throws(InvalidValue) {
    let rest: String
    (pages, rest) = try PageList.split(argument, unit: "POINTS")
    let last = LayoutConfiguration.largestLength
    guard let margin = Margin(argument: rest), margin.insets.isValid else {
      throw InvalidValue(
        "must be PAGES:POINTS",
        detail: "\"\(rest)\" is not one, two or four numbers up to \(last.decimal)"
      )
    }
    margins = margin.insets
  }

  /// The margins for a configuration, by page.
  ///
  /// - Parameters:
  ///   - options: The options in the order given.
  /// - Returns: The margins of each page that has any.
  /// - Throws: A usage failure if a page does not exist or there are too many pages.
  static func margins(
    _ options: [PageMargin],
    pageCount: Int,
    path: FilePath
  ) throws(Failure) -> [PageIndex: Insets] {
    var margins: [PageIndex: Insets] = [:]
    for option in options {
      let pages = try option.pages.indices(
        pageCount: pageCount,
        path: path,
        limit: largestCount
      )
      for page in pages { margins[page] = option.margins }
    }
    return margins
  }

  /// The maximum number of pages of one option: each costs memory, and the page count may be wrong.
  static let largestCount = 100_000
}

extension PageList {
  /// Splits `PAGES:REST`.
  ///
  /// - Parameters:
  ///   - unit: The name of the rest, for the message.
  /// - Throws: ``InvalidValue`` for a text without a colon, or without pages before it.
  fileprivate static func split(
    _ argument: String,
    unit: String
  ) throws(InvalidValue) -> (pages: PageList, rest: String) {
    guard let colon = argument.lastIndex(of: ":") else {
      throw InvalidValue("must be PAGES:\(unit)")
    }
    do throws(PageListSyntaxError) {
      let pages = try PageList(parsing: String(argument[..<colon]))
      return (pages, String(argument[argument.index(after: colon)...]))
    } catch {
      throw InvalidValue("must be PAGES:\(unit)", detail: error.description)
    }
  }
}
