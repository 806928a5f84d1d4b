public import DocumentModel

/// A document as the queue sees it: it has tiles or can draw them.
public protocol TileSource: Sendable {
  /// Looks tiles up where that is quick, and draws nothing.
  ///
  /// - Returns: One result for each key, in order; nil where the tile has to be drawn.
  func stored(_ keys: [TileKey]) async -> [Tile?]

  /// Draws tiles, all of one raster.
  ///
  /// When the task is cancelled the work should stop soon; what is returned or thrown then does not
  /// count as a failure of the page.
  ///
  /// - Returns: One tile for each key, in order.
  /// - Throws: `DocumentError` when any tile failed; then none of them counts.
  func draw(_ keys: [TileKey]) async throws(DocumentError) -> [Tile]
}

/// Tells the sources of one queue apart.
public struct SourceID: Hashable, Sendable, Comparable {
  let number: Int

  /// In the order in which they were added.
  public static func < (first: SourceID, second: SourceID) -> Bool { first.number < second.number }
}
