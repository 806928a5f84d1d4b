// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo

/// The path of a context, in pixels of its surface.
struct LinePath: ~Copyable {
  private let raw: UnsafeMutablePointer<cairo_path_t>

  /// Copies the path of a context; nil if there is none.
  ///
  /// - Complexity: O(*n*) in the number of points.
  init?(of context: OpaquePointer) {
    var matrix = cairo_matrix_t()
    cairo_get_matrix(context, &matrix)
    // So that points have cairo's precision, 256ths of a pixel.
    cairo_identity_matrix(context)
    let path = cairo_copy_path(context)
    cairo_set_matrix(context, &matrix)
    guard let path else { return nil }
    guard path.pointee.status == CAIRO_STATUS_SUCCESS, path.pointee.num_data > 0 else {
      cairo_path_destroy(path)
      return nil
    }
    raw = path
  }

  deinit { cairo_path_destroy(raw) }

  /// A step of a path.
  enum Step {
    case start(x: Double, y: Double)
    case line(x: Double, y: Double)
    /// A curve, by its control points.
    case curve((x: Double, y: Double), (x: Double, y: Double), x: Double, y: Double)
    case close
  }

  /// Iterates over the steps of the path.
  ///
  /// - Parameter body: Called for each step; returns whether to continue.
  func forEachStep(_ body: (Step) -> Bool) {
    let data = UnsafeBufferPointer(start: raw.pointee.data, count: Int(raw.pointee.num_data))
    let point = { (place: Int) in (x: data[place].point.x, y: data[place].point.y) }
    var place = 0
    while place < data.count {
      let header = data[place].header
      let step: Step =
        switch header.type {
        case CAIRO_PATH_MOVE_TO: .start(x: point(place + 1).x, y: point(place + 1).y)
        case CAIRO_PATH_LINE_TO: .line(x: point(place + 1).x, y: point(place + 1).y)
        case CAIRO_PATH_CURVE_TO:
          .curve(point(place + 1), point(place + 2), x: point(place + 3).x, y: point(place + 3).y)
        default: .close
        }
      guard body(step), header.length > 0 else { return }
      place += Int(header.length)
    }
  }

  /// Calls a closure with the straight lines of the path; a curve is replaced by the lines between its control points.
  func forEachLine(_ body: (StraightLine) -> Void) {
    var (x, y) = (0.0, 0.0)
    var (startX, startY) = (0.0, 0.0)
    func draw(to point: (x: Double, y: Double)) {
      body(StraightLine(fromX: x, fromY: y, toX: point.x, toY: point.y))
      (x, y) = point
    }
    forEachStep { step in
      switch step {
      case .start(let newX, let newY):
        (x, y) = (newX, newY)
        (startX, startY) = (newX, newY)
      case .line(let toX, let toY): draw(to: (toX, toY))
      case .curve(let first, let second, let toX, let toY):
        draw(to: first)
        draw(to: second)
        draw(to: (toX, toY))
      case .close:
        if x != startX || y != startY { draw(to: (startX, startY)) }
      }
      return true
    }
  }
}
