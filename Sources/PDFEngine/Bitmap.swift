internal import CCairo
public import DocumentModel
public import Geometry

/// Pixels in memory. Exactly one owner.
///
/// Rows of native-endian 0xAARRGGBB words, multiplied by alpha; after a drawing with paper every
/// pixel is opaque.
public struct Bitmap: ~Copyable {
  fileprivate let raw: OpaquePointer
  /// Width and height in pixels.
  public let size: PixelSize
  /// What poppler said while this was drawn directly from a page.
  public internal(set) var warnings = Warnings()

  /// The most pixels a picture may have.
  public static let largestArea = 100_000_000
  /// The most pixels a side may have: cairo's limit.
  public static let largestSide = 32_767

  /// A transparent bitmap.
  ///
  /// - Throws: `pageSize` beyond the limits, `drawing` when cairo refuses.
  public init(_ size: PixelSize) throws(DocumentError) {
    guard size.width > 0, size.height > 0, size.width <= Self.largestSide,
      size.height <= Self.largestSide, let area = size.area, area <= Self.largestArea
    else {
      throw DocumentError(
        .pageSize,
        during: "draw",
        "a picture of \(size.width)×\(size.height) pixels is beyond the limit of "
          + "\(Self.largestSide) a side and \(Self.largestArea) in all"
      )
    }
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
    raw = surface
    self.size = size
  }

  deinit { cairo_surface_destroy(raw) }

  /// Draws with `body`, then puts white paper under everything.
  ///
  /// - Parameters:
  ///   - operation: What is being done, for errors.
  ///   - hasPaper: Whether there is paper.
  ///   - body: Draws in a context.
  /// - Throws: `DocumentError`; `drawing` when cairo fails, `memoryLimit` when it has no memory.
  mutating func draw(
    _ operation: String,
    hasPaper: Bool = true,
    _ body: (OpaquePointer) -> Void
  ) throws(DocumentError) {
    let context = cairo_create(raw)
    defer { cairo_destroy(context) }
    guard let context else {
      throw DocumentError(.drawing, during: operation, "cairo gave no context")
    }
    cairo_save(context)
    body(context)
    cairo_restore(context)
    if hasPaper {
      // White goes under the finished page: painted first, it would take part in blend modes, and
      // pdftocairo, Evince and tumbler show such pages differently.
      cairo_set_operator(context, CAIRO_OPERATOR_DEST_OVER)
      cairo_set_source_rgb(context, 1, 1, 1)
      cairo_paint(context)
    }
    // cairo errors stick: one look at the end is enough.
    let status = cairo_status(context)
    guard status == CAIRO_STATUS_SUCCESS else {
      throw DocumentError(cairo: status, during: operation)
    }
    cairo_surface_flush(raw)
    let surfaceStatus = cairo_surface_status(raw)
    guard surfaceStatus == CAIRO_STATUS_SUCCESS else {
      throw DocumentError(cairo: surfaceStatus, during: operation)
    }
  }

  /// Lends the pixels: the bytes of all rows and the distance between rows in bytes.
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
  /// Lends the pixels for writing: the bytes of all rows and the distance between rows in bytes.
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
