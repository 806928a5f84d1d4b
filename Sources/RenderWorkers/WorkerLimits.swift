/// The limits after which a worker is killed or replaced.
public struct WorkerLimits: Hashable, Sendable {
  /// Seconds to open a document.
  public var open: Double
  /// Seconds to measure: from one batch of pages to the next.
  public var measure: Double
  /// Seconds for one page, from when a worker starts on it: to open the document if need be, to
  /// draw all parts, and to try another way if the first takes too much memory.
  public var draw: Double
  /// Bytes of memory, including swap and page tables.
  public var memory: Int
  /// Pages after which a worker is replaced: poppler caches what it has read until it ends.
  public var pages: Int
  /// Growth in private bytes, since the document was opened, after which a worker is replaced. At
  /// most half of ``memory``.
  public var growth: Int

  /// Limits from their parts; the defaults are 15 s, 15 s, 30 s, 1.5 GB, 1,000 pages and 400 MB.
  ///
  /// - Parameters:
  ///   - open: Seconds to open a document.
  ///   - measure: Seconds to measure, from one batch of pages to the next.
  ///   - draw: Seconds for one request's page.
  ///   - memory: Bytes of memory.
  ///   - pages: Pages drawn after which a worker is replaced.
  ///   - growth: Growth in bytes after which a worker is replaced.
  public init(
    open: Double = 15,
    measure: Double = 15,
    draw: Double = 30,
    memory: Int = 1_500_000_000,
    pages: Int = 1_000,
    growth: Int = 400_000_000
  ) {
    self.open = open
    self.measure = measure
    self.draw = draw
    self.memory = memory
    self.pages = pages
    self.growth = growth
  }
}
