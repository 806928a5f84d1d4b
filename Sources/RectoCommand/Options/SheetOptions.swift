internal import ArgumentParser
internal import DocumentModel
internal import RectoKit
internal import SystemPackage

/// The contact sheets of `recto thumbs`.
struct SheetOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      """
      Also write contact sheets of the thumbnails: .png, .jpg, .webp or .ppm, with {sheet} for the \
      number of the sheet, {shard} for that of --shard.
      """,
      valueName: "file"
    ),
    completion: .file()
  )
  var sheet: String?

  @Option(
    help: ArgumentHelp("Columns and rows of a sheet. (default: 6x8)", valueName: "CxR"),
    reading: .sheetGrid
  )
  var sheetGrid: SheetGrid?

  @Option(
    help: ArgumentHelp(
      """
      Length of the longer side of pictures on sheets in pixels, at most that of the thumbnails. \
      (default: 256)
      """,
      valueName: "pixels"
    ),
    reading: .number(1...4096)
  )
  var sheetSize: Int?

  @Flag(help: "No names below the pictures of sheets.")
  var noSheetLabels = false

  @Option(help: ArgumentHelp("A line above the pictures of each sheet.", valueName: "text"))
  var sheetTitle: String?

  /// Checks the options against each other.
  ///
  /// - Throws: A validation error for options without effect.
  func validate() throws {
    if sheet == "" { throw ValidationError("--sheet: missing value") }
    guard sheet == nil else { return }
    if sheetGrid != nil { throw ValidationError("--sheet-grid needs --sheet") }
    if sheetSize != nil { throw ValidationError("--sheet-size needs --sheet") }
    if noSheetLabels { throw ValidationError("--no-sheet-labels needs --sheet") }
    if sheetTitle != nil { throw ValidationError("--sheet-title needs --sheet") }
  }

  /// The maker of the sheets; nil if there are none.
  ///
  /// - Parameters:
  ///   - size: The length of the longer side of thumbnails in pixels.
  ///   - shard: The part of the documents to process; nil for all.
  ///   - cellsPerDocument: The number of pages of every document; nil if it is not known.
  /// - Returns: The sheets, without thumbnails.
  /// - Throws: A usage error for impossible sheets; a failure if the program for them is missing.
  func sheets(
    size: Int,
    shard: Shard?,
    cellsPerDocument: Int?
  ) throws(Failure) -> ThumbnailSheets? {
    guard let sheet else { return nil }
    let path = FilePath(argument: sheet)
    let style: ContactSheetStyle
    let template: SheetTemplate
    do {
      template = try SheetTemplate(path, shard: shard?.number)
      style = try contactSheetStyle(size: size, path)
    } catch {
      throw Failure(usage: "--sheet: \(error)")
    }
    do throws(DocumentError) {
      return ThumbnailSheets(
        try ContactSheetWriter(style),
        template,
        capacity: style.capacity,
        cellsPerDocument: cellsPerDocument
      )
    } catch {
      throw Failure(error, path: path)
    }
  }

  /// How the sheets look.
  ///
  /// - Throws: An error for a format that is not written, or for sheets that are too large.
  private func contactSheetStyle(size: Int, _ path: FilePath) throws -> ContactSheetStyle {
    guard let format = PictureFormat(fileName: path), PictureFormat.ofThumbnails.contains(format)
    else { throw InvalidValue("the format is to be \(PictureFormat.extensionsOfThumbnails)") }
    let grid = sheetGrid ?? SheetGrid(columns: 6, rows: 8)
    return try ContactSheetStyle(
      columns: grid.columns,
      rows: grid.rows,
      pictureSide: min(size, sheetSize ?? 256),
      hasLabels: !noSheetLabels,
      title: sheetTitle?.escapingControls,
      style: try PictureStyle(format)
    )
  }
}

/// `CxR`.
struct SheetGrid: Hashable, Sendable {
  var columns: Int
  var rows: Int
}

extension ValueReader<SheetGrid> {
  /// Columns and rows.
  static var sheetGrid: Self {
    Self("must be CxR with between 1 and 1000 columns and rows") { text in
      let numbers = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) }
      guard numbers.count == 2, let columns = numbers[0], let rows = numbers[1],
        (1...1000).contains(columns), (1...1000).contains(rows)
      else { return nil }
      return SheetGrid(columns: columns, rows: rows)
    }
  }
}
