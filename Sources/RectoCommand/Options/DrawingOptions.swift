internal import ArgumentParser
package import DocumentModel
internal import RectoKit

/// How pages are drawn.
struct DrawingOptions: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      Placement of text: precise: each glyph where the document puts it, to a part of a pixel; poppler: at \
      whole pixels, as poppler-utils draw.
      """,
      valueName: "placement"
    )
  )
  var text: TextPlacement = .precise

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      """
      What makes pixels: cairo; splash, poppler's own; auto: cairo, and splash where cairo is known to be \
      wrong or fails.
      """,
      valueName: "rasterizer"
    )
  )
  var rasterizer: Rasterizer = .auto

  /// The settings with these options.
  func applied(to settings: DocumentSettings) -> DocumentSettings {
    var settings = settings
    settings.text = text
    settings.rasterizer = rasterizer
    return settings
  }
}

extension TextPlacement: NamedChoice {}

extension Rasterizer: NamedChoice {}
