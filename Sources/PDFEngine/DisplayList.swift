internal import CCairo
public import DocumentModel
public import Geometry

/// One page's drawing commands, recorded at one scale and rotation.
///
/// poppler interprets the whole page for every drawing, however small the part wanted. A recording
/// made at the final scale and played back per tile gives the same pixels at a tenth of the cost.
/// It is recorded transparent; white goes under each tile afterwards.
public final class DisplayList {
  private let raw: OpaquePointer
  /// The page, scale and rotation that were recorded.
  public let raster: PageRaster
  /// What poppler said while the page was interpreted.
  public let complaints: Complaints

  /// Interprets `page` once.
  ///
  /// - Throws: `drawing` or `memoryLimit` when cairo refuses; the page may still be drawn directly.
  public init(_ page: PDFPage, raster: PageRaster) throws(DocumentError) {
    var extents = cairo_rectangle_t(
      x: 0,
      y: 0,
      width: Double(raster.size.width),
      height: Double(raster.size.height)
    )
    let surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &extents)
    let context = cairo_create(surface)
    guard let surface, let context else {
      throw DocumentError(.drawing, during: "record", "cairo gave no surface")
    }
    defer { cairo_destroy(context) }
    complaints = Messages.collect { page.draw(in: context, raster: raster) }
    let status = cairo_status(context)
    guard status == CAIRO_STATUS_SUCCESS else {
      cairo_surface_destroy(surface)
      throw DocumentError(cairo: status, during: "record")
    }
    raw = surface
    self.raster = raster
  }

  deinit { cairo_surface_destroy(raw) }

  /// Plays back the part of the page inside `rect`, which counts from the page's top left.
  public func bitmap(of rect: PixelRect) throws(DocumentError) -> Bitmap {
    var bitmap = try Bitmap(rect.size)
    try bitmap.draw("draw") { context in
      cairo_set_source_surface(context, raw, Double(-rect.x), Double(-rect.y))
      cairo_paint(context)
    }
    return bitmap
  }
}

extension PDFPage {
  /// Draws the part of the page inside `rect` without a recording: right for a one-off picture of a
  /// whole page.
  public func bitmap(of rect: PixelRect, raster: PageRaster) throws(DocumentError) -> Bitmap {
    var bitmap = try Bitmap(rect.size)
    let complaints = try Messages.collect { () throws(DocumentError) in
      try bitmap.draw("draw") { context in
        cairo_translate(context, Double(-rect.x), Double(-rect.y))
        self.draw(in: context, raster: raster)
      }
    }
    bitmap.complaints = complaints
    return bitmap
  }
}
