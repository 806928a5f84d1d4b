internal import ArgumentParser
internal import RectoGeometry

/// How the text of pages is printed.
struct TextOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Only characters whose middle is in a part of each page, in points from the top left of the page \
      as displayed.
      """,
      valueName: "X,Y,W,H"
    ),
    reading: .crop
  )
  var area: CropArea?

  @Flag(help: "Keep columns and tables as they stand on the page, as pdftotext -layout does.")
  var aligned = false

  @Flag(help: "Print one JSON line for each page, with blocks, lines and words.")
  var json = false

  @Flag(help: "With --json: the box of each character.")
  var characters = false

  @Flag(help: "With --json: fonts, sizes and colors.")
  var styles = false

  /// Which of the options are given; equal options give equal text.
  var optionText: String {
    let area = area.map { " area \($0.area)" } ?? ""
    return String(flags: [
      "aligned": aligned, "json": json, "characters": characters, "styles": styles,
    ]) + area
  }

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options that need another one.
  func validate() throws {
    if aligned, json { throw ValidationError("--aligned cannot be used with --json") }
    if characters, !json { throw ValidationError("--characters needs --json") }
    if styles, !json { throw ValidationError("--styles needs --json") }
  }
}
