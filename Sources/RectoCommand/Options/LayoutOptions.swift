public import ArgumentParser
internal import DocumentModel
package import PageLayout
internal import RectoBase
package import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// How pages are arranged; the same in every command that lays out.
struct LayoutOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Layout mode.", valueName: "mode"),
    reading: .choice
  )
  var mode: LayoutConfiguration.Mode = .continuous

  @Option(
    help: ArgumentHelp(
      "Pages side by side: 1, 2, … (single); 1-2, 3-4, … (double); 1, 2-3, 4-5, … (book).",
      valueName: "spread"
    ),
    reading: .choice
  )
  var spread: SpreadName = .single

  @Option(
    help: ArgumentHelp("Scroll direction: the order of spreads.", valueName: "axis"),
    reading: .choice
  )
  var axis: LayoutConfiguration.Axis = .vertical

  @Flag(
    inversion: .prefixedNo,
    help:
      "Order pages in a spread, and on a horizontal axis, from right to left. (default: as in the file)"
  )
  var rtl: Bool?

  @Option(
    help: ArgumentHelp("How each spread is fitted to the viewport.", valueName: "fit"),
    reading: .choice
  )
  var fit: LayoutConfiguration.Fit = .none

  @Option(
    help: ArgumentHelp(
      "What is fitted as a whole: each spread, or all spreads of the document, at one scale.",
      valueName: "scope"
    ),
    reading: .choice
  )
  var fitScope: LayoutConfiguration.FitScope = .spread

  @Option(
    help: ArgumentHelp(
      "Side in which the smaller pages of a spread are enlarged to the size of the largest.",
      valueName: "side"
    ),
    reading: .choice
  )
  var match: LayoutConfiguration.Match = .none

  @Option(
    help: ArgumentHelp("Zoom factor above 0, applied after --fit.", valueName: "factor"),
    reading: .factor
  )
  var zoom: Double = 1

  @Option(
    help: ArgumentHelp("Space between spreads, in layout units.", valueName: "units"),
    reading: .length
  )
  var gap: Double = 10

  @Option(
    help: ArgumentHelp("Space between the pages of a spread, in layout units.", valueName: "units"),
    reading: .length
  )
  var pageGap: Double = 0

  @Option(
    help: ArgumentHelp(
      "Space around the content, in layout units: one, two or four numbers as in CSS: \"10,20\".",
      valueName: "units"
    ),
    reading: .margin
  )
  var margin: Margin = Margin(Insets(10))

  @Option(
    help: ArgumentHelp("Alignment of spreads across the axis.", valueName: "side"),
    reading: .choice
  )
  var align: LayoutConfiguration.Alignment = .center

  @Option(
    help: ArgumentHelp(
      "Reference for --align: the viewport, or the widest spread of the document.",
      valueName: "reference"
    ),
    reading: .choice
  )
  var centerIn: LayoutConfiguration.Centering = .viewport

  @Option(
    help: ArgumentHelp(
      "Clockwise rotation in degrees, added to the rotation of each page.",
      valueName: "degrees"
    ),
    reading: .choice
  )
  var rotate: Rotation = .none

  @Option(
    help: ArgumentHelp(
      "Pages in the order to show them: \"1-10,20,z\", \"5-\", \"odd\", \"label:iv-label:x\".",
      valueName: "pages"
    ),
    reading: .pages
  )
  var pages: PageList?

  @OptionGroup var arrangement: ArrangementOptions
  @OptionGroup var spacing: SpacingOptions

  /// The configuration of the layout.
  ///
  /// - Throws: A usage failure that names the option that does not fit the document.
  func configuration(
    for info: DocumentInfo,
    path: FilePath
  ) throws(Failure) -> LayoutConfiguration {
    var configuration = LayoutConfiguration()
    configuration.mode = mode
    configuration.spread = spread.spread
    configuration.axis = axis
    configuration.isRightToLeft = rtl ?? info.isRightToLeft
    configuration.fit = fit
    configuration.fitScope = fitScope
    configuration.match = match
    configuration.zoom = zoom
    configuration.gap = gap
    configuration.pageGap = pageGap
    configuration.margins = margin.insets
    configuration.align = align
    configuration.centering = centerIn
    configuration.rotation = rotate
    try arrangement.apply(to: &configuration, pageCount: info.pageCount, path: path)
    try spacing.apply(to: &configuration, pageCount: info.pageCount, path: path)
    return configuration
  }

  /// The pages of `--pages`, or all pages.
  ///
  /// - Throws: A usage failure if a page does not exist.
  func sequence(for info: DocumentInfo, path: FilePath) throws(Failure) -> PageSequence {
    guard let pages else { return PageSequence(pageCount: info.pageCount) }
    return try Failure.naming("pages") { () throws(Failure) in
      PageSequence(try pages.runs(pageCount: info.pageCount, path: path))
    }
  }
}

/// How pages come together in spreads.
enum SpreadName: String, NamedChoice {
  case single
  case double
  case book

  var spread: LayoutConfiguration.Spread {
    switch self {
    case .single: .single
    case .double: .double
    case .book: .book
    }
  }
}

extension ValueReader<Margin> {
  /// Lengths on the four sides.
  static var margin: Self {
    let last = LayoutConfiguration.largestLength
    return value("must be one, two or four numbers between 0 and \(last.decimal)") {
      $0.insets.isValid
    }
  }
}

/// One, two or four numbers, in the order CSS gives them.
struct Margin: ExpressibleByArgument {
  var insets: Insets

  init(_ insets: Insets) {
    self.insets = insets
  }

  init?(argument: String) {
    let numbers = argument.split(whereSeparator: { $0 == "," || $0 == " " }).map { Double($0) }
    switch numbers.count {
    case 1:
      guard let all = numbers[0] else { return nil }
      insets = Insets(all)
    case 2:
      guard let vertical = numbers[0], let horizontal = numbers[1] else { return nil }
      insets = Insets(top: vertical, right: horizontal, bottom: vertical, left: horizontal)
    case 4:
      guard let top = numbers[0], let right = numbers[1], let bottom = numbers[2],
        let left = numbers[3]
      else { return nil }
      insets = Insets(top: top, right: right, bottom: bottom, left: left)
    default: return nil
    }
  }

  var defaultValueDescription: String { insets.top.decimal }
}

extension FlowOptions.LastRow: NamedChoice {}
extension LayoutConfiguration.Mode: NamedChoice {}
extension LayoutConfiguration.Axis: NamedChoice {}
extension LayoutConfiguration.Fit: NamedChoice {}
extension LayoutConfiguration.FitScope: NamedChoice {}
extension LayoutConfiguration.Match: NamedChoice {}
extension LayoutConfiguration.Alignment: NamedChoice {}
extension LayoutConfiguration.Centering: NamedChoice {}

extension Rotation: ExpressibleByArgument {
  /// A rotation from degrees: 0, 90, 180 or 270.
  package init?(argument: String) {
    guard let degrees = Int(argument), (0..<360).contains(degrees) else { return nil }
    self.init(degrees: degrees)
  }

  /// The degrees.
  package var defaultValueDescription: String { String(degrees) }

  /// All degrees there are.
  package static var allValueStrings: [String] { allCases.map { String($0.degrees) } }
}
