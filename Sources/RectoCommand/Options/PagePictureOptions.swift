internal import ArgumentParser
internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// The content and size of the pictures of `recto pages`.
struct PagePictureOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Pixels per inch of the page; in SVG and PDF, of what is not shapes and text. (default: 150; \
      300 in SVG and PDF)
      """,
      valueName: "number"
    ),
    reading: .number(above: 0, atMost: largestResolution)
  )
  var dpi: Double?

  @Option(
    help: ArgumentHelp(
      "Pixels per point; another way to give --dpi, which is 72 at 1.",
      valueName: "factor"
    ),
    reading: .number(above: 0, atMost: largestResolution / 72)
  )
  var scale: Double?

  @Option(
    help: ArgumentHelp(
      """
      Largest size in pixels, for SVG and PDF in points; the picture keeps the proportions of the \
      page. Wx or xH limits one side, N the longer one.
      """,
      valueName: "WxH"
    ),
    reading: .box
  )
  var size: PictureBox?

  @Option(
    help: ArgumentHelp(
      "Part of each page, in points from the top left of the page as displayed.",
      valueName: "X,Y,W,H"
    ),
    reading: .crop
  )
  var crop: CropArea?

  @Option(
    help: ArgumentHelp(
      "Clockwise rotation in degrees, added to the rotation of each page.",
      valueName: "degrees"
    ),
    reading: .choice
  )
  var rotate: Rotation = .none

  @OptionGroup var picture: PictureOptions

  @Flag(help: "No white paper under the pages. Not for JPEG, PPM and TIFF.")
  var transparent = false

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that exclude each other or are out of range.
  func validate() throws {
    let given = [("--dpi", dpi != nil), ("--scale", scale != nil), ("--size", size != nil)]
      .filter(\.1).map(\.0)
    if given.count > 1 { throw ValidationError("\(given[0]) cannot be used with \(given[1])") }
  }

  /// The style of the pictures, by `--format` or by the extension of the files.
  ///
  /// - Parameter template: The argument of `--output`.
  /// - Throws: A validation error for options without effect, and for a format that is not written.
  func style(for template: String?) throws(ValidationError) -> PictureStyle {
    // A template that ends with `{ext}`, and a directory, have no extension.
    let path = FilePath(argument: template ?? "")
    let name = path.lastComponent.map { FilePath(root: nil, [$0]) } ?? FilePath()
    let isPrefix = try StoreOutput(template).map { $0.template == nil } ?? false
    let isFolder =
      isPrefix || template?.hasSuffix("/") ?? true
      || (try? Files.status(of: path))?.type == .directory
    let typed = isFolder ? FilePath() : name
    guard let implied = PictureFormat(fileName: typed) ?? picture.format else {
      throw ValidationError("--output: the format is to be \(PictureFormat.extensions), is \(path)")
    }
    return try picture.style(implied, isTransparent: transparent)
  }

  /// A thousand pixels per point, like the largest `--scale`.
  private static let largestResolution = 72_000.0

  /// The part of each page, and its size.
  func geometry(for style: PictureStyle) -> PictureGeometry {
    let usual = style.format.isVector ? VectorSheet.usualResolution : 150
    let dpi = dpi ?? scale.map { $0 * 72 } ?? usual
    return PictureGeometry(
      size: size.map { .box(width: $0.width, height: $0.height) } ?? .resolution(dpi),
      rotation: rotate,
      crop: crop?.area
    )
  }
}

extension ValueReader<PictureBox> {
  /// A size; one side can be omitted.
  static var box: Self {
    let last = PictureBox.largestSide
    return value("must be WxH, Wx, xH or N, with sides between 1 and \(last) pixels") { box in
      [box.width, box.height].compactMap(\.self).allSatisfy { (1...last).contains($0) }
    }
  }
}

extension ValueReader<CropArea> {
  /// An area that is not empty.
  static var crop: Self {
    value("must be X,Y,W,H in points, with W and H above 0") { !$0.area.isEmpty }
  }
}

/// `WxH`, `Wx` or `xH`; `N` is `NxN`.
struct PictureBox: ExpressibleByArgument {
  var width: Int?
  var height: Int?

  /// The largest side of a picture in pixels.
  static let largestSide = 32_767

  init?(argument: String) {
    let sides =
      argument.contains("x")
      ? argument.split(separator: "x", omittingEmptySubsequences: false)
      : [argument[...], argument[...]]
    guard sides.count == 2, sides.contains(where: { !$0.isEmpty }) else { return nil }
    let numbers = sides.map { Int($0) }
    guard zip(sides, numbers).allSatisfy({ $0.isEmpty || $1 != nil }) else { return nil }
    width = numbers[0]
    height = numbers[1]
  }
}

/// `X,Y,W,H`.
struct CropArea: ExpressibleByArgument {
  var area: Rect

  init?(argument: String) {
    let numbers = argument.split(separator: ",", omittingEmptySubsequences: false)
      .compactMap { Double($0) }.filter(\.isFinite)
    guard numbers.count == 4, argument.count(where: { $0 == "," }) == 3 else { return nil }
    area = Rect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
  }
}
