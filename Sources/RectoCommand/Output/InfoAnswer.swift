internal import DocumentModel
internal import PageLayout
internal import RectoBase
internal import RectoGeometry
internal import RectoKit
internal import SystemPackage

/// The output of `recto info`.
struct InfoAnswer {
  let path: FilePath
  let bytes: Int
  let info: DocumentInfo
  let properties: DocumentProperties
  let engine: String?
  /// The reader of the page tree, and the reason if it is poppler.
  let pageReader: (name: String, reason: String?)
  /// The pages to list; nil for none.
  let listed: PageSequence?
  /// The known pages: at least the first and the listed ones.
  let pages: MeasuredPages
  /// The number of pages of each size, of the listed or all pages, in order of appearance; nil if some were not
  /// measured.
  let sizes: [(size: Size, count: Int)]?
  /// What is shown of pages.
  let shown: ShownContent
  /// What is listed besides pages.
  let lists: InfoLists

  /// Documents with more pages are measured completely only on request.
  private static let fewPages = 1000

  /// Reads information about a document.
  ///
  /// - Parameters:
  ///   - listed: The pages to list; nil for none.
  ///   - lists: What to list besides pages.
  /// - Throws: Any error of opening the document, or an error of the page tree reader that makes
  ///   its earlier answers unreliable.
  init(
    _ document: Document,
    _ info: DocumentInfo,
    listing listed: PageSequence?,
    _ lists: InfoListOptions
  ) async throws(DocumentError) {
    path = document.path
    bytes = document.identity.size
    self.info = info
    self.listed = listed
    let all = Range(pageCount: info.pageCount)
    // Pages that are always shown come first: a later page may take forever.
    if !all.isEmpty { _ = try await document.measure([Range(only: 0)]) }
    let measured: [Range<PageIndex>]
    if let listed {
      measured = listed.pageRanges
      pages = try await document.measure(measured)
    } else {
      measured = [all]
      pages = await document.measureAtOnce(all.count <= Self.fewPages ? measured : [])
    }
    properties = try await document.properties()
    shown = document.shown
    self.lists = try await lists.read(
      from: document,
      pages: listed ?? PageSequence(pageCount: info.pageCount)
    )
    pageReader = await document.pageReader
    engine = try? await document.engineVersion()
    sizes = Self.sizes(
      listed ?? PageSequence(pageCount: info.pageCount),
      pages,
      limit: Self.fewPages
    )
  }

  /// The number of pages of each size; nil if one of them was not measured or does not exist.
  private static func sizes(
    _ sequence: PageSequence,
    _ pages: MeasuredPages,
    limit: Int
  ) -> [(size: Size, count: Int)]? {
    var counts: [Size: Int] = [:]
    var order: [Size] = []
    for run in sequence.runs {
      for place in 0..<run.count {
        guard let page = run.page(at: place), let size = pages.info(of: page)?.size else {
          return nil
        }
        counts[size, default: 0] += 1
        if counts[size] == 1 { order.append(size) }
      }
    }
    return order.isEmpty ? nil : order.map { ($0, counts[$0] ?? 0) }
  }

  /// The first page; nil for a document without pages.
  var firstPage: Result<PageInfo, DocumentError>? { pages[0] }

  /// The pages that cannot be read, among the first and the listed ones.
  var failing: [MeasuredPages.Failing] {
    guard info.pageCount > 0 else { return [] }
    let shown = [.pages(Range(only: 0))] + (listed?.runs ?? [])
    return pages.failing(in: PageSequence(shown).pageRanges) + lists.failing
  }

  /// Calls `body` for each page listed, and for consecutive ones with the same error.
  ///
  /// - Throws: What `body` throws.
  func forEachListed(
    _ body: (Range<PageIndex>, Result<PageInfo, DocumentError>) throws(Failure) -> Void
  ) throws(Failure) {
    for run in listed?.runs ?? [] {
      var place = 0
      while let page = run.page(at: place) {
        var shown = Range(only: page)
        if let failing = pages.failing(at: page), let rest = run.part(place..<run.count).pages {
          shown = failing.pages.clamped(to: rest)
        }
        if let result = pages[page] { try body(shown, result) }
        place += shown.count
      }
    }
  }
}
