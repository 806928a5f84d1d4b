// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
public import DocumentModel
public import RectoGeometry

/// Pixels in memory. Exactly one owner.
///
/// Rows of native-endian premultiplied 0xAARRGGBB words; after a drawing with paper every pixel is
/// opaque.
public struct Bitmap: ~Copyable {
  fileprivate let raw: OpaquePointer
  /// Width and height in pixels.
  public let size: PixelSize
  /// Poppler's warnings while this was drawn directly from a page.
  public internal(set) var warnings = Warnings()

  /// The most pixels a picture may have.
  public static let largestArea = 100_000_000
  /// The most pixels a side may have: cairo's limit.
  public static let largestSide = 32_767

  /// A transparent bitmap.
  ///
  /// - Throws: `pageSize` beyond the limits, `drawing` when cairo refuses.
  public init(_ size: PixelSize) throws(DocumentError) {
    guard Self.isPossible(size) else {
      throw DocumentError(
        .pageSize,
        during: "draw",
        "a picture of \(size.width)×\(size.height) pixels is beyond the limit of "
          + "\(Self.largestSide) a side and \(Self.largestArea) in all"
      )
    }
    raw = if let spare = SpareSurface.take(size) { spare } else { try Self.newSurface(size) }
    self.size = size
  }

  deinit { SpareSurface.keep(raw) }

  /// Whether a picture may have a size.
  static func isPossible(_ size: PixelSize) -> Bool {
    guard size.width > 0, size.height > 0, size.width <= largestSide, size.height <= largestSide,
      let area = size.area
    else { return false }
    return area <= largestArea
  }

  /// A transparent surface with its own memory.
  ///
  /// - Throws: `drawing` when cairo refuses.
  private static func newSurface(_ size: PixelSize) throws(DocumentError) -> OpaquePointer {
    // cairo never returns NULL: a failure is a surface in an error state.
    let surface = cairo_image_surface_create(
      CAIRO_FORMAT_ARGB32,
      Int32(size.width),
      Int32(size.height)
    )
    let status = cairo_surface_status(surface)
    guard let surface, status == CAIRO_STATUS_SUCCESS else {
      cairo_surface_destroy(surface)
      throw DocumentError(cairo: status, during: "create a \(size.width)×\(size.height) picture")
    }
    // Uses cairo's memory: cairo rounds differently on pixels that it knows to be transparent.
    if let pixels = cairo_image_surface_get_data(surface) {
      LargePages.provide(pixels, Int(cairo_image_surface_get_stride(surface)) * size.height)
    }
    return surface
  }

  /// Draws with `body`, then puts white paper under everything.
  ///
  /// A cairo error ends the drawing, but the earlier drawing is kept, as in other viewers.
  ///
  /// - Returns: Why the drawing ended early, in cairo's words; nil if it did not.
  /// - Throws: `DocumentError`; `memoryLimit` when cairo has no memory.
  mutating func draw(
    _ operation: String,
    hasPaper: Bool = true,
    _ body: (OpaquePointer) -> Void
  ) throws(DocumentError) -> String? {
    let incomplete = try Self.fill(raw, operation, body)
    cairo_surface_flush(raw)
    if hasPaper { withMutablePixels { pixels, _ in Paper.add(under: pixels) } }
    return incomplete
  }

  /// Draws with `body`.
  ///
  /// - Returns: Why the drawing ended early, in cairo's words; nil if it did not.
  /// - Throws: `memoryLimit` when cairo has no memory.
  private static func fill(
    _ surface: OpaquePointer?,
    _ operation: String,
    _ body: (OpaquePointer) -> Void
  ) throws(DocumentError) -> String? {
    let context = cairo_create(surface)
    defer { cairo_destroy(context) }
    guard let context else {
      throw DocumentError(.drawing, during: operation, "cairo gave no context")
    }
    body(context)
    // cairo errors are sticky, so one check at the end is enough. Some are only set on the surface.
    for status in [cairo_status(context), cairo_surface_status(surface)] {
      guard status != CAIRO_STATUS_NO_MEMORY else {
        throw DocumentError(cairo: status, during: operation)
      }
      if status != CAIRO_STATUS_SUCCESS { return String(cString: cairo_status_to_string(status)) }
    }
    return nil
  }

  /// Calls a closure with the pixels: the bytes of all rows and the distance between rows in bytes.
  ///
  /// - Throws: What `body` throws.
  public func withPixels<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer, _ stride: Int) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let stride = Int(cairo_image_surface_get_stride(raw))
    let bytes = UnsafeRawBufferPointer(
      start: cairo_image_surface_get_data(raw),
      count: stride * size.height
    )
    return try body(bytes, stride)
  }
}

extension Bitmap {
  /// Makes a context paint with these pixels. Points beyond the edges get the color of the edge, so that stretched
  /// edges stay opaque.
  func setSource(of context: OpaquePointer) {
    cairo_set_source_surface(context, raw, 0, 0)
    let pattern = cairo_get_source(context)
    cairo_pattern_set_extend(pattern, CAIRO_EXTEND_PAD)
    cairo_pattern_set_filter(pattern, CAIRO_FILTER_BILINEAR)
    cairo_set_operator(context, CAIRO_OPERATOR_SOURCE)
  }

  /// Paints these pixels over a rectangle of a context.
  func paint(in context: OpaquePointer, filling frame: Rect) {
    cairo_translate(context, frame.minX, frame.minY)
    cairo_scale(
      context,
      frame.width / Double(size.width),
      frame.height / Double(size.height)
    )
    cairo_set_source_surface(context, raw, 0, 0)
    cairo_paint(context)
    // The context may paint later; from here on it has its own copy.
    cairo_surface_flush(raw)
  }

  /// Calls a closure with the pixels for writing: the bytes of all rows and the distance between
  /// rows in bytes.
  mutating func withMutablePixels(
    _ body: (UnsafeMutableRawBufferPointer, _ stride: Int) -> Void
  ) {
    let stride = Int(cairo_image_surface_get_stride(raw))
    body(
      UnsafeMutableRawBufferPointer(
        start: cairo_image_surface_get_data(raw),
        count: stride * size.height
      ),
      stride
    )
    cairo_surface_mark_dirty(raw)
  }
}

extension DocumentError {
  /// An error in cairo's own words.
  init(cairo status: cairo_status_t, during operation: String) {
    let code: Code = status == CAIRO_STATUS_NO_MEMORY ? .memoryLimit : .drawing
    self.init(code, during: operation, String(cString: cairo_status_to_string(status)))
  }
}
