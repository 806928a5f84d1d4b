internal import DocumentModel

/// The pages that a worker draws one after the other, without quarantined ones.
struct PageSupply: Sendable {
  /// A page that was taken.
  struct Page {
    fileprivate var number: Int
    /// The page at its scale.
    fileprivate(set) var raster: PageRaster
    /// The request to the worker.
    var request: WorkerRequest
  }

  private let pages: any DrawingQueue
  private let quarantine: SharedQuarantine

  /// Pages without quarantined ones.
  init(_ pages: any DrawingQueue, _ quarantine: SharedQuarantine) {
    self.pages = pages
    self.quarantine = quarantine
  }

  /// Takes the next page that may be drawn.
  ///
  /// - Parameters:
  ///   - isAhead: Whether the worker still has a page to draw.
  ///   - cancellation: No page is taken after it.
  /// - Returns: The page; nil when there is none at the moment.
  func next(isAhead: Bool, _ cancellation: Cancellation) -> Page? {
    while !cancellation.isCancelled, let (number, drawing) = pages.next(isAhead: isAhead) {
      do throws(DocumentError) {
        if let error = quarantine.error(for: drawing.raster) { throw error }
        try drawing.check()
        let request = WorkerRequest.draw(drawing.direct)
        return Page(number: number, raster: drawing.raster, request: request)
      } catch {
        pages.finish(number, .failure(error))
      }
    }
    return nil
  }

  /// Returns a page with its result.
  func finish(_ page: Page, _ result: Result<DrawnPage, DocumentError>) {
    quarantine.note(result, of: page.raster)
    pages.finish(page.number, result)
  }

  /// Returns a page whose document cannot be opened, which is not the page's fault.
  func finish(_ page: Page, opening error: DocumentError) {
    pages.finish(page.number, .failure(error))
  }
}
