internal import CPango
internal import DocumentModel
internal import PNGCoding
internal import RectoBase
internal import RectoGeometry
internal import RectoPictures
internal import SystemPackage

/// A contact sheet that is being drawn.
struct SheetDrawing: ~Copyable {
  private let request: SheetRequest
  private let surface: OpaquePointer
  private let context: OpaquePointer

  /// The colors of a sheet, from 0, black, to 1, white.
  private enum Gray {
    static let paper = 0.945
    static let border = 0.74
    static let missing = 0.97
    static let text = 0.2
  }

  /// A sheet with nothing on it.
  ///
  /// - Throws: `memoryLimit` when there is no memory for it.
  init(_ request: SheetRequest) throws(DocumentError) {
    self.request = request
    let width = Int32(request.size.width)
    let height = Int32(request.size.height)
    guard let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, width, height),
      cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let context = cairo_create(surface)
    else {
      throw DocumentError(.memoryLimit, during: "draw", "no memory for \(width)×\(height) pixels")
    }
    self.surface = surface
    self.context = context
    setGray(Gray.paper)
    cairo_paint(context)
  }

  deinit {
    cairo_destroy(context)
    cairo_surface_destroy(surface)
  }

  /// Draws the sheet.
  ///
  /// - Returns: The file of the sheet, and the pictures that cannot be read.
  /// - Throws: `memoryLimit` when there is no memory, `fault` when a library fails.
  consuming func reply() throws(DocumentError) -> SheetReply {
    var unreadable: [SheetReply.Unreadable] = []
    var reader = PictureReader()
    for (index, picture) in request.pictures.enumerated() {
      do {
        let decoded = try reader.picture(FilePath(bytes: picture.file))
        try draw(decoded, in: picture.frame)
      } catch {
        unreadable.append(SheetReply.Unreadable(index: index, reason: "\(error)"))
        drawEmpty(picture.frame)
      }
    }
    for frame in request.missing { drawCrossed(frame) }
    try drawLabels()
    let status = cairo_status(context)
    guard status == CAIRO_STATUS_SUCCESS else {
      throw DocumentError(.fault, during: "draw", String(cString: cairo_status_to_string(status)))
    }
    return .sheet(try file(), unreadable: unreadable)
  }

  private borrowing func setGray(_ level: Double) {
    cairo_set_source_rgb(context, level, level, level)
  }

  /// Draws a picture with a border around it.
  ///
  /// - Throws: `memoryLimit` when there is no memory.
  private borrowing func draw(
    _ picture: PNGPicture,
    in frame: PixelRect
  ) throws(DocumentError) {
    var pixels = picture.pixels
    let isDrawn = pixels.withUnsafeMutableBytes { bytes in
      let base = bytes.assumingMemoryBound(to: UInt8.self).baseAddress
      let width = Int32(picture.size.width)
      let height = Int32(picture.size.height)
      let source = cairo_image_surface_create_for_data(
        base,
        CAIRO_FORMAT_ARGB32,
        width,
        height,
        width * 4
      )
      // The surface does not outlive the pixels.
      defer { cairo_surface_destroy(source) }
      guard cairo_surface_status(source) == CAIRO_STATUS_SUCCESS else { return false }
      cairo_save(context)
      fill(frame, 1)
      cairo_translate(context, Double(frame.x), Double(frame.y))
      cairo_scale(
        context,
        Double(frame.width) / Double(width),
        Double(frame.height) / Double(height)
      )
      cairo_set_source_surface(context, source, 0, 0)
      let pattern = cairo_get_source(context)
      cairo_pattern_set_filter(pattern, CAIRO_FILTER_GOOD)
      // Otherwise the outermost pixels would be blended with transparency.
      cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
      cairo_rectangle(context, 0, 0, Double(width), Double(height))
      cairo_fill(context)
      cairo_restore(context)
      cairo_surface_finish(source)
      return true
    }
    guard isDrawn else {
      throw DocumentError(.memoryLimit, during: "draw", "no memory for a picture")
    }
    drawBorder(frame)
  }

  private borrowing func fill(_ frame: PixelRect, _ level: Double) {
    setGray(level)
    addRectangle(frame, growing: 0)
    cairo_fill(context)
  }

  private borrowing func addRectangle(_ frame: PixelRect, growing margin: Double) {
    cairo_rectangle(
      context,
      Double(frame.x) - margin,
      Double(frame.y) - margin,
      Double(frame.width) + 2 * margin,
      Double(frame.height) + 2 * margin
    )
  }

  /// Draws a line of one pixel around a frame.
  private borrowing func drawBorder(_ frame: PixelRect) {
    setGray(Gray.border)
    cairo_set_line_width(context, 1)
    addRectangle(frame, growing: 0.5)
    cairo_stroke(context)
  }

  /// Draws the frame of a picture that cannot be read.
  private borrowing func drawEmpty(_ frame: PixelRect) {
    fill(frame, Gray.missing)
    drawBorder(frame)
  }

  /// Draws the frame of a page without a picture.
  private borrowing func drawCrossed(_ frame: PixelRect) {
    drawEmpty(frame)
    setGray(Gray.border)
    let (left, top) = (Double(frame.x), Double(frame.y))
    let (right, bottom) = (Double(frame.maxX), Double(frame.maxY))
    cairo_move_to(context, left, top)
    cairo_line_to(context, right, bottom)
    cairo_move_to(context, right, top)
    cairo_line_to(context, left, bottom)
    cairo_stroke(context)
  }

  /// Makes Pango start its thread and read the list of fonts, which the sandbox will no longer allow.
  ///
  /// - Throws: `memoryLimit` when there is no memory.
  borrowing func loadFonts() throws(DocumentError) {
    guard !request.labels.isEmpty else { return }
    let layout = try labelLayout()
    pango_layout_set_text(layout, "1", 1)
    _ = pango_layout_get_baseline(layout)
    g_object_unref(UnsafeMutableRawPointer(layout))
  }

  /// A layout with the font of labels, which the caller releases.
  ///
  /// - Throws: `memoryLimit` when there is no memory.
  private borrowing func labelLayout() throws(DocumentError) -> OpaquePointer {
    guard let layout = pango_cairo_create_layout(context),
      let font = pango_font_description_from_string("Sans")
    else { throw DocumentError(.memoryLimit, during: "draw", "no memory for labels") }
    defer { pango_font_description_free(font) }
    pango_font_description_set_absolute_size(font, request.fontSize * Double(RECTO_PANGO_SCALE))
    pango_layout_set_font_description(layout, font)
    return layout
  }

  /// Draws the labels: one line each, centered, on a common baseline.
  ///
  /// - Throws: `memoryLimit` when there is no memory.
  private borrowing func drawLabels() throws(DocumentError) {
    guard !request.labels.isEmpty else { return }
    let layout = try labelLayout()
    defer { g_object_unref(UnsafeMutableRawPointer(layout)) }
    let unit = Double(RECTO_PANGO_SCALE)
    pango_layout_set_alignment(layout, UInt32(RECTO_PANGO_ALIGN_CENTER))
    pango_layout_set_ellipsize(layout, UInt32(RECTO_PANGO_ELLIPSIZE_MIDDLE))
    pango_layout_set_single_paragraph_mode(layout, 1)
    setGray(Gray.text)
    for label in request.labels {
      pango_layout_set_width(layout, Int32(clamping: label.frame.width * Int(RECTO_PANGO_SCALE)))
      pango_layout_set_text(layout, label.text, Int32(label.text.utf8.count))
      let baseline = Double(label.frame.y) + request.fontSize * 1.1
      let ascent = Double(pango_layout_get_baseline(layout)) / unit
      cairo_save(context)
      addRectangle(label.frame, growing: 0)
      cairo_clip(context)
      cairo_move_to(context, Double(label.frame.x), (baseline - ascent).rounded())
      pango_cairo_show_layout(context, layout)
      cairo_restore(context)
    }
  }

  /// The file of the sheet.
  ///
  /// - Throws: The encoder's errors.
  private borrowing func file() throws(DocumentError) -> [UInt8] {
    cairo_surface_flush(surface)
    guard let data = cairo_image_surface_get_data(surface) else {
      throw DocumentError(.fault, during: "encode", "the sheet has no pixels")
    }
    let stride = Int(cairo_image_surface_get_stride(surface))
    let bytes = UnsafeRawBufferPointer(start: data, count: stride * request.size.height)
    var encoder = try PictureEncoder()
    return try encoder.encode(
      bytes.bytes,
      stride: stride,
      size: request.size,
      style: request.style
    )
  }
}
