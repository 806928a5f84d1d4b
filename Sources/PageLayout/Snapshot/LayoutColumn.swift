public import Geometry

/// Layouts one below the other, without scrolling of their own: a grid inside a table, a contact
/// sheet with a part per chapter.
///
/// Each part is laid out for a width and takes the height that follows from it; the column is a
/// value like its parts.
public struct LayoutColumn: Sendable {
  /// A part in its place.
  public struct Part: Sendable {
    /// The part.
    public var layout: Layout
    /// Where its content sits in the column.
    public var frame: Rect
  }

  /// The parts from top to bottom.
  public let parts: [Part]
  /// The size of the whole column.
  public let size: Size

  /// Stacks parts at their own sizes, `gap` apart.
  ///
  /// - Throws: ``LayoutError`` when the gap is not a length.
  /// - Complexity: linear in the number of parts.
  public init(_ layouts: [Layout], gap: Double = 0) throws(LayoutError) {
    var probe = LayoutConfiguration()
    probe.gap = gap
    try probe.validate()
    var parts: [Part] = []
    var y = 0.0
    var width = 0.0
    for layout in layouts {
      if !parts.isEmpty { y += gap }
      let frame = Rect(origin: Point(x: 0, y: y), size: layout.contentSize)
      parts.append(Part(layout: layout, frame: frame))
      y = frame.maxY
      width = max(width, frame.width)
    }
    self.parts = parts
    size = Size(width: width, height: y)
  }

  /// The spreads that a part of the column shows, in the column's coordinates, with the part they
  /// belong to.
  ///
  /// - Complexity: O(log *p* + *k* log *n*) for *p* parts and *k* spreads.
  public func spreads(visibleIn window: Rect) -> [(part: Int, spread: LaidOutSpread)] {
    var lower = 0
    var upper = parts.count
    while lower < upper {
      let middle = (lower + upper) / 2
      if parts[middle].frame.maxY <= window.minY { lower = middle + 1 } else { upper = middle }
    }
    var result: [(part: Int, spread: LaidOutSpread)] = []
    for index in lower..<parts.count {
      let part = parts[index]
      guard part.frame.minY < window.maxY else { break }
      let inner = window.offsetBy(x: -part.frame.minX, y: -part.frame.minY)
      for spread in part.layout.spreads(visibleIn: inner) {
        result.append((index, spread.offsetBy(x: part.frame.minX, y: part.frame.minY)))
      }
    }
    return result
  }
}

extension Layout {
  /// A layout that is not scrolled, for a given width; its height is ``contentSize``'s.
  ///
  /// - Throws: ``LayoutError`` naming the refused field.
  public init(
    _ configuration: LayoutConfiguration,
    pages: PageSequence,
    sizes: PageSizes,
    width: Double
  ) throws(LayoutError) {
    try self.init(
      configuration,
      pages: pages,
      sizes: sizes,
      viewport: Size(width: width, height: width)
    )
  }
}

extension LaidOutSpread {
  /// The spread moved by the given distances.
  public func offsetBy(x: Double, y: Double) -> LaidOutSpread {
    var spread = self
    spread.frame = frame.offsetBy(x: x, y: y)
    spread.cell = cell.offsetBy(x: x, y: y)
    for index in spread.pages.indices {
      spread.pages[index].frame = spread.pages[index].frame.offsetBy(x: x, y: y)
      spread.pages[index].clip = spread.pages[index].clip.offsetBy(x: x, y: y)
    }
    return spread
  }
}
