// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
internal import CLinux
public import DocumentModel
public import RectoGeometry

/// The drawing commands of a page, or of a part of it, recorded at one scale and rotation.
///
/// poppler interprets the whole page for every drawing, however small the part. A recording at the
/// final scale, played back for each tile, gives the same pixels at a tenth of the cost. It is
/// transparent; white is added under each tile afterwards.
public final class DisplayList {
  private let recording: Recording
  /// The page, scale and rotation that were recorded.
  public let raster: PageRaster
  /// The part that was recorded, in pixels from the page's top left.
  public let rect: PixelRect
  /// Poppler's warnings while the page was interpreted.
  public var warnings: Warnings { recording.warnings }

  /// Bytes of memory of the recording: its commands and all images of the page.
  ///
  /// cairo does not tell, so this is the growth of the heap while the page was interpreted. It
  /// includes poppler's caches, such as fonts, so the first recording of a document seems larger
  /// than it is; that memory is kept either way.
  public var bytes: Int { recording.bytes }

  /// Interprets `page`.
  ///
  /// - Parameters:
  ///   - page: The page.
  ///   - raster: Its scale and rotation.
  ///   - rect: The part to record; nil for all of it.
  /// - Throws: `drawing` or `memoryLimit` if cairo fails; drawing the page directly may still work.
  public init(
    _ page: PDFPage,
    raster: PageRaster,
    rect: PixelRect? = nil
  ) throws(DocumentError) {
    let rect = rect ?? raster.whole
    recording = try page.withThinLines(of: raster) { lines throws(DocumentError) in
      try Recording(page, raster: raster, rect: rect, lines)
    }
    self.raster = raster
    self.rect = rect
  }

  /// Plays back a part of the page.
  ///
  /// - Parameters:
  ///   - part: Pixels from the page's top left, inside ``rect``.
  ///   - hasPaper: Whether white paper is put under the page.
  /// - Returns: The part.
  /// - Throws: `drawing`, `memoryLimit` or `pageSize` when cairo refuses.
  public func bitmap(
    of part: PixelRect,
    hasPaper: Bool = true
  ) throws(DocumentError) -> Bitmap {
    let margin = Self.playbackMargin
    let larger = PixelRect(
      x: part.x - margin,
      y: part.y - margin,
      width: part.width + 2 * margin,
      height: part.height + 2 * margin
    ).intersection(rect)
    guard let larger, larger != part,
      max(larger.width, larger.height) <= Bitmap.largestSide
    else { return try played(part, hasPaper) }
    return try played(larger, hasPaper).copy(
      of: PixelRect(
        x: part.x - larger.x,
        y: part.y - larger.y,
        width: part.width,
        height: part.height
      )
    )
  }

  /// Pixels around a part that are played back with it. Since cairo 1.18, a glyph is omitted if only the outermost
  /// pixels of its antialiased edge are in the picture.
  private static let playbackMargin = cairo_version() >= 11_800 ? 2 : 0

  private func played(_ rect: PixelRect, _ hasPaper: Bool) throws(DocumentError) -> Bitmap {
    var bitmap = try Bitmap(rect.size)
    let incomplete = try bitmap.draw("draw", hasPaper: hasPaper) { context in
      cairo_set_source_surface(context, recording.surface, Double(-rect.x), Double(-rect.y))
      cairo_paint(context)
    }
    if let incomplete { throw DocumentError(.drawing, during: "draw", incomplete) }
    return bitmap
  }
}

extension DisplayList {
  /// The longest side of a page that is recorded as a whole, in pixels.
  static let largestPage = 4096
  /// The side of the cells into which a larger page is cut.
  static let cellSide = 2048
  /// The least size of parts, for choosing cells.
  private static let leastMargin = 512

  /// The rectangle to record for a part of a page.
  ///
  /// At deep zoom a page has tens of thousands of pixels a side, and a mask or group would get a surface of that size,
  /// of which only a viewport is visible. So only the cell in which the part begins is recorded, with a margin for
  /// parts that begin at its end.
  public static func rect(around part: PixelRect, of raster: PageRaster) -> PixelRect {
    let whole = raster.whole
    guard max(whole.width, whole.height) > largestPage else { return whole }
    let steps = (max(part.width, part.height) - 1) / leastMargin + 1
    let side = cellSide + steps * leastMargin
    let x = part.x / cellSide * cellSide
    let y = part.y / cellSide * cellSide
    return PixelRect(
      x: x,
      y: y,
      width: min(side, whole.width - x),
      height: min(side, whole.height - y)
    )
  }
}

/// The commands, and information about them.
private final class Recording {
  let surface: OpaquePointer
  let warnings: Warnings
  let bytes: Int

  /// The least size of a recording: poppler may have freed something meanwhile.
  private static let leastBytes = 1 << 16

  /// Interprets `page` once.
  ///
  /// - Throws: `drawing` or `memoryLimit` when cairo refuses.
  init(
    _ page: PDFPage,
    raster: PageRaster,
    rect: PixelRect,
    _ lines: ThinLines
  ) throws(DocumentError) {
    var extents = cairo_rectangle_t(
      x: Double(rect.x),
      y: Double(rect.y),
      width: Double(rect.width),
      height: Double(rect.height)
    )
    let surface = cairo_recording_surface_create(CAIRO_CONTENT_COLOR_ALPHA, &extents)
    let context = cairo_create(surface)
    guard let surface, let context else {
      throw DocumentError(.drawing, during: "record", "cairo gave no surface")
    }
    defer { cairo_destroy(context) }
    let before = recto_heap_bytes()
    warnings = Messages.collect {
      page.draw(in: context, raster: raster, visible: rect, lines: lines)
    }
    // Some errors are only set on the surface.
    for status in [cairo_status(context), cairo_surface_status(surface)]
    where status != CAIRO_STATUS_SUCCESS {
      cairo_surface_destroy(surface)
      throw DocumentError(cairo: status, during: "record")
    }
    self.surface = surface
    bytes = max(Self.leastBytes, recto_heap_bytes() - before)
  }

  deinit { cairo_surface_destroy(surface) }
}

extension PageRaster {
  var whole: PixelRect {
    PixelRect(x: 0, y: 0, width: size.width, height: size.height)
  }
}
