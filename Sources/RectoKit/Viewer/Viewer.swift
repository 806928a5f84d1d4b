public import DocumentModel
public import Geometry
public import PageLayout
public import PageNumbers

/// The state of a viewer of one document: its layout, its window, and the sizes measured so far.
///
/// Requests return at once, with the sizes that are known and those that the page tree gives without
/// the engine; other sizes are estimated and marked so. The owner of the viewer calls
/// ``measureMore()`` until it returns `finished`. Each call tells which spreads have moved, and moves
/// the window with them, so that the visible pages keep their position on the screen.
///
/// An offset may come from a geometry that has changed since. The last layouts are kept (they share
/// most of their storage), and such an offset is converted by the position that it shows.
public actor Viewer {
  /// The document.
  public nonisolated let document: Document
  var documentLayout: DocumentLayout
  var window: Rect
  private var scale: Double
  private var velocity = Point.zero
  /// How far around the window pages are part of the scene, where spreads do not rest.
  var overscan = Insets.zero
  private let tileSide: Int
  var geometry: Int
  private var past: [(geometry: Int, layout: Layout)] = []
  var current: PageIndex?
  private var target: PageIndex?
  /// How far a page is turned; nil if none is.
  var turn: Double?

  /// Layouts kept for offsets that come late.
  private static let pastLimit = 64

  /// A viewer at the beginning of a document, whose first page is measured now.
  ///
  /// - Parameters:
  ///   - document: The document to follow.
  ///   - configuration: How its pages are arranged.
  ///   - arrangement: A layout of one's own, which then stays; nil: that of the configuration's
  ///     mode.
  ///   - pages: Which pages, in which order.
  ///   - viewport: In layout units.
  ///   - scale: Device pixels per layout unit, > 0.
  ///   - tileSide: In device pixels.
  ///   - geometry: The number of its first geometry, where it takes the place of another viewer.
  /// - Throws: `LayoutError`, or a `DocumentError` of whatever keeps the document from being
  ///   opened; `usage` when the window shows more than ``DocumentLayout/largestPageCount`` pages.
  public init(
    _ document: Document,
    configuration: LayoutConfiguration,
    arrangement: (any PageArranging)? = nil,
    pages: PageSequence,
    viewport: Size,
    scale: Double,
    tileSide: Int,
    geometry: Int = 1
  ) async throws {
    self.document = document
    self.geometry = geometry
    self.scale = scale
    self.tileSide = tileSide
    var documentLayout = try DocumentLayout(
      document,
      configuration: configuration,
      arrangement: arrangement,
      pages: pages,
      viewport: viewport
    )
    window = try await documentLayout.window(at: .offset(.zero), sizes: .estimated)
    if let refusal = documentLayout.layout.refusal(of: window) { throw refusal }
    self.documentLayout = documentLayout
  }

  /// What is shown now.
  public var scene: ViewerScene {
    let refusal = documentLayout.layout.refusal(of: window)
    return ViewerScene(
      documentLayout: documentLayout,
      window: window,
      scale: scale,
      tileSide: tileSide,
      velocity: velocity,
      geometry: geometry,
      current: current,
      turnProgress: turn,
      drawnArea: drawnArea,
      spreads: refusal == nil ? documentLayout.layout.spreads(visibleIn: drawnArea) : [],
      refusal: refusal
    )
  }

  // MARK: Moving

  /// Goes to a place.
  ///
  /// - Throws: ``ViewerError`` when the layout refuses an option, does not show the page, or would
  ///   show too many; also for a geometry that is not remembered.
  public func show(_ move: ViewerMove) async throws(ViewerError) -> ViewerScene {
    let isResized = move.viewport != nil || move.zoom != nil
    var found = viewpoint
    if let offset = try offset(of: move) {
      found = Viewpoint(try layout(of: move.geometry), at: offset)
    }
    // The place in a layout; nil where it is given: an anchor would be right to the last digit but one.
    var place: ((Viewpoint) -> Viewpoint?)?
    if isResized {
      let changed = try rearranged { (layout) throws(LayoutError) in
        var configuration = layout.configuration
        configuration.zoom = move.zoom ?? configuration.zoom
        return try layout.reconfigured(configuration).resized(to: move.viewport ?? layout.viewport)
      }
      if move.place != nil { place = Self.keeping(found.anchor(), atRest: true) }
      found = found.carried(to: changed)
    } else if (move.geometry ?? geometry) != geometry {
      place = Self.keeping(found.anchor(), atRest: false)
      found = place?(viewpoint) ?? viewpoint.moved(to: found.offset)
    }
    if let distance = move.distance {
      found = found.scrolled(by: distance)
      if place != nil { place = Self.keeping(found.anchor(), atRest: false) }
    }
    var target: PageIndex?
    switch move.place {
    case .page(let page, let fraction):
      place = { $0.showing(page: page, fraction: fraction) }
      guard let shown = place?(found) else { throw .noSuchPage(page) }
      found = shown
      target = page
    case .spread(let index, let progress):
      place = try between(index, progress ?? 0, in: found)
      found = place?(found) ?? found
    case .offset, .coordinates: break
    case nil: target = self.target
    }
    try enter(found, isRearranged: isResized)
    scale = move.scale ?? scale
    overscan = move.overscan ?? overscan
    velocity = move.velocity
    turn = turned(by: move)
    self.target = target
    await settle(place)
    return scene
  }

  /// Zooms about a point of the viewport: where spreads rest, the spread there, else the layout.
  ///
  /// - Throws: ``ViewerError`` when the layout refuses the zoom, or the window would show too many
  ///   pages.
  public func zoom(_ zoom: ViewerZoom) async throws(ViewerError) -> ViewerScene {
    let zoomed: Viewpoint
    do throws(LayoutError) {
      switch zoom.change {
      case .by(let factor): zoomed = try viewpoint.zoomed(by: factor, about: zoom.about)
      case .to(let factor): zoomed = try viewpoint.zoomed(to: factor, about: zoom.about)
      }
    } catch {
      throw .layout(error)
    }
    try enter(zoomed, isRearranged: true)
    turn = nil
    velocity = .zero
    await settle()
    return scene
  }

  /// Lays out anew; what the reader looks at stays in sight. When its page is not shown any more,
  /// the one behind it takes its place, or else the one in front of it.
  ///
  /// - Throws: ``ViewerError`` when the layout refuses the configuration, or the window would show
  ///   too many pages.
  public func rearrange(
    _ configuration: LayoutConfiguration,
    pages: PageSequence
  ) async throws(ViewerError) -> ViewerScene {
    let layout = try rearranged { (layout) throws(LayoutError) in
      try layout.reconfigured(configuration).reordered(pages)
    }
    try enter(viewpoint.carried(to: layout), isRearranged: true)
    turn = nil
    await settle()
    return scene
  }

  /// Follows a destination.
  ///
  /// - Parameters:
  ///   - destination: Where on the page to go, and how to zoom.
  ///   - page: Its page.
  ///   - keepsZoom: Whether zoom and fit stay as they are.
  /// - Returns: What the viewer shows then.
  /// - Throws: ``ViewerError`` when the layout does not show the page, or the window would show too
  ///   many.
  public func follow(
    _ destination: Destination,
    on page: PageIndex,
    keepsZoom: Bool
  ) async throws(ViewerError) -> ViewerScene {
    let asked = [Range(only: page)]
    take(await document.measureAtOnce(asked), of: asked, keeping: nil)
    guard let info = documentLayout.pages.info(of: page) else { return try await show(.to(page)) }
    let space = PageSpace(
      cropBox: info.cropBox,
      rotation: info.rotation ?? .none
    )
    guard
      let found = viewpoint.following(destination, on: page, in: space, keepsZoom: keepsZoom)
    else { throw .noSuchPage(page) }
    try enter(found, isRearranged: true)
    turn = nil
    target = page
    velocity = .zero
    await settle()
    return scene
  }

  /// The page at a point of the content, and the place on it in points from the displayed page's
  /// top left; nil where there is none.
  ///
  /// - Throws: ``ViewerError/forgottenGeometry(_:)``.
  public func page(
    at point: Point,
    geometry: Int? = nil
  ) throws(ViewerError) -> (page: LaidOutPage, point: Point, info: PageInfo?)? {
    let layout = try layout(of: geometry)
    guard let page = layout.page(at: point, in: window) else { return nil }
    return (page, page.pagePoint(point), documentLayout.pages.info(of: page.page))
  }

  // MARK: Geometry

  func updateCurrent() {
    current =
      documentLayout.layout.refusal(of: window) == nil
      ? documentLayout.layout.currentPage(in: window, previous: current, target: target)
      : documentLayout.layout.anchor(at: window.origin)?.page
  }

  /// Another layout made from the present one.
  private func rearranged(
    _ change: (Layout) throws(LayoutError) -> Layout
  ) throws(ViewerError) -> Layout {
    do throws(LayoutError) {
      return try change(documentLayout.layout)
    } catch {
      throw .layout(error)
    }
  }

  /// What the reader looks at.
  var viewpoint: Viewpoint { Viewpoint(documentLayout.layout, at: window.origin) }

  /// Looks from somewhere else; the layout is the same but for the zoom and pan of its spreads.
  func look(from viewpoint: Viewpoint) {
    documentLayout.rearrange(viewpoint.layout)
    window = viewpoint.window
  }

  /// What finds an anchor in a layout whose sizes have changed.
  ///
  /// - Parameters:
  ///   - anchor: The anchor; nil finds nothing.
  ///   - atRest: Whether a spread that rests is to come to rest.
  /// - Returns: A function from the viewpoint after the change to one that shows the anchor; its
  ///   result is nil where the anchor's page is not shown.
  private static func keeping(_ anchor: Anchor?, atRest: Bool) -> (Viewpoint) -> Viewpoint? {
    { viewpoint in
      guard let anchor else { return nil }
      if atRest { return viewpoint.showing(anchor) }
      return viewpoint.layout.offset(of: anchor).map(viewpoint.moved(to:))
    }
  }

  /// Goes to a viewpoint, in another layout if `isRearranged`. Changes nothing when it throws: the
  /// window shows too many pages there, as far as their sizes are known.
  func enter(_ viewpoint: Viewpoint, isRearranged: Bool) throws(ViewerError) {
    if let refusal = viewpoint.layout.refusal(of: viewpoint.window) { throw .window(refusal) }
    if isRearranged {
      remember()
      geometry += 1
    }
    look(from: viewpoint)
  }

  func remember(_ layout: Layout? = nil) {
    if past.count == Self.pastLimit { past.removeFirst() }
    past.append((geometry, layout ?? documentLayout.layout))
  }

  func layout(of geometry: Int?) throws(ViewerError) -> Layout {
    guard let geometry, geometry != self.geometry else { return documentLayout.layout }
    guard let found = past.last(where: { $0.geometry == geometry }) else {
      throw .forgottenGeometry(geometry)
    }
    return found.layout
  }
}

extension ViewerMove {
  /// The start of a page.
  fileprivate static func to(_ page: PageIndex) -> ViewerMove {
    var move = ViewerMove()
    move.place = .page(page, fraction: 0)
    return move
  }
}
