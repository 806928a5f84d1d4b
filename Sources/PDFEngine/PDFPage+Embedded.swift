// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
internal import CPoppler
internal import DocumentModel
internal import RectoGeometry

// The small picture of a page that a document may have embedded (/Thumb).
extension PDFPage {
  /// The embedded picture of the page, made as large as a raster.
  ///
  /// poppler gives it as it is stored, whatever the rotation of the page. Readers show it so, and its
  /// proportions are compared with those of the page as displayed.
  ///
  /// - Returns: The picture; nil if there is none, if poppler finds anything wrong with it or its data may
  ///   have ended early, if its longer side is shorter than that of the raster, if its proportions are not
  ///   those of the page, if they do not tell whether it is rotated like the page, and where the view is
  ///   rotated.
  func embeddedPicture(for raster: PageRaster) -> Bitmap? {
    guard raster.rotation == .none, let stated = embeddedSize(for: raster) else { return nil }
    var found: Bitmap?
    let warnings = Messages.collect { found = embeddedBitmap(of: stated) }
    guard warnings.count == 0, let found, !found.hasUniformLowerHalf else { return nil }
    return try? found.fitted(to: raster.size)
  }

  /// The most pixels a side that is looked at: as large as the largest thumbnail. poppler makes room for
  /// what the file states before it reads any of it.
  private static let largestEmbeddedSide = 4096
  /// How far the proportions may differ from those of the page: sides are whole pixels.
  private static let tolerance = 0.02

  /// The size that the file states for the embedded picture; nil if the picture is not to be used.
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
    // A page may have been turned without its embedded picture.
    switch info().rotation {
    case .none?: return size
    case .quarter?, .threeQuarters?:
      return Self.hasProportions(size, of: page.rotated(by: .quarter)) ? nil : size
    case .half?, nil: return nil
    }
  }

  /// Whether a picture has about the proportions of a page.
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
  /// Whether all pixels of the lower half have one color.
  ///
  /// That is how a picture looks whose data end early: poppler fills the rest and does not say so.
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

  /// The picture with another number of pixels: reduced by averaging areas, and enlarged where a side is
  /// shorter, as those of embedded pictures are by rounding.
  ///
  /// - Returns: A bitmap of that size.
  /// - Throws: `memoryLimit` when there is no room, `drawing` when cairo fails.
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
