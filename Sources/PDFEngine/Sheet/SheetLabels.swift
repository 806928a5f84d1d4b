// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
internal import CPango
internal import CPoppler
internal import RectoGeometry

/// Draws lines of text with Pango.
struct SheetLabels {
  private var pango = recto_pango()

  /// Loads Pango; nil if it cannot be loaded.
  init?() {
    guard recto_load_pango(&pango) else { return nil }
  }

  /// Draws a line of text, centered in its frame and clipped to it. Lines of one font size have a common baseline.
  ///
  /// - Parameters:
  ///   - fontSize: In pixels.
  ///   - context: The context of cairo, with its color. Without memory, it has an error afterwards.
  func draw(_ text: String, fontSize: Double, in frame: PixelRect, _ context: OpaquePointer) {
    let unit = Double(RECTO_PANGO_SCALE)
    guard let layout = pango.pango_cairo_create_layout(context),
      let font = pango.pango_font_description_from_string("Sans")
    else { return }
    defer {
      pango.pango_font_description_free(font)
      g_object_unref(UnsafeMutableRawPointer(layout))
    }
    pango.pango_font_description_set_absolute_size(font, fontSize * unit)
    pango.pango_layout_set_font_description(layout, font)
    pango.pango_layout_set_alignment(layout, UInt32(RECTO_PANGO_ALIGN_CENTER))
    pango.pango_layout_set_ellipsize(layout, UInt32(RECTO_PANGO_ELLIPSIZE_MIDDLE))
    pango.pango_layout_set_single_paragraph_mode(layout, 1)
    pango.pango_layout_set_width(layout, Int32(clamping: frame.width * Int(RECTO_PANGO_SCALE)))
    pango.pango_layout_set_text(layout, text, Int32(text.utf8.count))
    let baseline = Double(frame.y) + fontSize * 1.1
    let ascent = Double(pango.pango_layout_get_baseline(layout)) / unit
    cairo_save(context)
    cairo_rectangle(
      context,
      Double(frame.x),
      Double(frame.y),
      Double(frame.width),
      Double(frame.height)
    )
    cairo_clip(context)
    cairo_move_to(context, Double(frame.x), (baseline - ascent).rounded())
    pango.pango_cairo_show_layout(context, layout)
    cairo_restore(context)
  }
}
