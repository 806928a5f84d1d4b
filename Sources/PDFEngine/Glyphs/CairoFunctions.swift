// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
internal import CLinux

// Replacements of cairo functions that poppler calls: the dynamic linker uses the first function of a name, and
// searches the program first. Cairo itself does not call them by name.

/// Shows glyphs at their exact positions in contexts with precise text (`PreciseText`).
@c(cairo_show_glyphs)
public func showGlyphs(_ context: OpaquePointer?, _ glyphs: UnsafeRawPointer?, _ count: Int32) {
  let glyphs = glyphs?.assumingMemoryBound(to: cairo_glyph_t.self)
  guard !GlyphRun.show(glyphs, count, in: context) else { return }
  CairoOriginal.showGlyphs?(context, glyphs, count)
}

/// The same for glyphs with a known text.
@c(cairo_show_text_glyphs)
public func showTextGlyphs(
  _ context: OpaquePointer?,
  _ text: UnsafePointer<CChar>?,
  _ textLength: Int32,
  _ glyphs: UnsafeRawPointer?,
  _ count: Int32,
  _ clusters: UnsafeRawPointer?,
  _ clusterCount: Int32,
  _ clusterFlags: UInt32
) {
  let glyphs = glyphs?.assumingMemoryBound(to: cairo_glyph_t.self)
  guard !GlyphRun.show(glyphs, count, in: context) else { return }
  CairoOriginal.showTextGlyphs?(
    context,
    text,
    textLength,
    glyphs,
    count,
    clusters,
    clusterCount,
    clusterFlags
  )
}

/// Saves the state of a context.
@c(cairo_save)
public func save(_ context: OpaquePointer?) {
  CairoOriginal.save?(context)
  PreciseText.of(context)?.save()
}

/// Restores the state of a context.
@c(cairo_restore)
public func restore(_ context: OpaquePointer?) {
  CairoOriginal.restore?(context)
  PreciseText.of(context)?.restore()
}

/// Clips a context by its path.
@c(cairo_clip)
public func clip(_ context: OpaquePointer?) {
  if let context { PreciseText.of(context)?.clip(context) }
  CairoOriginal.clip?(context)
}

/// Fills the path of a context; in contexts with precise text, thin bars are widened to be visible.
@c(cairo_fill)
public func fill(_ context: OpaquePointer?) {
  guard let context, let text = PreciseText.of(context) else {
    return CairoOriginal.fill?(context) ?? ()
  }
  if ReducedImage.fill(context, visible: text.visible, { CairoOriginal.fill?(context) }) { return }
  text.lines.fill(context)
}

/// Strokes the path of a context; in contexts with precise text, thin lines are widened to be visible.
@c(cairo_stroke)
public func stroke(_ context: OpaquePointer?) {
  guard let context, let text = PreciseText.of(context) else {
    return CairoOriginal.stroke?(context) ?? ()
  }
  text.lines.stroke(context)
}

/// Converts a distance to pixels.
///
/// Poppler calls this for the width of a line before it draws it. A width of up to a pixel is drawn one pixel wide,
/// centered on pixels: lines move, and a hatch becomes black. In contexts with precise text the result is always more
/// than a pixel, so that lines keep their position and width until they are stroked (`ThinLines`).
@c(cairo_user_to_device_distance)
public func userToDeviceDistance(
  _ context: OpaquePointer?,
  _ x: UnsafeMutablePointer<Double>?,
  _ y: UnsafeMutablePointer<Double>?
) {
  guard let x, let y else { return }
  let isWidth = x.pointee == y.pointee && x.pointee >= 0
  CairoOriginal.userToDeviceDistance?(context, x, y)
  guard isWidth, abs(x.pointee) <= 1, abs(y.pointee) <= 1, PreciseText.of(context) != nil else {
    return
  }
  (x.pointee, y.pointee) = (2, 2)
}

/// Cairo's own functions.
enum CairoOriginal {
  typealias Function = @convention(c) (OpaquePointer?) -> Void

  static let save = nextFunction("cairo_save", as: Function.self)
  static let restore = nextFunction("cairo_restore", as: Function.self)
  static let clip = nextFunction("cairo_clip", as: Function.self)
  static let fill = nextFunction("cairo_fill", as: Function.self)
  static let stroke = nextFunction("cairo_stroke", as: Function.self)
  static let userToDeviceDistance = nextFunction(
    "cairo_user_to_device_distance",
    as: (@convention(c) (
      OpaquePointer?, UnsafeMutablePointer<Double>?, UnsafeMutablePointer<Double>?
    ) -> Void).self
  )
  static let showGlyphs = nextFunction(
    "cairo_show_glyphs",
    as: (@convention(c) (OpaquePointer?, UnsafePointer<cairo_glyph_t>?, Int32) -> Void).self
  )
  static let showTextGlyphs = nextFunction(
    "cairo_show_text_glyphs",
    as: (@convention(c) (
      OpaquePointer?, UnsafePointer<CChar>?, Int32, UnsafePointer<cairo_glyph_t>?, Int32,
      UnsafeRawPointer?, Int32, UInt32
    ) -> Void).self
  )
}
