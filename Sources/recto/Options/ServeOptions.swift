internal import ArgumentParser
internal import Geometry
internal import RectoKit

/// The initial state of documents in `recto serve`; requests can override it.
struct ServeOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Size of the viewport in layout units.", valueName: "WxH"))
  var viewport: Extent = Extent(size: Size(width: 1280, height: 800))

  @Option(help: ArgumentHelp("Device pixels per layout unit.", valueName: "factor"))
  var scale: Double = 1

  @Option(help: ArgumentHelp("Tile size in device pixels, 16 to 8192.", valueName: "pixels"))
  var tile: Int = 512

  @Option(
    help: ArgumentHelp(
      """
      exact: measure every page in the background; estimated: measure only pages near the \
      viewport, and assume the size of the first page for the others.
      """,
      valueName: "kind"
    )
  )
  var sizes: DocumentLayout.Sizes = .exact

  @Option(
    help: ArgumentHelp("Number of pages rendered at the same time, 1 to 64.", valueName: "number")
  )
  var jobs: Int = 2

  @Option(
    help: ArgumentHelp("Memory for finished tiles, in MB.", valueName: "MB")
  )
  var memoryCache: Int = 64

  @Option(
    help: ArgumentHelp(
      """
      How tiles are sent: file: the path in the cache, or base64 for a tile that is not there; \
      base64: in the line; bytes: as they are, behind the line.
      """,
      valueName: "how"
    )
  )
  var pictures: PictureTransport = .file

  @Flag(help: "Open a document again when its file has changed.")
  var reload = false

  /// Checks the options.
  ///
  /// - Throws: A validation error for options that exclude each other or are out of range.
  func validate() throws {
    guard scale > 0, scale <= 1000 else {
      throw ValidationError("--scale: must be above 0 and at most 1000, is \(scale)")
    }
    guard (16...8192).contains(tile) else {
      throw ValidationError("--tile: must be between 16 and 8192 pixels, is \(tile)")
    }
    guard (1...64).contains(jobs) else {
      throw ValidationError("--jobs: must be between 1 and 64, is \(jobs)")
    }
    guard (0...100_000).contains(memoryCache) else {
      throw ValidationError("--memory-cache: must be between 0 and 100000 MB, is \(memoryCache)")
    }
  }
}

extension PictureTransport: ExpressibleByArgument {}
