import DocumentModel
import Foundation
import PNGCoding
import PageLayout
import RectoGeometry
import RectoTiles
import SystemPackage
import TestSupport
import Testing

@testable import RectoKit

/// Pages fill the pixels that their frames snap to: no paper shows at an edge of a dark page.
@Suite(.serialized, .timeLimit(.minutes(10))) struct PaleLineTests {
  private static let background: UInt32 = 0xFF20_C040
  private static let black: UInt32 = 0xFF00_0000

  /// RECTO_EFFORT=10 in the environment tries ten times as many.
  private static let seeds: Range<Int> = {
    let effort = ProcessInfo.processInfo.environment["RECTO_EFFORT"].flatMap(Int.init) ?? 1
    return 0..<80 * max(1, effort)
  }()

  private static func open(_ file: URL) throws -> Document {
    let settings = DocumentSettings(cache: nil, workerProgram: FilePath(TestPaths.worker.path))
    return try Document(FilePath(file.path), settings: settings)
  }

  /// A picture that is black where `rects` are, and how many pixels lie in two of them.
  private static func expected(
    _ rects: [PixelRect],
    size: PixelSize
  ) -> (pixels: [UInt32], shared: Int) {
    var pixels = [UInt32](repeating: background, count: size.width * size.height)
    var shared = 0
    let bounds = PixelRect(x: 0, y: 0, width: size.width, height: size.height)
    for (place, rect) in rects.enumerated() {
      for other in rects[..<place] { shared += rect.intersection(other)?.size.area ?? 0 }
      guard let part = rect.intersection(bounds) else { continue }
      for y in part.y..<part.maxY {
        let row = y * size.width
        pixels.replaceSubrange(
          (row + part.x)..<(row + part.maxX),
          with: repeatElement(black, count: part.width)
        )
      }
    }
    return (pixels, shared)
  }

  /// The first pixel that differs, in words.
  private static func difference(_ one: [UInt32], _ other: [UInt32], _ size: PixelSize) -> String? {
    guard let place = zip(one, other).enumerated().first(where: { $1.0 != $1.1 })?.offset else {
      return nil
    }
    let (x, y) = (place % size.width, place / size.width)
    return "(\(x), \(y)): \(String(one[place], radix: 16)), not \(String(other[place], radix: 16))"
  }

  private static func decode(_ png: [UInt8]) throws -> PNGPicture {
    try PNGDecoder.decode(png.span.bytes, maxPixels: 1 << 24)
  }

  /// What a window shows, and the picture of it.
  private struct Shown {
    var window: Rect
    var scale: Double
    var axis: LayoutConfiguration.Axis
    var pages: [LaidOutPage]
    var tiles: [PageTiles]
    var picture: PNGPicture

    /// The pixels of the picture that a part of the content snaps to.
    func place(_ rect: Rect) -> PixelRect {
      let origin = window.snapped(scale: scale)
      let rect = rect.snapped(scale: scale)
      return PixelRect(
        x: rect.x - origin.x,
        y: rect.y - origin.y,
        width: rect.width,
        height: rect.height
      )
    }
  }

  private static func show(
    _ configuration: LayoutConfiguration,
    _ document: Document,
    viewport: Size,
    at share: Point,
    scale: Double,
    tileSide: Int
  ) async throws -> Shown {
    let info = try await document.info()
    var documentLayout = try DocumentLayout(
      document,
      configuration: configuration,
      pages: PageSequence(pageCount: info.pageCount),
      viewport: viewport
    )
    let far = documentLayout.layout.contentSize
    let offset = Point(x: share.x * far.width, y: share.y * far.height)
    let window = try await documentLayout.window(at: .offset(offset), sizes: .exact)
    let spreads = try await documentLayout.spreads(in: window)
    let results = await documentLayout.tiles(
      of: spreads,
      in: window,
      scale: scale,
      tileSide: tileSide
    )
    let pages = spreads.flatMap(\.pages)
    let tiles = try results.map { try $0.get() }
    var picture = try WindowPicture(
      of: window,
      scale: scale,
      background: Color(rgb: background),
      hasShadow: false
    )
    for (page, tiles) in zip(pages, tiles) { try picture.add(page, tiles: tiles) }
    let decoded = try decode(try picture.png())
    return Shown(
      window: window,
      scale: scale,
      axis: configuration.axis,
      pages: pages,
      tiles: tiles,
      picture: decoded
    )
  }

  @Test(arguments: seeds)
  func `a window of dark pages is black where frames are, and nowhere else`(seed: Int) async throws
  {
    var random = SeededGenerator(seed)
    let dark = try DarkPages.mixed()
    let (configuration, scale) = Self.configuration(seed, &random)
    let viewport = Size(width: random.number(80...480), height: random.number(80...480))
    let share = Point(x: random.number(0...1), y: random.number(0...1))
    let side = random.pick([64, 100, 512])
    let shown = try await Self.show(
      configuration,
      try Self.open(dark.file),
      viewport: viewport,
      at: share,
      scale: scale,
      tileSide: side
    )
    let words = "\(configuration.mode) \(configuration.spread) \(shown.window) at \(scale)"
    let rects = shown.pages.compactMap {
      shown.place($0.frame).intersection(shown.place($0.clip))
    }
    let (pixels, shared) = Self.expected(rects, size: shown.picture.size)
    #expect(shared == 0, "\(words)")
    let difference = Self.difference(shown.picture.pixels, pixels, shown.picture.size)
    #expect(difference == nil, "\(words)")
    for (page, tiles) in zip(shown.pages, shown.tiles) {
      try expectDark(tiles, of: page, in: shown)
    }
  }

  /// A client that puts tiles where the answer says gets the same pixels.
  private func expectDark(_ tiles: PageTiles, of page: LaidOutPage, in shown: Shown) throws {
    let frame = shown.place(page.frame)
    let raster = tiles.raster.size
    let more = PixelSize(
      width: raster.width - max(1, frame.width),
      height: raster.height - max(1, frame.height)
    )
    switch shown.axis {
    case .vertical: #expect(more.width == 0 && (0...1).contains(more.height))
    case .horizontal: #expect(more.height == 0 && (0...1).contains(more.width))
    }
    for tile in tiles.tiles {
      let at = shown.place(tile.frame)
      let there = PixelRect(
        x: frame.x + tile.pixels.x,
        y: frame.y + tile.pixels.y,
        width: min(tile.pixels.width, frame.width - tile.pixels.x),
        height: min(tile.pixels.height, frame.height - tile.pixels.y)
      )
      #expect(at == there, "tile \(tile.index) of \(page.frame) at \(shown.scale)")
      let one = try Self.decode(tile.picture.bytes)
      #expect(one.size == tile.pixels.size)
      let light = one.pixels.count { $0 != Self.black }
      #expect(light == 0, "tile \(tile.index) of \(page.frame) at \(shown.scale)")
    }
  }

  private static func configuration(
    _ seed: Int,
    _ random: inout SeededGenerator
  ) -> (LayoutConfiguration, scale: Double) {
    var configuration = LayoutConfiguration()
    configuration.mode = LayoutConfiguration.Mode.allCases[seed % 4]
    configuration.spread = random.pick([.single, .double, .book, .columns(3, start: 1)])
    configuration.axis = random.pick(LayoutConfiguration.Axis.allCases)
    configuration.isRightToLeft = random.pick([true, false])
    configuration.fit = random.pick(LayoutConfiguration.Fit.allCases)
    configuration.zoom = random.pick([1, 1, 0.5, 1.37, random.number(0.1...1.5)])
    configuration.gap = random.pick([0, 10, random.number(0...20)])
    configuration.pageGap = random.pick([0, 0, random.number(0...8)])
    configuration.margins = Insets(random.pick([0, 10, random.number(0...20)]))
    configuration.rotation = random.pick(Rotation.allCases)
    return (configuration, random.pick([1, 1, 2, 1.5, 0.37, random.number(0.3...2.5)]))
  }

  @Test func `the spine of two dark pages in a window 401 units wide is dark`() async throws {
    let dark = try DarkPages([(width: 595.276, height: 841.89), (width: 595.276, height: 841.89)])
    let document = try Self.open(dark.file)
    var configuration = LayoutConfiguration()
    configuration.spread = .double
    configuration.fit = .width
    let shown = try await Self.show(
      configuration,
      document,
      viewport: Size(width: 401, height: 200),
      at: .zero,
      scale: 1,
      tileSide: 512
    )
    let row = shown.picture.pixels[(100 * 401)..<(101 * 401)]
    #expect(row.dropFirst(10).prefix(381).allSatisfy { $0 == Self.black })
  }

  @Test func `a page of whole pixels is drawn with one factor for both sides`() async throws {
    // The third page is 612 × 792 points.
    let document = try Self.open(TestPaths.fixture("mixed-sizes"))
    let info = try await document.page(at: 2)
    for scale: Double in [1, 2, 96.0 / 72, 0.5] {
      let raster = try PageRaster(page: 2, info: info, scale: scale, rotation: .none)
      let extent = info.size * scale
      try #require(abs(extent.width - extent.width.rounded()) < 1e-9)
      try #require(abs(extent.height - extent.height.rounded()) < 1e-9)
      var documentLayout = try DocumentLayout(
        document,
        configuration: LayoutConfiguration(),
        pages: PageSequence([.pages(2..<3)]),
        viewport: Size(width: 700.5, height: 300)
      )
      let window = try await documentLayout.window(at: .offset(.zero), sizes: .exact)
      let page = try #require(try await documentLayout.spreads(in: window).first?.pages.first)
      #expect(try documentLayout.placed(page, scale: scale).raster == raster)
    }
  }
}

extension SeededGenerator {
  /// A number of the range; half of the time a multiple of a half, where edges meet half pixels.
  fileprivate mutating func number(_ range: ClosedRange<Double>) -> Double {
    let value = Double.random(in: range, using: &self)
    guard Bool.random(using: &self) else { return value }
    return min(max((value * 2).rounded() / 2, range.lowerBound), range.upperBound)
  }
}
