// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
internal import RectoGeometry

/// An image with which a context is about to be filled, in the pixels of the surface.
///
/// Handles only the way in which poppler fills the unit square with an image, along the axes and at less than three
/// quarters of the image's size, where cairo would average. Everything else is left to cairo.
enum ReducedImage {
  /// Pixels of the image per pixel of the surface from which on cairo averages.
  private static let leastScale = 4.0 / 3
  /// The most pixels of a picture.
  private static let largestArea = 1 << 26

  /// Fills a context with a reduced picture instead of the image that is its source.
  ///
  /// - Parameters:
  ///   - context: A context whose path is to be filled.
  ///   - visible: The visible part of its surface, in pixels.
  /// - Returns: Whether that was done.
  static func fill(_ context: OpaquePointer, visible: PixelRect, _ fill: () -> Void) -> Bool {
    guard cairo_get_operator(context) == CAIRO_OPERATOR_OVER,
      let pattern = cairo_get_source(context), let image = image(of: pattern),
      hasUnitSquare(context), let picture = picture(of: image, in: context, visible)
    else { return false }
    cairo_pattern_reference(pattern)
    defer { cairo_pattern_destroy(pattern) }
    // The picture has the pixels of the surface.
    var matrix = cairo_matrix_t()
    cairo_get_matrix(context, &matrix)
    cairo_identity_matrix(context)
    cairo_set_source_surface(
      context,
      picture.surface,
      Double(picture.rect.x),
      Double(picture.rect.y)
    )
    cairo_surface_destroy(picture.surface)
    if let source = cairo_get_source(context) {
      cairo_pattern_set_filter(source, CAIRO_FILTER_NEAREST)
      cairo_pattern_set_extend(source, CAIRO_EXTEND_PAD)
    }
    cairo_set_matrix(context, &matrix)
    fill()
    cairo_set_source(context, pattern)
    return true
  }

  /// The image of a pattern, if it is in the unit square as poppler puts it there.
  private static func image(of pattern: OpaquePointer) -> OpaquePointer? {
    guard cairo_pattern_get_type(pattern) == CAIRO_PATTERN_TYPE_SURFACE,
      cairo_pattern_get_filter(pattern) == CAIRO_FILTER_GOOD,
      cairo_pattern_get_extend(pattern) == CAIRO_EXTEND_PAD
    else { return nil }
    var surface: OpaquePointer?
    var matrix = cairo_matrix_t()
    guard cairo_pattern_get_surface(pattern, &surface) == CAIRO_STATUS_SUCCESS, let surface,
      cairo_surface_get_type(surface) == CAIRO_SURFACE_TYPE_IMAGE,
      cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS
    else { return nil }
    let format = cairo_image_surface_get_format(surface)
    guard format == CAIRO_FORMAT_RGB24 || format == CAIRO_FORMAT_ARGB32 else { return nil }
    cairo_pattern_get_matrix(pattern, &matrix)
    let size = size(of: surface)
    let (width, height) = (Double(size.width), Double(size.height))
    guard width > 0, height > 0, matrix.xx == width, matrix.yy == -height, matrix.xy == 0,
      matrix.yx == 0, matrix.x0 == 0, matrix.y0 == height
    else { return nil }
    return surface
  }

  /// Whether the path of a context is the unit square.
  private static func hasUnitSquare(_ context: OpaquePointer) -> Bool {
    guard let path = cairo_copy_path(context) else { return false }
    defer { cairo_path_destroy(path) }
    guard path.pointee.status == CAIRO_STATUS_SUCCESS, path.pointee.num_data >= 9,
      path.pointee.num_data <= 11
    else { return false }
    var (left, top, right, bottom) = (0.0, 0.0, 0.0, 0.0)
    cairo_path_extents(context, &left, &top, &right, &bottom)
    // The tolerance after conversion to the surface's pixels and back, in 256ths of them.
    var (x, y) = (1.0, 1.0)
    cairo_device_to_user_distance(context, &x, &y)
    return abs(left) <= abs(x) / 64 && abs(right - 1) <= abs(x) / 64 && abs(top) <= abs(y) / 64
      && abs(bottom - 1) <= abs(y) / 64
  }

  /// The visible part of an image in the unit square, in the pixels of the surface.
  private static func picture(
    of image: OpaquePointer,
    in context: OpaquePointer,
    _ visible: PixelRect
  ) -> (surface: OpaquePointer, rect: PixelRect)? {
    var matrix = cairo_matrix_t()
    cairo_get_matrix(context, &matrix)
    guard matrix.xy == 0, matrix.yx == 0, matrix.xx != 0, matrix.yy != 0, matrix.xx.isFinite,
      matrix.yy.isFinite, matrix.x0.isFinite, matrix.y0.isFinite
    else { return nil }
    let size = size(of: image)
    // Pixels of the image per pixel of the surface. The image's first row is at the upper end of the square.
    let across = Double(size.width) / matrix.xx
    let down = -Double(size.height) / matrix.yy
    guard abs(across) >= leastScale, abs(down) >= leastScale else { return nil }
    let square = (
      columns: min(matrix.x0, matrix.x0 + matrix.xx)...max(matrix.x0, matrix.x0 + matrix.xx),
      rows: min(matrix.y0, matrix.y0 + matrix.yy)...max(matrix.y0, matrix.y0 + matrix.yy)
    )
    guard let columns = pixels(square.columns, visible.x..<visible.maxX),
      let rows = pixels(square.rows, visible.y..<visible.maxY),
      columns.count <= largestArea / rows.count
    else { return nil }
    let rect = PixelRect(
      x: columns.lowerBound,
      y: rows.lowerBound,
      width: columns.count,
      height: rows.count
    )
    let reduction = ImageReduction(
      size,
      rect: rect,
      across: (across, -matrix.x0 * across),
      down: (down, Double(size.height) - matrix.y0 * down)
    )
    guard let surface = surface(like: image, rect.size) else { return nil }
    cairo_surface_flush(image)
    reduction.reduce(
      UnsafeRawBufferPointer(pixels(of: image)),
      stride: Int(cairo_image_surface_get_stride(image)),
      into: pixels(of: surface),
      stride: Int(cairo_image_surface_get_stride(surface))
    )
    cairo_surface_mark_dirty(surface)
    return (surface, rect)
  }

  /// The visible pixels that a range touches; nil if there are none.
  private static func pixels(_ stretch: ClosedRange<Double>, _ seen: Range<Int>) -> Range<Int>? {
    guard stretch.lowerBound < Double(seen.upperBound), stretch.upperBound > Double(seen.lowerBound)
    else { return nil }
    let low = max(stretch.lowerBound.rounded(.down), Double(seen.lowerBound))
    let high = min(stretch.upperBound.rounded(.up), Double(seen.upperBound))
    return low < high ? Int(low)..<Int(high) : nil
  }

  /// A surface of the same format as an image.
  private static func surface(like image: OpaquePointer, _ size: PixelSize) -> OpaquePointer? {
    let surface = cairo_image_surface_create(
      cairo_image_surface_get_format(image),
      Int32(size.width),
      Int32(size.height)
    )
    guard let surface, cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS else {
      cairo_surface_destroy(surface)
      return nil
    }
    let memory = pixels(of: surface)
    if let start = memory.baseAddress { LargePages.provide(start, memory.count) }
    return surface
  }

  private static func size(of surface: OpaquePointer) -> PixelSize {
    PixelSize(
      width: Int(cairo_image_surface_get_width(surface)),
      height: Int(cairo_image_surface_get_height(surface))
    )
  }

  private static func pixels(of surface: OpaquePointer) -> UnsafeMutableRawBufferPointer {
    UnsafeMutableRawBufferPointer(
      start: cairo_image_surface_get_data(surface),
      count: Int(cairo_image_surface_get_stride(surface))
        * Int(cairo_image_surface_get_height(surface))
    )
  }
}
