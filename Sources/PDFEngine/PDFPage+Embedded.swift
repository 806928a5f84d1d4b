// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
internal import CPoppler
internal import DocumentModel
internal import RectoGeometry

// The thumbnail that a document may have embedded for a page (/Thumb).
extension PDFPage {
  /// The embedded picture of the page, scaled to the size of a raster.
  ///
  /// poppler returns it as stored, whatever the rotation of the page. Viewers show it like that, so its aspect ratio is
  /// compared with that of the page as displayed.
  ///
  /// - Returns: The picture; nil if there is none, poppler reports an error, its data may be truncated, its longer side
  ///   is shorter than that of the raster, its aspect ratio differs from the page's or does not tell whether it is
  ///   rotated like the page, or the view is rotated.
  func embeddedPicture(for raster: PageRaster) -> Bitmap? {
    guard raster.rotation == .none, let stated = embeddedSize(for: raster) else { return nil }
    var found: Bitmap?
    let warnings = Messages.collect { found = embeddedBitmap(of: stated) }
    guard warnings.count == 0, let found, !found.hasUniformLowerHalf else { return nil }
    return try? found.fitted(to: raster.size)
  }

  /// The most pixels a side, as for the largest thumbnail. poppler allocates the stated size before it reads any data.
  private static let largestEmbeddedSide = 4096
  /// The tolerance of the aspect ratio, because sides are whole pixels.
  private static let tolerance = 0.02

  /// The stated size of the embedded picture; nil if the picture must not be used.
  private func embeddedSize(for raster: PageRaster) -> PixelSize? {
    var (width, height): (Int32, Int32) = (0, 0)
    guard poppler_page_get_thumbnail_size(raw, &width, &height) != 0 else { return nil }
    let size = PixelSize(width: Int(width), height: Int(height))
    guard size.width >= 1, size.height >= 1,
      max(size.width, size.height) <= Self.largestEmbeddedSide,
      max(size.width, size.height) >= max(raster.size.width, raster.size.height)
    else { return nil }
    var (across, down) = (0.0, 0.0)
    poppler_page_get_size(raw, &across, &down)
    let page = Size(width: across, height: down)
    guard Self.hasProportions(size, of: page) else { return nil }
    // A page may have been rotated without its embedded picture.
    switch info().rotation {
    case .none?: return size
    case .quarter?, .threeQuarters?:
      return Self.hasProportions(size, of: page.rotated(by: .quarter)) ? nil : size
    case .half?, nil: return nil
    }
  }

  /// Whether a picture has about the aspect ratio of a page.
  private static func hasProportions(_ picture: PixelSize, of page: Size) -> Bool {
    let own = Double(picture.width) * page.height
    let wanted = Double(picture.height) * page.width
    return wanted > 0 && abs(own - wanted) <= tolerance * wanted
  }

  /// The embedded picture in its own size; nil if poppler cannot read it or it has another size.
  private func embeddedBitmap(of size: PixelSize) -> Bitmap? {
    guard let surface = poppler_page_get_thumbnail(raw) else { return nil }
    defer { cairo_surface_destroy(surface) }
    guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
      Int(cairo_image_surface_get_width(surface)) == size.width,
      Int(cairo_image_surface_get_height(surface)) == size.height,
      var bitmap = try? Bitmap(size)
    else { return nil }
    // Its format has no alpha, so all pixels become opaque.
    let failure = try? bitmap.draw("reduce", hasPaper: false) { context in
      cairo_set_source_surface(context, surface, 0, 0)
      cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
      cairo_paint(context)
    }
    guard failure == .some(nil) else { return nil }
    return bitmap
  }
}

extension Bitmap {
  /// Whether all pixels of the lower half have the same color.
  ///
  /// This detects truncated data: poppler fills the rest without an error.
  fileprivate var hasUniformLowerHalf: Bool {
    withPixels { bytes, stride in
      let color = bytes.load(fromByteOffset: (size.height - 1) * stride, as: UInt32.self)
      return (size.height / 2..<size.height).allSatisfy { row in
        (0..<size.width).allSatisfy { column in
          bytes.load(fromByteOffset: row * stride + column * 4, as: UInt32.self) == color
        }
      }
    }
  }

  /// The picture in another size: reduced by area averaging, or enlarged if a side is shorter, as embedded pictures may
  /// be by rounding.
  ///
  /// - Returns: A bitmap of that size.
  /// - Throws: `memoryLimit` if there is not enough memory, `drawing` if cairo fails.
  fileprivate consuming func fitted(to size: PixelSize) throws(DocumentError) -> Bitmap {
    let smaller = PixelSize(
      width: min(self.size.width, size.width),
      height: min(self.size.height, size.height)
    )
    var reduced = self
    if smaller != reduced.size { reduced = try reduced.reduced(to: smaller) }
    guard smaller != size else { return reduced }
    var result = try Bitmap(size)
    let failure = try result.draw("reduce", hasPaper: false) { context in
      cairo_scale(
        context,
        Double(size.width) / Double(smaller.width),
        Double(size.height) / Double(smaller.height)
      )
      reduced.setSource(of: context)
      cairo_paint(context)
    }
    if let failure { throw DocumentError(.drawing, during: "reduce", failure) }
    return result
  }
}
