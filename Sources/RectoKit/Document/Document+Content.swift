internal import DocumentModel
internal import PNGCoding
internal import RectoGeometry
internal import RectoPictures

/// Finding the parts of pages that are not white (`ShownBox.content`).
extension Document {
  /// Pixels of the longer side of the drawing in which the part of a page is found.
  private static let contentPixels = 1024.0
  /// Pages drawn from one subset.
  private static let contentPages = 16
  /// Grays from this one on count as white: those around pictures in JPEG differ a little from it.
  private static let whitest: UInt32 = 250

  /// Finds the parts of pages that are shown, if that takes a drawing, before something else is read in their
  /// coordinates.
  ///
  /// - Throws: As ``measure(_:)``, except for errors of single pages.
  func settleContent(of pages: Range<PageIndex>) async throws(DocumentError) {
    if shown.box == .content { _ = try await measure([pages]) }
  }

  /// Finds the parts of pages that are not white, and has them shown.
  ///
  /// - Parameters:
  ///   - pages: The pages.
  ///   - whole: The pages with their crop boxes.
  /// - Returns: The pages with the parts as crop boxes.
  /// - Throws: `cancelled`, and what keeps the page tree reader from being used.
  func findContent(
    of pages: Range<PageIndex>,
    in whole: [Result<PageInfo, DocumentError>]
  ) async throws(DocumentError) -> [Result<PageInfo, DocumentError>] {
    var results: [Result<PageInfo, DocumentError>] = []
    while results.count < whole.count {
      let first = pages.lowerBound.advanced(by: results.count)
      let portion = first..<min(first.advanced(by: Self.contentPages), pages.upperBound)
      let infos = whole[results.count...].prefix(portion.count).map { try? $0.get() }
      let measured = zip(portion, infos).compactMap { index, info in info.map { (index, $0) } }
      let subset = tree.subset(of: measured.map(\.0))
      try requireAgreement()
      if subset == nil, !measured.isEmpty { try requireShown() }
      let engine = engine
      let contents = await withTaskGroup(of: (PageIndex, Rect?).self) { group in
        for (index, info) in measured {
          group.addTask { (index, await Self.content(of: index, info, engine, subset)) }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      if Task.isCancelled { throw .cancelled }
      for (index, content) in contents {
        if let content { tree.show(content, of: index) }
      }
      results += tree.pages(in: portion)
      try requireAgreement()
    }
    return results
  }

  /// The part of a page that is not white, in user space; nil if there is none, or the page cannot be drawn, which is
  /// reported when it is shown.
  private static func content(
    of index: PageIndex,
    _ info: PageInfo,
    _ engine: any DocumentEngine,
    _ subset: DocumentSubset?
  ) async -> Rect? {
    let crop = info.cropBox
    let scale = contentPixels / max(info.size.width, info.size.height)
    let upright = (info.rotation ?? .none).inverse
    guard let style = try? PictureStyle(.ppm, isGray: true),
      let raster = try? PageRaster(page: index, info: info, scale: scale, rotation: upright),
      let drawn = try? await engine.draw(
        PageDrawing(raster, .parts([raster.whole]), style: style),
        subset: subset
      ),
      let picture = drawn.pictures.first.flatMap({
        Pixmap.picture($0, maxPixels: raster.size.width * raster.size.height)
      }),
      let ink = picture.bounds(where: { $0 & 0xFF < whitest })
    else { return nil }
    let points = 1 / (scale * info.userUnit)
    let (left, top) = (Double(ink.x) * points, Double(ink.y) * points)
    let right = min(Double(ink.x + ink.width) * points, crop.width)
    let bottom = min(Double(ink.y + ink.height) * points, crop.height)
    return Rect(
      x: crop.minX + left,
      y: crop.minY + crop.height - bottom,
      width: right - left,
      height: bottom - top
    )
  }
}

extension PNGPicture {
  /// The smallest rectangle around the pixels that meet a condition; nil if none does.
  ///
  /// - Complexity: O(pixels).
  func bounds(where isMet: (UInt32) -> Bool) -> PixelRect? {
    var (columns, rows): (Range<Int>?, Range<Int>?)
    for y in 0..<size.height {
      let row = pixels[y * size.width..<(y + 1) * size.width]
      guard let first = row.firstIndex(where: isMet), let last = row.lastIndex(where: isMet) else {
        continue
      }
      let found = first - row.startIndex..<last - row.startIndex + 1
      columns =
        columns.map {
          min($0.lowerBound, found.lowerBound)..<max($0.upperBound, found.upperBound)
        } ?? found
      rows = (rows?.lowerBound ?? y)..<y + 1
    }
    guard let columns, let rows else { return nil }
    return PixelRect(
      x: columns.lowerBound,
      y: rows.lowerBound,
      width: columns.count,
      height: rows.count
    )
  }
}
