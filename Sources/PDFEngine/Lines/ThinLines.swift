// SPDX-License-Identifier: GPL-2.0-or-later

internal import CCairo
internal import DocumentModel
internal import RectoGeometry

/// Draws lines and bars that are thinner than a pixel so that they are visible.
///
/// On a page drawn small, an antialiased thin line is too light to see. So lines thinner than a pixel are drawn a pixel
/// wide, at their position. Hatches and maps would become black: where thin lines are close together, they are widened
/// only until they cover a part of the area (`LineDensity`), or not at all. Their distance is known only after the
/// whole page was drawn, so such a page is drawn twice.
final class ThinLines {
  /// The least width of a single line, in pixels.
  private static let leastWidth = 1.0

  /// The origin of the context, in pixels from the page's top left.
  private let origin: (x: Double, y: Double)
  /// The density that decides the widths; nil in a first drawing, which measures it.
  private let known: LineDensity?
  /// The lines in this drawing.
  private(set) var met: LineDensity
  private var boxes = AdjoiningBoxes()

  /// Lines for one drawing of a page, or of a part of it.
  ///
  /// - Parameters:
  ///   - origin: The origin of the context, in pixels from the page's top left.
  ///   - size: The page in pixels.
  ///   - known: The density measured by another drawing of the page.
  init(origin: (x: Int, y: Int), of size: PixelSize, known: LineDensity?) {
    self.origin = (Double(origin.x), Double(origin.y))
    self.known = known
    met = LineDensity(of: size)
  }

  /// Whether the page must be drawn again, so that the rest need not be drawn now.
  var isInVain: Bool { known == nil && met.isCrowded }

  /// Strokes the path of a context, and clears it.
  func stroke(_ context: OpaquePointer) {
    boxes.end()
    var matrix = cairo_matrix_t()
    cairo_get_matrix(context, &matrix)
    let width = cairo_get_line_width(context)
    let scale = LineScale(matrix)
    guard scale.largest.isFinite, scale.mean > 0, width * scale.largest < Self.leastWidth,
      let path = LinePath(of: context)
    else { return CairoOriginal.stroke?(context) ?? () }
    let dashes = Dashes(of: context)
    let least = leastWidth(share: dashes?.share ?? 1) { path.forEachLine($0) }
    guard !isInVain else { return cairo_new_path(context) }
    guard width * scale.mean < least else { return CairoOriginal.stroke?(context) ?? () }
    if scale.isEven {
      cairo_set_line_width(context, least / scale.mean)
      CairoOriginal.stroke?(context)
    } else {
      // As wide in all directions.
      cairo_identity_matrix(context)
      cairo_set_line_width(context, least)
      dashes?.scaled(by: scale.mean).set(in: context)
      CairoOriginal.stroke?(context)
      cairo_set_matrix(context, &matrix)
      dashes?.set(in: context)
    }
    cairo_set_line_width(context, width)
  }

  /// Fills the path of a context with a color, and clears it.
  func fill(_ context: OpaquePointer) {
    guard let source = cairo_get_source(context),
      cairo_pattern_get_type(source) == CAIRO_PATTERN_TYPE_SOLID,
      cairo_get_antialias(context) != CAIRO_ANTIALIAS_NONE,
      let path = LinePath(of: context),
      let bars = ThinBars(path)
    else {
      boxes.end()
      CairoOriginal.fill?(context)
      return
    }
    var alpha = 0.0
    cairo_pattern_get_rgba(source, nil, nil, nil, &alpha)
    if alpha == 1, let box = bars.box {
      if let joined = boxes.joined(box) { return fill(joined, context) }
    } else {
      boxes.end()
    }
    guard !bars.bars.isEmpty else { return CairoOriginal.fill?(context) ?? () }
    let widths = bars.bars.map { bar in
      max(bar.thickness, leastWidth(share: 1) { $0(bar.line) })
    }
    guard !isInVain else { return cairo_new_path(context) }
    CairoOriginal.save?(context)
    cairo_identity_matrix(context)
    cairo_new_path(context)
    if !bars.others.isEmpty {
      for polygon in bars.others {
        for (place, point) in polygon.enumerated() {
          if place == 0 {
            cairo_move_to(context, point.x, point.y)
          } else {
            cairo_line_to(context, point.x, point.y)
          }
        }
        cairo_close_path(context)
      }
      CairoOriginal.fill?(context)
    }
    cairo_set_dash(context, nil, 0, 0)
    cairo_set_line_cap(context, CAIRO_LINE_CAP_BUTT)
    for (bar, width) in zip(bars.bars, widths) {
      let line = bar.line.lengthened(to: width).snapped(width: width)
      cairo_move_to(context, line.fromX, line.fromY)
      cairo_line_to(context, line.toX, line.toY)
      cairo_set_line_width(context, width)
      CairoOriginal.stroke?(context)
    }
    CairoOriginal.restore?(context)
  }

  private func fill(_ box: AdjoiningBoxes.Box, _ context: OpaquePointer) {
    var matrix = cairo_matrix_t()
    cairo_get_matrix(context, &matrix)
    cairo_identity_matrix(context)
    cairo_new_path(context)
    cairo_rectangle(context, box.left, box.top, box.right - box.left, box.bottom - box.top)
    cairo_set_matrix(context, &matrix)
    CairoOriginal.fill?(context)
  }

  /// The least width for lines that belong together, in pixels; records the lines.
  ///
  /// - Parameters:
  ///   - share: The fraction of the lines that is drawn.
  private func leastWidth(
    share: Double,
    _ forEachLine: ((StraightLine) -> Void) -> Void
  ) -> Double {
    var (sum, length) = (0.0, 0.0)
    forEachLine { line in
      var line = line
      line.move(by: origin)
      guard let known else { return met.add(line, share: share) }
      let part = known.leastWidth(of: line)
      sum += part.sum
      length += part.length
    }
    return length > 0 ? sum / length : Self.leastWidth
  }
}

/// How much a matrix scales lengths.
private struct LineScale {
  /// The largest scale of any direction.
  let largest: Double
  /// The square root of the scale of areas.
  let mean: Double

  /// From the singular values of a matrix.
  init(_ matrix: cairo_matrix_t) {
    let squares =
      matrix.xx * matrix.xx + matrix.xy * matrix.xy + matrix.yx * matrix.yx + matrix.yy * matrix.yy
    let area = abs(matrix.xx * matrix.yy - matrix.xy * matrix.yx)
    largest = ((squares + 2 * area).squareRoot() + max(squares - 2 * area, 0).squareRoot()) / 2
    mean = area.squareRoot()
  }

  /// Whether it is the same in all directions.
  var isEven: Bool { largest < mean * 1.001 }
}

/// The dashes of a context.
private struct Dashes {
  private var lengths: [Double]
  private var offset = 0.0

  /// Nil if lines are solid.
  init?(of context: OpaquePointer) {
    let count = cairo_get_dash_count(context)
    guard count > 0 else { return nil }
    lengths = Array(repeating: 0, count: Int(count))
    cairo_get_dash(context, &lengths, &offset)
  }

  /// The part of a line that is drawn.
  var share: Double {
    let sum = lengths.reduce(0, +)
    guard lengths.count % 2 == 0, sum > 0 else { return 0.5 }
    return stride(from: 0, to: lengths.count, by: 2).reduce(0) { $0 + lengths[$1] } / sum
  }

  func scaled(by factor: Double) -> Dashes {
    var dashes = self
    for place in lengths.indices { dashes.lengths[place] *= factor }
    dashes.offset *= factor
    return dashes
  }

  func set(in context: OpaquePointer) {
    cairo_set_dash(context, lengths, Int32(lengths.count), offset)
  }
}

extension StraightLine {
  fileprivate mutating func move(by offset: (x: Double, y: Double)) {
    fromX += offset.x
    fromY += offset.y
    toX += offset.x
    toY += offset.y
  }

  /// The line centered on pixels, if it is along an axis and a pixel wide, so that it is as dark as possible.
  fileprivate func snapped(width: Double) -> StraightLine {
    guard width > 0.999 else { return self }
    var line = self
    if fromX == toX {
      line.fromX = fromX.rounded(.down) + 0.5
      line.toX = line.fromX
    } else if fromY == toY {
      line.fromY = fromY.rounded(.down) + 0.5
      line.toY = line.fromY
    }
    return line
  }

  /// The line extended to a least length, with the same center.
  fileprivate func lengthened(to least: Double) -> StraightLine {
    let length = length
    guard length < least else { return self }
    let (x, y) = ((fromX + toX) / 2, (fromY + toY) / 2)
    let (alongX, alongY) =
      length > 0 ? ((toX - fromX) / length, (toY - fromY) / length) : (1, 0)
    return StraightLine(
      fromX: x - alongX * least / 2,
      fromY: y - alongY * least / 2,
      toX: x + alongX * least / 2,
      toY: y + alongY * least / 2
    )
  }
}
