internal import DocumentModel
internal import RectoGeometry

/// When a page at which a rasterizer has failed is drawn again, with the other one, in a fresh worker and in what is left of
/// its time.
enum SecondTry {
  /// The part of a page's time that is left for it.
  private static let share = 0.25
  /// Seconds that it takes at least, of which it takes a part to start a worker.
  private static let leastSeconds = 1.0

  /// Whether pages are drawn again.
  ///
  /// - Parameter settings: Of the pool. As poppler's tools draw, pages are drawn with cairo alone.
  static func isAllowed(_ settings: WorkerPool.Settings) -> Bool {
    settings.rasterizer == .auto && settings.text == .precise
  }

  /// When the first try has to be done, so that there is time for a second try.
  static func firstDeadline(_ deadline: Deadline) -> Deadline {
    let left = deadline.seconds * share
    return left < leastSeconds ? deadline : deadline.earlier(by: left)
  }

  /// What draws a page again: Splash, or cairo where Splash was first because cairo draws the page wrong, which is better than
  /// nothing.
  ///
  /// - Parameters:
  ///   - subset: What is open of the document; nil for all of it.
  static func rasterizer(for page: PageIndex, in subset: DocumentSubset?) -> Rasterizer {
    let first = subset?.pages.first { $0.index == page }
    return first?.hasCairoFaults == true ? .cairo : .splash
  }

  /// Whether a page is drawn again. A worker that crashed, or said what is no answer, was taken over by its document for all
  /// that is known.
  ///
  /// - Parameters:
  ///   - error: Why it was not drawn.
  ///   - deadline: When the page has to be done.
  static func isDue(after error: DocumentError, by deadline: Deadline) -> Bool {
    switch error.code {
    case .timeLimit, .memoryLimit, .drawing:
      monotonicSeconds() + leastSeconds <= deadline.end
    default: false
    }
  }
}
