// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
public import DocumentModel
public import RectoGeometry

extension PDFPage {
  /// Draws the part of the page inside `rect` without a recording, for a single picture of a whole
  /// page.
  ///
  /// If cairo fails, the part has the earlier drawing, and its warnings have the reason; the same if text is omitted.
  ///
  /// - Parameters:
  ///   - rect: Pixels from the page's top left.
  ///   - raster: The page at its scale.
  ///   - hasPaper: Whether to put white paper under the page.
  /// - Returns: The part.
  /// - Throws: `DocumentError`; `pageSize` for a part beyond the limits of a ``Bitmap``, `drawing`
  ///   or `memoryLimit` when cairo fails.
  public func bitmap(
    of rect: PixelRect,
    raster: PageRaster,
    hasPaper: Bool = true
  ) throws(DocumentError) -> Bitmap {
    try withThinLines(of: raster, origin: (rect.x, rect.y)) { lines throws(DocumentError) in
      var bitmap = try Bitmap(rect.size)
      var incomplete: String?
      var warnings = try Messages.collect { () throws(DocumentError) in
        incomplete = try bitmap.draw("draw", hasPaper: hasPaper) { context in
          cairo_translate(context, Double(-rect.x), Double(-rect.y))
          self.draw(
            in: context,
            raster: raster,
            visible: PixelRect(x: 0, y: 0, width: rect.width, height: rect.height),
            lines: lines
          )
        }
      }
      warnings.incomplete = incomplete ?? warnings.incomplete
      bitmap.warnings = warnings
      return bitmap
    }
  }

  /// Draws parts of the page without a recording, and delivers them in order.
  ///
  /// Each drawing interprets the whole page, so adjacent parts are drawn together, as a strip, and cut from it. Where
  /// cairo fails depends on the strip, so the strips of an incomplete page could differ at their edges: in that case
  /// the whole page is drawn, unless it is too large, and the strips are cut from it.
  ///
  /// - Parameters:
  ///   - parts: Rectangles in pixels from the page's top left.
  ///   - raster: The page at its scale.
  ///   - hasPaper: Whether to put white paper under the page.
  ///   - deliver: Called with the strip that contains a part, and the part's position in it.
  /// - Returns: Poppler's warnings about the strip with the most of them.
  /// - Throws: `DocumentError` as for ``bitmap(of:raster:hasPaper:)``, and what `deliver` throws.
  public func draw(
    _ parts: [PixelRect],
    raster: PageRaster,
    hasPaper: Bool = true,
    _ deliver: (borrowing Bitmap, PixelRect) throws(DocumentError) -> Void
  ) throws(DocumentError) -> Warnings {
    var warnings = Warnings()
    for strip in Strip.strips(of: parts) {
      let bitmap = try self.strip(strip.rect, raster: raster, hasPaper: hasPaper)
      warnings.add(bitmap.warnings)
      for part in parts[strip.parts] {
        var rect = part
        rect.x -= strip.rect.x
        rect.y -= strip.rect.y
        try deliver(bitmap, rect)
      }
    }
    return warnings
  }

  /// A strip, cut from the whole page if cairo fails.
  ///
  /// - Parameters:
  ///   - rect: Pixels from the page's top left.
  /// - Throws: `DocumentError` as for ``bitmap(of:raster:hasPaper:)``.
  private func strip(
    _ rect: PixelRect,
    raster: PageRaster,
    hasPaper: Bool
  ) throws(DocumentError) -> Bitmap {
    let own = try bitmap(of: rect, raster: raster, hasPaper: hasPaper)
    let whole = raster.whole
    guard own.warnings.incomplete != nil, rect != whole,
      max(whole.width, whole.height) <= Bitmap.largestSide,
      let area = whole.size.area, area <= Strip.largestArea
    else { return own }
    return try bitmap(of: whole, raster: raster, hasPaper: hasPaper).copy(of: rect)
  }
}

extension Warnings {
  /// Adds the warnings of another part of the page: parts mostly have the same warnings, so the longer list is used.
  mutating func add(_ other: Warnings) {
    incomplete = incomplete ?? other.incomplete
    if other.count > count { (count, first) = (other.count, other.first) }
    if other.rasterizer == .splash { rasterizer = .splash }
  }
}
