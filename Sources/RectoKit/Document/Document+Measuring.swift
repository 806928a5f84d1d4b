public import DocumentModel
internal import RectoBase
public import RectoGeometry
internal import RectoTiles
internal import Synchronization

/// Measuring: sizes from the record, else from the page tree, else from the engine.
extension Document {
  /// The known pages, without waiting for the document.
  nonisolated var known: MeasuredPages { measured.withLock { $0 } }

  /// Measures pages.
  ///
  /// If all pages from one on are missing, the first of them shows it, and the later ones cost nothing.
  ///
  /// - Returns: All that is known of pages now: info or an error for each page asked for.
  /// - Throws: `pageMissing` for pages behind the last one or in front of the first, and whatever keeps the document
  ///   from being opened.
  public func measure(_ indices: [Range<PageIndex>]) async throws(DocumentError) -> MeasuredPages {
    try await withOneReader { () throws(DocumentError) in
      for pages in indices { try await require(pages) }
      try await measure(indices) { unknown throws(DocumentError) in try await self.read(unknown) }
      return known
    }
  }

  /// Measures the pages that can be read at once from the page tree. Does not ask the engine, which
  /// may take long to reach a page.
  ///
  /// - Returns: All that is known of pages now; nothing for pages that only the engine can measure.
  public func measureAtOnce(_ indices: [Range<PageIndex>]) async -> MeasuredPages {
    // Parts with ink are found by drawing.
    guard shown.box != .content, let count = try? await info().pageCount else { return known }
    try? await measure(indices.map { $0.clamped(to: Range(pageCount: count)) }) {
      pages throws(DocumentError) in
      let results = self.tree.pages(in: pages)
      try self.requireAgreement()
      return results
    }
    return known
  }

  /// Measures pages in any order, as above.
  ///
  /// - Throws: As above.
  public func measure(_ indices: [PageIndex]) async throws(DocumentError) -> MeasuredPages {
    if let first = indices.min(), let last = indices.max() { try await require(first, last) }
    return try await measure(Set(indices).sorted().runs)
  }

  /// Info of one page.
  ///
  /// - Throws: The page's own error, or whatever keeps the document from being opened.
  public func page(at index: PageIndex) async throws(DocumentError) -> PageInfo {
    try await require(index, index)
    let known = try await measure([Range(only: index)])
    guard let result = known[index] else {
      throw DocumentError(.fault, during: "measure", "no result")
    }
    return try result.get()
  }

  /// Fails for pages that the document does not count; never for none.
  ///
  /// - Throws: As ``require(_:_:)``.
  func require(_ pages: Range<PageIndex>) async throws(DocumentError) {
    guard !pages.isEmpty else { return }
    try await require(pages.lowerBound, pages.upperBound.advanced(by: -1))
  }

  /// Fails for pages that the document does not count, because their indices may be arbitrary.
  ///
  /// - Throws: `pageMissing`, and whatever keeps the document from being opened.
  func require(_ first: PageIndex, _ last: PageIndex) async throws(DocumentError) {
    let count = try await info().pageCount
    let pages = Range(pageCount: count)
    for page in [first, last] where !pages.contains(page) {
      throw DocumentError(
        .pageMissing,
        during: "find",
        "there is no page of index \(page.value); the document has \(count) pages"
      )
    }
  }

  private func measure(
    _ indices: [Range<PageIndex>],
    reading read: (Range<PageIndex>) async throws(DocumentError) -> [Result<
      PageInfo, DocumentError
    >]
  ) async throws(DocumentError) {
    let wasWalked = tree.isWalkedCompletely
    let generation = generation
    var learned: [(index: PageIndex, info: PageInfo)] = []
    for range in indices {
      var next = range.lowerBound
      while next < range.upperBound {
        if let failing = known.failing(at: next) {
          // Possibly all the rest of the document.
          next = failing.pages.upperBound
          continue
        }
        let portion = next..<min(next.advanced(by: Self.pagesAtOnce), range.upperBound)
        next = portion.upperBound
        loadRecord(of: portion)
        for unknown in portion.filter({ !known.isKnown($0) }).runs {
          let results = try await read(unknown)
          try requireGeneration(generation)
          guard await !takeAndKeep(results, of: unknown) else { continue }
          take(results, of: unknown)
          if cache?.record != nil { learned += results.infos(of: unknown) }
        }
        if learned.count >= Self.pagesAtOnce { keep(&learned) }
      }
    }
    keep(&learned)
    if !wasWalked, tree.isWalkedCompletely { revise() }
  }

  /// Pages read at a time: results in memory stay small.
  private static let pagesAtOnce = 8192

  /// Adds many pages while another thread writes them to the record.
  ///
  /// - Returns: Whether it did; false for few pages, and if nothing may be written.
  private func takeAndKeep(
    _ results: [Result<PageInfo, DocumentError>],
    of pages: Range<PageIndex>
  ) async -> Bool {
    guard SecondTreeReader.isWorth(pages.count), mayKeep, let record = cache?.record else {
      return false
    }
    let (second, generation) = (secondTree, generation)
    async let failure = second.store(results, of: pages, in: record)
    take(results, of: pages)
    if let failure = await failure { keep { () throws(FileError) in throw failure } }
    // The record may have been discarded while it was written.
    if generation != self.generation { keep { () throws(FileError) in try record.discard() } }
    return true
  }

  private func take(_ results: [Result<PageInfo, DocumentError>], of pages: Range<PageIndex>) {
    let missing = tree.missingPages
    measured.withLock { known in
      for (index, result) in zip(pages, results) {
        switch result {
        case .success(let info): known.take(info, at: index)
        case .failure(let error): known.fail(Range(only: index), with: error)
        }
      }
      if let missing,
        known.failing(at: missing.lowerBound)?.pages.upperBound != missing.upperBound
      {
        known.fail(missing, with: .missingPage)
      }
    }
  }

  /// Writes info of pages to the record.
  private func keep(_ learned: inout [(index: PageIndex, info: PageInfo)]) {
    guard let record = cache?.record, !learned.isEmpty else { return }
    keep { () throws(FileError) in try record.store(learned) }
    learned.removeAll()
  }

  /// Loads pages from the record, with those in the same files.
  private func loadRecord(of pages: Range<PageIndex>) {
    guard let record = cache?.record, let last = pages.last else { return }
    let size = DocumentRecord.pagesPerFile
    for file in pages.lowerBound.value / size...last.value / size
    where loadedFiles.insert(file).inserted {
      let pages = record.pages(around: PageIndex(file * size))
      measured.withLock { known in
        for (index, info) in pages where known[index] == nil { known.take(info, at: index) }
      }
      if shown.box == .content { for (index, info) in pages { tree.show(info.cropBox, of: index) } }
    }
  }

  /// Corrects known pages that are wrong, after a walk through the whole tree: a wrong /Count had
  /// shifted them.
  func revise() {
    for range in known.measuredRanges {
      var learned: [(index: PageIndex, info: PageInfo)] = []
      for (index, result) in zip(range, tree.pages(in: range)) {
        guard let old = known.info(of: index), old != (try? result.get()) else { continue }
        switch result {
        case .success(let info):
          measured.withLock { $0.take(info, at: index) }
          learned.append((index, info))
        case .failure(let error):
          measured.withLock { $0.fail(Range(only: index), with: error) }
        }
      }
      keep(&learned)
    }
  }

  /// Reads pages from the tree as far as possible, and lets the engine measure the rest.
  private func read(
    _ pages: Range<PageIndex>
  ) async throws(DocumentError) -> [Result<PageInfo, DocumentError>] {
    let results = await readTree(pages)
    try requireAgreement()
    let rest = pages.lowerBound.advanced(by: results.count)..<pages.upperBound
    guard !rest.isEmpty else {
      return shown.box == .content ? try await findContent(of: pages, in: results) : results
    }
    try requireEngine()
    let measured = try await engine.measure(rest)
    try await learnFailing(behind: rest, measured)
    return results + measured
  }

  /// Reads pages from the tree. If there are many, a second reader reads the second half at the same time.
  ///
  /// The second reader's results are used only if both find the document as its counts promise. Otherwise the first
  /// reads everything.
  private func readTree(_ pages: Range<PageIndex>) async -> [Result<PageInfo, DocumentError>] {
    guard tree.isRegular, SecondTreeReader.isWorth(pages.count) else {
      return tree.pages(in: pages)
    }
    let middle = pages.lowerBound.advanced(by: pages.count / 2)
    let second = secondTree
    async let behind = second.pages(in: middle..<pages.upperBound)
    let front = tree.pages(in: pages.lowerBound..<middle)
    let rear = await behind
    guard middle.value - pages.lowerBound.value == front.count, tree.refusal == nil else {
      return front
    }
    guard tree.isRegular, let rear else { return front + tree.pages(in: middle..<pages.upperBound) }
    return front + rear
  }

  /// Checks whether the last page fails like a run of earlier pages: the engine walks the page tree in order, so all
  /// pages between them fail, too.
  private func learnFailing(
    behind pages: Range<PageIndex>,
    _ results: [Result<PageInfo, DocumentError>]
  ) async throws(DocumentError) {
    guard let all = knownInfo.map({ Range(pageCount: $0.pageCount) }), let last = all.last,
      pages.upperBound < all.upperBound,
      results.count == pages.count, results.count >= Self.failingRow,
      case .failure(let error)? = results.last,
      results.suffix(Self.failingRow).allSatisfy({ $0 == .failure(error) }),
      try await engine.measure(Range(only: last)).last == .failure(error)
    else { return }
    measured.withLock { $0.fail(pages.upperBound..<all.upperBound, with: error) }
  }

  /// Consecutive failing pages that count as the end of the document if its last page fails, too.
  private static let failingRow = 64
}

extension Array where Element == PageIndex {
  /// Sorted distinct pages as ranges.
  fileprivate var runs: [Range<PageIndex>] {
    var runs: [Range<PageIndex>] = []
    for index in self {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<index.advanced(by: 1)
      } else {
        runs.append(Range(only: index))
      }
    }
    return runs
  }
}
