// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
internal import DocumentModel
internal import PNGCoding
internal import RectoGeometry
internal import RectoPictures

/// A contact sheet that is being drawn.
final class SheetDrawing {
  private var bitmap: Bitmap
  private var decoder = PictureDecoder()
  private var labels: SheetLabels?

  /// A sheet with nothing on it.
  ///
  /// - Throws: `pageSize` beyond the limits of a `Bitmap`, `memoryLimit` when there is no memory for it.
  init(_ size: PixelSize) throws(DocumentError) {
    bitmap = try Bitmap(size)
    try draw { context in
      context.setGray(Gray.paper)
      cairo_paint(context)
    }
  }

  /// Loads the libraries of sheets, for a process that cannot load libraries later.
  static func loadLibraries() {
    PictureEncoder.loadLibraries()
    _ = SheetLabels()
  }

  /// Makes Pango start its thread and read the list of fonts, for a process that will not be allowed to. A failure is
  /// reported when a label is drawn.
  static func loadFonts() {
    let sample = PixelRect(x: 0, y: 0, width: 1, height: 1)
    try? SheetDrawing(sample.size).draw(.label("1", fontSize: 10, sample))
  }

  /// Draws something on the sheet.
  ///
  /// - Throws: `fault` for a frame that is not on the sheet, or when a library fails; `damaged` for a picture that cannot
  ///   be decoded, whose frame stays empty; `memoryLimit` when there is no memory.
  func draw(_ item: SheetItem) throws(DocumentError) {
    switch item {
    case .picture(let file, let frame):
      try requireOnSheet(frame)
      let picture: PNGPicture
      do throws(DocumentError) {
        picture = try decoder.picture(file)
      } catch {
        try draw { $0.drawEmpty(frame) }
        throw error
      }
      try draw { $0.draw(picture, in: frame) }
    case .cross(let frame):
      try requireOnSheet(frame)
      try draw { $0.drawCrossed(frame) }
    case .label(let text, let fontSize, let frame):
      try requireOnSheet(frame)
      guard let labels = labels ?? SheetLabels() else {
        throw DocumentError(.fault, during: "draw", "libpangocairo-1.0.so.0 cannot be loaded")
      }
      self.labels = labels
      try draw { context in
        context.setGray(Gray.text)
        labels.draw(text, fontSize: fontSize, in: frame, context)
      }
    }
  }

  /// The file of the sheet.
  ///
  /// - Throws: `fault` for another size than that of the sheet; the encoder's errors.
  func file(_ size: PixelSize, _ style: PictureStyle) throws(DocumentError) -> [UInt8] {
    guard size == bitmap.size else {
      throw DocumentError(.fault, during: "encode", "the sheet has another size")
    }
    var encoder = try PictureEncoder()
    return try bitmap.withPixels { (bytes, stride) throws(DocumentError) in
      try encoder.encode(bytes.bytes, stride: stride, size: size, style: style)
    }
  }

  private func requireOnSheet(_ frame: PixelRect) throws(DocumentError) {
    let size = bitmap.size
    guard PixelRect(x: 0, y: 0, width: size.width, height: size.height).contains(frame) else {
      throw DocumentError(.fault, during: "draw", "a frame is not on the sheet")
    }
  }

  /// Draws on the sheet with cairo.
  ///
  /// - Throws: `memoryLimit` or `fault` when cairo fails.
  private func draw(_ body: (OpaquePointer) -> Void) throws(DocumentError) {
    if let failure = try bitmap.draw("draw", hasPaper: false, body) {
      throw DocumentError(.fault, during: "draw", failure)
    }
  }
}

/// The colors of a sheet, from 0, black, to 1, white.
private enum Gray {
  static let paper = 0.945
  static let border = 0.74
  static let missing = 0.97
  static let text = 0.2
}

/// A cairo context that draws on a sheet.
extension OpaquePointer {
  fileprivate func setGray(_ level: Double) { cairo_set_source_rgb(self, level, level, level) }

  /// Draws a picture with a border around it.
  fileprivate func draw(_ picture: PNGPicture, in frame: PixelRect) {
    var pixels = picture.pixels
    pixels.withUnsafeMutableBytes { bytes in
      let (width, height) = (Int32(picture.size.width), Int32(picture.size.height))
      let source = cairo_image_surface_create_for_data(
        bytes.assumingMemoryBound(to: UInt8.self).baseAddress,
        CAIRO_FORMAT_ARGB32,
        width,
        height,
        width * 4
      )
      // The surface does not outlive the pixels.
      defer { cairo_surface_destroy(source) }
      cairo_save(self)
      fill(frame, 1)
      cairo_translate(self, Double(frame.x), Double(frame.y))
      cairo_scale(
        self,
        Double(frame.width) / Double(width),
        Double(frame.height) / Double(height)
      )
      // If it has no memory, the context has none.
      cairo_set_source_surface(self, source, 0, 0)
      let pattern = cairo_get_source(self)
      cairo_pattern_set_filter(pattern, CAIRO_FILTER_GOOD)
      // Otherwise the outermost pixels would be blended with transparency.
      cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
      cairo_rectangle(self, 0, 0, Double(width), Double(height))
      cairo_fill(self)
      cairo_restore(self)
      cairo_surface_finish(source)
    }
    drawBorder(frame)
  }

  private func fill(_ frame: PixelRect, _ level: Double) {
    setGray(level)
    addRectangle(frame, growing: 0)
    cairo_fill(self)
  }

  private func addRectangle(_ frame: PixelRect, growing margin: Double) {
    cairo_rectangle(
      self,
      Double(frame.x) - margin,
      Double(frame.y) - margin,
      Double(frame.width) + 2 * margin,
      Double(frame.height) + 2 * margin
    )
  }

  /// Draws a line of one pixel around a frame.
  private func drawBorder(_ frame: PixelRect) {
    setGray(Gray.border)
    cairo_set_line_width(self, 1)
    addRectangle(frame, growing: 0.5)
    cairo_stroke(self)
  }

  /// Draws the frame of a picture that cannot be decoded.
  fileprivate func drawEmpty(_ frame: PixelRect) {
    fill(frame, Gray.missing)
    drawBorder(frame)
  }

  /// Draws the frame of a page without a picture.
  fileprivate func drawCrossed(_ frame: PixelRect) {
    drawEmpty(frame)
    let (left, top) = (Double(frame.x), Double(frame.y))
    let (right, bottom) = (Double(frame.maxX), Double(frame.maxY))
    cairo_move_to(self, left, top)
    cairo_line_to(self, right, bottom)
    cairo_move_to(self, right, top)
    cairo_line_to(self, left, bottom)
    cairo_stroke(self)
  }
}
