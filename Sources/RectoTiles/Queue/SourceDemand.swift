internal import DocumentModel

/// A caller that waits for a tile.
struct WaiterID: Hashable {
  var number: Int
}

/// A batch of tiles that a source is looking up or drawing.
struct JobID: Hashable {
  var number: Int
}

/// A tile that is wanted or in progress.
struct TileDemand {
  /// How far it has come.
  enum Stage: Hashable {
    /// Nothing was done yet.
    case fresh
    /// The source looks for it.
    case looking
    /// The source does not have it; it has to be drawn.
    case missing
    /// It is being drawn.
    case drawing
  }

  /// A position in the order of work; smaller is sooner.
  struct Rank: Comparable {
    var urgency: TileUrgency
    /// Whether a caller waits for this tile. It then comes before tiles of a window with the same
    /// urgency.
    var isRequested: Bool
    /// By arrival, or in the window's order.
    var position: Int

    static func < (first: Rank, second: Rank) -> Bool {
      if first.urgency != second.urgency { return first.urgency > second.urgency }
      if first.isRequested != second.isRequested { return first.isRequested }
      return first.position < second.position
    }
  }

  var stage = Stage.fresh
  /// The position in the newest focus; nil if it is not in it.
  var planned: Rank?
  /// The callers that wait for the tile.
  var waiters: [(id: WaiterID, urgency: TileUrgency)] = []

  /// The position in the order of work, by the most urgent request; nil if the tile is not wanted.
  var rank: Rank? {
    guard let urgency = waiters.map(\.urgency).max(), let first = waiters.first else {
      return planned
    }
    let requested = Rank(urgency: urgency, isRequested: true, position: first.id.number)
    return planned.map { min($0, requested) } ?? requested
  }

  var isWanted: Bool { planned != nil || !waiters.isEmpty }

  /// Whether only work within the byte budget wants it.
  var isAhead: Bool { waiters.isEmpty && (planned.map { $0.urgency < .margin } ?? false) }

  var isInFlight: Bool { stage == .looking || stage == .drawing }
}

/// The tiles wanted from one source.
struct SourceDemand {
  /// Tiles that are wanted but not ready, and those in flight.
  var tiles: [TileKey: TileDemand] = [:]
  /// Tiles that the newest focus shows.
  var visible: Set<TileKey> = []
  /// Rasters of the newest focus, and the visible ones among them.
  var rasters: Set<PageRaster> = []
  var visibleRasters: Set<PageRaster> = []
  /// Visible tiles whose event was read or is waiting to be read.
  var delivered: Set<TileKey> = []
  /// Rasters of the newest focus that cannot be drawn.
  var failures: [PageRaster: DocumentError] = [:]
  /// Bytes of the newest focus's finished tiles that count against the byte budget.
  var bytesAhead = 0
  /// The time of the source's last turn.
  var lastTurn: [TileUrgency: Int] = [:]

  /// Removes a tile that is neither wanted nor in progress.
  ///
  /// - Returns: Whether it was removed.
  mutating func dropIfUnwanted(_ key: TileKey) -> Bool {
    guard let tile = tiles[key], !tile.isWanted, !tile.isInFlight else { return false }
    tiles[key] = nil
    return true
  }
}
