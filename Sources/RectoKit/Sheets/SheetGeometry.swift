internal import DocumentModel
internal import PageLayout
internal import RectoGeometry

/// Where the pictures and labels of a contact sheet are, in pixels from its top left.
struct SheetGeometry {
  /// The size of the sheet.
  let size: PixelSize
  /// The height of the font.
  let fontSize: Double
  /// The frames of the pictures, or of the crosses in their place.
  let pictures: [PixelRect]
  /// The frames of the labels.
  let labels: [PixelRect]

  /// The frames of a sheet.
  ///
  /// All cells have the same size, that of the largest picture. Pictures are at the bottom of their
  /// cells, next to their labels. A sheet with less than a row of cells is narrower; one with fewer rows is lower.
  ///
  /// - Parameters:
  ///   - cells: The cells, at least one.
  /// - Throws: `fault` if the pictures cannot be laid out.
  init(_ cells: [SheetCell], _ style: ContactSheetStyle) throws(DocumentError) {
    let metrics = SheetMetrics(style)
    let sizes = cells.map { metrics.size(of: $0.picture) }
    let width = max(metrics.leastWidth, sizes.map(\.width).max() ?? 1)
    let height = sizes.map(\.height).max() ?? 1
    let columns = min(style.columns, max(1, cells.count))
    let cell = Size(width: Double(width), height: Double(height + metrics.labelHeight))
    let layout = try metrics.layout(cell, columns: columns, count: cells.count)
    var pictures: [PixelRect] = []
    var labels: [PixelRect] = []
    for (index, size) in sizes.enumerated() {
      guard let frame = layout.spread(index)?.frame.snapped(scale: 1) else {
        throw DocumentError(.fault, during: "lay out a sheet", "cell \(index + 1) has no frame")
      }
      pictures.append(
        PixelRect(
          x: frame.x + (width - size.width) / 2,
          y: frame.y + height - size.height,
          width: size.width,
          height: size.height
        )
      )
      labels.append(
        PixelRect(
          x: frame.x,
          y: frame.y + height + metrics.labelGap,
          width: width,
          height: max(1, metrics.labelHeight - metrics.labelGap)
        )
      )
    }
    let content = Rect(origin: .zero, size: layout.contentSize).snapped(scale: 1)
    self.size = content.size
    self.pictures = pictures
    self.labels = labels
    fontSize = metrics.fontSize
  }
}

/// The lengths that all sheets of a style share, in pixels.
struct SheetMetrics {
  private let style: ContactSheetStyle
  private var side: Int { style.pictureSide }

  init(_ style: ContactSheetStyle) { self.style = style }

  /// The height of the font: readable on small sheets, and proportional on large ones.
  var fontSize: Double { min(max(Double(side) / 20, 10), 64) }

  /// The distance of a label from its picture.
  var labelGap: Int { Int((fontSize * 0.35).rounded()) }

  /// The height of a label with its distance from the picture; 0 without labels.
  var labelHeight: Int { style.hasLabels ? Int((fontSize * 1.5).rounded(.up)) + labelGap : 0 }

  /// The distance between cells.
  var gap: Int { max(6, side / 12) }

  /// The distance of cells from the edges.
  var margin: Int { gap * 3 / 2 }

  /// The least width of a cell, so that its label can be read.
  var leastWidth: Int { style.hasLabels ? min(side, max(side * 5 / 8, 64)) : 1 }

  /// The size of a picture on the sheet; that of an A4 page if there is none.
  func size(of picture: SheetPicture?) -> PixelSize {
    guard let size = picture?.size, size.width > 0, size.height > 0 else {
      return PixelSize(width: max(1, side * 70 / 99), height: side)
    }
    let scale = min(1, Double(side) / Double(max(size.width, size.height)))
    func scaled(_ length: Int) -> Int { min(side, max(1, Int((Double(length) * scale).rounded()))) }
    return PixelSize(width: scaled(size.width), height: scaled(size.height))
  }

  /// The layout of equal cells.
  ///
  /// - Returns: A layout with a page for each cell.
  /// - Throws: `fault` if there is none.
  func layout(_ cell: Size, columns: Int, count: Int) throws(DocumentError) -> Layout {
    var configuration = LayoutConfiguration()
    configuration.mode = .grid
    configuration.grid = GridOptions(columns: columns)
    configuration.gap = Double(gap)
    configuration.margins = Insets(Double(margin))
    let width = Double(2 * margin + (columns - 1) * gap) + Double(columns) * cell.width
    do {
      return try Layout(
        configuration,
        pages: PageSequence(pageCount: count),
        sizes: PageSizes(estimate: .fixed(cell)),
        viewport: Size(width: width, height: cell.height)
      )
    } catch {
      throw DocumentError(.fault, during: "lay out a sheet", "\(error)")
    }
  }

  /// The size of a sheet with the largest possible cells; nil on overflow.
  var largestSheet: PixelSize? {
    func length(_ count: Int, _ cell: Int) -> Int? {
      let (product, overflow) = count.multipliedReportingOverflow(by: cell + gap)
      return overflow || product > 1 << 40 ? nil : product - gap + 2 * margin
    }
    guard let width = length(style.columns, side),
      let height = length(style.rows, side + labelHeight)
    else { return nil }
    return PixelSize(width: width, height: height)
  }
}

extension ContactSheetStyle {
  /// Checks that sheets are within the limits.
  ///
  /// - Throws: `pageSize` if they could exceed them.
  func requirePossible() throws(DocumentError) {
    func refuse(_ reason: String) throws(DocumentError) {
      throw DocumentError(
        .pageSize,
        during: "",
        "\(columns)x\(rows) pictures of \(pictureSide) pixels: \(reason)"
      )
    }
    let (cells, overflow) = columns.multipliedReportingOverflow(by: rows)
    guard !overflow, cells <= SheetRequest.mostCells else {
      return try refuse("the limit is \(SheetRequest.mostCells) on a sheet")
    }
    let side = min(SheetRequest.largestSide, style.format.largestSide)
    guard let size = SheetMetrics(self).largestSheet, max(size.width, size.height) <= side else {
      return try refuse("the limit of a sheet is \(side) pixels a side")
    }
    guard size.width * size.height <= SheetRequest.mostPixels else {
      return try refuse(
        "a sheet of \(size.width)×\(size.height) pixels; the limit is \(SheetRequest.mostPixels)"
      )
    }
  }
}
