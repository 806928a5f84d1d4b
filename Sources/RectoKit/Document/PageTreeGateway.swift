internal import DocumentModel
internal import PDFStructure
internal import RectoGeometry

/// Reads a document's page tree without the engine, until that fails.
///
/// After its first refusal, the engine answers everything. Confined to the document that owns it.
final class PageTreeGateway {
  private let file: OpenFile
  private let isUsed: Bool
  /// What is shown of pages.
  private let shown: ShownContent
  private var limits = ReaderLimits.standard
  private var state: State
  private var subsets: [DocumentSubset] = []
  /// Parts of pages that are shown in place of their crop boxes.
  private var contents: [PageIndex: Rect] = [:]
  /// Whether subsets have the pictures that are embedded for their pages.
  private var keepsEmbedded = false

  /// The pages that are all going to be drawn, as far as is known.
  private var expected: Range<PageIndex>?

  private enum State {
    case unopened
    case reading(PageTreeReader)
    case refused(String)
  }

  /// Seconds for an answer about a document on a server.
  private static let distantSeconds = 600.0
  /// Pages in a subset that lies apart from others, if it is not known which are seen together.
  private static let pagesApart = 2
  /// Pages before and after the visible ones in their subset.
  private static let pagesAround = 3
  /// Pages in the first subset of many pages to draw, and the most visible pages that get their own subset.
  private static let pagesPerSubset = 16
  /// Pages in a subset next to another: four times as many as in that one, up to this. Drawing page after
  /// page then rarely opens another subset and loads its fonts again.
  private static let largestSubset = 256
  /// Subsets kept; each takes some kilobytes a page.
  private static let subsetLimit = 16

  /// Reads from an open file.
  ///
  /// - Parameters:
  ///   - isUsed: Whether to use the reader; otherwise the engine answers everything.
  ///   - shown: What is shown of pages.
  ///   - memoryShare: The divisor of the usual memory limits.
  init(
    _ file: OpenFile,
    isUsed: Bool,
    shown: ShownContent = ShownContent(),
    seconds: Double,
    memoryShare: Int = 1
  ) {
    self.file = file
    self.isUsed = isUsed
    self.shown = shown
    limits.seconds = seconds
    limits.objectBytes /= memoryShare
    limits.streamBytes /= memoryShare
    limits.objectStreamCache /= memoryShare
    limits.kids /= memoryShare
    limits.crossReferenceBytes /= memoryShare
    // The streams of a small file are decoded in advance, too, ten times as fast as by poppler; and a subset over the
    // whole file of a server would need all of it.
    limits.manyObjects = 0
    if file.remote != nil {
      // Waiting for a server is no work.
      limits.seconds = max(seconds, Self.distantSeconds)
    }
    state = isUsed ? .unopened : .refused("not asked for")
  }

  /// Why the engine reads the page tree; nil as long as it need not.
  var refusal: String? {
    if case .refused(let reason) = state { reason } else { nil }
  }

  /// Whether the reader failed after it had answered: its earlier answers may be wrong, too.
  var hasFailedLate: Bool { refusal != nil && hasAnswered }
  /// Whether the engine answers everything, and nothing that the reader has said counts.
  var isRefused: Bool { refusal != nil && !hasAnswered }
  private var hasAnswered = false

  /// Lets the engine answer everything from now on; earlier answers of the reader are invalid.
  func refuse(_ reason: String) {
    state = .refused(reason)
    hasAnswered = false
    subsets.removeAll()
  }

  /// Whether the cross-reference is the reader's own, so that only subsets can be opened.
  var isRebuilt: Bool {
    ask { reader throws(StructureError) in reader.isRebuilt } ?? false
  }

  /// Whether no result depends on counts in the file that have not been checked.
  var isWalkedCompletely: Bool {
    if case .reading(let reader) = state { reader.isWalkedCompletely } else { false }
  }

  /// Whether the counts in the file were right so far.
  var isRegular: Bool { refusal == nil && !isWalkedCompletely }

  /// The pages at the end that the document counts but does not have. Nil if there are none, or if
  /// it would take a walk through the tree to find out.
  var missingPages: Range<PageIndex>? {
    guard case .reading(let reader) = state, let count = reader.walkedCount,
      count < reader.pageCount
    else { return nil }
    return PageIndex(count)..<PageIndex(reader.pageCount)
  }

  /// The repairs so far, by page.
  var repairs: [PageIndex: Repairs] {
    if case .reading(let reader) = state { reader.repairs } else { [:] }
  }

  /// The document's info; nil if the engine must read it.
  func info() -> DocumentInfo? {
    ask { reader throws(StructureError) in reader.documentInfo() }
  }

  /// The document's properties; nil if the engine must read them.
  func properties() -> DocumentProperties? {
    ask { reader throws(StructureError) in reader.documentProperties() }
  }

  /// Whether the engine reads the page tree because the file is encrypted.
  var isEncrypted: Bool {
    refusal?.hasPrefix(StructureError.Reason.encrypted.rawValue) ?? false
  }

  /// Info of consecutive pages, or that they are missing; fewer than requested if the engine must
  /// measure the rest.
  func pages(in range: Range<PageIndex>) -> [Result<PageInfo, DocumentError>] {
    var results: [Result<PageInfo, DocumentError>] = []
    results.reserveCapacity(range.count)
    // In portions, so that an unreadable page costs only its portion.
    for first in stride(from: range.lowerBound, to: range.upperBound, by: Self.pagesAtOnce) {
      let portion = first..<min(first.advanced(by: Self.pagesAtOnce), range.upperBound)
      guard let pages = pages(inPortion: portion) else { break }
      results += pages
    }
    return results
  }

  private static let pagesAtOnce = 1024

  private func pages(inPortion range: Range<PageIndex>) -> [Result<PageInfo, DocumentError>]? {
    ask { reader throws(StructureError) in
      var results: [Result<PageInfo, DocumentError>] = []
      results.reserveCapacity(range.count)
      for (index, node) in zip(range, try reader.pages(in: range)) {
        if var info = node?.info {
          info.label = try reader.label(of: index)
          results.append(.success(info))
        } else {
          results.append(.failure(.missingPage))
        }
      }
      return results
    }
  }

  /// The first page with a label, or that there is none; nil if the engine must find it.
  func page(labeled label: String) -> PageIndex?? {
    ask { reader throws(StructureError) in try reader.page(labeled: label) }
  }

  /// From now on all subsets include the thumbnails embedded for their pages.
  func keepEmbeddedPictures() {
    // They show what a viewer shows.
    guard !keepsEmbedded, shown.isUsual else { return }
    keepsEmbedded = true
    subsets.removeAll()
  }

  /// Shows a part of a page from now on, in place of its crop box.
  ///
  /// - Parameters:
  ///   - content: The part in user space, y up.
  ///   - page: The page.
  func show(_ content: Rect, of page: PageIndex) {
    guard contents.updateValue(content, forKey: page) != content else { return }
    if case .reading(let reader) = state { reader.show(content, of: page) }
    subsets.removeAll { $0.contains(page) }
  }

  /// From now on subsets consist of pages that will all be drawn, so that few subsets are opened and none has other
  /// pages.
  func expect(_ pages: Range<PageIndex>) { expected = pages }

  /// A subset that holds a page.
  ///
  /// - Parameters:
  ///   - seen: The visible pages; nil without a viewer. A reader who jumps to other pages waits for the subset being
  ///     made.
  /// - Returns: The subset; nil if the engine must find the page.
  func subset(around index: PageIndex, seen: Range<PageIndex>? = nil) -> DocumentSubset? {
    // The newest is the one that is open.
    if let subset = subsets.last(where: { $0.contains(index) }) { return subset }
    let made = makeSubset(of: subsetRange(around: index, seen: seen))
    guard let made, made.contains(index) else { return nil }
    if subsets.count == Self.subsetLimit { subsets.removeFirst() }
    subsets.append(made)
    return made
  }

  /// A subset of pages that are drawn together, and of no others.
  ///
  /// - Parameter pages: Different pages.
  /// - Returns: The subset; nil if the engine must find the pages.
  func subset(of pages: [PageIndex]) -> DocumentSubset? {
    makeSubset(of: pages).flatMap { $0.pages.count == pages.count ? $0 : nil }
  }

  private func makeSubset(of pages: some Sequence<PageIndex>) -> DocumentSubset? {
    ask { reader throws(StructureError) in
      let all = Range(pageCount: reader.pageCount)
      var found: [DocumentSubset.Page] = []
      for index in pages where all.contains(index) {
        guard let info = try reader.page(at: index)?.info else { continue }
        found.append(
          DocumentSubset.Page(
            index: index,
            cropBox: info.cropBox,
            rotation: info.rotation ?? .none
          )
        )
      }
      let pieces = try reader.subset(of: found.map(\.index), keepsEmbedded: keepsEmbedded)
      let faults = reader.hasCairoFaults(found.map(\.index))
      for (place, hasFaults) in faults.enumerated() { found[place].hasCairoFaults = hasFaults }
      return DocumentSubset(pages: found, pieces: pieces)
    }
  }

  private func subsetRange(around index: PageIndex, seen: Range<PageIndex>?) -> Range<PageIndex> {
    let isNext = subsets.last?.pages.last?.index.advanced(by: 1) == index
    if let expected, expected.contains(index) {
      // The first of many pages should not wait for all the others.
      let isFirst = subsets.isEmpty && expected.count > Self.largestSubset
      let count = isFirst ? Self.pagesPerSubset : Self.largestSubset
      let place = expected.lowerBound.distance(to: index)
      let first = isNext ? index : expected.lowerBound.advanced(by: place - place % count)
      return (first..<first.advanced(by: count)).clamped(to: expected)
    }
    let most = seen == nil ? Self.largestSubset : Self.pagesPerSubset
    let seen = seen.flatMap { $0.count <= most ? $0 : nil }
    if let neighbor = subsets.last(where: { $0.adjoins(index) }) {
      // The worker that draws visible pages then has their surroundings, too, and need not open
      // another subset.
      if let seen, seen.adjoins(index), neighbor.pages.count <= seen.count {
        return seen.lowerBound.advanced(
          by: -Self.pagesAround
        )..<seen.upperBound.advanced(
          by: Self.pagesAround
        )
      }
      let count = min(neighbor.pages.count * 4, most)
      let isBehind = neighbor.pages.last.map { $0.index < index } ?? true
      return isBehind
        ? index..<index.advanced(by: count)
        : index.advanced(by: 1 - count)..<index.advanced(by: 1)
    }
    if let seen, seen.contains(index) { return seen }
    return index..<index.advanced(by: Self.pagesApart)
  }

  /// The links of a page; a result of nil for a missing page. Nil if the engine must find them.
  func links(of page: PageIndex) -> [PageLink]?? {
    askAside { reader throws(StructureError) in try reader.links(of: page) }
  }

  /// The outline; nil if the engine must read it.
  func outline() -> DocumentOutline? {
    askAside { reader throws(StructureError) in try reader.outline() }
  }

  /// The destination with a name, or that there is none; nil if the engine must find it.
  func destination(named name: String) -> LinkDestination?? {
    askAside { reader throws(StructureError) in try reader.destination(named: name) }
  }

  /// The layers; nil if they cannot be read.
  func layers() -> [DocumentLayer]? {
    askAside { reader throws(StructureError) in try reader.layers() }
  }

  /// All named destinations; nil if they cannot be read.
  func destinations() -> [NamedDestination]? {
    askAside { reader throws(StructureError) in try reader.destinations() }
  }

  /// The files inside the document; nil if they cannot be read.
  func attachments() -> [DocumentAttachment]? {
    askAside { reader throws(StructureError) in try reader.attachments() }
  }

  /// The annotations of a page with a text or a file; a result of nil for a missing page. Nil if they cannot be read.
  func annotations(of page: PageIndex) -> [PageAnnotation]?? {
    askAside { reader throws(StructureError) in try reader.annotations(of: page) }
  }

  /// The XMP metadata, or that there is none; nil if it cannot be read.
  func metadata() -> [UInt8]?? {
    askAside { reader throws(StructureError) in try reader.metadata() }
  }

  /// Adds the fonts and images of a page.
  ///
  /// - Returns: Why not all could be read, or nil; nil if the reader cannot be used.
  func addResources(of page: PageIndex, to scan: inout ResourceScan) -> String?? {
    askAside { reader throws(StructureError) in
      do throws(StructureError) {
        try reader.addResources(of: page, to: &scan)
        return nil
      } catch {
        guard error.reason != .unreadable, error.reason != .changed else { throw error }
        return error.detail
      }
    }
  }

  /// The label of a page; nil if the engine must find it.
  func label(of page: PageIndex) -> String?? {
    ask { reader throws(StructureError) in try reader.label(of: page) }
  }

  /// Asks something that does not affect pages: without an answer, the reader is still used for
  /// pages.
  private func askAside<Answer>(
    _ question: (PageTreeReader) throws(StructureError) -> Answer
  ) -> Answer? {
    // The outer answer opens the reader, or has the reason why it cannot be used.
    let answer: Answer?? = ask { reader throws(StructureError) in
      do throws(StructureError) {
        return try question(reader)
      } catch {
        guard error.reason != .unreadable, error.reason != .changed else { throw error }
        return nil
      }
    }
    return answer ?? nil
  }

  private func ask<Answer>(_ question: (PageTreeReader) throws(StructureError) -> Answer) -> Answer?
  {
    do throws(StructureError) {
      let reader: PageTreeReader
      switch state {
      case .refused: return nil
      case .reading(let opened): reader = opened
      case .unopened:
        reader = try opened()
        for (page, content) in contents { reader.show(content, of: page) }
        state = .reading(reader)
      }
      let answer = try question(reader)
      hasAnswered = true
      return answer
    } catch {
      state = .refused(error.description)
      return nil
    }
  }
}

extension PageTreeGateway {
  /// Opens the file; scans it for objects if the cross-reference is unusable, or leads to no page.
  private func opened() throws(StructureError) -> PageTreeReader {
    let refusal: StructureError
    do throws(StructureError) {
      let reader = try PageTreeReader(bytes: file.bytes(), limits: limits, shown: shown)
      // Not for rows that would have to be fetched for nothing else.
      if file.remote == nil { try reader.checkCrossReference() }
      guard reader.pageCount == 0 else { return reader }
      return (try? rebuilt()) ?? reader
    } catch {
      refusal = error
    }
    switch refusal.reason {
    case .damaged, .needsRepair:
      guard let reader = try? rebuilt(), reader.pageCount > 0 else { throw refusal }
      return reader
    case .notPDF, .encrypted, .unsupported, .linearized, .limit, .unreadable, .changed:
      throw refusal
    }
  }

  private func rebuilt() throws(StructureError) -> PageTreeReader {
    let bytes = try file.bytes()
    try bytes.expect([0..<bytes.count])
    return try PageTreeReader(rebuilding: bytes, limits: limits, shown: shown)
  }
}

extension Range<PageIndex> {
  /// Whether a page is directly before or after these.
  fileprivate func adjoins(_ page: PageIndex) -> Bool {
    page == upperBound || page.advanced(by: 1) == lowerBound
  }
}

extension DocumentSubset {
  /// Whether a page is directly before or after these.
  fileprivate func adjoins(_ page: PageIndex) -> Bool {
    guard let first = pages.first?.index, let last = pages.last?.index else { return false }
    return (first..<last.advanced(by: 1)).adjoins(page)
  }
}
