internal import ArgumentParser
internal import RectoGeometry
internal import RectoKit

/// The initial state of documents in `recto serve`; requests can override it.
struct ServeOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp("Size of the viewport in layout units.", valueName: "WxH"),
    reading: .size
  )
  var viewport: Extent = Extent(size: Size(width: 1280, height: 800))

  @Option(
    help: ArgumentHelp("Device pixels per layout unit.", valueName: "factor"),
    reading: .number(above: 0, atMost: 1000)
  )
  var scale: Double = 1

  @Option(
    help: ArgumentHelp("Tile size in device pixels, 16 to 8192.", valueName: "pixels"),
    reading: .number(16...8192)
  )
  var tile: Int = 512

  @Option(
    help: ArgumentHelp(
      """
      exact: measure every page in the background; estimated: measure only pages near the \
      viewport, and assume the size of the first page for the others.
      """,
      valueName: "kind"
    ),
    reading: .choice
  )
  var sizes: DocumentLayout.Sizes = .exact

  @Option(
    help: ArgumentHelp("Number of pages rendered at the same time, 1 to 64.", valueName: "number"),
    reading: .number(1...64)
  )
  var jobs: Int = 2

  @Option(
    help: ArgumentHelp("Memory for finished tiles, in MB.", valueName: "MB"),
    reading: .number(0...100_000)
  )
  var memoryCache: Int = 64

  @Option(
    help: ArgumentHelp(
      """
      How tiles are sent: file: the path in the cache, or base64 for a tile that is not there; \
      base64: in the line; bytes: as they are, behind the line.
      """,
      valueName: "how"
    ),
    reading: .choice
  )
  var pictures: PictureTransport = .file

  @Flag(help: "Open a document again when its file has changed.")
  var reload = false
}

extension PictureTransport: ExpressibleByArgument {
  init?(argument: String) {
    guard let transport = Self.ofStream.first(where: { $0.rawValue == argument }) else {
      return nil
    }
    self = transport
  }

  static var allValueStrings: [String] { ofStream.map(\.rawValue) }
}
