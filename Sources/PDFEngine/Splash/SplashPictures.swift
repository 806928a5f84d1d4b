// SPDX-License-Identifier: GPL-2.0-or-later

internal import DocumentModel
internal import RectoGeometry

/// Draws pages with Splash, and keeps the last picture for the next tiles.
///
/// Splash has no recordings: it interprets the page for each picture. For a part, it draws what would be recorded for it
/// (`DisplayList.rect(around:of:)`), the whole page or the cell around the part, because groups, and lines snapped to
/// pixels, depend on where a picture begins. A part whose cell is too large for a picture is drawn alone.
struct SplashPictures {
  /// A part of a page.
  private final class Picture {
    let raster: PageRaster
    let rect: PixelRect
    let hasPaper: Bool
    let bitmap: Bitmap

    init(_ raster: PageRaster, _ rect: PixelRect, hasPaper: Bool, _ bitmap: consuming Bitmap) {
      self.raster = raster
      self.rect = rect
      self.hasPaper = hasPaper
      self.bitmap = bitmap
    }
  }

  private var kept: Picture?

  /// Draws parts of a page, and delivers them in order.
  ///
  /// - Parameters:
  ///   - deliver: Called with the picture that contains a part, and the part's position in it.
  /// - Returns: Poppler's warnings about the picture with the most of them.
  /// - Throws: `DocumentError` as for `SplashDocument.bitmap(of:_:raster:hasPaper:)`, and what `deliver` throws.
  mutating func draw(
    _ parts: [PixelRect],
    _ page: PDFPage,
    in document: SplashDocument,
    raster: PageRaster,
    hasPaper: Bool,
    _ deliver: (borrowing Bitmap, PixelRect) throws(DocumentError) -> Void
  ) throws(DocumentError) -> Warnings {
    var warnings = Warnings()
    for part in parts {
      let picture: Picture
      if let kept, kept.raster == raster, kept.hasPaper == hasPaper, kept.rect.contains(part) {
        picture = kept
      } else {
        // The old picture is freed first, so that two pictures are never in memory at once.
        kept = nil
        let cell = DisplayList.rect(around: part, of: raster)
        let rect = Bitmap.isPossible(cell.size) ? cell : part
        let bitmap = try document.bitmap(of: rect, page, raster: raster, hasPaper: hasPaper)
        picture = Picture(raster, rect, hasPaper: hasPaper, bitmap)
        kept = picture
      }
      warnings.add(picture.bitmap.warnings)
      try deliver(picture.bitmap, part.moved(into: picture.rect))
    }
    return warnings
  }
}

extension PixelRect {
  /// The same pixels, counted from the top left of another rectangle.
  fileprivate func moved(into other: PixelRect) -> PixelRect {
    PixelRect(x: x - other.x, y: y - other.y, width: width, height: height)
  }
}
