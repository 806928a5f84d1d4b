// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
internal import DocumentModel
internal import RectoGeometry

/// An SVG or PDF that cairo writes, sheet after sheet.
final class VectorFile {
  /// The bytes that cairo has written, and that have not been taken.
  private final class Output {
    var bytes: [UInt8] = []
    /// The bytes that may still be written.
    var left = VectorSheet.largestFile
  }

  private let output: Output
  private let surface: OpaquePointer
  private let format: PictureFormat

  /// A file without a sheet.
  ///
  /// - Parameters:
  ///   - format: SVG, for one sheet, or PDF.
  ///   - size: The size of the first sheet, in points.
  /// - Throws: `drawing` or `memoryLimit` when cairo refuses.
  init(_ format: PictureFormat, size: Size) throws(DocumentError) {
    let output = Output()
    // The surface does not outlive this object, which holds the output.
    let closure = Unmanaged.passUnretained(output).toOpaque()
    let write: cairo_write_func_t = { closure, bytes, count in
      guard let closure, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
      let output = Unmanaged<Output>.fromOpaque(closure).takeUnretainedValue()
      output.left -= Int(count)
      guard output.left >= 0 else { return CAIRO_STATUS_WRITE_ERROR }
      output.bytes += UnsafeBufferPointer(start: bytes, count: Int(count))
      return CAIRO_STATUS_SUCCESS
    }
    let create =
      format == .svg ? cairo_svg_surface_create_for_stream : cairo_pdf_surface_create_for_stream
    let created = create(write, closure, size.width, size.height)
    let status = cairo_surface_status(created)
    guard let created, status == CAIRO_STATUS_SUCCESS else {
      cairo_surface_destroy(created)
      throw DocumentError(cairo: status, during: "create a \(format.rawValue)")
    }
    (self.output, self.format, surface) = (output, format, created)
    // Otherwise the time of writing: the same pages always give the same bytes.
    if format == .pdf {
      cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "")
    }
  }

  deinit { cairo_surface_destroy(surface) }

  /// Begins a sheet; the previous one has ended.
  func begin(_ sheet: VectorSheet) {
    if format == .pdf { cairo_pdf_surface_set_size(surface, sheet.size.width, sheet.size.height) }
    cairo_surface_set_fallback_resolution(surface, sheet.resolution, sheet.resolution)
    guard let color = sheet.background else { return }
    let context = cairo_create(surface)
    let channel = { (shift: UInt32) in Double(color >> shift & 255) / 255 }
    cairo_set_source_rgb(context, channel(16), channel(8), channel(0))
    cairo_paint(context)
    cairo_destroy(context)
  }

  /// Draws on the sheet, clipped to a part of it.
  ///
  /// - Parameters:
  ///   - place: Where to draw, in points from the top left of the sheet.
  ///   - hasPaper: Whether it becomes white first.
  /// - Returns: Why the drawing ended early, in cairo's words; nil if it did not.
  /// - Throws: `memoryLimit` or `drawing` when the rest of the file cannot be written either.
  func draw(
    in place: Rect,
    hasPaper: Bool,
    _ body: (OpaquePointer) -> Void
  ) throws(DocumentError) -> String? {
    let context = cairo_create(surface)
    defer { cairo_destroy(context) }
    guard let context else {
      throw DocumentError(.drawing, during: "draw", "cairo gave no context")
    }
    cairo_rectangle(context, place.minX, place.minY, place.width, place.height)
    cairo_clip(context)
    if hasPaper {
      cairo_set_source_rgb(context, 1, 1, 1)
      cairo_paint(context)
      cairo_set_source_rgb(context, 0, 0, 0)
    }
    body(context)
    try check()
    let status = cairo_status(context)
    guard status != CAIRO_STATUS_NO_MEMORY else {
      throw DocumentError(cairo: status, during: "draw")
    }
    return status == CAIRO_STATUS_SUCCESS ? nil : String(cString: cairo_status_to_string(status))
  }

  /// Ends the sheet.
  ///
  /// - Parameter isLast: Whether it also ends the file.
  /// - Returns: The bytes of the file that have not been returned yet.
  /// - Throws: `memoryLimit` for a file of more than ``VectorSheet/largestFile``, `drawing` when cairo fails.
  func end(isLast: Bool) throws(DocumentError) -> [UInt8] {
    cairo_surface_show_page(surface)
    if isLast { cairo_surface_finish(surface) }
    try check()
    defer { output.bytes = [] }
    return output.bytes
  }

  private func check() throws(DocumentError) {
    guard output.left >= 0 else {
      throw DocumentError(
        .memoryLimit,
        during: "draw",
        "a file of more than \(VectorSheet.largestFile >> 20) MB"
      )
    }
    let status = cairo_surface_status(surface)
    guard status == CAIRO_STATUS_SUCCESS else { throw DocumentError(cairo: status, during: "draw") }
  }
}
