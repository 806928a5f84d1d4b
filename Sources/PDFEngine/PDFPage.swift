// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
internal import CPoppler
public import DocumentModel
public import RectoGeometry

/// One page of an open document. Keep it while the page is drawn repeatedly: the first drawing of a
/// page object costs more than the next ones.
public final class PDFPage {
  let raw: OpaquePointer
  private let document: OpaquePointer
  /// Which page of the open document it is.
  public let index: PageIndex
  /// Where glyphs are drawn.
  public let text: TextPlacement
  /// The thin lines of the raster that was drawn last.
  private var lines: (raster: PageRaster, density: LineDensity)?

  init(_ raw: OpaquePointer, of document: OpaquePointer, index: PageIndex, text: TextPlacement) {
    self.raw = raw
    self.document = document
    self.index = index
    self.text = text
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(raw)) }

  /// The page's size and label as poppler resolves them.
  ///
  /// The box is the crop box by poppler's rules. poppler ignores /UserUnit, so the info has 1; the
  /// page tree reader knows it. The rotation is nil if it is unknown.
  public func info() -> PageInfo {
    var box = PopplerRectangle()
    poppler_page_get_crop_box(raw, &box)
    var width = 0.0
    var height = 0.0
    poppler_page_get_size(raw, &width, &height)
    return PageInfo(
      cropBox: Rect(x: box.x1, y: box.y1, width: box.x2 - box.x1, height: box.y2 - box.y1),
      rotation: Rotation(rawValue: Int(recto_page_rotation(raw, document, Int32(index.value)))),
      userUnit: 1,
      size: Size(width: width, height: height),
      label: takeString(poppler_page_get_label(raw))
    )
  }

  /// Whether a raster belongs to this page, by the size that poppler finds. A fitted raster may
  /// differ by a pixel a side.
  public func hasSize(of raster: PageRaster) -> Bool {
    var info = info()
    info.size = info.size * raster.userUnit
    let own = try? PageRaster(
      page: raster.pageIndex,
      info: info,
      scale: raster.scale,
      rotation: raster.rotation
    )
    return raster.isFitted ? own?.isNear(raster.size) == true : own?.size == raster.size
  }

  /// Draws the whole page, clipped to the context's surface.
  ///
  /// The page's top left is at the context's origin; where the page paints nothing, the surface is
  /// unchanged.
  ///
  /// - Parameters:
  ///   - context: A new context. Its surface holds device pixels.
  ///   - visible: The visible part of the surface, in pixels.
  func draw(
    in context: OpaquePointer,
    raster: PageRaster,
    visible: PixelRect,
    lines: ThinLines
  ) {
    var width = 0.0
    var height = 0.0
    poppler_page_get_size(raw, &width, &height)
    // Factors along the sides of the page before the view's rotation.
    var across = raster.scale * raster.userUnit
    var down = across
    if raster.isFitted {
      let sideways = raster.rotation.isSideways
      across = Double(sideways ? raster.size.height : raster.size.width) / width
      down = Double(sideways ? raster.size.width : raster.size.height) / height
    }
    if text == .precise { PreciseText.begin(in: context, visible: visible, lines: lines) }
    Self.turn(context, raster.rotation, Size(width: width, height: height), across, down)
    UnreadTextMaps.during { poppler_page_render(raw, context) }
  }

  /// Draws the page as shapes and text, as for a printer: images keep their pixels, and annotations are those that are
  /// printed.
  ///
  /// - Parameters:
  ///   - frame: The place that the page fills after `rotation`, in units of the context.
  ///   - rotation: The view's rotation.
  func draw(in context: OpaquePointer, filling frame: Rect, rotation: Rotation) {
    var width = 0.0
    var height = 0.0
    poppler_page_get_size(raw, &width, &height)
    let upright = frame.size.rotated(by: rotation)
    cairo_translate(context, frame.minX, frame.minY)
    Self.turn(
      context,
      rotation,
      Size(width: width, height: height),
      upright.width / width,
      upright.height / height
    )
    poppler_page_render_for_printing(raw, context)
  }

  /// Makes the units of a context those of a page that is scaled and then turned, with its top left at the origin.
  ///
  /// - Parameters:
  ///   - size: The size of the page.
  ///   - across: The factor along its width.
  ///   - down: The factor along its height.
  private static func turn(
    _ context: OpaquePointer,
    _ rotation: Rotation,
    _ size: Size,
    _ across: Double,
    _ down: Double
  ) {
    let (width, height) = (size.width * across, size.height * down)
    // Exact matrices: sine and cosine of a quarter turn are not exactly 0 and 1 in binary.
    var matrix = cairo_matrix_t()
    switch rotation {
    case .none: cairo_matrix_init(&matrix, across, 0, 0, down, 0, 0)
    case .quarter: cairo_matrix_init(&matrix, 0, across, -down, 0, height, 0)
    case .half: cairo_matrix_init(&matrix, -across, 0, 0, -down, width, height)
    case .threeQuarters: cairo_matrix_init(&matrix, 0, -across, down, 0, 0, width)
    }
    cairo_transform(context, &matrix)
  }

  /// Draws the page; and again if thin lines are so close together somewhere that they must be narrower there.
  ///
  /// - Parameters:
  ///   - origin: The origin of the context, in pixels from the page's top left.
  ///   - draw: Draws with the given lines, in a new context; the result of the first of two calls is not used.
  /// - Returns: What `draw` returns.
  /// - Throws: What `draw` throws.
  func withThinLines<Drawing: ~Copyable>(
    of raster: PageRaster,
    origin: (x: Int, y: Int) = (0, 0),
    _ draw: (ThinLines) throws(DocumentError) -> Drawing
  ) throws(DocumentError) -> Drawing {
    if let lines, lines.raster == raster {
      return try draw(ThinLines(origin: origin, of: raster.size, known: lines.density))
    }
    let first = ThinLines(origin: origin, of: raster.size, known: nil)
    let drawing = try draw(first)
    lines = (raster, first.met)
    guard first.isInVain else { return drawing }
    return try draw(ThinLines(origin: origin, of: raster.size, known: first.met))
  }
}
