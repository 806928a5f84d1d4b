internal import CCairo
public import DocumentModel
public import Geometry

extension PDFPage {
  /// Draws the part of the page inside `rect` without a recording: right for a one-off picture of a
  /// whole page.
  ///
  /// - Throws: `DocumentError`; `pageSize` for a part beyond the limits of a ``Bitmap``, `drawing`
  ///   or `memoryLimit` when cairo fails.
  public func bitmap(of rect: PixelRect, raster: PageRaster) throws(DocumentError) -> Bitmap {
    var bitmap = try Bitmap(rect.size)
    let warnings = try Messages.collect { () throws(DocumentError) in
      try bitmap.draw("draw") { context in
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
  ///   - deliver: Called with the strip that holds a part, and where the part lies in it.
  /// - Returns: What poppler said while it drew the strip about which it said most.
  /// - Throws: `DocumentError` as for ``bitmap(of:raster:)``, and what `deliver` throws.
  public func draw(
    _ parts: [PixelRect],
    raster: PageRaster,
    _ deliver: (borrowing Bitmap, PixelRect) throws(DocumentError) -> Void
  ) throws(DocumentError) -> Warnings {
    var warnings = Warnings()
    for strip in Strip.strips(of: parts) {
      let bitmap = try bitmap(of: strip.rect, raster: raster)
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
