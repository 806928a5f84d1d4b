import DocumentModel
import PNGCoding
import PageLayout
import RectoGeometry
import RectoKit
import RectoTiles
import TestSupport
import Testing

/// The picture of a window has the pixels of its tiles at their places.
@Suite(.timeLimit(.minutes(10))) struct WindowPictureTests {
  private static let background: UInt32 = 0xFF30_60A0
  private static let paper: UInt32 = 0xFFFF_FFFF

  /// A window, the pages in it and their tiles.
  private struct Shown {
    var layout: DocumentLayout
    var window: Rect
    var scale: Double
    var spreads: [LaidOutSpread]
    var tiles: [Result<PageTiles, DocumentError>]

    var pages: [LaidOutPage] { spreads.flatMap(\.pages) }

    init(
      _ fixture: String,
      _ configuration: LayoutConfiguration,
      viewport: Size = Size(width: 320, height: 260),
      at position: DocumentLayout.Position,
      scale: Double = 1,
      tileSide: Int = 100
    ) async throws {
      let document = try OpenedFixture.document(fixture)
      layout = try DocumentLayout(
        document,
        configuration: configuration,
        pages: PageSequence(pageCount: try await document.info().pageCount),
        viewport: viewport
      )
      self.scale = scale
      window = try await layout.window(at: position, sizes: .exact)
      spreads = try await layout.spreads(in: window)
      tiles = await layout.tiles(of: spreads, in: window, scale: scale, tileSide: tileSide)
    }

    func picture(hasShadow: Bool = false) throws -> PNGPicture {
      var picture = try WindowPicture(
        of: window,
        scale: scale,
        background: Color(rgb: background),
        hasShadow: hasShadow
      )
      try picture.add(spreads, tiles: tiles)
      return try decode(try picture.png())
    }

    /// The pixels of the picture that a part of the content takes: edges rounded, the window's
    /// subtracted.
    func pixels(of rect: Rect) -> (x: Range<Int>, y: Range<Int>) {
      func edge(_ value: Double, _ origin: Double) -> Int {
        Int((value * scale).rounded()) - Int((origin * scale).rounded())
      }
      let (left, right) = (edge(rect.minX, window.minX), edge(rect.maxX, window.minX))
      let (top, bottom) = (edge(rect.minY, window.minY), edge(rect.maxY, window.minY))
      return (left..<max(left, right), top..<max(top, bottom))
    }

    /// The pixels of all pages, by page.
    var places: [(x: Range<Int>, y: Range<Int>)] { pages.map { pixels(of: $0.frame) } }
  }

  private static func decode(_ png: [UInt8]) throws -> PNGPicture {
    try PNGDecoder.decode(png.span.bytes, maxPixels: 1 << 24)
  }

  /// A picture composed pixel by pixel: of the last page there, the tile there, else paper.
  private func composed(_ shown: Shown, size: PixelSize) throws -> [UInt32] {
    var pixels = [UInt32](repeating: Self.background, count: size.width * size.height)
    let pages = try zip(shown.places, shown.tiles).map { place, tiles in
      let tiles = try (try? tiles.get())?.tiles.map { tile in
        (place: tile.pixels, picture: try Self.decode(tile.picture.bytes))
      }
      return (place: place, tiles: tiles ?? [])
    }
    for y in 0..<size.height {
      for x in 0..<size.width {
        guard let page = pages.last(where: { $0.place.x.contains(x) && $0.place.y.contains(y) })
        else { continue }
        let (column, row) = (x - page.place.x.lowerBound, y - page.place.y.lowerBound)
        let tile = page.tiles.last {
          ($0.place.x..<$0.place.maxX).contains(column)
            && ($0.place.y..<$0.place.maxY).contains(row)
        }
        pixels[y * size.width + x] =
          tile.map {
            $0.picture.pixels[(row - $0.place.y) * $0.picture.size.width + column - $0.place.x]
          } ?? Self.paper
      }
    }
    return pixels
  }

  @Test(arguments: 0..<30)
  func `a picture has the pixels of the tiles, paper and background`(seed: Int) async throws {
    var random = SeededGenerator(seed)
    var configuration = LayoutConfiguration()
    configuration.mode = random.pick([.continuous, .grid, .flow])
    configuration.spread = random.pick([.single, .double, .book])
    configuration.axis = random.pick(LayoutConfiguration.Axis.allCases)
    configuration.rotation = random.pick(Rotation.allCases)
    configuration.zoom = random.pick([0.3, 0.5, 0.77, 1])
    let shown = try await Shown(
      random.pick(["mixed-sizes", "crop", "rotate", "page-empty"]),
      configuration,
      at: .offset(
        Point(x: random.pick([0, 33.3]), y: Double.random(in: 0..<2000, using: &random))
      ),
      scale: random.pick([0.5, 1, 1.37])
    )
    let picture = try shown.picture()
    #expect(!shown.pages.isEmpty)
    #expect(picture.pixels == (try composed(shown, size: picture.size)))
  }

  @Test func `a page that failed is paper, and the others are drawn`() async throws {
    var shown = try await Shown("mixed-sizes", LayoutConfiguration(), at: .page(1, fraction: 0.9))
    try #require(shown.pages.count == 2)
    shown.tiles[0] = .failure(DocumentError(.crash, during: "draw", "signal 11"))
    let picture = try shown.picture()
    let place = shown.places[0]
    for y in place.y.clamped(to: 0..<picture.size.height) {
      for x in place.x.clamped(to: 0..<picture.size.width) {
        #expect(picture.pixels[y * picture.size.width + x] == Self.paper)
      }
    }
    #expect(picture.pixels == (try composed(shown, size: picture.size)))
    #expect(picture.pixels.contains { $0 != Self.paper && $0 != Self.background })
  }

  @Test(arguments: [0.5, 1, 2.5])
  func `shadows lie beside pages, fade with the distance and end`(scale: Double) async throws {
    var configuration = LayoutConfiguration()
    configuration.zoom = 0.3
    configuration.mode = .grid
    configuration.gap = 40
    configuration.pageGap = 40
    configuration.margins = Insets(30)
    let shown = try await Shown("book", configuration, at: .offset(.zero), scale: scale)
    let plain = try shown.picture()
    let shaded = try shown.picture(hasShadow: true)
    let (width, height) = (plain.size.width, plain.size.height)
    let places = shown.places
    let reach = max(1, Int((6 * scale).rounded()))
    for y in 0..<height {
      for x in 0..<width {
        let (pixel, other) = (plain.pixels[y * width + x], shaded.pixels[y * width + x])
        // The shadow is that of pages a third of its reach further down.
        let distance =
          places.map { place in
            let across = max(place.x.lowerBound - x, x - place.x.upperBound + 1, 0)
            let top = place.y.lowerBound + reach / 3
            let down = max(top - y, y - (place.y.upperBound + reach / 3) + 1, 0)
            return Double(across * across + down * down).squareRoot()
          }.min() ?? .infinity
        let isPage = places.contains { $0.x.contains(x) && $0.y.contains(y) }
        if isPage || distance >= Double(reach) {
          #expect(other == pixel, "\(x), \(y)")
          continue
        }
        let nearness = 1 - distance / Double(reach)
        for shift: UInt32 in [0, 8, 16] {
          let light = Double(pixel >> shift & 255) * (1 - 0.25 * nearness * nearness)
          #expect(abs(Double(other >> shift & 255) - light) <= 1.5, "\(x), \(y)")
        }
      }
    }
    #expect(shaded.pixels != plain.pixels)
  }

  @Test func `a picture without a pixel, or with too many, is refused`() throws {
    for (window, scale) in [
      (Rect(x: 0, y: 0, width: 0.2, height: 100), 1.0),
      (Rect(x: 0, y: 0, width: 20_000, height: 20_000), 1),
      (Rect(x: 0, y: 0, width: 1e300, height: 1e300), 1e10),
    ] {
      do throws(DocumentError) {
        _ = try WindowPicture(
          of: window,
          scale: scale,
          background: Color(rgb: 0),
          hasShadow: false
        )
        Issue.record("\(window)")
      } catch {
        #expect(error.code == .pageSize)
      }
    }
  }

  // MARK: Moving pages

  /// A picture of a time of a transition.
  private func picture(
    _ layout: DocumentLayout,
    _ transition: Transition,
    at progress: Double
  ) async throws -> PNGPicture {
    var picture = try WindowPicture(
      of: Rect(origin: .zero, size: transition.viewport(at: progress)),
      scale: 1,
      background: Color(rgb: Self.background),
      hasShadow: true
    )
    try picture.add(
      await layout.tiles(of: transition, at: progress, scale: 1, tileSide: 100)
    )
    return try Self.decode(try picture.png())
  }

  @Test func `a transition begins and ends with the pictures of its windows`() async throws {
    // Pages, offsets and gaps are whole pixels, so that a page has the same pixels in the content and
    // in the viewport.
    var grid = LayoutConfiguration()
    grid.mode = .grid
    grid.zoom = 0.5
    let end = try await Shown("fold-out", LayoutConfiguration(), at: .offset(Point(x: 0, y: 700)))
    var layout = end.layout
    let transition = try await layout.transition(
      from: grid,
      pages: layout.layout.pages,
      to: .offset(end.window.origin),
      sizes: .exact
    )
    let origin = transition.start.window.origin
    try #require(origin.x == origin.x.rounded() && origin.y == origin.y.rounded())
    let start = try await Shown("fold-out", grid, at: .offset(origin))
    for (progress, shown) in [(0.0, start), (1, end)] {
      let picture = try await picture(layout, transition, at: progress)
      #expect(picture.pixels == (try shown.picture(hasShadow: true)).pixels, "\(progress)")
      #expect(Set(picture.pixels).count > 50)
    }
    let middle = try await picture(layout, transition, at: 0.5)
    #expect(middle.pixels != (try end.picture(hasShadow: true)).pixels)
  }

  /// A page alone in the middle of a viewport of 200 × 200.
  private func page(turnedBy angle: Double, opacity: Double, _ end: Shown) -> MovingPage {
    var page = Transition(
      from: Viewpoint(end.layout.layout, at: end.window.origin),
      to: Viewpoint(end.layout.layout, at: end.window.origin)
    ).pages(at: 1)[0]
    page.size = Size(width: 80, height: 60)
    page.angle = angle
    page.opacity = opacity
    page.clip = nil
    page.frame = Rect(
      around: Point(x: 100, y: 100),
      size: page.size.boundingBox(turnedByDegrees: angle)
    )
    return page
  }

  @Test(arguments: [0.0, 17, 45, 90, 133, 180, 270, 301])
  func `a turned page covers its area, and its corners are where they turn to`(
    angle: Double
  ) async throws {
    let end = try await Shown("book", LayoutConfiguration(), at: .offset(.zero))
    var picture = try WindowPicture(
      of: Rect(x: 0, y: 0, width: 200, height: 200),
      scale: 1,
      background: Color(rgb: 0),
      hasShadow: false
    )
    try picture.add(page(turnedBy: angle, opacity: 1, end), tiles: nil)
    let decoded = try Self.decode(try picture.png())
    let covered = decoded.pixels.reduce(0) { $0 + Double($1 & 255) / 255 }
    #expect(abs(covered - 80 * 60) < 0.01 * 80 * 60)
    for (x, y) in [(-38.0, -28.0), (38, -28), (38, 28), (-38, 28)] {
      let corner = Point(x: x, y: y).turned(byDegrees: angle)
      let outside = Point(x: x * 1.1, y: y * 1.14).turned(byDegrees: angle)
      func pixel(_ point: Point) -> UInt32 {
        decoded.pixels[Int(100 + point.y) * 200 + Int(100 + point.x)]
      }
      #expect(pixel(corner) == Self.paper)
      #expect(pixel(outside) == 0xFF00_0000)
    }
  }

  @Test func `a page that fades is mixed with what is behind it`() async throws {
    let end = try await Shown("book", LayoutConfiguration(), at: .offset(.zero))
    func picture(_ opacity: Double) throws -> [UInt32] {
      var picture = try WindowPicture(
        of: Rect(origin: .zero, size: end.window.size),
        scale: 1,
        background: Color(rgb: Self.background),
        hasShadow: false
      )
      for (page, tiles) in zip(
        Transition(
          from: Viewpoint(end.layout.layout, at: end.window.origin),
          to: Viewpoint(end.layout.layout, at: end.window.origin)
        ).pages(at: 1),
        end.tiles
      ) {
        var page = page
        page.opacity = opacity
        try picture.add(page, tiles: try tiles.get())
      }
      return try Self.decode(try picture.png()).pixels
    }
    let opaque = try picture(1)
    #expect(Set(opaque).count > 100)
    for share in [0.25, 0.5, 0.8] {
      for (mixed, pixel) in zip(try picture(share), opaque) {
        for shift: UInt32 in [0, 8, 16] {
          let behind = Double(Self.background >> shift & 255)
          let expected = behind + share * (Double(pixel >> shift & 255) - behind)
          #expect(abs(Double(mixed >> shift & 255) - expected) <= 1.5)
        }
      }
    }
  }
}
