public import RectoGeometry

/// A drawing request: the only way to get pictures of pages.
public struct PageDrawing: Hashable, Sendable {
  /// How the pictures are made of the page.
  public enum Pictures: Hashable, Sendable {
    /// Rectangles in pixels from the page's top left, each inside the raster.
    case parts([PixelRect])
    /// Pictures of one direct drawing, at the size of the raster or smaller. Each size is averaged from the previous
    /// one, so all smaller sizes of a pyramid together cost a third of the largest.
    case reduced([ReducedPart])
    /// Pages on sheets, which together are one vector file. It comes in as many pieces as there are sheets.
    case sheets([VectorSheet])

    /// The size of each picture, in pixels; of a vector file, in points.
    public var sizes: [PixelSize] {
      switch self {
      case .sheets(let sheets): sheets.map(\.wholeSize)
      case .parts(let parts): parts.map(\.size)
      case .reduced(let parts): parts.map(\.part.size)
      }
    }
  }

  /// The purpose of the pictures.
  public enum Purpose: String, Hashable, Sendable {
    /// Other parts of the page at this scale will be wanted soon: the page is recorded, and the recording kept.
    case tiles
    /// Nothing else of the page at this scale will be wanted soon: it is drawn directly.
    case picture
    /// As `picture`, but uses the thumbnail embedded for the page if it is large enough.
    case thumbnail
  }

  /// The page at its scale, the largest where there are several; for sheets, the first page.
  public var raster: PageRaster
  /// The pictures.
  public var pictures: Pictures
  /// The format of the pictures, and what is kept of the pixels.
  public var style: PictureStyle
  /// The purpose.
  public var purpose: Purpose

  /// A drawing from its parts.
  ///
  /// - Parameters:
  ///   - raster: The page at its scale, the largest where there are several.
  ///   - pictures: The pictures.
  ///   - style: The format of the pictures, and what is kept of the pixels.
  ///   - purpose: The purpose.
  public init(
    _ raster: PageRaster,
    _ pictures: Pictures,
    style: PictureStyle = .tile,
    purpose: Purpose = .picture
  ) {
    self.raster = raster
    self.pictures = pictures
    self.style = style
    self.purpose = purpose
  }

  /// Whether the page is drawn without recording it.
  public var isDirect: Bool {
    switch pictures {
    case .reduced, .sheets: true
    case .parts: purpose != .tiles
    }
  }

  /// The same, drawn directly.
  public var direct: PageDrawing {
    var drawing = self
    if purpose == .tiles { drawing.purpose = .picture }
    return drawing
  }

  /// Checks that the pictures can be made.
  ///
  /// - Throws: `usage` or `pageSize`.
  public func check() throws(DocumentError) {
    switch pictures {
    case .reduced(let parts): try ReducedPart.check(parts, of: raster, style.format)
    case .sheets(let sheets): try VectorSheet.check(sheets, style.format)
    case .parts: break
    }
  }

  /// The pages that are drawn, each once.
  public var pages: [PageIndex] {
    guard case .sheets(let sheets) = pictures else { return [raster.pageIndex] }
    return Set(sheets.flatMap(\.pages).map(\.raster.pageIndex)).sorted()
  }
}

/// Hands out pages to draw and takes back the results. Thread-safe.
public protocol DrawingQueue: Sendable {
  /// Takes the next page. Does not wait.
  ///
  /// - Parameter isAhead: Whether the caller still has a page to draw. The last pages go to callers that have none.
  /// - Returns: The page, and the number to pass to `finish`; nil when there is none at the moment.
  func next(isAhead: Bool) -> (number: Int, drawing: PageDrawing)?
  /// Waits until a page is available. Other callers may take it first.
  ///
  /// - Returns: Whether any page is left.
  func wait() async -> Bool
  /// Hands back a page that was taken.
  func finish(_ number: Int, _ result: Result<DrawnPage, DocumentError>)
}

extension PageRasterizer {
  /// Draws pages one after the other, until there are no more.
  public func draw(_ pages: any DrawingQueue, subset: DocumentSubset?) async {
    while !Task.isCancelled, await pages.wait() {
      guard let (number, page) = pages.next(isAhead: false) else { continue }
      do throws(DocumentError) {
        pages.finish(number, .success(try await draw(page, subset: subset)))
      } catch {
        pages.finish(number, .failure(error))
      }
    }
  }
}
