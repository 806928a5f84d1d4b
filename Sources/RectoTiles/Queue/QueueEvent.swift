public import DocumentModel

/// An event of a queue.
public enum QueueEvent: Hashable, Sendable {
  /// A visible tile of the newest focus is ready. Reported once as long as it stays visible.
  case tile(SourceID, TileKey, Tile)
  /// A visible page of the newest focus cannot be drawn. Reported once until it comes into view
  /// again.
  case failed(SourceID, PageRaster, DocumentError)
  /// All wanted work is done.
  case idle
}

/// Statistics and contents of a queue.
public struct QueueStatistics: Hashable, Sendable {
  /// Tiles drawn.
  public var rendered = 0
  /// Tiles answered or delivered from memory.
  public var memory = 0
  /// Tiles found by a source without drawing.
  public var disk = 0
  /// Jobs that failed.
  public var failed = 0
  /// Tiles that were no longer wanted when they were finished; kept in memory.
  public var stale = 0
  /// Tiles that were removed from the queue before they were drawn, because they were no longer
  /// wanted.
  public var cancelled = 0
  /// Jobs stopped because they delayed wanted work.
  public var killed = 0

  /// Bytes of the tiles in memory.
  public var bytesHeld = 0
  /// Tiles in memory.
  public var tilesHeld = 0
  /// Jobs being drawn.
  public var drawing = 0
  /// Batches being looked up.
  public var looking = 0
  /// Callers waiting for a tile, including those waiting for admission.
  public var waiting = 0
  /// Tiles that are wanted and not yet being drawn, by urgency.
  public var queued: [TileUrgency: Int] = [:]

  /// Nothing yet.
  public init() {}
}
