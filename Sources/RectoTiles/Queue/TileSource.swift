public import DocumentModel

/// A document that stores or draws tiles for a queue.
public protocol TileSource: Sendable {
  /// Looks up tiles where that is quick, without drawing.
  ///
  /// - Returns: One result for each key, in order; nil where the tile has to be drawn.
  func stored(_ keys: [TileKey]) async -> [Tile?]

  /// Draws tiles, all of one raster.
  ///
  /// When the task is cancelled, the work should stop soon; an error is then not a failure of the
  /// page.
  ///
  /// - Returns: One tile for each key, in order.
  /// - Throws: `DocumentError` when any tile failed.
  func draw(_ keys: [TileKey]) async throws(DocumentError) -> [Tile]
}

/// Identifies a source of a queue.
public struct SourceID: Hashable, Sendable, Comparable {
  let number: Int

  /// In the order in which they were added.
  public static func < (first: SourceID, second: SourceID) -> Bool { first.number < second.number }
}
