internal import DocumentModel
internal import RectoGeometry
internal import Synchronization

/// Pages that kill the workers that draw them.
///
/// A page that kills workers twice, without success in between, is quarantined: it would do it again, and each time a
/// worker must be started and open the document. A crash applies to all scales, and so does a `fault`, after which a
/// worker with an invalid reply was killed. A time or memory limit applies to its scale and larger ones: a map that is
/// too large at 1,600 % can still be drawn at 100 %.
struct PageQuarantine: Sendable {
  private struct Death {
    /// The smallest scale that it speaks of.
    var scale: Double
    var error: DocumentError
  }

  private var deaths: [PageIndex: [Death]] = [:]

  /// Deaths after which a page is set aside.
  private static let limit = 2

  /// Why the page is quarantined; nil if it may be drawn.
  func error(for raster: PageRaster) -> DocumentError? {
    let known = deaths[raster.pageIndex, default: []].filter { $0.scale <= raster.scale }
    return known.count >= Self.limit ? known.last?.error : nil
  }

  /// Records the death of a worker that was drawing a page; ignores other errors.
  mutating func record(_ error: DocumentError, drawing raster: PageRaster) {
    let scale: Double
    switch error.code {
    case .crash, .fault: scale = 0
    case .timeLimit, .memoryLimit: scale = raster.scale
    default: return
    }
    var known = deaths[raster.pageIndex, default: []]
    known.append(Death(scale: scale, error: error))
    // A page is quarantined from the second smallest scale on, so the others are not needed.
    deaths[raster.pageIndex] = Array(known.sorted { $0.scale < $1.scale }.prefix(Self.limit))
  }

  /// The page was drawn: deaths at this scale or below were not its fault.
  mutating func forget(_ raster: PageRaster) {
    deaths[raster.pageIndex]?.removeAll { $0.scale <= raster.scale }
    if deaths[raster.pageIndex]?.isEmpty == true { deaths[raster.pageIndex] = nil }
  }
}

/// The quarantine of a pool, which is also read by the threads that wait for its workers.
final class SharedQuarantine: Sendable {
  private let pages = Mutex(PageQuarantine())

  /// Why the page is quarantined; nil if it may be drawn.
  func error(for raster: PageRaster) -> DocumentError? {
    pages.withLock { $0.error(for: raster) }
  }

  /// Records the result of drawing a page.
  func note(_ result: Result<DrawnPage, DocumentError>, of raster: PageRaster) {
    pages.withLock { pages in
      switch result {
      case .success: pages.forget(raster)
      case .failure(let error): pages.record(error, drawing: raster)
      }
    }
  }
}
