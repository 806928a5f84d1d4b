internal import DocumentModel
internal import RectoGeometry

/// Decides when a page at which a rasterizer failed is drawn again with the other one, in a new worker and in the
/// remaining time.
enum SecondTry {
  /// The part of a page's time that is reserved for it.
  private static let share = 0.25
  /// The least seconds for it, including the start of a worker.
  private static let leastSeconds = 1.0

  /// Whether pages are drawn again.
  ///
  /// - Parameter settings: The settings of the pool. Text placed as by poppler is drawn only with
  ///   cairo.
  static func isAllowed(_ settings: WorkerPool.Settings) -> Bool {
    settings.rasterizer == .auto && settings.text == .precise
  }

  /// The deadline of the first try, so that there is time for a second. The rest is its reserve: a worker that was
  /// stopped, or that others left little processor time, goes on, because what a page looks like must not depend on that.
  static func firstDeadline(_ deadline: Deadline) -> Deadline {
    let left = deadline.seconds * share
    return left < leastSeconds ? deadline : deadline.earlier(by: left)
  }

  /// The rasterizer for the second try: Splash. If Splash was used first because cairo draws the page wrong, cairo:
  /// better than nothing.
  ///
  /// - Parameters:
  ///   - subset: The open part of the document; nil for all of it.
  static func rasterizer(for page: PageIndex, in subset: DocumentSubset?) -> Rasterizer {
    let first = subset?.pages.first { $0.index == page }
    return first?.hasCairoFaults == true ? .cairo : .splash
  }

  /// Whether a page is drawn again. A worker that crashed or sent an invalid reply may have been compromised.
  ///
  /// - Parameters:
  ///   - error: Why it was not drawn.
  ///   - deadline: The deadline of the page.
  static func isDue(after error: DocumentError, by deadline: Deadline) -> Bool {
    switch error.code {
    case .timeLimit, .memoryLimit, .drawing:
      deadline.left >= leastSeconds
    default: false
    }
  }
}
