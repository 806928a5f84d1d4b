// SPDX-License-Identifier: GPL-2.0-or-later

internal import DocumentModel
internal import RectoGeometry

extension DrawingSession {
  /// Draws sheets as a vector file and delivers it in pieces, one for each sheet.
  ///
  /// - Returns: Poppler's warnings about the page with the most of them.
  /// - Throws: `DocumentError` when a page cannot be drawn, with its number if there are several; `usage` or `pageSize`
  ///   for sheets that cannot be drawn, `memoryLimit` for a file that is too long.
  func draw(
    _ sheets: [VectorSheet],
    style: PictureStyle,
    _ afterSheet: (Warnings) -> Void,
    _ deliver: ([UInt8]) -> Void
  ) throws(DocumentError) -> Warnings {
    try VectorSheet.check(sheets, style.format)
    var all = Warnings()
    let file = try VectorFile(style.format, size: sheets[0].size)
    let isSingle = sheets.count == 1 && sheets[0].pages.count == 1
    for (place, sheet) in sheets.enumerated() {
      var warnings = Warnings()
      file.begin(sheet)
      for page in sheet.pages {
        do throws(DocumentError) {
          var own = try draw(page, in: file, hasPaper: !style.isTransparent)
          if sheet.pages.count > 1 { own.name(page.raster.pageIndex) }
          warnings.add(own)
        } catch {
          guard !isSingle, error.code != .pageMismatch else { throw error }
          let number = page.raster.pageIndex.number
          throw DocumentError(error.code, during: "draw page \(number)", error.detail)
        }
      }
      let bytes = try file.end(isLast: place == sheets.count - 1)
      all.add(warnings)
      afterSheet(warnings)
      deliver(bytes)
    }
    return all
  }

  /// Draws a page at its place: as shapes, or as a picture if only Splash draws all of it.
  private func draw(
    _ placed: VectorSheet.Page,
    in file: VectorFile,
    hasPaper: Bool
  ) throws(DocumentError) -> Warnings {
    let raster = placed.raster
    let page = try page(of: raster)
    guard let place = placed.frame.intersection(placed.clip) else { return Warnings() }
    if let splash = try splash(for: raster.pageIndex) {
      return try draw(placed, page, with: splash, in: file, hasPaper: hasPaper)
    }
    var incomplete: String?
    var warnings = try Messages.collect { () throws(DocumentError) in
      incomplete = try file.draw(in: place, hasPaper: hasPaper) { context in
        page.draw(in: context, filling: placed.frame, rotation: raster.rotation)
      }
    }
    warnings.incomplete = incomplete ?? warnings.incomplete
    guard let splash = replacement(after: warnings, raster) else { return warnings }
    // On paper, so that it covers what was drawn.
    return try draw(placed, page, with: splash, in: file, hasPaper: true)
  }

  /// Draws a page as a picture.
  private func draw(
    _ placed: VectorSheet.Page,
    _ page: PDFPage,
    with splash: SplashDocument,
    in file: VectorFile,
    hasPaper: Bool
  ) throws(DocumentError) -> Warnings {
    let raster = placed.raster
    guard let place = placed.frame.intersection(placed.clip) else { return Warnings() }
    let bitmap = try splash.bitmap(of: raster.whole, page, raster: raster, hasPaper: hasPaper)
    // The last column and row can be partly beyond the page.
    let extent = page.info().size.rotated(by: raster.rotation) * (raster.userUnit * raster.scale)
    let frame = Rect(
      x: placed.frame.minX,
      y: placed.frame.minY,
      width: placed.frame.width * Double(bitmap.size.width) / extent.width,
      height: placed.frame.height * Double(bitmap.size.height) / extent.height
    )
    _ = try file.draw(in: place, hasPaper: false) { bitmap.paint(in: $0, filling: frame) }
    var warnings = bitmap.warnings
    warnings.count += 1
    warnings.first =
      "the page is a picture of \(raster.size.width)×\(raster.size.height) pixels, not shapes: "
      + "cairo does not draw all of it"
    return warnings
  }
}

extension Warnings {
  /// Names the page that they are about, because there are others on its sheet.
  fileprivate mutating func name(_ page: PageIndex) {
    first = first.map { "page \(page.number): \($0)" }
    incomplete = incomplete.map { "page \(page.number): \($0)" }
  }
}
