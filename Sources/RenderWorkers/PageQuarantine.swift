internal import DocumentModel
internal import RectoGeometry
internal import Synchronization

/// The pages that kill the workers which draw them.
///
/// A page that has done so twice, without having been drawn in between, is set aside: it would do it
/// again, and each time a worker has to be started and to open the document. A crash counts at every
/// scale, and so does a `fault`, after which a worker that said what is no answer was killed. A time
/// or memory limit counts at its scale and larger ones: a map too large at 1,600 % is still wanted at
/// 100 %.
struct PageQuarantine: Sendable {
  private struct Death {
    /// The smallest scale that it speaks of.
    var scale: Double
    var error: DocumentError
  }

  private var deaths: [PageIndex: [Death]] = [:]

  /// Deaths after which a page is set aside.
  private static let limit = 2

  /// Why this page is not to be drawn any more; nil when it may be tried.
  func error(for raster: PageRaster) -> DocumentError? {
    let known = deaths[raster.pageIndex, default: []].filter { $0.scale <= raster.scale }
    return known.count >= Self.limit ? known.last?.error : nil
  }

  /// Takes in how a worker died while it drew a page; other errors are the page's own affair.
  mutating func record(_ error: DocumentError, drawing raster: PageRaster) {
    let scale: Double
    switch error.code {
    case .crash, .fault: scale = 0
    case .timeLimit, .memoryLimit: scale = raster.scale
    default: return
    }
    var known = deaths[raster.pageIndex, default: []]
    known.append(Death(scale: scale, error: error))
    // A page is set aside from the second smallest scale on, so the others say nothing more.
    deaths[raster.pageIndex] = Array(known.sorted { $0.scale < $1.scale }.prefix(Self.limit))
  }

  /// The page has been drawn: what it did at this scale or below was not its fault.
  mutating func forget(_ raster: PageRaster) {
    deaths[raster.pageIndex]?.removeAll { $0.scale <= raster.scale }
    if deaths[raster.pageIndex]?.isEmpty == true { deaths[raster.pageIndex] = nil }
  }
}

/// The quarantine of a pool, which the threads that wait for its workers look at too.
final class SharedQuarantine: Sendable {
  private let pages = Mutex(PageQuarantine())

  /// Why this page is not to be drawn any more; nil when it may be tried.
  func error(for raster: PageRaster) -> DocumentError? {
    pages.withLock { $0.error(for: raster) }
  }

  /// Keeps what drawing a page has shown of it.
  func note(_ result: Result<DrawnPage, DocumentError>, of raster: PageRaster) {
    pages.withLock { pages in
      switch result {
      case .success: pages.forget(raster)
      case .failure(let error): pages.record(error, drawing: raster)
      }
    }
  }
}
