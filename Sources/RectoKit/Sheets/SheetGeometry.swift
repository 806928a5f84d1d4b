internal import DocumentModel
internal import PageLayout
internal import RectoGeometry

/// Where the title, the pictures and the labels of a contact sheet are, in pixels from its top left.
struct SheetGeometry {
  /// A line of text.
  struct Label {
    var text: String
    /// The height of the font.
    var fontSize: Double
    var frame: PixelRect
  }

  /// The size of the sheet.
  let size: PixelSize
  /// The frames of the pictures, or of the crosses in their place.
  let pictures: [PixelRect]
  /// The title if there is one, then the labels of the cells, if they have any.
  let labels: [Label]

  /// The frames of a sheet: a column of the title and a grid.
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
    let column = try metrics.column(cell, columns: columns, count: cells.count)
    /// The frames of the pages of a part.
    func frames(_ part: Int, count: Int) throws(DocumentError) -> [PixelRect] {
      guard let part = column.part(at: [part]), let layout = part.layout else { return [] }
      var frames: [PixelRect] = []
      for index in 0..<count {
        guard let frame = layout.spread(index)?.frame else {
          throw DocumentError(.fault, during: "lay out a sheet", "cell \(index + 1) has no frame")
        }
        frames.append(frame.offsetBy(x: part.frame.minX, y: part.frame.minY).snapped(scale: 1))
      }
      return frames
    }
    var pictures: [PixelRect] = []
    var labels: [Label] = []
    if let title = style.title {
      labels += try frames(0, count: 1).map {
        Label(text: title, fontSize: metrics.titleSize, frame: $0)
      }
    }
    for ((cell, size), frame) in zip(
      zip(cells, sizes),
      try frames(column.count - 1, count: cells.count)
    ) {
      pictures.append(
        PixelRect(
          x: frame.x + (width - size.width) / 2,
          y: frame.y + height - size.height,
          width: size.width,
          height: size.height
        )
      )
      guard style.hasLabels else { continue }
      let label = PixelRect(
        x: frame.x,
        y: frame.y + height + metrics.labelGap,
        width: width,
        height: max(1, metrics.labelHeight - metrics.labelGap)
      )
      labels.append(Label(text: cell.label, fontSize: metrics.fontSize, frame: label))
    }
    self.size = Rect(origin: .zero, size: column.size).snapped(scale: 1).size
    self.pictures = pictures
    self.labels = labels
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

  /// The height of the font of the title.
  var titleSize: Double { fontSize * 1.5 }

  /// The height of the title; 0 without one.
  var titleHeight: Int { style.title == nil ? 0 : Int((titleSize * 1.5).rounded(.up)) }

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

  /// The title, if there is one, and below it a grid of equal cells: a page for each.
  ///
  /// - Throws: `fault` if they cannot be laid out.
  func column(_ cell: Size, columns: Int, count: Int) throws(DocumentError) -> LayoutColumn {
    let width = Double((columns - 1) * gap) + Double(columns) * cell.width
    var grid = LayoutConfiguration()
    grid.mode = .grid
    grid.grid = GridOptions(columns: columns)
    grid.gap = Double(gap)
    grid.margins = Insets(Double(margin))
    var line = grid
    line.grid = GridOptions(columns: 1)
    line.margins.bottom = 0
    do {
      func part(
        _ configuration: LayoutConfiguration,
        _ page: Size,
        _ count: Int
      ) throws(LayoutError) -> Layout {
        try Layout(
          configuration,
          pages: PageSequence(pageCount: count),
          sizes: PageSizes(estimate: .fixed(page)),
          viewport: Size(width: width + Double(2 * margin), height: page.height)
        )
      }
      let title = Size(width: width, height: Double(titleHeight))
      let parts = try style.title == nil ? [] : [part(line, title, 1)]
      return try LayoutColumn(parts + [part(grid, cell, count)])
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
    return PixelSize(width: width, height: height + (style.title == nil ? 0 : margin + titleHeight))
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
    guard !overflow, cells <= Self.mostCells else {
      return try refuse("the limit is \(Self.mostCells) on a sheet")
    }
    let side = min(SheetItem.largestSide, style.format.largestSide)
    guard let size = SheetMetrics(self).largestSheet, max(size.width, size.height) <= side else {
      return try refuse("the limit of a sheet is \(side) pixels a side")
    }
    guard size.width * size.height <= SheetItem.mostPixels else {
      return try refuse(
        "a sheet of \(size.width)×\(size.height) pixels; the limit is \(SheetItem.mostPixels)"
      )
    }
  }
}
