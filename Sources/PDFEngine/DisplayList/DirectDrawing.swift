internal import CCairo
public import DocumentModel
public import Geometry

extension PDFPage {
  /// Draws the part of the page inside `rect` without a recording: right for a one-off picture of a
  /// whole page.
  ///
  /// - Parameters:
  ///   - rect: Pixels from the page's top left.
  ///   - raster: The page at its scale.
  ///   - hasPaper: Whether white paper is put under the page.
  /// - Returns: The part.
  /// - Throws: `DocumentError`; `pageSize` for a part beyond the limits of a ``Bitmap``, `drawing`
  ///   or `memoryLimit` when cairo fails.
  public func bitmap(
    of rect: PixelRect,
    raster: PageRaster,
    hasPaper: Bool = true
  ) throws(DocumentError) -> Bitmap {
    var bitmap = try Bitmap(rect.size)
    let warnings = try Messages.collect { () throws(DocumentError) in
      try bitmap.draw("draw", hasPaper: hasPaper) { context in
        cairo_translate(context, Double(-rect.x), Double(-rect.y))
        self.draw(in: context, raster: raster)
      }
    }
    bitmap.warnings = warnings
    return bitmap
  }

  /// Draws parts of the page without a recording, and hands them over in order.
  ///
  /// Each drawing interprets the whole page, so parts that lie together are drawn together, as a
  /// strip, and cut from it.
  ///
  /// - Parameters:
  ///   - parts: Rectangles in pixels from the page's top left.
  ///   - raster: The page at its scale.
  ///   - hasPaper: Whether white paper is put under the page.
  ///   - deliver: Called with the strip that holds a part, and where the part lies in it.
  /// - Returns: What poppler said while it drew the strip about which it said most.
  /// - Throws: `DocumentError` as for ``bitmap(of:raster:hasPaper:)``, and what `deliver` throws.
  public func draw(
    _ parts: [PixelRect],
    raster: PageRaster,
    hasPaper: Bool = true,
    _ deliver: (borrowing Bitmap, PixelRect) throws(DocumentError) -> Void
  ) throws(DocumentError) -> Warnings {
    var warnings = Warnings()
    for strip in Strip.strips(of: parts) {
      let bitmap = try bitmap(of: strip.rect, raster: raster, hasPaper: hasPaper)
      if bitmap.warnings.count > warnings.count { warnings = bitmap.warnings }
      for part in parts[strip.parts] {
        var rect = part
        rect.x -= strip.rect.x
        rect.y -= strip.rect.y
        try deliver(bitmap, rect)
      }
    }
    return warnings
  }
}
