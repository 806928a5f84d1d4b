internal import Concurrency
public import DocumentModel
public import FileSystem
public import Geometry
internal import RenderWorkers
public import SystemPackage
public import Tiles

/// An open PDF: what it says of itself, the sizes of its pages, and their pixels.
///
/// What is in the cache is answered from there, and no PDF is opened; the rest comes from worker
/// processes that start when they are first needed. The actor runs on a queue of its own, so its
/// file accesses hold up nobody else.
public actor Document {
  /// The path as given.
  public nonisolated let path: FilePath
  /// The file as it was when it was opened.
  public nonisolated let identity: FileIdentity
  /// Its name in the cache.
  public nonisolated let key: CacheKey

  private let executor = QueueExecutor(label: "recto.document")
  /// The actor's own queue.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let file: OpenFile
  private let tree: TreeReading
  /// What was learned in earlier runs. Nothing is looked up when a reader is forced: the point is to
  /// see what that reader says.
  private let record: DocumentRecord?
  private let engine: any DocumentEngine
  private let engineKey: CacheKey?
  private let programKey: CacheKey?
  private let settings: DocumentSettings
  private var opened: OpenedDocument?
  private var knownFacts: DocumentInfo?
  private var known = MeasuredPages()
  private var loadedFiles: Set<Int> = []
  private var cacheFailure: DocumentError?
  /// Set when the page tree reader turned out to be wrong.
  private var mismatch: DocumentError?

  /// Opens a file. Nothing but its status is read yet.
  ///
  /// - Throws: `unreadable` when there is no such file, it may not be read, or is not a regular
  ///   file; `fault` when the worker program is missing.
  public init(_ path: FilePath, settings: DocumentSettings = DocumentSettings())
    throws(DocumentError)
  {
    try self.init(
      path,
      settings: settings,
      engineAndKeys: { file throws(DocumentError) in
        let program: FilePath
        if let named = settings.workerProgram {
          program = named
        } else {
          program = try WorkerProgram.locate()
        }
        let pool = WorkerPool(
          WorkerPool.Settings(
            executable: program,
            password: settings.password,
            workers: settings.workers,
            limits: settings.limits
          ),
          document: file
        )
        return (pool, WorkerProgram.key(of: program), WorkerProgram.programKey(of: program))
      }
    )
  }

  /// Opens a file that is drawn by another engine than worker processes, such as `InProcessEngine`.
  ///
  /// - Parameters:
  ///   - path: the file.
  ///   - settings: of which the engine may use what it wants, and nothing else starts workers.
  ///   - makeEngine: makes the engine over the open file, which stays open as long as the document.
  /// - Throws: `unreadable` as for any file, and what `makeEngine` throws.
  public init(
    _ path: FilePath,
    settings: DocumentSettings = DocumentSettings(),
    engine makeEngine: (FileDescriptor) throws(DocumentError) -> any DocumentEngine
  ) throws(DocumentError) {
    try self.init(
      path,
      settings: settings,
      engineAndKeys: { file throws(DocumentError) in
        (try makeEngine(file), nil, nil)
      }
    )
  }

  private init(
    _ path: FilePath,
    settings: DocumentSettings,
    engineAndKeys: (FileDescriptor) throws(DocumentError) -> (
      any DocumentEngine, CacheKey?, CacheKey?
    )
  ) throws(DocumentError) {
    self.path = path
    self.settings = settings
    file = try OpenFile(path)
    identity = file.identity
    tree = TreeReading(
      file.descriptor,
      isUsed: settings.pageReader != .poppler,
      seconds: settings.limits.open
    )
    let key = CacheKey.document(identity, password: settings.password)
    self.key = key
    record =
      settings.pageReader == .auto
      ? settings.cache.map { DocumentRecord(key, in: $0) } : nil
    (engine, engineKey, programKey) = try engineAndKeys(file.descriptor)
  }

  /// What the document says of itself.
  ///
  /// - Throws: whatever keeps it from being opened.
  public func facts() async throws(DocumentError) -> DocumentInfo {
    if let knownFacts { return knownFacts }
    if let known = record?.facts() {
      knownFacts = known
      return known
    }
    // Nothing of this document was kept, its tiles neither: a worker can start while it is read.
    if settings.workersAhead > 0 {
      // Detached, so as not to wait for this actor's queue; holding on to the actor keeps the file
      // open that the workers are born with.
      Task.detached { [self] in
        await engine.prepare(subset: nil, workers: settings.workersAhead)
      }
    }
    let facts: DocumentInfo
    if let read = tree.facts() {
      facts = read
    } else {
      try requireEngine()
      facts = try await open().facts
    }
    knownFacts = facts
    if let record { keep { () throws(FileError) in try record.store(facts) } }
    return facts
  }

  /// The libraries that draw, with their versions.
  public func engineVersion() async throws(DocumentError) -> String {
    if let opened { return opened.engine }
    if let engine = engineRecord?.engine { return engine }
    return try await open().engine
  }

  /// Measures pages, given by index.
  ///
  /// Where pages from one on are all missing, that is found with the first of them and costs no more
  /// for those behind it.
  ///
  /// - Returns: all that is known of pages now: facts or an error for each page asked for.
  /// - Throws: whatever keeps the document from being opened.
  public func measure(_ indices: [Range<Int>]) async throws(DocumentError) -> MeasuredPages {
    try requireAgreement()
    try await measure(indices) { unknown throws(DocumentError) in try await self.read(unknown) }
    return known
  }

  /// Measures those pages, given by index, that can be read from the page tree: what can be had at
  /// once. The engine, which may have a long way to a page, is not asked.
  ///
  /// - Returns: all that is known of pages now; nothing for pages that only the engine can measure.
  public func measureAtOnce(_ indices: [Range<Int>]) async -> MeasuredPages {
    // A page tree reader that gives up is met again by whoever measures next.
    try? await measure(indices) { pages throws(DocumentError) in
      let results = self.tree.pages(in: pages)
      try self.requireAgreement()
      return results
    }
    return known
  }

  /// Measures pages in any order, as above.
  public func measure(_ indices: [Int]) async throws(DocumentError) -> MeasuredPages {
    try await measure(Set(indices).sorted().runs)
  }

  /// Facts of one page.
  public func page(at index: Int) async throws(DocumentError) -> PageInfo {
    let known = try await measure([index..<(index + 1)])
    guard let result = known[index] else {
      throw DocumentError(.fault, during: "measure", "no result")
    }
    return try result.get()
  }

  private func measure(
    _ indices: [Range<Int>],
    reading read: (Range<Int>) async throws(DocumentError) -> [Result<PageInfo, DocumentError>]
  ) async throws(DocumentError) {
    let wasWalked = tree.isWalkedCompletely
    var learned: [Int: PageInfo] = [:]
    for range in indices {
      var next = range.lowerBound
      while next < range.upperBound {
        if let failing = known.failing(at: next) {
          // Possibly all the rest of the document.
          next = failing.pages.upperBound
          continue
        }
        let portion = next..<min(next + Self.pagesAtOnce, range.upperBound)
        next = portion.upperBound
        for unknown in portion.filter({ !isKnown($0) }).runs {
          take(try await read(unknown), of: unknown, &learned)
        }
        if learned.count >= Self.pagesAtOnce { keep(&learned) }
      }
    }
    keep(&learned)
    if !wasWalked, tree.isWalkedCompletely { revise() }
  }

  /// Pages read in one go: what is only on its way then needs no memory to speak of.
  private static let pagesAtOnce = 8192

  private func take(
    _ results: [Result<PageInfo, DocumentError>],
    of pages: Range<Int>,
    _ learned: inout [Int: PageInfo]
  ) {
    for (index, result) in zip(pages, results) {
      switch result {
      case .success(let facts):
        known.take(facts, at: index)
        if record != nil { learned[index] = facts }
      case .failure(let error): known.fail(index..<(index + 1), with: error)
      }
    }
    if let missing = tree.missingPages,
      known.failing(at: missing.lowerBound)?.pages.upperBound != missing.upperBound
    {
      known.fail(missing, with: .missingPage)
    }
  }

  /// Writes what was learned of pages to the record.
  private func keep(_ learned: inout [Int: PageInfo]) {
    guard let record, !learned.isEmpty else { return }
    keep { () throws(FileError) in try record.store(learned) }
    learned.removeAll()
  }

  /// Parts of a page as PNG, from the cache where it has them.
  ///
  /// Either all parts come back or an error: no part of a page that failed is kept.
  ///
  /// - Parameters:
  ///   - raster: the page at its scale.
  ///   - parts: rectangles in pixels from the page's top left.
  ///   - isOneOff: whether nothing else of this page at this scale will be wanted soon.
  public func pictures(
    of raster: PageRaster,
    parts: [PixelRect],
    isOneOff: Bool = false
  ) async throws(DocumentError) -> PagePictures {
    let keys = cacheKeys(raster, parts, isOneOff: isOneOff, engine: try await engineVersion())
    var found = zip(parts, keys).map { stored($1, size: $0.size) }
    let missing = found.indices.filter { found[$0] == nil }
    guard !missing.isEmpty else {
      return PagePictures(pictures: found.compactMap(\.self), warnings: Warnings())
    }
    let drawn = try await draw(
      raster,
      parts: missing.map { parts[$0] },
      keys: missing.map { keys[$0] },
      isOneOff: isOneOff
    )
    for (index, tile) in zip(missing, drawn.pictures) { found[index] = tile }
    return PagePictures(pictures: found.compactMap(\.self), warnings: drawn.warnings)
  }

  private func cacheKeys(
    _ raster: PageRaster,
    _ parts: [PixelRect],
    isOneOff: Bool,
    engine: String
  ) -> [CacheKey] {
    let drawing = CacheKey.drawing(of: key, program: programKey, engine: engine)
    return parts.map {
      CacheKey.tile(of: drawing, raster: raster, part: $0, isOneOff: isOneOff)
    }
  }

  private func stored(_ key: CacheKey, size: PixelSize) -> Tile? {
    guard let cache = settings.cache.map({ TileCache($0) }),
      let bytes = cache.tile(key, size: size)
    else { return nil }
    return Tile(bytes: bytes, cached: cache.path(of: key), source: .disk)
  }

  /// Draws parts of a page without looking them up, and keeps them.
  private func draw(
    _ raster: PageRaster,
    parts: [PixelRect],
    keys: [CacheKey],
    isOneOff: Bool
  ) async throws(DocumentError) -> PagePictures {
    try requireAgreement()
    let window = tree.window(around: raster.pageIndex)
    try requireAgreement()
    let drawn: DrawnPage
    do throws(DocumentError) {
      drawn = try await engine.draw(raster, parts: parts, isOneOff: isOneOff, subset: window)
    } catch {
      guard error.code == .pageMismatch else { throw error }
      throw giveUpTree("page \(raster.pageIndex + 1): \(error)")
    }
    // What was drawn from other bytes than those the keys name must not be kept under them.
    guard file.isUnchanged else {
      throw DocumentError(.changed, during: "draw", "the file was changed meanwhile")
    }
    let cache = settings.cache.map { TileCache($0) }
    let tiles = zip(drawn.pictures, keys).map { bytes, key in
      var path: FilePath?
      if let cache, keep({ () throws(FileError) in try cache.store(bytes, as: key) }) {
        path = cache.path(of: key)
      }
      return Tile(bytes: bytes, cached: path, source: .rendered)
    }
    return PagePictures(pictures: tiles, warnings: drawn.warnings)
  }

  /// Starts workers for pages that are about to be drawn, with the surroundings of one of them open.
  /// Only for whoever is sure to draw: what is in the cache needs no worker.
  ///
  /// - Parameters:
  ///   - page: index of the page that is wanted first; nil opens nothing yet.
  ///   - workers: how many at the most.
  public func prepareToDraw(page: Int? = nil, workers: Int = .max) async {
    await engine.prepare(subset: page.flatMap { tree.window(around: $0) }, workers: workers)
  }

  /// The first failure to write to the cache, if there was one; worth one message, never more.
  public func takeCacheFailure() -> DocumentError? {
    defer { cacheFailure = nil }
    return cacheFailure
  }

  /// Corrects what was known of pages and turns out to be wrong, now that the whole tree has been
  /// walked: a /Count in the file had promised other pages in front of them.
  private func revise() {
    for range in known.measuredRanges {
      var learned: [Int: PageInfo] = [:]
      for (index, result) in zip(range, tree.pages(in: range)) {
        guard let old = known.facts(of: index), old != (try? result.get()) else { continue }
        switch result {
        case .success(let facts):
          known.take(facts, at: index)
          learned[index] = facts
        case .failure(let error): known.fail(index..<(index + 1), with: error)
        }
      }
      keep(&learned)
    }
  }

  /// Reads pages from the tree as far as that goes, and lets the engine measure the rest.
  private func read(
    _ pages: Range<Int>
  ) async throws(DocumentError) -> [Result<PageInfo, DocumentError>] {
    let results = tree.pages(in: pages)
    try requireAgreement()
    let rest = (pages.lowerBound + results.count)..<pages.upperBound
    guard !rest.isEmpty else { return results }
    try requireEngine()
    let measured = try await engine.measure(rest)
    try await learnFailing(behind: rest, measured)
    return results + measured
  }

  /// Looks whether the last page fails as a row of pages in front of it does: the engine goes through
  /// the page tree in order, so that all pages between them fail too.
  private func learnFailing(
    behind pages: Range<Int>,
    _ results: [Result<PageInfo, DocumentError>]
  ) async throws(DocumentError) {
    guard let count = knownFacts?.pageCount, pages.upperBound < count,
      results.count == pages.count, results.count >= Self.failingRow,
      case .failure(let error)? = results.last,
      results.suffix(Self.failingRow).allSatisfy({ $0 == .failure(error) }),
      try await engine.measure((count - 1)..<count).last == .failure(error)
    else { return }
    known.fail(pages.upperBound..<count, with: error)
  }

  /// Failing pages in a row that are taken for the end of the document if its last page fails too.
  private static let failingRow = 64

  /// Fails once the page tree reader has turned out to be wrong: all that it said may be.
  private func requireAgreement() throws(DocumentError) {
    if let mismatch { throw mismatch }
    if tree.hasFailedLate { throw giveUpTree(tree.refusal ?? "") }
  }

  /// Forgets all that is known of the document. It has to be opened again, with the engine as its
  /// reader.
  private func giveUpTree(_ reason: String) -> DocumentError {
    if let mismatch { return mismatch }
    tree.refuse(reason)
    known = MeasuredPages()
    knownFacts = nil
    if let record { keep { () throws(FileError) in try record.discard() } }
    let error = DocumentError(.pageMismatch, during: "read the page tree", reason)
    mismatch = error
    return error
  }

  /// Fails when only the page tree reader may answer.
  private func requireEngine() throws(DocumentError) {
    guard settings.pageReader == .tree else { return }
    throw DocumentError(
      .damaged,
      during: "read the page tree",
      tree.refusal ?? "the tree reader has no answer"
    )
  }

  /// Who reads the page tree, in words: "tree", or "poppler" and why.
  public var pageReader: (name: String, reason: String?) {
    // What was learned in an earlier run does not tell; a short look at the file does.
    if tree.refusal == nil { _ = tree.facts() }
    return tree.refusal.map { ("poppler", $0) } ?? ("tree", nil)
  }

  private func open() async throws(DocumentError) -> OpenedDocument {
    if let opened { return opened }
    let result = try await engine.open()
    opened = result
    // Kept whatever the document was opened for: the next window may find all its tiles in the
    // cache, and needs only this to name them.
    if let record = engineRecord, record.engine != result.engine {
      keep { () throws(FileError) in try record.store(result.engine) }
    }
    return result
  }

  private var engineRecord: EngineRecord? {
    engineKey.flatMap { key in settings.cache.map { EngineRecord(key, in: $0) } }
  }

  private func isKnown(_ index: Int) -> Bool {
    let file = index / DocumentRecord.pagesPerFile
    if let record, loadedFiles.insert(file).inserted {
      for (index, facts) in record.pages(around: index) where known[index] == nil {
        known.take(facts, at: index)
      }
    }
    return known.isKnown(index)
  }

  @discardableResult
  private func keep(_ body: () throws(FileError) -> Void) -> Bool {
    do {
      try body()
      return true
    } catch {
      cacheFailure =
        cacheFailure
        ?? DocumentError(.io, during: "write to the cache", "\(error.path): \(error)")
      return false
    }
  }
}

/// Parts of a page, drawn or found.
public struct PagePictures: Hashable, Sendable {
  /// One for each part asked for, in order.
  public var pictures: [Tile]
  /// What the engine warned about while it drew; nothing is known for what was found.
  public var warnings: Warnings
}

extension Document: TileSource {
  /// Tiles that lie in the cache. None are found as long as nobody knows which engine would draw
  /// them; a worker is not started to learn that.
  public func stored(_ keys: [TileKey]) -> [Tile?] {
    guard settings.cache != nil, let engine = opened?.engine ?? engineRecord?.engine else {
      return keys.map { _ in nil }
    }
    return keys.map { tile in
      let part = tile.part
      let keys = cacheKeys(tile.raster, [part], isOneOff: false, engine: engine)
      return keys.first.flatMap { stored($0, size: part.size) }
    }
  }

  /// Draws tiles of one raster and keeps them in the cache.
  ///
  /// - Throws: what keeps the page from being drawn, and `fault` for tiles of several rasters.
  public func draw(_ keys: [TileKey]) async throws(DocumentError) -> [Tile] {
    guard let raster = keys.first?.raster else { return [] }
    guard keys.allSatisfy({ $0.raster == raster }) else {
      throw DocumentError(.fault, during: "draw", "tiles of several pages at once")
    }
    let parts = keys.map(\.part)
    let engine = try await engineVersion()
    return try await draw(
      raster,
      parts: parts,
      keys: cacheKeys(raster, parts, isOneOff: false, engine: engine),
      isOneOff: false
    ).pictures
  }
}

extension Array where Element == Int {
  /// Sorted distinct numbers as ranges.
  fileprivate var runs: [Range<Int>] {
    var runs: [Range<Int>] = []
    for index in self {
      if let last = runs.last, last.upperBound == index {
        runs[runs.count - 1] = last.lowerBound..<(index + 1)
      } else {
        runs.append(index..<(index + 1))
      }
    }
    return runs
  }
}
