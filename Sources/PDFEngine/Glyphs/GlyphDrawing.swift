// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
internal import CFreeType

/// A glyph that FreeType has drawn.
struct GlyphDrawing: ~Copyable {
  /// From the pixel of the glyph's origin to the top left, in pixels; y points down.
  let left: Int
  let top: Int
  /// In pixels.
  let width: Int
  let height: Int
  /// Of each pixel, a row after the other.
  let coverage: [UInt8]

  /// The most pixels a side.
  static let largestSide = 256
  /// The farthest from the origin, in pixels: a damaged font may have values beyond 32 bits.
  private static let farthest = 1 << 20

  /// Draws a glyph without hinting; nil if it has no outline, or is too large.
  ///
  /// - Parameters:
  ///   - font: A scaled font of cairo's FreeType kind.
  ///   - scale: The magnification.
  ///   - x: The offset to the right, in 64ths of a pixel, applied after scaling.
  init?(_ glyph: UInt32, of font: OpaquePointer, scale: Int = 1, x: Int = 0, y: Int = 0) {
    guard let face = cairo_ft_scaled_font_lock_face(font) else { return nil }
    defer { cairo_ft_scaled_font_unlock_face(font) }
    guard let slot = Self.outline(glyph, face) else { return nil }
    if scale != 1 {
      var matrix = FT_Matrix(xx: scale << 16, xy: 0, yx: 0, yy: scale << 16)
      FT_Outline_Transform(&slot.pointee.outline, &matrix)
    }
    // FreeType's y points up.
    FT_Outline_Translate(&slot.pointee.outline, x, -y)
    var box = FT_BBox()
    FT_Outline_Get_CBox(&slot.pointee.outline, &box)
    let (left, right) = (box.xMin >> 6, (box.xMax + 63) >> 6)
    let (bottom, top) = (box.yMin >> 6, (box.yMax + 63) >> 6)
    let (width, height) = (max(right - left, 0), max(top - bottom, 0))
    guard width <= Self.largestSide, height <= Self.largestSide, abs(left) < Self.farthest,
      abs(top) < Self.farthest
    else { return nil }
    FT_Outline_Translate(&slot.pointee.outline, -left * 64, -bottom * 64)
    var coverage = [UInt8](repeating: 0, count: width * height)
    let error = coverage.withUnsafeMutableBufferPointer { coverage in
      guard coverage.count > 0 else { return FT_Error(0) }
      var bitmap = FT_Bitmap()
      bitmap.width = UInt32(width)
      bitmap.rows = UInt32(height)
      bitmap.pitch = Int32(width)
      bitmap.buffer = coverage.baseAddress
      bitmap.num_grays = 256
      bitmap.pixel_mode = UInt8(FT_PIXEL_MODE_GRAY.rawValue)
      return FT_Outline_Get_Bitmap(slot.pointee.library, &slot.pointee.outline, &bitmap)
    }
    guard error == 0 else { return nil }
    self.left = left
    self.top = -top
    self.width = width
    self.height = height
    self.coverage = coverage
  }

  /// Whether a glyph has too many pixels at some position.
  ///
  /// - Parameters:
  ///   - font: A scaled font of cairo's FreeType kind.
  /// - Returns: Whether it does, or has no outline.
  static func isLarge(_ glyph: UInt32, of font: OpaquePointer) -> Bool {
    guard let face = cairo_ft_scaled_font_lock_face(font) else { return true }
    defer { cairo_ft_scaled_font_unlock_face(font) }
    guard let slot = outline(glyph, face) else { return true }
    var box = FT_BBox()
    FT_Outline_Get_CBox(&slot.pointee.outline, &box)
    // A glyph between pixels has up to two more.
    let most = (largestSide - 2) * 64
    return box.xMax - box.xMin > most || box.yMax - box.yMin > most
  }

  /// The outline of a glyph; nil if it has none.
  private static func outline(_ glyph: UInt32, _ face: FT_Face) -> FT_GlyphSlot? {
    let flags = FT_LOAD_NO_HINTING | FT_LOAD_NO_BITMAP | FT_LOAD_NO_AUTOHINT
    guard FT_Load_Glyph(face, glyph, Int32(flags)) == 0,
      let slot = face.pointee.glyph, slot.pointee.format == FT_GLYPH_FORMAT_OUTLINE
    else { return nil }
    return slot
  }
}
