// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
internal import RectoGeometry

/// A color and the pixels of a picture, for painting glyphs without cairo.
///
/// Nearly all text has one color, normal blending, and no clip but boxes. For such text cairo's overhead takes longer
/// than the painting. The arithmetic is that of pixman, so the result is the same as cairo's.
struct GlyphPaint {
  /// The premultiplied color, 0xAARRGGBB.
  private let color: UInt32
  private let pixels: UnsafeMutablePointer<UInt32>
  /// Pixels from one row to the next.
  private let stride: Int
  private let surface: OpaquePointer

  /// The paint of a context; nil if cairo must paint.
  init?(_ context: OpaquePointer) {
    guard let surface = cairo_get_target(context), cairo_get_group_target(context) == surface,
      cairo_surface_get_type(surface) == CAIRO_SURFACE_TYPE_IMAGE,
      cairo_image_surface_get_format(surface) == CAIRO_FORMAT_ARGB32,
      cairo_get_operator(context) == CAIRO_OPERATOR_OVER,
      let color = Self.color(of: cairo_get_source(context))
    else { return nil }
    cairo_surface_flush(surface)
    guard let data = cairo_image_surface_get_data(surface) else { return nil }
    self.color = color
    self.surface = surface
    pixels = UnsafeMutableRawPointer(data).assumingMemoryBound(to: UInt32.self)
    stride = Int(cairo_image_surface_get_stride(surface)) / 4
  }

  /// The color of a pattern, as cairo passes it to pixman; nil if it has several.
  private static func color(of pattern: OpaquePointer?) -> UInt32? {
    var (red, green, blue, alpha) = (0.0, 0.0, 0.0, 0.0)
    guard let pattern,
      cairo_pattern_get_rgba(pattern, &red, &green, &blue, &alpha) == CAIRO_STATUS_SUCCESS
    else { return nil }
    func byte(_ value: Double) -> UInt32 {
      UInt32(min(max(value, 0), 1) * 65_535 + 0.5) >> 8
    }
    return byte(alpha) << 24 | byte(red * alpha) << 16 | byte(green * alpha) << 8
      | byte(blue * alpha)
  }

  /// Paints through a mask.
  ///
  /// - Parameters:
  ///   - mask: Coverage, row by row.
  ///   - rect: Its position, inside the picture.
  func paint(_ mask: UnsafePointer<UInt8>, _ rect: PixelRect) {
    let colors = Bytes(SIMD4(repeating: color))
    for row in 0..<rect.height {
      let source = mask + row * rect.width
      let target = pixels + (rect.y + row) * stride + rect.x
      var column = 0
      while column + 4 <= rect.width {
        let coverage = UnsafeRawPointer(source + column).loadUnaligned(as: UInt32.self)
        // Most of a mask is empty.
        if coverage != 0 {
          let four = UnsafeMutableRawPointer(target + column)
          let below = Bytes(four.loadUnaligned(as: SIMD4<UInt32>.self))
          let factors = SIMD4(repeating: coverage) &>> SIMD4(0, 8, 16, 24) & 255
          let painted = colors.multiplied(by: factors).over(below)
          four.storeBytes(of: painted.pixels, as: SIMD4<UInt32>.self)
        }
        column += 4
      }
      while column < rect.width {
        let below = Bytes(SIMD4(target[column], 0, 0, 0))
        let factors = SIMD4(UInt32(source[column]), 0, 0, 0)
        target[column] = colors.multiplied(by: factors).over(below).pixels.x
        column += 1
      }
    }
    cairo_surface_mark_dirty_rectangle(
      surface,
      Int32(rect.x),
      Int32(rect.y),
      Int32(rect.width),
      Int32(rect.height)
    )
  }
}

/// The bytes of four pixels, 16 bits for each.
private struct Bytes {
  /// Blue and red.
  private var even: SIMD8<UInt16>
  /// Green and alpha.
  private var odd: SIMD8<UInt16>

  /// - Parameter pixels: 0xAARRGGBB.
  @inline(__always)
  init(_ pixels: SIMD4<UInt32>) {
    even = unsafeBitCast(pixels & 0x00FF_00FF, to: SIMD8<UInt16>.self)
    odd = unsafeBitCast(pixels &>> 8 & 0x00FF_00FF, to: SIMD8<UInt16>.self)
  }

  /// 0xAARRGGBB.
  @inline(__always)
  var pixels: SIMD4<UInt32> {
    unsafeBitCast(even, to: SIMD4<UInt32>.self)
      | unsafeBitCast(odd, to: SIMD4<UInt32>.self) &<< 8
  }

  /// These over others.
  @inline(__always)
  func over(_ below: Bytes) -> Bytes {
    let alphas = unsafeBitCast(odd, to: SIMD4<UInt32>.self) &>> 16
    var result = below.multiplied(by: 255 &- alphas)
    result.even &+= even
    result.odd &+= odd
    return result
  }

  /// All bytes of each pixel times a factor of up to 255, divided by 255 and rounded.
  @inline(__always)
  func multiplied(by factors: SIMD4<UInt32>) -> Bytes {
    let factors = unsafeBitCast(factors | factors &<< 16, to: SIMD8<UInt16>.self)
    var result = self
    result.even = Self.divided(even &* factors)
    result.odd = Self.divided(odd &* factors)
    return result
  }

  @inline(__always)
  private static func divided(_ products: SIMD8<UInt16>) -> SIMD8<UInt16> {
    let products = products &+ 128
    return (products &+ products &>> 8) &>> 8
  }
}
