// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
internal import CFreeType
internal import RectoGeometry

/// Glyphs that are shown together, at subpixel positions.
///
/// Cairo moves each glyph to a whole pixel, by up to half a pixel, which makes the spacing of letters uneven. Here the
/// glyphs become masks, in which each has its exact position.
struct GlyphRun {
  /// A glyph's image and where it goes, in pixels.
  private struct Placed {
    var x: Int
    var y: Int
    var image: GlyphImages.Image

    var rect: PixelRect {
      PixelRect(x: x, y: y, width: Int(image.width), height: Int(image.height))
    }
  }

  /// The glyphs of a mask begin within this number of pixels from its first one, on each axis. This does not depend on
  /// which of them are visible, so that parts of a page fit together.
  private static let largestMask = 256
  /// The most glyphs that have images in memory at once.
  private static let mostGlyphs = 256

  private let context: OpaquePointer
  private let text: PreciseText
  private let images: GlyphImages
  /// Glyphs with an image, mask after mask.
  private var placed: [Placed] = []
  /// The ends in ``placed`` of all masks but the last: most runs have a few letters, and one mask.
  private var ends: [Int] = []
  /// Glyphs that have no image.
  private var large: [cairo_glyph_t] = []

  /// Shows glyphs.
  ///
  /// - Parameters:
  ///   - glyphs: The glyphs, at positions in the units of the context.
  /// - Returns: Whether they were shown; if not, nothing has been drawn. Type 3 fonts, and contexts without precise
  ///   text, are left to cairo.
  static func show(
    _ glyphs: UnsafePointer<cairo_glyph_t>?,
    _ count: Int32,
    in context: OpaquePointer?
  ) -> Bool {
    guard let context, let glyphs, count > 0, let text = PreciseText.of(context),
      cairo_font_face_get_type(cairo_get_font_face(context)) == CAIRO_FONT_TYPE_FT,
      let font = cairo_get_scaled_font(context),
      cairo_scaled_font_status(font) == CAIRO_STATUS_SUCCESS,
      let images = GlyphImages.of(font)
    else { return false }
    let all = UnsafeBufferPointer(start: glyphs, count: Int(count))
    for start in stride(from: 0, to: all.count, by: mostGlyphs) {
      images.makeRoom()
      var run = GlyphRun(context: context, text: text, images: images)
      run.place(all[start..<min(start + mostGlyphs, all.count)])
      run.paint()
    }
    return true
  }

  /// Finds the images of all glyphs and their positions.
  private mutating func place(_ glyphs: Slice<UnsafeBufferPointer<cairo_glyph_t>>) {
    var matrix = cairo_matrix_t()
    cairo_get_matrix(context, &matrix)
    let steps = Double(images.steps)
    let shift = images.steps.trailingZeroBitCount
    let last = images.steps - 1
    let reach = GlyphImages.largestSide
    let visible = text.visible
    let columns = visible.x - reach..<visible.maxX + reach
    let rows = visible.y - reach..<visible.maxY + reach
    var first: (x: Int, y: Int)?
    placed.reserveCapacity(glyphs.count)
    for glyph in glyphs {
      // Independent of how the page is cut, except for the last bits; rounding never hits a tie.
      let x = (glyph.x * matrix.xx + glyph.y * matrix.xy + matrix.x0) * steps + 0.500_001
      let y = (glyph.x * matrix.yx + glyph.y * matrix.yy + matrix.y0) * steps + 0.500_001
      guard abs(x) < 16_777_216, abs(y) < 16_777_216 else { continue }
      let (right, down) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
      let (column, row) = (right >> shift, down >> shift)
      if let start = first, abs(column - start.x) < Self.largestMask,
        abs(row - start.y) < Self.largestMask
      {
      } else {
        if first != nil { ends.append(placed.count) }
        first = (column, row)
      }
      guard !images.isLarge(glyph.index) else {
        large.append(glyph)
        continue
      }
      guard columns.contains(column), rows.contains(row) else { continue }
      guard let image = images.image(of: glyph.index, x: right & last, y: down & last) else {
        large.append(glyph)
        continue
      }
      guard image.width > 0 else { continue }
      placed.append(Placed(x: column + Int(image.left), y: row + Int(image.top), image: image))
    }
  }

  /// Paints all glyphs with the color of the context.
  private func paint() {
    let paint = GlyphPaint(context)
    placed.withUnsafeBufferPointer { placed in
      var start = 0
      for mask in 0...ends.count {
        let end = mask < ends.count ? ends[mask] : placed.count
        let glyphs = UnsafeBufferPointer(rebasing: placed[start..<end])
        start = end
        guard var bounds = glyphs.first?.rect else { continue }
        for glyph in glyphs.dropFirst() { bounds = bounds.union(glyph.rect) }
        if let paint, text.isOpen(bounds) {
          withMask(of: glyphs, in: bounds) { mask in paint.paint(mask, bounds) }
        } else {
          paintWithCairo(glyphs, in: bounds)
        }
      }
    }
    guard !large.isEmpty else { return }
    cairo_new_path(context)
    cairo_glyph_path(context, large, Int32(large.count))
    let rule = cairo_get_fill_rule(context)
    cairo_set_fill_rule(context, CAIRO_FILL_RULE_WINDING)
    cairo_fill(context)
    cairo_set_fill_rule(context, rule)
  }

  /// Calls a closure with the coverage of the pixels in bounds.
  private func withMask(
    of glyphs: UnsafeBufferPointer<Placed>,
    in bounds: PixelRect,
    _ body: (UnsafePointer<UInt8>) -> Void
  ) {
    images.bytes.withUnsafeBufferPointer { bytes in
      guard let bytes = bytes.baseAddress else { return }
      guard glyphs.count > 1 else { return body(bytes + Int(glyphs[0].image.start)) }
      withUnsafeTemporaryAllocation(of: UInt8.self, capacity: bounds.width * bounds.height) {
        mask in
        guard let pixels = mask.baseAddress else { return }
        mask.initialize(repeating: 0)
        Self.add(glyphs, bytes, to: pixels, stride: bounds.width, in: bounds)
        body(pixels)
      }
    }
  }

  /// Paints some of the glyphs through a mask.
  private func paintWithCairo(_ glyphs: UnsafeBufferPointer<Placed>, in bounds: PixelRect) {
    let mask = cairo_image_surface_create(
      CAIRO_FORMAT_A8,
      Int32(bounds.width),
      Int32(bounds.height)
    )
    defer { cairo_surface_destroy(mask) }
    if let pixels = cairo_image_surface_get_data(mask) {
      let stride = Int(cairo_image_surface_get_stride(mask))
      images.bytes.withUnsafeBufferPointer { bytes in
        guard let bytes = bytes.baseAddress else { return }
        Self.add(glyphs, bytes, to: pixels, stride: stride, in: bounds)
      }
      cairo_surface_mark_dirty(mask)
    }
    // If there was no memory for the mask, the context is put into an error state.
    cairo_save(context)
    cairo_identity_matrix(context)
    cairo_mask_surface(context, mask, Double(bounds.x), Double(bounds.y))
    cairo_restore(context)
  }

  /// Adds the coverage of glyphs, clamped to full coverage.
  private static func add(
    _ glyphs: UnsafeBufferPointer<Placed>,
    _ bytes: UnsafePointer<UInt8>,
    to mask: UnsafeMutablePointer<UInt8>,
    stride: Int,
    in bounds: PixelRect
  ) {
    for glyph in glyphs {
      let place = (glyph.y - bounds.y) * stride + glyph.x - bounds.x
      let (width, height) = (Int(glyph.image.width), Int(glyph.image.height))
      for row in 0..<height {
        let source = bytes + Int(glyph.image.start) + row * width
        let target = mask + place + row * stride
        for column in 0..<width {
          let (sum, isMore) = target[column].addingReportingOverflow(source[column])
          target[column] = isMore ? 255 : sum
        }
      }
    }
  }
}
