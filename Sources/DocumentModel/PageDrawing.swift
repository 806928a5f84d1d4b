public import RectoGeometry

/// A page that is drawn once, directly, and the pictures that are made of it.
public struct PageDrawing: Hashable, Sendable {
  /// How the pictures are made of the page.
  public enum Pictures: Hashable, Sendable {
    /// Rectangles in pixels from the page's top left; see
    /// ``PageRasterizer/draw(_:parts:style:isOneOff:subset:)``.
    case parts([PixelRect])
    /// Smaller ones of one drawing; see ``PageRasterizer/reduce(_:to:style:allowsEmbedded:subset:)``.
    case reduced([ReducedPart])
  }

  /// The page at its scale, the largest where there are several.
  public var raster: PageRaster
  /// The pictures.
  public var pictures: Pictures
  /// The format of the pictures, and what is kept of the pixels.
  public var style: PictureStyle

  /// A drawing from its parts.
  ///
  /// - Parameters:
  ///   - raster: The page at its scale, the largest where there are several.
  ///   - pictures: The pictures.
  ///   - style: The format of the pictures, and what is kept of the pixels.
  public init(_ raster: PageRaster, _ pictures: Pictures, style: PictureStyle) {
    self.raster = raster
    self.pictures = pictures
    self.style = style
  }
}

/// Hands out pages that are to be drawn, and takes in what became of them. Several threads may be at it.
public protocol DrawingQueue: Sendable {
  /// Takes the next page. Does not wait.
  ///
  /// - Parameter isAhead: Whether who asks has a page to draw first: the last pages are for those who have none.
  /// - Returns: The page, under the number by which it is handed back; nil when there is none, or none at
  ///   this moment.
  func next(isAhead: Bool) -> (number: Int, drawing: PageDrawing)?
  /// Waits until a page may be taken, which others may do first.
  ///
  /// - Returns: Whether there is any page left.
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

  private func draw(
    _ page: PageDrawing,
    subset: DocumentSubset?
  ) async throws(DocumentError) -> DrawnPage {
    switch page.pictures {
    case .parts(let parts):
      try await draw(page.raster, parts: parts, style: page.style, isOneOff: true, subset: subset)
    case .reduced(let parts):
      try await reduce(
        page.raster,
        to: parts,
        style: page.style,
        allowsEmbedded: false,
        subset: subset
      )
    }
  }
}
