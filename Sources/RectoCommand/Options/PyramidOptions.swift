internal import ArgumentParser
internal import RectoKit

/// Pages as tiles for viewers that zoom.
struct PyramidOptions: ParsableArguments {
  @Flag(help: "Write Deep Zoom pyramids: NAME.dzi, and tiles in NAME_files.")
  var dzi = false

  @Flag(help: "Write pyramids for the IIIF Image API 3, level 0: info.json and tiles below NAME.")
  var iiif = false

  @Option(
    help: ArgumentHelp(
      "URI below which the pyramids of --iiif are served; the id of a page is URI/NAME.",
      valueName: "uri"
    )
  )
  var iiifId: String?

  @Option(
    help: ArgumentHelp(
      "Side of tiles in pixels. (default: 254 for --dzi, 512 for --iiif)",
      valueName: "pixels"
    ),
    reading: .number(PagePyramid.tileSizes)
  )
  var tileSize: Int?

  @Option(
    help: ArgumentHelp("Pixels by which tiles of --dzi overlap. (default: 1)", valueName: "pixels"),
    reading: .number(0...8191)
  )
  var overlap: Int?

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that exclude each other or are without effect.
  func validate() throws {
    if dzi, iiif { throw ValidationError("--dzi cannot be used with --iiif") }
    if iiif, iiifId == nil || iiifId == "" {
      throw ValidationError("--iiif needs --iiif-id, the URI below which the pyramids are served")
    }
    if !iiif, iiifId != nil { throw ValidationError("--iiif-id needs --iiif") }
    if !dzi, overlap != nil { throw ValidationError("--overlap needs --dzi") }
    if !dzi, !iiif, tileSize != nil { throw ValidationError("--tile-size needs --dzi or --iiif") }
    if let overlap, overlap >= tileSize ?? 254 {
      throw ValidationError("--overlap must be less than --tile-size, is \(overlap)")
    }
  }

  /// The option that asks for pyramids; nil if none does.
  var option: String? { dzi ? "--dzi" : iiif ? "--iiif" : nil }

  /// The pyramid that each page becomes; nil for a single picture.
  var pyramid: PagePyramid? {
    if dzi { return .deepZoom(tileSize: tileSize ?? 254, overlap: overlap ?? 1) }
    return iiifId.map { .iiif(base: $0, tileSize: tileSize ?? 512) }
  }
}
