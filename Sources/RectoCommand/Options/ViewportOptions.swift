internal import ArgumentParser
internal import DocumentModel
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
package import RectoKit
internal import SystemPackage

/// The options of the viewport.
struct ViewportOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Size of the viewport in layout units.", valueName: "WxH"),
    reading: .size
  )
  var viewport: Extent = Extent(size: Size(width: 1280, height: 800))

  @Option(
    help: ArgumentHelp(
      "Top left of the viewport, in layout units; clamped to the content.",
      valueName: "Y|X,Y"
    ),
    reading: .offset
  )
  var offset: Offset?

  @Option(
    help: ArgumentHelp(
      """
      Page (12, z, label:iv), or fraction of a page (12+0.5), at the start edge of the viewport.
      """,
      valueName: "N[+F]"
    ),
    reading: .position
  )
  var page: PagePosition?

  @Option(
    help: ArgumentHelp(
      "Fraction of --page before the start edge: the F of N+F.",
      valueName: "fraction"
    ),
    reading: .finite
  )
  var atPageFraction: Double?

  @Option(
    help: ArgumentHelp(
      """
      The "place" of earlier output, as JSON: the same page at the same point of the viewport, in \
      any layout.
      """,
      valueName: "json"
    ),
    reading: .place
  )
  var place: Place?

  @Option(
    help: ArgumentHelp(
      """
      Position between the current spread and the next, 0 to 1. In paged mode the viewport stays \
      in place, and the JSON describes the turning page in "turn". With --from-layout: position \
      between the two layouts.
      """,
      valueName: "fraction"
    ),
    reading: .number(0...1)
  )
  var progress: Double?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Layout from which a transition to this one starts: the options that differ, in one \
      argument: "--mode grid --zoom 0.5".
      """,
      valueName: "options"
    )
  )
  var fromLayout: String?

  @Option(
    help: ArgumentHelp(
      "Zoom of the current spread alone, applied after --zoom; for --mode paged and carousel.",
      valueName: "factor"
    ),
    reading: .factor
  )
  var spreadZoom: Double?

  @Option(
    help: ArgumentHelp(
      """
      Visible part of a spread that is larger than its cell, from 0,0 (top left) to 1,1 (bottom \
      right); for --mode paged and carousel.
      """,
      valueName: "X,Y"
    ),
    reading: .pan
  )
  var pan: Pan?

  @Option(
    name: .customLong("scale"),
    help: ArgumentHelp("Device pixels per layout unit. (default: 1)", valueName: "factor"),
    reading: .number(above: 0, atMost: 1000)
  )
  private var typedScale: Double?

  @Option(
    help: ArgumentHelp(
      "Pixels per inch at zoom 1; another way to give --scale, which is 1 at 72.",
      valueName: "number"
    ),
    reading: .number(above: 0, atMost: 72_000)
  )
  private var dpi: Double?

  @Option(
    help: ArgumentHelp(
      """
      exact: measure every page before the viewport; estimated: measure only visible pages, and \
      assume the size of the first page for the others. (default: exact; with --page or --place: \
      estimated)
      """,
      valueName: "kind"
    ),
    reading: .choice
  )
  var sizes: DocumentLayout.Sizes?

  /// Checks the options.
  ///
  /// - Throws: A validation error for options that exclude each other or are out of range.
  func validate() throws {
    if let fromLayout {
      do {
        _ = try LayoutOptions.parse([]).changed(byTyped: fromLayout)
      } catch {
        throw ValidationError(
          "--from-layout: \(ParserMessage(LayoutOptions.message(for: error)).line)"
        )
      }
    }
    if dpi != nil, typedScale != nil {
      throw ValidationError("--dpi cannot be used with --scale")
    }
    let positions = [
      ("--offset", offset != nil), ("--page", page != nil), ("--place", place != nil),
    ]
    .filter(\.1).map(\.0)
    if positions.count > 1 {
      throw ValidationError("\(positions[0]) cannot be used with \(positions[1])")
    }
    if atPageFraction != nil {
      guard let page else { throw ValidationError("--at-page-fraction needs --page") }
      guard page.fraction == nil else {
        throw ValidationError("--at-page-fraction cannot be used with --page N+F")
      }
    }
  }

  /// Device pixels per layout unit, if given by `--scale` or `--dpi`.
  var scaleGiven: Double? { typedScale ?? dpi.map { $0 / 72 } }

  /// Device pixels per layout unit.
  var scale: Double { scaleGiven ?? 1 }

  /// Which pages are measured.
  var sizesWanted: DocumentLayout.Sizes {
    sizes ?? (page == nil && place == nil ? .exact : .estimated)
  }

  /// The position of the viewport.
  ///
  /// - Returns: The page, the place or the offset; by default the start.
  /// - Throws: A usage failure if the page does not exist.
  func position(
    in document: Document,
    _ info: DocumentInfo,
    path: FilePath
  ) async throws(Failure) -> DocumentLayout.Position {
    if let page {
      let number: PageList.Number
      do throws(DocumentError) {
        number = try await document.resolving(page.number)
      } catch {
        throw Failure(error, path: path)
      }
      return .page(
        try number.index(info.pageCount, path),
        fraction: page.fraction ?? atPageFraction ?? 0
      )
    }
    if let place { return .place(place) }
    return offset.map { .offset($0.point) } ?? .start
  }
}

extension ValueReader<Extent> {
  /// A width and a height.
  static var size: Self {
    let lengths = 0...LayoutConfiguration.largestLength
    let last = lengths.upperBound.decimal
    return value("must be WIDTHxHEIGHT, two numbers between 0 and \(last)") {
      lengths.contains($0.size.width) && lengths.contains($0.size.height)
    }
  }
}

extension ValueReader<Offset> {
  /// A point, or its position along the axis.
  static var offset: Self { value("must be Y or X,Y, in layout units") }
}

extension ValueReader<Pan> {
  /// A point of the unit square.
  static var pan: Self { value("must be X,Y, two numbers between 0 and 1") }
}

extension ValueReader<PagePosition> {
  /// A page, or a position on it.
  static var position: Self {
    Self { text throws(InvalidValue) in try PagePosition(parsing: text) }
  }
}

extension ValueReader<Place> {
  /// A place as scenes have it.
  static var place: Self {
    Self { text throws(InvalidValue) in
      let requirement = "must be a place as JSON"
      var members: [String: JSONValue] = [:]
      do throws(JSONSyntaxError) {
        if case .object(let found) = try JSONValue(parsing: text.utf8) { members = found }
      } catch {
        throw InvalidValue(requirement, detail: error.description)
      }
      var fields = RequestFields(members, of: "place")
      do throws(RequestError) {
        return try Place(&fields)
      } catch {
        throw InvalidValue(requirement, detail: error.message)
      }
    }
  }
}

/// `WIDTHxHEIGHT`.
struct Extent: ExpressibleByArgument {
  var size: Size

  init(size: Size) {
    self.size = size
  }

  init?(argument: String) {
    let numbers = argument.split(separator: "x", omittingEmptySubsequences: false).map {
      Double($0)
    }
    guard numbers.count == 2, let width = numbers[0], let height = numbers[1] else { return nil }
    size = Size(width: width, height: height)
  }

  var defaultValueDescription: String { "\(size.width.decimal)x\(size.height.decimal)" }
}

/// `Y` or `X,Y`.
struct Offset: ExpressibleByArgument {
  var point: Point

  init?(argument: String) {
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0)
    }
    switch numbers.count {
    case 1:
      guard let y = numbers[0], y.isFinite else { return nil }
      point = Point(x: 0, y: y)
    case 2:
      guard let x = numbers[0], let y = numbers[1], x.isFinite, y.isFinite else { return nil }
      point = Point(x: x, y: y)
    default: return nil
    }
  }
}

/// `X,Y`, two shares.
struct Pan: ExpressibleByArgument {
  var point: Point

  init?(argument: String) {
    guard let point = Offset(argument: argument)?.point, argument.contains(","),
      (0...1).contains(point.x), (0...1).contains(point.y)
    else { return nil }
    self.point = point
  }
}

/// `N` or `N+F`; a negative fraction is a position before the page.
struct PagePosition {
  var number: PageList.Number
  var fraction: Double?

  /// A position from the text of an option.
  ///
  /// - Throws: ``InvalidValue`` for an invalid page or fraction.
  init(parsing argument: String) throws(InvalidValue) {
    var rest = argument[...]
    do {
      number = try PageList.Number(parsing: &rest)
    } catch {
      throw InvalidValue("must be a page, as N or N+F", detail: error.description)
    }
    guard !rest.isEmpty else { return }
    guard rest.first == "+", let share = Double(rest.dropFirst()), share.isFinite else {
      throw InvalidValue("must be a page, as N or N+F", detail: "unexpected \"\(rest)\"")
    }
    fraction = share
  }
}

extension DocumentLayout.Sizes: NamedChoice {}
