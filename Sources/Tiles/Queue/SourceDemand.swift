internal import DocumentModel

/// Somebody who waits for a tile.
struct WaiterID: Hashable {
  var number: Int
}

/// A batch of tiles that a source is looking up or drawing.
struct JobID: Hashable {
  var number: Int
}

/// A tile that somebody wants, or that is being worked on.
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

  /// A place in the order of work; the smaller, the sooner.
  struct Rank: Comparable {
    var urgency: TileUrgency
    /// Somebody waits for this very tile: before what a window shows with the same urgency.
    var isRequested: Bool
    /// By arrival, or in the window's order.
    var place: Int

    static func < (first: Rank, second: Rank) -> Bool {
      if first.urgency != second.urgency { return first.urgency > second.urgency }
      if first.isRequested != second.isRequested { return first.isRequested }
      return first.place < second.place
    }
  }

  var stage = Stage.fresh
  /// The place in the newest focus; nil when that does not want the tile.
  var planned: Rank?
  /// Who waits for the tile.
  var waiters: [(id: WaiterID, urgency: TileUrgency)] = []

  /// The place in the order of work, that of whoever wants it most; nil when nobody does.
  var rank: Rank? {
    guard let urgency = waiters.map(\.urgency).max(), let first = waiters.first else {
      return planned
    }
    let requested = Rank(urgency: urgency, isRequested: true, place: first.id.number)
    return planned.map { min($0, requested) } ?? requested
  }

  var isWanted: Bool { planned != nil || !waiters.isEmpty }

  /// Whether only the byte budget's work wants it.
  var isAhead: Bool { waiters.isEmpty && (planned.map { $0.urgency < .hole } ?? false) }

  var isInFlight: Bool { stage == .looking || stage == .drawing }
}

/// What is wanted of one source.
struct SourceDemand {
  /// Tiles that are wanted and not yet there, and those in flight.
  var tiles: [TileKey: TileDemand] = [:]
  /// Tiles that the newest focus shows.
  var visible: Set<TileKey> = []
  /// Rasters of the newest focus, and those of them that it shows.
  var rasters: Set<PageRaster> = []
  var visibleRasters: Set<PageRaster> = []
  /// Visible tiles whose event was told or waits to be read; always visible ones.
  var delivered: Set<TileKey> = []
  /// Rasters of the newest focus that cannot be drawn.
  var failures: [PageRaster: DocumentError] = [:]
  /// Bytes of the newest focus's tiles ahead that are there.
  var bytesAhead = 0
  /// When the source last had its turn.
  var lastTurn: [TileUrgency: Int] = [:]

  /// Forgets a tile that nobody wants and nobody works on.
  ///
  /// - Returns: whether it was forgotten.
  mutating func dropIfUnwanted(_ key: TileKey) -> Bool {
    guard let tile = tiles[key], !tile.isWanted, !tile.isInFlight else { return false }
    tiles[key] = nil
    return true
  }
}
