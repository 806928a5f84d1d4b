public import DocumentModel
public import PageLayout
public import RectoGeometry

/// The state of a viewer of one document: its layout, its window, and the sizes measured so far.
///
/// Requests return at once, with the known sizes and those that the page tree gives without the engine; other sizes are
/// marked as estimates. The owner of the viewer calls ``measureMore()`` until it returns `finished`. Each call reports
/// which spreads have moved, and moves the window with them, so that the visible pages keep their position on the
/// screen.
///
/// The reader's position is kept as a `Place` through everything but movements: changed options, another viewport, even
/// an empty one, and new sizes.
///
/// An offset may belong to an earlier geometry. The last viewpoints are kept (they share most of their storage), and
/// such an offset is converted through the place that it shows.
///
/// A viewer shows one generation of its document. When ``Document/generations`` reports another
/// one, ``carried(to:configuration:pages:)`` makes a viewer of the same document that takes its
/// place.
public actor Viewer {
  /// The document.
  public nonisolated let document: Document
  /// The generation of the document that is shown.
  public nonisolated let generation: Int
  var documentLayout: DocumentLayout
  /// The reader's view; its layout is that of ``documentLayout``.
  private(set) var viewpoint: Viewpoint
  private var scale: Double
  private var velocity = Point.zero
  /// How far around the window pages are part of the scene, where spreads do not rest.
  var overscan = Insets.zero
  private let tileSide: Int
  /// The custom layout used instead of the mode's.
  let arrangement: (any PageArranging)?
  var geometry: Int
  private var past: [(geometry: Int, viewpoint: Viewpoint)] = []
  /// How far a page is turned; nil if none is.
  var turn: Double?

  /// Viewpoints kept for offsets that arrive late.
  private static let pastLimit = 64

  /// A viewer at the beginning of a document, whose first page is measured now.
  ///
  /// - Parameters:
  ///   - document: The document to follow.
  ///   - configuration: How its pages are arranged.
  ///   - arrangement: A custom layout, which is kept; nil for that of the configuration's mode.
  ///   - pages: Which pages, in which order.
  ///   - viewport: In layout units.
  ///   - scale: Device pixels per layout unit, > 0.
  ///   - tileSide: In device pixels, at least 1.
  ///   - geometry: The number of its first geometry, if it replaces another viewer.
  /// - Throws: `LayoutError`, or any `DocumentError` of opening the document; `usage` when the
  ///   window shows more than ``DocumentLayout/largestPageCount`` pages; `pageMismatch` when the
  ///   reader of pages changes meanwhile.
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
    try Self.require(scale)
    guard tileSide > 0 else {
      throw LayoutError(field: "tileSide", reason: "must be above 0, is \(tileSide)")
    }
    self.document = document
    self.arrangement = arrangement
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
    generation = documentLayout.pages.generation
    viewpoint = try await documentLayout.viewpoint(at: .start, sizes: .estimated)
    if let refusal = documentLayout.layout.refusal(of: viewpoint.window) { throw refusal }
    self.documentLayout = documentLayout
  }

  /// Refuses an invalid scale.
  ///
  /// - Throws: `LayoutError`.
  private static func require(_ scale: Double) throws(LayoutError) {
    guard scale > 0, scale.isFinite else {
      throw LayoutError(field: "scale", reason: "must be above 0, is \(scale)")
    }
  }

  /// The visible part of the content.
  var window: Rect { viewpoint.window }

  /// The current view.
  public var scene: ViewerScene {
    let refusal = documentLayout.layout.refusal(of: window)
    return ViewerScene(
      documentLayout: documentLayout,
      viewpoint: viewpoint,
      scale: scale,
      tileSide: tileSide,
      velocity: velocity,
      geometry: geometry,
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
  ///   show too many; also for a geometry that is no longer kept.
  public func show(_ move: ViewerMove) async throws(ViewerError) -> ViewerScene {
    try await show(move, in: nil)
  }

  /// Changes the layout and shows the reader's place in it, or goes to another place. If the page of the place is no
  /// longer shown, the next page is used, or else the previous one.
  ///
  /// - Parameters:
  ///   - configuration: How the pages are arranged.
  ///   - pages: Which pages, in which order.
  ///   - move: Where to go in the new layout. An offset is in the new layout, unless the move has a geometry.
  /// - Returns: The new scene.
  /// - Throws: ``ViewerError`` when the layout refuses the configuration, and as ``show(_:)``.
  public func rearrange(
    _ configuration: LayoutConfiguration,
    pages: PageSequence,
    showing move: ViewerMove = ViewerMove()
  ) async throws(ViewerError) -> ViewerScene {
    let layout = try rearranged { (layout) throws(LayoutError) in
      try layout.reconfigured(configuration).reordered(pages)
    }
    return try await show(move, in: layout)
  }

  /// Performs a move, in a new layout if there is one.
  private func show(
    _ move: ViewerMove,
    in other: Layout?
  ) async throws(ViewerError) -> ViewerScene {
    let isRearranged = other != nil || move.viewport != nil || move.zoom != nil
    let changed = try rearranged { (layout) throws(LayoutError) in
      if let scale = move.scale { try Self.require(scale) }
      guard isRearranged else { return layout }
      let layout = other ?? layout
      var configuration = layout.configuration
      configuration.zoom = move.zoom ?? configuration.zoom
      return try layout.reconfigured(configuration).resized(to: move.viewport ?? layout.viewport)
    }
    var (found, isScrolled) = (viewpoint, false)
    let isOffsetOfOther = other != nil && move.geometry == nil
    // An offset with an empty viewport means nothing: toolkits send 0 for both.
    if !isOffsetOfOther, !changed.isEmpty { (found, isScrolled) = try moved(found, by: move) }
    if isRearranged {
      found = found.carried(to: changed)
    } else if (move.geometry ?? geometry) != geometry {
      found = found.measured(changed)
    }
    if isOffsetOfOther { (found, isScrolled) = try moved(found, by: move) }
    let place = try place(of: move, in: found)
    if let place {
      guard let shown = place(found) else { throw .noSuchPage(move.page ?? 0) }
      found = shown
    }
    let start = found
    if let distance = move.distance {
      found = found.scrolled(by: distance)
      isScrolled = isScrolled || found.place != start.place
    }
    try enter(found, isRearranged: isRearranged)
    scale = move.scale ?? scale
    overscan = move.overscan ?? overscan
    velocity = move.velocity
    turn = turned(by: move, isRearranged: other != nil)
    if isScrolled {
      await settle(nil)
      if let distance = move.distance { await scroll(on: distance, from: start) }
      // The visible content is determined after the new pages in the window are measured.
      look(from: Viewpoint(documentLayout.layout, at: viewpoint.offset))
    } else {
      let kept = found.place
      await settle(place ?? { viewpoint in kept.flatMap(viewpoint.showing) })
    }
    return scene
  }

  /// Scrolls by the rest of a distance, if the content seemed to end before new pages in the window were measured.
  private func scroll(on distance: Point, from start: Viewpoint) async {
    guard !viewpoint.layout.restsAtSpreads else { return }
    let wanted = start.offset + distance
    var rest = wanted - start.layout.clamped(wanted)
    for _ in 0..<Self.scrollingRounds where rest != .zero {
      let next = viewpoint.scrolled(by: rest)
      let done = next.offset - viewpoint.offset
      guard done != .zero, next.layout.refusal(of: next.window) == nil else { return }
      rest = rest - done
      look(from: next)
      await settle(nil)
    }
  }

  /// How often scrolling continues when the content turns out to be longer; each time shows other
  /// pages.
  private static let scrollingRounds = 8

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
    let place = zoomed.place
    await settle { viewpoint in place.flatMap(viewpoint.showing) }
    return scene
  }

  /// Follows a destination.
  ///
  /// - Parameters:
  ///   - destination: Where on the page to go, and how to zoom.
  ///   - page: Its page.
  ///   - keepsZoom: Whether zoom and fit do not change.
  /// - Returns: The new scene.
  /// - Throws: ``ViewerError`` when the layout does not show the page, or the window would show too
  ///   many.
  public func follow(
    _ destination: Destination,
    on page: PageIndex,
    keepsZoom: Bool
  ) async throws(ViewerError) -> ViewerScene {
    let asked = [Range(only: page)]
    take(await sizes(of: asked), of: asked)
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
    velocity = .zero
    let place = found.place
    await settle { viewpoint in place.flatMap(viewpoint.showing) }
    return scene
  }

  /// The page at a point of the content, and the point on it, in points from the displayed page's
  /// top left; nil if there is none.
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

  /// Changes the viewpoint; only the zoom and pan of the layout's spreads may change.
  func look(from viewpoint: Viewpoint) {
    documentLayout.rearrange(viewpoint.layout)
    self.viewpoint = viewpoint
  }

  /// Goes to a viewpoint, in another layout if `isRearranged`. Throws, and changes nothing, if by
  /// the known sizes the window would show too many pages.
  func enter(_ viewpoint: Viewpoint, isRearranged: Bool) throws(ViewerError) {
    if let refusal = viewpoint.layout.refusal(of: viewpoint.window) { throw .window(refusal) }
    if isRearranged {
      remember()
      geometry += 1
    }
    look(from: viewpoint)
  }

  func remember() {
    if past.count == Self.pastLimit { past.removeFirst() }
    past.append((geometry, viewpoint))
  }

  /// The last viewpoint of a geometry; nil for the newest.
  func viewpoint(of geometry: Int?) throws(ViewerError) -> Viewpoint {
    guard let geometry, geometry != self.geometry else { return viewpoint }
    guard let found = past.last(where: { $0.geometry == geometry }) else {
      throw .forgottenGeometry(geometry)
    }
    return found.viewpoint
  }

  func layout(of geometry: Int?) throws(ViewerError) -> Layout {
    try viewpoint(of: geometry).layout
  }
}

extension ViewerMove {
  /// The page that the move names.
  fileprivate var page: PageIndex? {
    switch place {
    case .page(let page, _, _, _): page
    case .place(let place): place.anchor.page
    case .offset, .coordinates, .spread, nil: nil
    }
  }

  /// The start of a page.
  fileprivate static func to(_ page: PageIndex) -> ViewerMove {
    var move = ViewerMove()
    move.place = .page(page, fraction: 0)
    return move
  }
}
