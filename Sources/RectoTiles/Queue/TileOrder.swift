internal import RectoGeometry

/// The priority of a tile; a class of the order in which tiles are drawn.
public enum TileUrgency: Int, Hashable, Sendable, Comparable, CaseIterable {
  /// Near the viewport, on all sides, when nothing more urgent is waiting.
  case idle
  /// Where the viewport will be soon if it keeps moving.
  case prefetch
  /// Just outside the viewport on a visible page, where a small movement would show it.
  case margin
  /// In the viewport.
  case visible

  /// Whether `first` is less urgent than `second`.
  public static func < (first: TileUrgency, second: TileUrgency) -> Bool {
    first.rawValue < second.rawValue
  }
}

/// A tile that a window wants.
public struct PlannedTile: Hashable, Sendable {
  /// The tile.
  public var key: TileKey
  /// Its priority.
  public var urgency: TileUrgency
}

/// The order in which the tiles of a window are drawn.
///
/// 1. **Visible** tiles, from the viewport's center out: by the distance of the center of the
///   tile's visible part. Those of the window's core come first, then those nearest to it.
/// 2. **Margin**: tiles of the visible pages within ``surroundings`` of the viewport, nearest first.
/// 3. **Prefetch**: tiles of all pages that the viewport will pass in ``lookAhead`` seconds, by the
///   time at which they come into view.
/// 4. **Idle** work: tiles of all pages within ``idleReach`` viewports on all sides, nearest first.
///
/// Ties are ordered from the center out, then in reading order. A tile is listed once, in its most
/// urgent class. A page that would exceed ``TileWindow/largestTileCount`` in a class is omitted
/// from it.
public struct TileOrder: Hashable, Sendable {
  /// How far around the viewport a tile is in the margin, in sides of a tile.
  public var surroundings: Double
  /// How far prefetch reaches, in seconds; never beyond ``longestReach`` viewports.
  public var lookAhead: Double
  /// How far idle work reaches, in viewports.
  public var idleReach: Double
  /// The most tiles listed.
  public var maximumCount: Int

  /// The farthest that prefetch reaches, in viewports: a longer fling ends elsewhere.
  public static let longestReach = 8.0

  /// An order; by default one tile around, one second ahead, one viewport on all sides.
  ///
  /// - Parameters:
  ///   - surroundings: How far around the viewport a tile is in the margin, in sides of a tile.
  ///   - lookAhead: How far prefetch reaches, in seconds.
  ///   - idleReach: How far idle work reaches, in viewports.
  ///   - maximumCount: The most tiles listed.
  public init(
    surroundings: Double = 1,
    lookAhead: Double = 1,
    idleReach: Double = 1,
    maximumCount: Int = 2048
  ) {
    self.surroundings = surroundings
    self.lookAhead = lookAhead
    self.idleReach = idleReach
    self.maximumCount = max(0, maximumCount)
  }

  /// The tiles that `window` wants, most urgent first, at most ``maximumCount``.
  ///
  /// - Complexity: O(*k* log *k*) in the number of tiles within reach.
  public func tiles(for window: TileWindow) -> [PlannedTile] {
    let viewport = window.viewport
    var list = TileList(window: window, maximumCount: maximumCount)
    let core = window.core ?? viewport
    list.add(.visible, of: window.pages, in: viewport) {
      ($0.distance(to: core), $0.center.distance(to: core.center))
    }
    let around = surroundings * Double(window.tileSide) / window.scale
    list.add(.margin, of: window.pages, in: viewport.grown(x: around, y: around)) {
      ($0.distance(to: viewport), $0.center.distance(to: viewport.center))
    }
    let all = window.pages + window.neighbors
    let reach = Point(
      x: Self.reach(window.velocity.x * lookAhead, viewport: viewport.width),
      y: Self.reach(window.velocity.y * lookAhead, viewport: viewport.height)
    )
    if reach != .zero {
      list.add(.prefetch, of: all, in: viewport.union(viewport.offsetBy(x: reach.x, y: reach.y))) {
        ($0.moment(of: viewport, moving: reach), $0.center.distance(to: viewport.center))
      }
    }
    let idle = viewport.grown(x: idleReach * viewport.width, y: idleReach * viewport.height)
    list.add(.idle, of: all, in: idle) {
      ($0.distance(to: viewport), $0.center.distance(to: viewport.center))
    }
    return Array(list.tiles.prefix(maximumCount))
  }

  private static func reach(_ distance: Double, viewport: Double) -> Double {
    guard !distance.isNaN else { return 0 }
    return min(max(distance, -longestReach * viewport), longestReach * viewport)
  }
}

/// A list of tiles that grows by one class at a time.
private struct TileList {
  let window: TileWindow
  let maximumCount: Int
  var tiles: [PlannedTile] = []
  private var known: Set<TileKey> = []

  init(window: TileWindow, maximumCount: Int) {
    self.window = window
    self.maximumCount = maximumCount
  }

  /// Adds the tiles seen through `area` that are not listed yet, smallest measure first; `measure`
  /// is given the part of the tile that lies in the area. Adds none when the list is long enough.
  ///
  /// - Parameters:
  ///   - area: The part of the content, in layout units.
  ///   - measure: The measure of a tile, from the part of it that lies in the area.
  mutating func add(
    _ urgency: TileUrgency,
    of pages: [TileWindow.Page],
    in area: Rect,
    by measure: (Rect) -> (Double, Double)
  ) {
    guard tiles.count < maximumCount else { return }
    var found: [(measure: (Double, Double, Int), key: TileKey)] = []
    var room = TileWindow.largestTileCount
    for page in pages {
      let count = window.tileCount(of: page, in: area)
      guard count <= room else { continue }
      room -= count
      for key in window.tiles(of: page, in: area) where known.insert(key).inserted {
        let frame = key.frame(in: page.frame, scale: window.scale)
        let first = measure(frame.intersection(area) ?? frame)
        found.append(((first.0, first.1, found.count), key))
      }
    }
    found.sort { $0.measure < $1.measure }
    tiles += found.map { PlannedTile(key: $0.key, urgency: urgency) }
  }
}

extension Point {
  fileprivate func distance(to other: Point) -> Double {
    ((x - other.x) * (x - other.x) + (y - other.y) * (y - other.y)).squareRoot()
  }
}

extension Rect {
  /// The distance between the nearest points of two rectangles; 0 when they touch.
  fileprivate func distance(to other: Rect) -> Double {
    Point(
      x: max(0, minX - other.maxX, other.minX - maxX),
      y: max(0, minY - other.maxY, other.minY - maxY)
    ).distance(to: .zero)
  }

  /// When a moving viewport begins to show the rectangle: 0 for now, 1 for the end of the movement.
  fileprivate func moment(of viewport: Rect, moving way: Point) -> Double {
    func moment(_ way: Double, ahead: Double, behind: Double) -> Double {
      way == 0 ? 0 : max(0, way > 0 ? ahead : behind) / abs(way)
    }
    return max(
      moment(way.x, ahead: minX - viewport.maxX, behind: viewport.minX - maxX),
      moment(way.y, ahead: minY - viewport.maxY, behind: viewport.minY - maxY)
    )
  }

  fileprivate func grown(x: Double, y: Double) -> Rect {
    Rect(x: minX - x, y: minY - y, width: width + 2 * x, height: height + 2 * y)
  }
}
