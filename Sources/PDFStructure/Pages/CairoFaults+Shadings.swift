/// A function-based shading as poppler draws it with cairo: in cells with the colors of their corners, between which it
/// interpolates.
private struct CellShading {
  let function: CalculatorFunction
  /// The edges of the cells, in the units of the domain.
  private let columns: [Double], rows: [Double]
  /// The components of a color.
  let components: Int

  /// The side of a cell, in the units of the matrix.
  private static let side = 10.0
  private static let mostCells = 1 << 13
  /// How much a color may differ; where one reaches its limit within a cell, it does by a few levels of 256.
  private static let tolerance = 1.0 / 32
  /// Where a cell is compared with the function, as parts of its sides.
  private static let samples = [(0.5, 0.5), (0.3, 0.8), (0.7, 0.2)]

  /// Nil if there are too many cells, or poppler may never reach the end of the domain.
  init?(_ function: CalculatorFunction, scales: [Double], domain: [Double], components: Int) {
    guard let columns = Self.edges(from: domain[0], to: domain[1], scales[0]),
      let rows = Self.edges(from: domain[2], to: domain[3], scales[1]),
      columns.count * rows.count <= Self.mostCells
    else { return nil }
    (self.function, self.components) = (function, components)
    (self.columns, self.rows) = (columns, rows)
  }

  /// The operations that ``isSmooth`` takes.
  var work: Int { columns.count * rows.count * (1 + Self.samples.count) * function.count }

  /// The edges of cells along an axis.
  private static func edges(from start: Double, to end: Double, _ scale: Double) -> [Double]? {
    let step = side / scale
    // Poppler adds up steps until it reaches the end.
    guard step.isFinite, start < end, end - start <= step * Double(mostCells),
      max(abs(start), abs(end)) <= step * 1e6
    else { return nil }
    return Array(stride(from: start, to: end, by: step)) + [end]
  }

  /// Whether the interpolated colors are those of the function.
  var isSmooth: Bool {
    var last = colors(inRow: rows[0])
    for (top, bottom) in zip(rows, rows.dropFirst()) {
      guard let above = last, let below = colors(inRow: bottom) else { return false }
      last = below
      for (place, (left, right)) in zip(columns, columns.dropFirst()).enumerated() {
        for (u, v) in Self.samples {
          guard let color = color(left + (right - left) * u, top + (bottom - top) * v) else {
            return false
          }
          for (part, value) in color.enumerated() {
            let upper = above[place][part] * (1 - u) + above[place + 1][part] * u
            let lower = below[place][part] * (1 - u) + below[place + 1][part] * u
            guard abs(upper * (1 - v) + lower * v - value) <= Self.tolerance else { return false }
          }
        }
      }
    }
    return true
  }

  private func colors(inRow row: Double) -> [[Double]]? {
    let colors = columns.compactMap { color($0, row) }
    return colors.count == columns.count ? colors : nil
  }

  private func color(_ x: Double, _ y: Double) -> [Double]? {
    guard let values = function.values(x, y), values.count == components else { return nil }
    return values.map { min(max($0, 0), 1) }
  }
}

extension ObjectStore {
  /// Whether cairo draws a function-based shading right: steps and fine patterns are lost in poppler's cells, and
  /// poppler never ends if the matrix turns or mirrors. Shadings that cannot be judged are not smooth.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func isSmoothShading(_ shading: SourcedValue) throws(StructureError) -> Bool {
    let keys: [PackedName] = ["ColorSpace", "Domain", "Function", "Matrix"]
    guard let entries = try entries(of: shading, picking: keys) else { return false }
    let matrix = try numbers(entries.sourcedValue("Matrix")) ?? [1, 0, 0, 1, 0, 0]
    let domain = try numbers(entries.sourcedValue("Domain")) ?? [0, 1, 0, 1]
    guard case .name(let space) = entries["ColorSpace"],
      let components = ["DeviceGray": 1, "DeviceRGB": 3][space],
      matrix.count == 6, matrix[0] > 0, matrix[1] == 0, matrix[2] == 0, matrix[3] > 0,
      domain.count == 4, let value = entries.sourcedValue("Function"),
      let function = try self.entries(
        of: value,
        picking: StreamDecoder.keys + ["FunctionType", "Domain", "Range"]
      ),
      case .int(4) = function["FunctionType"], let start = function.streamStart,
      let own = try numbers(function.sourcedValue("Domain")), own.count == 4,
      own[0] <= domain[0], domain[1] <= own[1], own[2] <= domain[2], domain[3] <= own[3],
      let range = try numbers(function.sourcedValue("Range")),
      range == Array(repeating: [0, 1], count: components).flatMap(\.self),
      let source = try? mendedStream(
        of: function,
        from: start,
        atMost: CalculatorFunction.mostBytes
      ),
      let calculator = CalculatorFunction(source),
      let cells = CellShading(
        calculator,
        scales: [matrix[0], matrix[3]],
        domain: domain,
        components: components
      )
    else { return false }
    try meter.charge(cells.work)
    return cells.isSmooth
  }
}
