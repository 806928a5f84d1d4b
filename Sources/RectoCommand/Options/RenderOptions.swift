public import ArgumentParser
package import RectoKit

/// What `recto render` makes of a window.
struct RenderOptions: ParsableArguments {
  @Option(
    name: [.customShort("o", allowingJoined: true), .long],
    help: ArgumentHelp(
      "Directory for the tiles. (default: they stay in the cache)",
      valueName: "dir"
    ),
    completion: .directory
  )
  var output: String?

  @Option(
    name: .customLong("tile"),
    help: ArgumentHelp(
      "Tile size in device pixels, 16 to 8192. (default: 512)",
      valueName: "pixels"
    ),
    reading: .number(16...8192)
  )
  var tileGiven: Int?

  @Option(
    help: ArgumentHelp(
      """
      File for the viewport as one picture: .png, .jpg, .webp, .ppm, .tif, .svg or .pdf; - for \
      standard output, without the JSON.
      """,
      valueName: "file"
    ),
    completion: .file(extensions: [
      "png", "jpg", "jpeg", "webp", "ppm", "tif", "tiff", "svg", "pdf",
    ])
  )
  var image: String?

  @Option(
    name: .customLong("background"),
    help: ArgumentHelp(
      "Color behind the pages in --image. (default: #e8e8e8)",
      valueName: "#rrggbb"
    ),
    completion: .list(["white", "black", "gray"]),
    reading: .color
  )
  var backgroundGiven: Color?

  @Flag(help: "Draw shadows of pages in --image.")
  var shadow = false

  @Flag(help: "In mode paged, --image is a PDF with a page for each spread.")
  var allSpreads = false

  @Option(
    help: ArgumentHelp(
      "Number of next viewports to render into the cache after the output is written, 0 to 1000.",
      valueName: "number"
    ),
    reading: .number(0...1000)
  )
  var prefetch: Int = 0

  @Option(
    help: ArgumentHelp(
      "Limit of the pixels that are rendered, in millions.",
      valueName: "megapixels"
    ),
    reading: .number(above: 0, atMost: 1_000_000)
  )
  var maxPixels: Double = 1000

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for an option that needs another one.
  func validate() throws {
    try StoreOutput.refuseAddress(output, "--output")
    try StoreOutput.refuseAddress(image, "--image")
    guard image == nil else { return }
    if backgroundGiven != nil { throw ValidationError("--background needs --image") }
    if shadow { throw ValidationError("--shadow needs --image") }
    if allSpreads { throw ValidationError("--all-spreads needs --image") }
  }

  /// The side of a tile in device pixels.
  var tile: Int { tileGiven ?? 512 }

  /// The color behind the pages.
  var background: Color { backgroundGiven ?? Color(rgb: 0xE8E8E8) }
}

extension ValueReader<Color> {
  /// A color.
  static var color: Self { value("must be a color: #rrggbb, #rgb, white, black or gray") }
}

extension Color: ExpressibleByArgument {
  private static let names: [String: UInt32] = [
    "white": 0xFFFFFF, "black": 0x000000, "gray": 0x808080, "grey": 0x808080,
  ]

  /// A color from `#rrggbb`, `#rgb` or one of a few names.
  package init?(argument: String) {
    if let rgb = Self.names[argument] {
      self.init(rgb: rgb)
    } else if argument.hasPrefix("#"), argument.dropFirst().allSatisfy(\.isHexDigit),
      let rgb = UInt32(argument.dropFirst(), radix: 16)
    {
      switch argument.utf8.count {
      case 7: self.init(rgb: rgb)
      // Each digit counts twice, as in CSS.
      case 4: self.init(rgb: (rgb & 0xF00) * 0x1100 | (rgb & 0xF0) * 0x110 | (rgb & 0xF) * 0x11)
      default: return nil
      }
    } else {
      return nil
    }
  }

  /// The color as `#rrggbb`.
  package var defaultValueDescription: String {
    let digits = String(rgb, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
