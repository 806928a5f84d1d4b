public import PageLayout

/// A custom layout: one large spread and four small ones beside it, again and again.
///
/// ```
/// ┌─────────┐ ┌───┐ ┌───┐
/// │         │ │ 1 │ │ 2 │
/// │    0    │ └───┘ └───┘
/// │         │ ┌───┐ ┌───┐
/// │         │ │ 3 │ │ 4 │
/// └─────────┘ └───┘ └───┘
/// ```
/// Every block has the same height, which follows from the first page. So a place is arithmetic, and
/// a block in the middle of a million pages is exact as soon as the first page and its own are
/// measured. Vertical; what does not fit its box is made smaller, and nothing is made larger.
public struct Mosaic: PageArranging {
  /// Spreads in a block.
  private static let blockCount = 5

  /// A mosaic.
  public init() {}

  /// The side lengths that all blocks share, in layout units.
  private struct Measures {
    var gap: Double
    var large: Size
    var small: Size
    var origin: Point

    init(_ spreads: Spreads) {
      let environment = spreads.environment
      let configuration = environment.configuration
      gap = environment.gap
      origin = Point(x: configuration.margins.left, y: configuration.margins.top)
      let width = max(0, environment.room.width - 2 * gap) * configuration.zoom
      let model = environment.model
      let ratio = model.width > 0 ? model.height / model.width : 1
      // The large one is as high as two small ones and the gap between them.
      let narrow = max(0, width - gap / max(ratio, 1e-6)) / 4
      small = Size(width: narrow, height: narrow * ratio)
      large = Size(width: width - 2 * narrow, height: 2 * narrow * ratio + gap)
    }

    /// The distance from one block to the next.
    var pitch: Double { large.height + gap }

    /// The box of the spread at a place in its block.
    func box(_ place: Int, inBlock block: Int) -> Rect {
      let y = origin.y + Double(block) * pitch
      guard place > 0 else { return Rect(origin: Point(x: origin.x, y: y), size: large) }
      let (row, column) = (place - 1).quotientAndRemainder(dividingBy: 2)
      return Rect(
        x: origin.x + large.width + gap + Double(column) * (small.width + gap),
        y: y + Double(row) * (small.height + gap),
        width: small.width,
        height: small.height
      )
    }
  }

  /// All blocks and the margins around them.
  public func contentSize(of spreads: Spreads) -> Size {
    let measures = Measures(spreads)
    let margins = spreads.environment.configuration.margins
    let blocks = (spreads.count + Self.blockCount - 1) / Self.blockCount
    let width = measures.large.width + 2 * (measures.small.width + measures.gap)
    return Size(
      width: max(spreads.environment.uncovered.width, width + margins.left + margins.right),
      height: margins.top + Double(blocks) * measures.pitch - measures.gap + margins.bottom
    )
  }

  /// The middle of the spread's box.
  ///
  /// - Parameters:
  ///   - index: The spread, which exists.
  ///   - spreads: The spreads and their sizes.
  ///   - window: The visible part of the content; has no effect.
  /// - Returns: The spread's place in the content.
  public func place(_ index: Int, of spreads: Spreads, in window: Rect) -> SpreadPlace {
    let (block, place) = index.quotientAndRemainder(dividingBy: Self.blockCount)
    let box = Measures(spreads).box(place, inBlock: block)
    let own = spreads.size(of: index)
    let scale = min(1, box.width / own.width, box.height / own.height)
    let size = own * scale
    let frame = Rect(
      x: box.center.x - size.width / 2,
      y: box.center.y - size.height / 2,
      width: size.width,
      height: size.height
    )
    return SpreadPlace(frame: frame, cell: box.inset(by: Insets(-1e-6)), scale: scale)
  }

  /// The spreads of the blocks between the window's upper and lower edge.
  public func spreads(touching window: Rect, of spreads: Spreads) -> Range<Int> {
    let measures = Measures(spreads)
    guard measures.pitch > 0, window.height > 0 else { return 0..<0 }
    let last = Double((spreads.count + Self.blockCount - 1) / Self.blockCount)
    func block(_ value: Double) -> Int { Int(min(max(value, 0), last)) }
    var lower = block(((window.minY - measures.origin.y) / measures.pitch).rounded(.down))
    if measures.box(0, inBlock: lower).maxY <= window.minY { lower += 1 }
    let upper = block(((window.maxY - measures.origin.y) / measures.pitch).rounded(.up))
    guard lower < upper else { return 0..<0 }
    let first = min(lower * Self.blockCount, spreads.count)
    return first..<max(first, min(upper * Self.blockCount, spreads.count))
  }

  /// A place follows from the index, and what is in it from its own pages. The first page, which
  /// decides the size of the boxes, is in front of all.
  public func spreadsDeciding(_ range: Range<Int>, of spreads: Spreads) -> Range<Int> { range }

  /// The counterpart.
  public func spreadsAffected(by range: Range<Int>, of spreads: Spreads) -> Range<Int> { range }

  /// Where the spread's box begins: those of one row are one stop.
  public func restingOffset(of index: Int, of spreads: Spreads) -> Double {
    let (block, place) = index.quotientAndRemainder(dividingBy: Self.blockCount)
    let inset = spreads.environment.configuration.contentInsets.top
    return Measures(spreads).box(place, inBlock: block).minY - inset
  }

  /// Each spread is a whole of its own.
  public var isOneCanvas: Bool { false }
}
