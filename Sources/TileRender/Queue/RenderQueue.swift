public import DocumentModel

/// Decides which tiles are drawn next, for one viewer with any number of documents; never draws.
public actor RenderQueue {
  /// To come.
  public init(_ settings: Settings = Settings(), clock: some Clock<Duration> = ContinuousClock()) {
  }
  /// To come.
  public func add(_ source: any TileSource) -> SourceID { SourceID(number: 0) }
  /// To come.
  public func remove(_ source: SourceID) {}
  /// To come.
  public func focus(_ source: SourceID, on window: TileWindow) {}
  /// To come.
  public func tile(
    _ key: TileKey,
    of source: SourceID,
    urgency: TileUrgency = .visible
  ) async throws -> Tile { throw CancellationError() }
  /// To come.
  public nonisolated var events: AsyncStream<QueueEvent> { AsyncStream(unfolding: { nil }) }
  /// To come.
  public func statistics() -> QueueStatistics { QueueStatistics() }
  /// To come.
  public func shutdown() async {}
}
