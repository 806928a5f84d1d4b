package import DocumentModel
package import RectoGeometry

/// Reads a PDF's page tree with random access: page k without pages 1…k.
///
/// ```
/// let reader = try PageTreeReader(descriptor: descriptor)
/// let page = try reader.page(at: 15_384)
/// ```
///
/// Opening reads both ends of the file, the newest cross-reference section and the root of the
/// page tree. A request reads only the nodes on its path. All answers equal poppler 22.12's, or a ``StructureError`` is
/// thrown and poppler must be asked. One thing is trusted: in documents of more than ``ReaderLimits/smallDocument``
/// pages, that a skipped subtree has as many pages as its /Count says, until a walk through it shows otherwise. If
/// poppler then finds another page, the engine reports it and the document is left to poppler.
///
/// Bytes are untrusted and read in the parent process: every length, depth and amount of work is
/// limited by ``ReaderLimits``.
///
/// The reader has caches and is confined to its owner: it is not `Sendable` and has no lock.
package final class PageTreeReader {
  let store: ObjectStore
  let catalog: PartialDictionary
  private let root: TreeWalk.StackFrame?
  let descent: TreeDescent?
  /// The tree's only page when the root itself is one.
  let lonePage: FoundPage?
  /// Whether the root has only the entries of a page tree node.
  let isRootPlain: Bool
  private(set) var walked: WalkedPages?
  /// The hints of a linearized file, read with the first page.
  private var hints: HintTable?
  private var areHintsRead = false
  /// Why a complete walk failed, so that it is not tried again.
  private var refusal: StructureError?
  var labels: PageLabels?
  /// Repairs of pages that were requested or put into a subset. An object used by several pages of a subset is counted
  /// for one of them.
  package internal(set) var repairs: [PageIndex: Repairs] = [:]
  /// Whether subsets are repaired beyond boxes and rotations.
  var repairsFaults = true
  /// Caches of link targets.
  var targets = TargetCaches()
  /// What is shown of pages.
  let shown: ShownContent
  /// Parts of pages that are shown in place of their crop boxes.
  var contents: [PageIndex: ShownBoxEntry] = [:]
  /// The states of the layers, once they were read.
  var knownLayers: LayerStates??

  /// The number of pages the document claims, counted like poppler; 0 if the count is impossible.
  package let pageCount: Int

  /// The file's size when it was opened; a subset's tail follows these bytes.
  package var byteCount: Int { store.file.source.count }

  /// Reads from an open descriptor, which the caller owns and which must outlive the reader.
  ///
  /// - Throws: ``StructureError`` when the file cannot be read, or its structure is left to poppler.
  package convenience init(
    descriptor: Int32,
    limits: ReaderLimits = .standard,
    shown: ShownContent = ShownContent()
  ) throws(StructureError) {
    try self.init(bytes: try FileBytes(descriptor: descriptor), limits: limits, shown: shown)
  }

  /// Reads from any source of bytes.
  ///
  /// - Parameter shown: What is shown of pages: their crop box, and subsets, follow it.
  /// - Throws: ``StructureError`` when the bytes cannot be read, or their structure is left to poppler.
  package init(
    bytes: any ByteSource,
    limits: ReaderLimits = .standard,
    shown: ShownContent = ShownContent()
  ) throws(StructureError) {
    self.shown = shown
    store = try ObjectStore(bytes, limits: limits, box: shown.box)
    catalog = try Self.catalog(of: store)
    let start = try RootNode(store, catalog)
    pageCount = start.pageCount
    root = start.frame
    lonePage = start.lonePage
    isRootPlain = start.isPlain
    descent = start.frame.map { [store] in TreeDescent(store, root: $0) }
  }

  /// The page at an index; nil if it is counted but missing, as in poppler.
  ///
  /// - Complexity: O(levels · kids), and O(levels) in nodes that have only pages.
  /// - Throws: ``StructureError`` when the path to the page cannot be read, or a limit is reached.
  package func page(at index: PageIndex) throws(StructureError) -> PageNode? {
    store.meter.reset()
    return try checked(find(index), at: index)
  }

  /// The pages of a range, clamped to the document; nil for those that are missing.
  ///
  /// - Complexity: As ``page(at:)`` for the first one, and then one node for each page. For half of
  ///   the document or more, walks the whole tree, so that no count is trusted unchecked.
  /// - Throws: ``StructureError`` when a page cannot be read, or a limit is reached; `limit` also for
  ///   a range of more pages than ``ReaderLimits/pagesPerCall``.
  package func pages(in range: Range<PageIndex>) throws(StructureError) -> [PageNode?] {
    store.meter.reset()
    let range = range.clamped(to: Range(pageCount: pageCount))
    guard !range.isEmpty else { return [] }
    guard range.count <= store.limits.pagesPerCall else {
      throw StructureError(.limit, "more than \(store.limits.pagesPerCall) pages at a time")
    }
    if lonePage == nil, walked == nil, !isSmall, range.count < pageCount / 2,
      let pages = try walkOn(range)
    {
      return pages
    }
    if lonePage == nil, walked == nil {
      return try walkAll(collecting: range)
    }
    var pages: [PageNode?] = []
    for index in range {
      pages.append(try checked(find(index), at: index))
    }
    return pages
  }

  /// Walks the whole tree once, so that no count is trusted unchecked.
  ///
  /// - Throws: ``StructureError`` when the tree cannot be read, or a limit is reached.
  package func walkCompletely() throws(StructureError) {
    store.meter.reset()
    if lonePage == nil, walked == nil { _ = try walkAll(collecting: 0..<0) }
  }

  /// Checks the rows of long cross-reference tables, which were trusted when the file was opened:
  /// one invalid row makes poppler search the file for objects.
  ///
  /// - Complexity: O(rows) the first time; 200,000 rows take less than a millisecond.
  /// - Throws: ``StructureError`` with `needsRepair` for a row that is not regular.
  package func checkCrossReference() throws(StructureError) {
    store.meter.reset()
    try store.crossReference.checkRows()
  }

  /// The number of pages that a complete walk found; nil before a walk. If it is less than
  /// ``pageCount``, the pages after it are missing.
  package var walkedCount: Int? { lonePage == nil ? walked?.count : pageCount }

  /// Whether all answers are based on a complete walk.
  package var isWalkedCompletely: Bool { lonePage != nil || walked != nil }

  // MARK: Finding pages

  var hasLonePage: Bool { lonePage != nil }

  var isSmall: Bool { pageCount <= store.limits.smallDocument }

  /// Finds a page without resolving it.
  ///
  /// - Throws: ``StructureError`` when a node cannot be read, or a limit is reached.
  func find(_ index: PageIndex) throws(StructureError) -> FoundPage? {
    guard Range(pageCount: pageCount).contains(index) else { return nil }
    if let lonePage { return lonePage }
    if walked == nil, !isSmall, let found = try descent?.find(index) { return found.page }
    if walked == nil { _ = try walkAll(collecting: 0..<0) }
    guard let walked, let (reference, inherited) = walked.page(at: index) else { return nil }
    guard let node = try store.node(reference) else { return nil }
    return FoundPage(reference: reference, node: node, inherited: inherited)
  }

  /// The page, unless poppler reads it differently because the file is linearized.
  ///
  /// - Throws: ``StructureError`` with `linearized` if it does.
  func checked(_ found: FoundPage?, at index: PageIndex) throws(StructureError) -> PageNode? {
    var page = try verified(found, at: index)
    if let media = page?.mediaBox, let content = contents[index]?.box {
      page?.cropBox = content.clipped(to: media)
    }
    if let page, !page.repairs.isEmpty, repairs[index] == nil { repairs[index] = page.repairs }
    return page
  }

  private func verified(_ found: FoundPage?, at index: PageIndex) throws(StructureError)
    -> PageNode?
  {
    guard let linearization = store.layout.linearization else { return found?.page }
    guard let found else {
      throw StructureError(
        .linearized,
        "linearized, and the tree does not have page \(index.number)"
      )
    }
    let page = found.page
    // Poppler then uses the hint tables, and pages inherit nothing.
    let bare = InheritedAttributes().page(found.node, found.reference)
    guard bare == page else {
      throw StructureError(.linearized, "linearized, and the page inherits its box or rotation")
    }
    if !areHintsRead {
      hints = try HintTable(store, linearization)
      areHintsRead = true
    }
    guard let hints, let number = hints.objectNumber(of: index) else { return page }
    guard number == found.reference.number else {
      throw StructureError(.linearized, "linearized, and its hints name another page")
    }
    return page
  }

  /// The pages of a range, by walking from its first page; nil if something is irregular.
  private func walkOn(_ range: Range<PageIndex>) throws(StructureError) -> [PageNode?]? {
    guard let first = try descent?.find(range.lowerBound) else { return nil }
    var walk = TreeWalk(
      store,
      from: first.frames,
      visits: 3 * range.count + store.limits.extraVisits
    )
    var pages: [PageNode?] = [try checked(first.page, at: range.lowerBound)]
    while pages.count < range.count {
      guard case .page(let found) = try walk.next(), !walk.hasMiscounted else { return nil }
      pages.append(try checked(found, at: range.lowerBound.advanced(by: pages.count)))
    }
    return pages
  }

  /// Walks the whole tree, and returns the pages of a range.
  ///
  /// - Throws: ``StructureError`` when the tree cannot be read, or a limit is reached.
  func walkAll(collecting range: Range<PageIndex>) throws(StructureError) -> [PageNode?] {
    if let refusal { throw refusal }
    do throws(StructureError) {
      return try walkWhole(collecting: range)
    } catch {
      // The bytes do not change, and exhausting the budget takes seconds.
      if error.reason != .unreadable { refusal = error }
      throw error
    }
  }

  private func walkWhole(collecting range: Range<PageIndex>) throws(StructureError) -> [PageNode?] {
    try store.crossReference.checkRows()
    guard let root else {
      return try range.map { (index) throws(StructureError) in try checked(nil, at: index) }
    }
    var walk = TreeWalk(store, from: [root], visits: 3 * pageCount + store.limits.extraVisits)
    var all = WalkedPages()
    var pages: [PageNode?] = []
    loop: while all.count < pageCount {
      switch try walk.next() {
      case .end: break loop
      case .page(let found):
        let index = PageIndex(all.count)
        if range.contains(index) { pages.append(try checked(found, at: index)) }
        try all.append(
          found,
          in: walk.frames.last?.serial ?? 0,
          atMost: store.limits.inheritances
        )
      }
    }
    walked = all
    while pages.count < range.count {
      pages.append(try checked(nil, at: range.lowerBound.advanced(by: pages.count)))
    }
    return pages
  }

  private static let catalogKeys =
    [
      Key.pages, Key.pageLabels, Key.pageLayout, Key.viewerPreferences, Key.acroForm, Key.dests,
      Key.names, Key.outlines, Key.uri,
    ]
    + OpeningFetches.openedKeys

  private static func catalog(of store: ObjectStore) throws(StructureError) -> PartialDictionary {
    let trailer = store.crossReference.trailer
    switch trailer[Key.encrypt] {
    case nil, .null: break
    default: throw StructureError(.encrypted, "the file is encrypted")
    }
    guard case .reference(let reference) = trailer[Key.root],
      let catalog = try store.dictionary(
        reference,
        picking: catalogKeys,
        fetching: OpeningFetches.catalogKeys
      )
    else { throw StructureError(.needsRepair, "no catalog") }
    try OpeningFetches(store: store).fetch(catalog: catalog)
    return catalog
  }
}
