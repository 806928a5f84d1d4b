public import RectoGeometry

/// Layouts one below the other, seen through one window: a grid inside a table, a contact sheet with
/// a part per chapter, a text with its notes.
///
/// ```
///   column ─┬─ [0] layout
///           ├─ [1] column ─┬─ [1, 0] layout
///           │              └─ [1, 1] layout
///           └─ [2] layout
/// ```
/// A part is a layout or another column. Each layout takes the height that follows from the width it
/// was made for; whatever it can do, it can do as a part: sizes are measured, orders edited, places
/// kept as anchors, and sticky pages pinned as long as their part is seen. A part is named by its
/// ``PartPath``; a path that names nothing gives nil or empty answers, and changes nothing.
///
/// A column is a value like its parts, and copies share what they have in common. Lengths are in layout
/// units, y points down, the origin is the column's top left. Complexities count *p* parts in all
/// columns on a path, and *n* pages in a part.
public struct LayoutColumn: Sendable {
  /// What a part is.
  public enum Content: Sendable {
    /// Pages.
    case layout(Layout)
    /// Parts in their turn.
    case column(LayoutColumn)
  }

  /// A part in its place.
  public struct Part: Sendable {
    /// What it is.
    public var content: Content
    /// Where its content sits, in the coordinates of the column that it is a part of.
    public var frame: Rect

    /// The part's layout; nil for a column.
    public var layout: Layout? { content.layout }
    /// The part's column; nil for a layout.
    public var column: LayoutColumn? { content.column }
  }

  /// No column has more levels: one of layouts has 1.
  public static let largestDepth = 100

  /// The distance between two parts.
  public let gap: Double
  /// Where a part stands across the viewport that is made for a narrower one and is narrower: at the
  /// left, in the middle, or at the right. No part moves sideways for another.
  public let alignment: LayoutConfiguration.Alignment
  /// The size of the window that the column is seen through.
  public internal(set) var viewport: Size
  /// The parts of the window that are covered. Pinned pages stay clear of them, whatever the parts'
  /// own content insets are.
  public let contentInsets: Insets
  /// The size of the whole column: as wide as what is uncovered of the viewport, or as the widest
  /// part. Nothing where no part shows anything.
  public internal(set) var size = Size.zero
  /// The number of levels.
  public internal(set) var depth = 1

  var contents: [Content]
  /// The parts' frames.
  var frames: [Rect] = []
  /// The widths that the parts were made for.
  var widths: [Double] = []
  /// For each part, whether its content's size rests on measured sizes alone.
  var exact: [Bool] = []
  /// The number of parts from the first to the last in front of which all are exact.
  var exactCount = 0

  /// Stacks layouts at their own sizes.
  ///
  /// - Parameters:
  ///   - layouts: The parts from top to bottom.
  ///   - gap: The distance between two parts.
  ///   - alignment: Where parts narrower than the viewport stand; see ``alignment``.
  ///   - viewport: The size of the window; nil: as wide as the widest room that a part was made for,
  ///     and as high as the highest viewport of a part.
  ///   - contentInsets: The parts of the window that are covered.
  /// - Throws: ``LayoutError`` when the gap, the viewport or an inset is not a length.
  /// - Complexity: O(*p* log *n*).
  public init(
    _ layouts: [Layout],
    gap: Double = 0,
    alignment: LayoutConfiguration.Alignment = .start,
    viewport: Size? = nil,
    contentInsets: Insets = .zero
  ) throws(LayoutError) {
    try self.init(
      parts: layouts.map { .layout($0) },
      gap: gap,
      alignment: alignment,
      viewport: viewport,
      contentInsets: contentInsets
    )
  }

  /// Stacks layouts and columns at their own sizes.
  ///
  /// - Parameters:
  ///   - parts: The layouts and columns from top to bottom.
  ///   - gap: The distance between two parts, in layout units.
  ///   - alignment: Where parts narrower than the viewport stand; see ``alignment``.
  ///   - viewport: The size of the window; nil: as wide as the widest room that a part was made
  ///     for, and as high as the highest viewport of a part.
  ///   - contentInsets: The parts of the window that are covered.
  /// - Throws: ``LayoutError`` when the gap, the viewport or an inset is not a length, or columns
  ///   are nested deeper than ``largestDepth``.
  /// - Complexity: O(*p* log *n*).
  public init(
    parts: [Content],
    gap: Double = 0,
    alignment: LayoutConfiguration.Alignment = .start,
    viewport: Size? = nil,
    contentInsets: Insets = .zero
  ) throws(LayoutError) {
    var probe = LayoutConfiguration()
    probe.gap = gap
    probe.contentInsets = contentInsets
    try probe.validate()
    let viewport =
      viewport
      ?? Size(
        width: parts.map(\.widthMadeFor).max() ?? 0,
        height: parts.map(\.viewport.height).max() ?? 0
      )
    try LayoutConfiguration.validate(viewport: viewport)
    self.gap = gap
    self.alignment = alignment
    self.viewport = viewport
    self.contentInsets = contentInsets
    contents = parts
    stack()
    try checkDepth()
  }

  /// A column without parts, which stands for a part while that is changed.
  static let hollow = LayoutColumn()

  private init() {
    gap = 0
    alignment = .start
    viewport = .zero
    contentInsets = .zero
    contents = []
  }

  // MARK: The parts

  /// The number of parts, those of nested columns not counted.
  public var count: Int { contents.count }

  /// Whether there is nothing to see.
  public var isEmpty: Bool { contents.allSatisfy(\.isEmpty) }

  /// The parts from top to bottom. O(*p*).
  public var parts: [Part] { zip(contents, frames).map { Part(content: $0, frame: $1) } }

  /// The part at a path, its frame in the coordinates of this column; nil when there is none. The
  /// empty path is no part.
  public func part(at path: PartPath) -> Part? {
    guard let index = path.indices.first, contents.indices.contains(index) else { return nil }
    let frame = frames[index]
    let rest = PartPath(Array(path.indices.dropFirst()))
    if rest.indices.isEmpty { return Part(content: contents[index], frame: frame) }
    guard case .column(let column) = contents[index], var part = column.part(at: rest) else {
      return nil
    }
    part.frame = part.frame.offsetBy(x: frame.minX, y: frame.minY)
    return part
  }

  /// The layout at a path; nil when there is none.
  public func layout(at path: PartPath) -> Layout? { part(at: path)?.layout }

  /// The paths of all layouts, from top to bottom. Linear in their number.
  public var layoutPaths: [PartPath] {
    var paths: [PartPath] = []
    for (index, content) in contents.enumerated() {
      switch content {
      case .layout: paths.append([index])
      case .column(let column):
        paths += column.layoutPaths.map { PartPath([index] + $0.indices) }
      }
    }
    return paths
  }

  /// Whether the column's size rests on measured sizes alone.
  public var isContentExact: Bool { exactCount == contents.count }
}

extension LayoutColumn.Content {
  /// The layout; nil for a column.
  public var layout: Layout? { if case .layout(let layout) = self { layout } else { nil } }

  /// The column; nil for a layout.
  public var column: LayoutColumn? { if case .column(let column) = self { column } else { nil } }
}

extension Layout {
  /// A layout that is not scrolled, for a given width; its height is ``contentSize``'s.
  ///
  /// - Parameters:
  ///   - configuration: How the pages are arranged.
  ///   - pages: The pages to show, and their order.
  ///   - sizes: The page sizes known so far.
  ///   - width: The width of the viewport, in layout units.
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
