internal import DocumentModel
public import PageLayout
internal import RectoGeometry

/// The place of a viewer in another document.
extension Viewer {
  /// A viewer of another document, of the same file after it has changed, or of another generation of the same document,
  /// that looks at the same place: with this viewer's viewport, scale, zoom and fit, and a geometry that follows this
  /// viewer's.
  ///
  /// If the document has fewer pages, it shows the last one, or the start if the layout does not show that page.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - configuration: How its pages are arranged; nil for this viewer's. Zoom and fit are always this viewer's.
  ///   - pages: Which pages, in which order; nil for all of them.
  /// - Returns: The viewer.
  /// - Throws: `LayoutError`, any `DocumentError` of opening the document, or ``ViewerError`` if the window would show
  ///   too many pages.
  public func carried(
    to document: Document,
    configuration: LayoutConfiguration? = nil,
    pages: PageSequence? = nil
  ) async throws -> Viewer {
    let before = scene
    let layout = before.documentLayout.layout
    let info = try await document.info()
    guard info.pageCount > 0 else { throw DocumentError.noPages }
    var configuration = configuration ?? layout.configuration
    (configuration.zoom, configuration.fit) = (layout.configuration.zoom, layout.configuration.fit)
    configuration.spreadViews = layout.configuration.spreadViews
    let viewer = try await Viewer(
      document,
      configuration: configuration,
      arrangement: arrangement,
      pages: pages ?? PageSequence(pageCount: info.pageCount),
      viewport: layout.viewport,
      scale: before.scale,
      tileSide: before.tileSide,
      geometry: before.geometry + 1
    )
    try await viewer.goTo(before.viewpoint.place, pageCount: info.pageCount)
    return viewer
  }

  /// Goes to a place of another document.
  private func goTo(_ place: Place?, pageCount: Int) async throws(ViewerError) {
    var move = ViewerMove()
    if let place, let last = Range(pageCount: pageCount).last {
      move.place = place.anchor.page <= last ? .place(place) : .page(last, fraction: 0)
    }
    do throws(ViewerError) {
      _ = try await show(move)
    } catch .noSuchPage {
      _ = try await show(ViewerMove())
    }
  }
}
