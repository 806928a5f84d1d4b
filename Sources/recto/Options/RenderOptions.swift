public import ArgumentParser
public import RectoKit

/// What `recto render` makes of a window.
struct RenderOptions: ParsableArguments {
  @Option(
    name: [.customShort("o"), .long],
    help: ArgumentHelp(
      "Directory for the tiles. (default: they stay in the cache)",
      valueName: "dir"
    )
  )
  var output: String?

  @Option(help: ArgumentHelp("Tile size in device pixels, 16 to 8192.", valueName: "pixels"))
  var tile: Int = 512

  @Option(
    help: ArgumentHelp(
      """
      File for the viewport as one picture: .png, .jpg or .webp; - for standard output, without \
      the JSON.
      """,
      valueName: "file"
    )
  )
  var image: String?

  @Option(help: ArgumentHelp("Color behind the pages in --image.", valueName: "#rrggbb"))
  var background: Color = Color(rgb: 0xE8E8E8)

  @Flag(help: "Draw shadows of pages in --image.")
  var shadow = false

  @Option(
    help: ArgumentHelp(
      "Number of next viewports to render into the cache after the output is written, 0 to 1000.",
      valueName: "number"
    )
  )
  var prefetch: Int = 0

  /// Checks the options.
  ///
  /// - Throws: A validation error for options that exclude each other or are out of range.
  func validate() throws {
    guard (16...8192).contains(tile) else {
      throw ValidationError("--tile: must be between 16 and 8192 pixels, is \(tile)")
    }
    guard (0...1000).contains(prefetch) else {
      throw ValidationError("--prefetch: must be between 0 and 1000, is \(prefetch)")
    }
  }
}

extension Color: ExpressibleByArgument {
  private static let names: [String: UInt32] = [
    "white": 0xFFFFFF, "black": 0x000000, "gray": 0x808080, "grey": 0x808080,
  ]

  /// A color from `#rrggbb` or one of a few names.
  public init?(argument: String) {
    if let rgb = Self.names[argument] {
      self.init(rgb: rgb)
    } else if argument.hasPrefix("#"), argument.utf8.count == 7,
      let rgb = UInt32(argument.dropFirst(), radix: 16)
    {
      self.init(rgb: rgb)
    } else {
      return nil
    }
  }

  /// The color as `#rrggbb`.
  public var defaultValueDescription: String {
    let digits = String(rgb, radix: 16)
    return "#" + String(repeating: "0", count: 6 - digits.count) + digits
  }
}
