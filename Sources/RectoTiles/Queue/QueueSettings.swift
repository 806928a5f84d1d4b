extension RenderQueue {
  /// What a queue may use, and how it decides.
  public struct Settings: Hashable, Sendable {
    /// Jobs drawn at the same time, over all sources; at least 1. More than there are workers only
    /// makes jobs wait where their order cannot be changed any more.
    public var slots: Int
    /// The most tiles in one job; at least 1. All of a job are finished together, and a new focus
    /// waits for as many.
    public var tilesPerJob: Int
    /// Bytes of tiles kept in memory. What is visible is kept beyond that.
    public var memoryBytes: Int
    /// The most bytes that tiles outside the surroundings of the viewport may take for one focus:
    /// those drawn count with what they take, those on their way with all they could.
    public var prefetchBytes: Int
    /// The most callers of each urgency that the queue takes in; more wait for admission, and what they
    /// want does not count until they are let in.
    public var requests: Int
    /// How long a job that is not wanted may keep a visible tile waiting, counted from its start.
    public var patience: Duration
    /// The order of a window's tiles.
    public var order: TileOrder

    /// Settings; by default for two workers.
    ///
    /// - Parameters:
    ///   - slots: Jobs drawn at the same time, over all sources; at least 1.
    ///   - tilesPerJob: The most tiles in one job; at least 1.
    ///   - memoryBytes: Bytes of tiles kept in memory.
    ///   - prefetchBytes: The most bytes that tiles outside the surroundings of the viewport may
    ///     take for one focus.
    ///   - requests: The most callers of each urgency that the queue takes in; at least 1.
    ///   - patience: How long a job that is not wanted may keep a visible tile waiting.
    ///   - order: The order of a window's tiles.
    public init(
      slots: Int = 2,
      tilesPerJob: Int = 4,
      memoryBytes: Int = 256 << 20,
      prefetchBytes: Int = 64 << 20,
      requests: Int = 256,
      patience: Duration = .milliseconds(100),
      order: TileOrder = TileOrder()
    ) {
      self.slots = max(1, slots)
      self.tilesPerJob = max(1, tilesPerJob)
      self.memoryBytes = max(0, memoryBytes)
      self.prefetchBytes = max(0, prefetchBytes)
      self.requests = max(1, requests)
      self.patience = max(.zero, patience)
      self.order = order
    }
  }
}
