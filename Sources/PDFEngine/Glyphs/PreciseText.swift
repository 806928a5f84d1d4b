// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
internal import RectoGeometry

/// The state of a context in which text is placed precisely.
///
/// It is attached to the context, so that other drawing in the process is not affected: contexts of the program that
/// links this library, and those that poppler creates for patterns, which are scaled later.
final class PreciseText {
  /// The clip of a context, as far as it is known.
  enum Clip {
    /// All of a box with edges along the axes, in pixels of the surface.
    case box(ClosedRange<Double>, ClosedRange<Double>)
    /// Something else.
    case other
  }

  /// The visible part of the surface, in pixels.
  let visible: PixelRect
  /// Draws its thin lines.
  let lines: ThinLines
  /// The clips of the saved states and of the current one.
  private var clips: [Clip]

  /// The key of the data attached to cairo's object.
  private static let key = UInt(
    bitPattern: UnsafeMutablePointer<cairo_user_data_key_t>.allocate(capacity: 1)
  )

  private init(visible: PixelRect, lines: ThinLines) {
    self.visible = visible
    self.lines = lines
    clips = [
      .box(
        Double(visible.x)...Double(visible.maxX),
        Double(visible.y)...Double(visible.maxY)
      )
    ]
  }

  /// Places text precisely from now on.
  ///
  /// - Parameters:
  ///   - context: A new context, which has no clip.
  ///   - visible: The visible part of its surface, in pixels.
  static func begin(in context: OpaquePointer, visible: PixelRect, lines: ThinLines) {
    let text = Unmanaged.passRetained(PreciseText(visible: visible, lines: lines))
    let key = UnsafePointer<cairo_user_data_key_t>(bitPattern: Self.key)
    let status = cairo_set_user_data(context, key, text.toOpaque()) { text in
      if let text { Unmanaged<PreciseText>.fromOpaque(text).release() }
    }
    // The context is then in an error state, which is checked after drawing.
    guard status == CAIRO_STATUS_SUCCESS else { return text.release() }
    let options = cairo_font_options_create()
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_set_font_options(context, options)
    cairo_font_options_destroy(options)
  }

  /// The state of a context; nil if its text is left to cairo.
  static func of(_ context: OpaquePointer?) -> PreciseText? {
    let key = UnsafePointer<cairo_user_data_key_t>(bitPattern: Self.key)
    guard let text = cairo_get_user_data(context, key) else { return nil }
    return Unmanaged<PreciseText>.fromOpaque(text).takeUnretainedValue()
  }

  /// Records that the state of the context is saved.
  func save() { clips.append(clips[clips.count - 1]) }

  /// Records that the last saved state is restored.
  func restore() { if clips.count > 1 { clips.removeLast() } }

  /// Records the path of a context, which is about to become its clip.
  func clip(_ context: OpaquePointer) {
    guard case .box(let columns, let rows) = clips[clips.count - 1] else { return }
    var clip = Clip.other
    if let box = Self.box(of: context), columns.overlaps(box.columns), rows.overlaps(box.rows) {
      clip = .box(columns.clamped(to: box.columns), rows.clamped(to: box.rows))
    }
    clips[clips.count - 1] = clip
  }

  /// Whether every pixel of a rectangle can be painted on, as a whole.
  func isOpen(_ rect: PixelRect) -> Bool {
    guard case .box(let columns, let rows) = clips[clips.count - 1] else { return false }
    return columns.lowerBound <= Double(rect.x) && Double(rect.maxX) <= columns.upperBound
      && rows.lowerBound <= Double(rect.y) && Double(rect.maxY) <= rows.upperBound
  }

  /// The tolerance of edges, in pixels.
  private static let tolerance = 1.0 / 128

  /// The path of a context as a box, in pixels.
  private static func box(
    of context: OpaquePointer
  ) -> (columns: ClosedRange<Double>, rows: ClosedRange<Double>)? {
    guard let path = cairo_copy_path(context) else { return nil }
    defer { cairo_path_destroy(path) }
    let data = UnsafeBufferPointer(start: path.pointee.data, count: Int(path.pointee.num_data))
    guard path.pointee.status == CAIRO_STATUS_SUCCESS, data.count <= 14 else { return nil }
    var points: [(x: Double, y: Double)] = []
    var start = 0
    while start < data.count {
      let header = data[start].header
      switch header.type {
      case CAIRO_PATH_MOVE_TO where points.isEmpty || start == data.count - 2, CAIRO_PATH_LINE_TO:
        var (x, y) = (data[start + 1].point.x, data[start + 1].point.y)
        cairo_user_to_device(context, &x, &y)
        points.append((x, y))
      case CAIRO_PATH_CLOSE_PATH: break
      default: return nil
      }
      guard header.length > 0 else { return nil }
      start += Int(header.length)
    }
    // The start point may be repeated at the end and after it.
    while points.count > 4, let last = points.popLast() {
      guard abs(last.x - points[0].x) < tolerance, abs(last.y - points[0].y) < tolerance else {
        return nil
      }
    }
    guard points.count == 4 else { return nil }
    let (a, b, c, d) = (points[0], points[1], points[2], points[3])
    let isBox =
      abs(a.x - b.x) < tolerance && abs(b.y - c.y) < tolerance && abs(c.x - d.x) < tolerance
      && abs(d.y - a.y) < tolerance
      || abs(a.y - b.y) < tolerance && abs(b.x - c.x) < tolerance && abs(c.y - d.y) < tolerance
        && abs(d.x - a.x) < tolerance
    guard isBox else { return nil }
    // Cairo has coordinates in 256ths of a pixel, so an edge may be that much further in.
    let columns = (min(a.x, c.x) + tolerance, max(a.x, c.x) - tolerance)
    let rows = (min(a.y, c.y) + tolerance, max(a.y, c.y) - tolerance)
    guard columns.0 <= columns.1, rows.0 <= rows.1 else { return nil }
    return (columns.0...columns.1, rows.0...rows.1)
  }
}
