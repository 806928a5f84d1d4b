public import DocumentModel
public import PageLayout
public import RectoGeometry

/// A movement of the reader, and changes of the window. Values that are nil do not change.
public struct ViewerMove: Hashable, Sendable {
  /// Where to go in a document.
  public enum Target: Hashable, Sendable {
    /// The viewport's top left in the content, in layout units; clamped to where there is content.
    case offset(Point)
    /// As `offset`; nil keeps the current coordinate.
    case coordinates(x: Double?, y: Double?)
    /// A page, with this fraction of it before the window's start edge; which occurrence, if it is shown more than
    /// once; and the fraction centered across the axis, nil as in
    /// `Viewpoint.showing(page:occurrence:fraction:across:)`.
    case page(PageIndex, occurrence: Int = 0, fraction: Double, across: Double? = nil)
    /// The place of an earlier scene, in this or another layout.
    case place(Place)
    /// A position between a spread and the next one, 0 to 1; nil for at rest. Without a spread, it
    /// is between the current one and the next. In paged mode the viewport stays at the spread, and
    /// ``ViewerScene/turn`` is the page being turned.
    case spread(Int?, progress: Double?)
  }

  /// Where to go; nil to stay.
  public var place: Target?
  /// How far the window then moves, in layout units. A resting spread that is larger than its cell
  /// is panned first.
  public var distance: Point?
  /// The geometry of the offset; nil for the newest.
  public var geometry: Int?
  /// The viewport's size in layout units.
  public var viewport: Size?
  /// The factor on top of the fit.
  public var zoom: Double?
  /// Device pixels per layout unit.
  public var scale: Double?
  /// How far around the window pages are part of the scene, in layout units, where spreads do not rest.
  public var overscan: Insets?
  /// How fast the window moves, in layout units per second; determines which pages are drawn ahead.
  public var velocity = Point.zero

  /// A move that changes nothing.
  public init() {}
}

/// A change of zoom that keeps a point of the viewport where it is.
public struct ViewerZoom: Hashable, Sendable {
  /// The new zoom.
  public enum Change: Hashable, Sendable {
    /// A factor for the current zoom.
    case by(Double)
    /// A zoom that replaces the current one.
    case to(Double)
  }

  /// The new zoom.
  public var change: Change
  /// The point that stays in place, from the viewport's top left; nil for the viewport's center.
  public var about: Point?

  /// A zoom from its parts.
  public init(change: Change, about: Point? = nil) {
    self.change = change
    self.about = about
  }
}

/// Why a request to a viewer failed. The viewer is then unchanged.
public enum ViewerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The layout refuses an option.
  case layout(LayoutError)
  /// The layout does not show this page.
  case noSuchPage(PageIndex)
  /// The layout has fewer spreads.
  case noSuchSpread(Int, count: Int)
  /// The window would show too many pages.
  case window(DocumentError)
  /// A geometry that is no longer kept.
  case forgottenGeometry(Int)

  /// One line.
  public var description: String {
    switch self {
    case .layout(let error): error.description
    case .window(let error): error.description
    case .noSuchPage(let page): "page \(page.number): the layout does not show this page"
    case .noSuchSpread(let index, let count):
      "spread \(index): the layout has \(count) \(count == 1 ? "spread" : "spreads"), from 0"
    case .forgottenGeometry(let geometry): "geometry \(geometry) is not remembered any more"
    }
  }
}
