internal import ArgumentParser
package import DocumentModel
internal import RectoKit

/// How pages are drawn.
struct DrawingOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Placement of text: precise: each glyph where the document puts it, to a part of a pixel; poppler: at \
      whole pixels, as poppler-utils draw.
      """,
      valueName: "placement"
    ),
    reading: .choice
  )
  var text: TextPlacement = .precise

  @Option(
    help: ArgumentHelp(
      """
      What makes pixels: cairo; splash, poppler's own; auto: cairo, and splash where cairo is known to be \
      wrong or fails.
      """,
      valueName: "rasterizer"
    ),
    reading: .choice
  )
  var rasterizer: Rasterizer = .auto

  @Option(
    help: ArgumentHelp(
      """
      Annotations and form fields: on: as on the screen; off: none; print: those that are printed, with the \
      layers that are printed.
      """,
      valueName: "which"
    ),
    reading: .choice
  )
  var annotations: ShownAnnotations = .on

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Layer to show, by its name; can be repeated. See 'recto info --layers'.",
      valueName: "name"
    )
  )
  var showLayer: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Layer to hide, by its name; can be repeated.", valueName: "name")
  )
  var hideLayer: [String] = []

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for a layer that is shown and hidden.
  func validate() throws {
    guard let layer = showLayer.first(where: hideLayer.contains) else { return }
    throw ValidationError("--show-layer cannot be used with --hide-layer for one layer: \(layer)")
  }

  /// The settings with these options.
  func applied(to settings: DocumentSettings) -> DocumentSettings {
    var settings = settings
    settings.text = text
    settings.rasterizer = rasterizer
    settings.shown.annotations = annotations
    // Switching one on may switch others off.
    settings.shown.layers =
      showLayer.map { .init($0, isOn: true) } + hideLayer.map { .init($0, isOn: false) }
    return settings
  }
}

extension TextPlacement: NamedChoice {}

extension Rasterizer: NamedChoice {}

extension ShownAnnotations: NamedChoice {}
