// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
internal import CLinux

// In place of cairo's functions of these names, which poppler calls: the dynamic linker takes the first of a name, and
// looks in the program first. Cairo itself does not call them by name.

/// Shows glyphs where they belong in contexts whose text is placed precisely (`PreciseText`).
@c(cairo_show_glyphs)
public func showGlyphs(_ context: OpaquePointer?, _ glyphs: UnsafeRawPointer?, _ count: Int32) {
  let glyphs = glyphs?.assumingMemoryBound(to: cairo_glyph_t.self)
  guard !GlyphRun.show(glyphs, count, in: context) else { return }
  CairoOriginal.showGlyphs?(context, glyphs, count)
}

/// The same for glyphs of which the text is known.
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

/// Fills the path of a context, with bars that are wide enough to be seen in contexts whose text is placed precisely.
@c(cairo_fill)
public func fill(_ context: OpaquePointer?) {
  guard let context, let text = PreciseText.of(context) else {
    return CairoOriginal.fill?(context) ?? ()
  }
  if ReducedImage.fill(context, visible: text.visible, { CairoOriginal.fill?(context) }) { return }
  text.lines.fill(context)
}

/// Strokes the path of a context, wide enough to be seen in contexts whose text is placed precisely.
@c(cairo_stroke)
public func stroke(_ context: OpaquePointer?) {
  guard let context, let text = PreciseText.of(context) else {
    return CairoOriginal.stroke?(context) ?? ()
  }
  text.lines.stroke(context)
}

/// Tells how long a distance is in pixels.
///
/// Poppler asks for the width of a line before it draws it. One of up to a pixel is drawn a pixel wide, in the middle of
/// pixels: its lines move, and a hatch becomes black. In contexts whose text is placed precisely the answer is more than a
/// pixel, so that lines stay where and as wide as they are until they are stroked (`ThinLines`).
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
