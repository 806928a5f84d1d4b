internal import DocumentModel
internal import Glibc
internal import RectoBase
internal import RectoGeometry
internal import RectoTiles

/// Reads pages of a document on its own thread, while the document reads others.
///
/// Inflating object streams and reading pages' dictionaries take most of the time in which a long document is
/// measured, and a reader is confined to one thread. So there are two, with separate caches. The second one makes no
/// decisions: if a document is irregular it has no answer, and the document's own reader finds out why.
actor SecondTreeReader {
  private let executor = QueueExecutor(label: "recto.second-tree-reader")
  /// The actor's own queue.
  nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let tree: PageTreeGateway

  /// The number of pages from which two readers are faster than one: opening the second takes a few milliseconds.
  private static let fewestPages = 2048

  /// A reader of an open file.
  ///
  /// - Parameters:
  ///   - file: The file, which must be open as long as the reader is used.
  ///   - shown: What is shown of pages.
  init(_ file: OpenFile, shown: ShownContent = ShownContent(), seconds: Double) {
    // With smaller limits, so that both together need little more memory than one.
    tree = PageTreeGateway(file, isUsed: true, shown: shown, seconds: seconds, memoryShare: 4)
  }

  /// Whether pages are worth a second reader.
  static func isWorth(_ count: Int) -> Bool {
    count >= fewestPages && sysconf(Int32(_SC_NPROCESSORS_ONLN)) > 1
  }

  /// Info of consecutive pages; nil when anything about them is irregular.
  func pages(in range: Range<PageIndex>) -> [Result<PageInfo, DocumentError>]? {
    let results = tree.pages(in: range)
    guard tree.isRegular, results.count == range.count else { return nil }
    return results
  }

  /// Writes the info of consecutive pages to the document's record.
  ///
  /// - Returns: Why it could not be written; nil if it was.
  func store(
    _ results: [Result<PageInfo, DocumentError>],
    of pages: Range<PageIndex>,
    in record: DocumentRecord
  ) -> FileError? {
    do throws(FileError) {
      try record.store(results.infos(of: pages))
      return nil
    } catch {
      return error
    }
  }
}

extension [Result<PageInfo, DocumentError>] {
  /// The info of those pages that have one, in order.
  func infos(of pages: Range<PageIndex>) -> [(index: PageIndex, info: PageInfo)] {
    var infos: [(index: PageIndex, info: PageInfo)] = []
    infos.reserveCapacity(count)
    for (page, result) in zip(pages, self) {
      if case .success(let info) = result { infos.append((page, info)) }
    }
    return infos
  }
}
