public import ArgumentParser
internal import DocumentModel
internal import Geometry
internal import PageLayout
public import RectoKit
internal import SystemPackage

/// The options of the viewport.
struct ViewportOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Size of the viewport in layout units.", valueName: "WxH"))
  var viewport: Extent = Extent(size: Size(width: 1280, height: 800))

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Top left of the viewport, in layout units; clamped to the content.",
      valueName: "Y|X,Y"
    )
  )
  var offset: Offset?

  @Option(
    help: ArgumentHelp(
      """
      Page (12, z, label:iv), or fraction of a page (12+0.5), at the start edge of the viewport.
      """,
      valueName: "N[+F]"
    ),
    transform: PagePosition.init(parsing:)
  )
  var page: PagePosition?

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Fraction of --page before the start edge: the F of N+F.",
      valueName: "fraction"
    )
  )
  var atPageFraction: Double?

  @Option(
    help: ArgumentHelp(
      """
      Position between the current spread and the next, 0 to 1. In paged mode the viewport stays \
      in place, and the JSON describes the turning page in "turn". With --from-layout: position \
      between the two layouts.
      """,
      valueName: "fraction"
    )
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
    )
  )
  var spreadZoom: Double?

  @Option(
    help: ArgumentHelp(
      """
      Visible part of a spread that is larger than its cell, from 0,0 (top left) to 1,1 (bottom \
      right); for --mode paged and carousel.
      """,
      valueName: "X,Y"
    )
  )
  var pan: Pan?

  @Option(help: ArgumentHelp("Device pixels per layout unit.", valueName: "factor"))
  var scale: Double = 1

  @Option(
    help: ArgumentHelp(
      """
      exact: measure every page before the viewport; estimated: measure only visible pages, and \
      assume the size of the first page for the others. (default: exact; with --page: estimated)
      """,
      valueName: "kind"
    )
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
        throw ValidationError("--from-layout: \(LayoutOptions.message(for: error))")
      }
    }
    if offset != nil, page != nil { throw ValidationError("--offset cannot be used with --page") }
    if let atPageFraction {
      guard let page else { throw ValidationError("--at-page-fraction needs --page") }
      guard page.fraction == nil else {
        throw ValidationError("--at-page-fraction cannot be used with --page N+F")
      }
      guard atPageFraction.isFinite else {
        throw ValidationError("--at-page-fraction: must be a number, is \(atPageFraction)")
      }
    }
    if let progress, !(0...1).contains(progress) {
      throw ValidationError("--progress: must be between 0 and 1, is \(progress)")
    }
    if let spreadZoom, !(spreadZoom > 0 && spreadZoom <= LayoutConfiguration.largestZoom) {
      throw ValidationError(
        "--spread-zoom: must be above 0 and at most \(LayoutConfiguration.largestZoom.decimal), is \(spreadZoom)"
      )
    }
    guard scale > 0, scale <= 1000 else {
      throw ValidationError("--scale: must be above 0 and at most 1000, is \(scale)")
    }
  }

  /// Which pages are measured.
  var sizesWanted: DocumentLayout.Sizes { sizes ?? (page == nil ? .exact : .estimated) }

  /// The position of the viewport.
  ///
  /// - Parameters:
  ///   - document: The document, which knows its labels.
  ///   - info: What the document says of itself.
  ///   - path: The path of the document, for messages.
  /// - Returns: The page or the offset.
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
    return .offset(offset?.point ?? .zero)
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
  /// - Throws: ``PageListSyntaxError``, or a validation error for what stands behind the page.
  init(parsing argument: String) throws {
    var rest = argument[...]
    number = try PageList.Number(parsing: &rest)
    guard !rest.isEmpty else { return }
    guard rest.first == "+", let share = Double(rest.dropFirst()), share.isFinite else {
      throw ValidationError("\"\(rest)\" behind the page is not + and a fraction")
    }
    fraction = share
  }
}

extension DocumentLayout.Sizes: ExpressibleByArgument {}
