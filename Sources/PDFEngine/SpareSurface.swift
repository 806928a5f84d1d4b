// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
internal import RectoGeometry
internal import Synchronization

/// The memory of a large picture that is no longer needed, for the next one of its size.
///
/// Pages of a document mostly have one size. The kernel clears the memory that it provides, which takes longer than
/// clearing existing memory: a sixth of the time of a page of text at 192 dpi.
enum SpareSurface {
  /// The smallest pictures to keep, in bytes: for smaller ones the heap is fine.
  private static let smallest = 1 << 21
  /// The largest pictures to keep, in bytes.
  private static let largest = 1 << 26

  /// The address of the surface; 0 for none.
  private static let kept = Mutex<UInt>(0)

  /// A transparent surface of a size, if one is kept.
  static func take(_ size: PixelSize) -> OpaquePointer? {
    let address = kept.withLock { address in
      defer { address = 0 }
      return address
    }
    guard let surface = OpaquePointer(bitPattern: address) else { return nil }
    guard cairo_image_surface_get_width(surface) == Int32(size.width),
      cairo_image_surface_get_height(surface) == Int32(size.height), clear(surface)
    else {
      cairo_surface_destroy(surface)
      return nil
    }
    return surface
  }

  /// Keeps a surface instead of the previous one, or destroys it.
  ///
  /// - Parameter surface: A surface in memory, with no other references.
  static func keep(_ surface: OpaquePointer) {
    let bytes =
      Int(cairo_image_surface_get_stride(surface)) * Int(cairo_image_surface_get_height(surface))
    var unneeded = UInt(bitPattern: surface)
    if (smallest...largest).contains(bytes), cairo_surface_get_reference_count(surface) == 1,
      cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS
    {
      kept.withLock { swap(&$0, &unneeded) }
    }
    if let surface = OpaquePointer(bitPattern: unneeded) { cairo_surface_destroy(surface) }
  }

  /// Makes cairo clear a surface, so that it knows it is transparent: otherwise it rounds differently in the first
  /// drawing.
  private static func clear(_ surface: OpaquePointer) -> Bool {
    let context = cairo_create(surface)
    defer { cairo_destroy(context) }
    cairo_set_operator(context, CAIRO_OPERATOR_CLEAR)
    cairo_paint(context)
    return cairo_status(context) == CAIRO_STATUS_SUCCESS
      && cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS
  }
}
