public import DocumentModel

/// What a queue has to tell.
public enum QueueEvent: Hashable, Sendable {
  /// A tile that the newest focus shows is there: told once as long as it stays visible.
  case tile(SourceID, TileKey, Tile)
  /// A page that the newest focus shows cannot be drawn: told once until it comes into view anew.
  case failed(SourceID, PageRaster, DocumentError)
  /// All that is wanted is done.
  case idle
}

/// What a queue has done, and what it holds.
public struct QueueStatistics: Hashable, Sendable {
  /// Tiles drawn.
  public var rendered = 0
  /// Tiles answered or delivered from memory.
  public var memory = 0
  /// Tiles found by a source without drawing.
  public var disk = 0
  /// Jobs that failed.
  public var failed = 0
  /// Tiles that were finished when they were not wanted any more; kept in memory.
  public var stale = 0
  /// Tiles that were dropped from the queue before they were drawn, since they were not wanted.
  public var cancelled = 0
  /// Jobs stopped because they held up wanted work.
  public var killed = 0

  /// Bytes of the tiles in memory.
  public var bytesHeld = 0
  /// Tiles in memory.
  public var tilesHeld = 0
  /// Jobs being drawn.
  public var drawing = 0
  /// Batches being looked up.
  public var looking = 0
  /// Callers that wait for a tile, those not yet let in among them.
  public var waiting = 0
  /// Tiles that are wanted and not yet being drawn, by urgency.
  public var queued: [TileUrgency: Int] = [:]

  /// Nothing yet.
  public init() {}
}
