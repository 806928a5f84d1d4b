public import RectoGeometry

/// Stacked layouts in one window: a grid inside a table, a contact sheet with a part per chapter, a text with notes.
///
/// ```
///   column ─┬─ [0] layout
///           ├─ [1] column ─┬─ [1, 0] layout
///           │              └─ [1, 1] layout
///           └─ [2] layout
/// ```
/// A part is a layout or another column. The height of a layout follows from the width it was made for. As a part it
/// has all features: sizes are measured, orders edited, places kept as anchors, and sticky pages pinned while their
/// part is visible. A part is identified by its ``PartPath``; for an invalid path results are nil or empty, and changes
/// do nothing.
///
/// A column is a value like its parts, and copies share storage. Lengths are in layout units, y points down, the origin
/// is the column's top left. Complexities count *p* parts in all columns on a path, and *n* pages in a part.
public struct LayoutColumn: Sendable {
  /// The content of a part.
  public enum Content: Sendable {
    /// Pages.
    case layout(Layout)
    /// Parts in their turn.
    case column(LayoutColumn)
  }

  /// A part in its place.
  public struct Part: Sendable {
    /// The content.
    public var content: Content
    /// The frame of its content, in coordinates of the column that contains it.
    public var frame: Rect

    /// The part's layout; nil for a column.
    public var layout: Layout? { content.layout }
    /// The part's column; nil for a layout.
    public var column: LayoutColumn? { content.column }
  }

  /// The most levels of a column: a column of layouts has 1.
  public static let largestDepth = 100

  /// The distance between two parts.
  public let gap: Double
  /// The horizontal position of a part that was made for a narrower viewport and is narrower: left, centered or right.
  /// A part never moves sideways because of another.
  public let alignment: LayoutConfiguration.Alignment
  /// The size of the window.
  public internal(set) var viewport: Size
  /// The covered parts of the window. Pinned pages avoid them, whatever the parts' own content
  /// insets are.
  public let contentInsets: Insets
  /// The size of the whole column: as wide as the uncovered viewport, or the widest part. Zero if
  /// no part shows anything.
  public internal(set) var size = Size.zero
  /// The number of levels.
  public internal(set) var depth = 1

  var contents: [Content]
  /// The parts' frames.
  var frames: [Rect] = []
  /// The widths that the parts were made for.
  var widths: [Double] = []
  /// For each part, whether its content size depends only on measured sizes.
  var exact: [Bool] = []
  /// The number of leading exact parts.
  var exactCount = 0

  /// Stacks layouts at their own sizes.
  ///
  /// - Parameters:
  ///   - layouts: The parts from top to bottom.
  ///   - gap: The distance between two parts.
  ///   - alignment: The position of parts narrower than the viewport; see ``alignment``.
  ///   - viewport: The size of the window; nil for the widest width that a part was made for, and the height of the
  ///     highest viewport of a part.
  ///   - contentInsets: The covered parts of the window.
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
  ///   - alignment: The position of parts narrower than the viewport; see ``alignment``.
  ///   - viewport: The size of the window; nil for the widest width that a part was made for, and
  ///     the height of the highest viewport of a part.
  ///   - contentInsets: The covered parts of the window.
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
        width: parts.map { $0.widthMadeFor }.max() ?? 0,
        height: parts.map { $0.viewport.height }.max() ?? 0
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

  /// An empty column, which replaces a part while that is changed.
  static let hollow = LayoutColumn()

  private init() {
    gap = 0
    alignment = .start
    viewport = .zero
    contentInsets = .zero
    contents = []
  }

  // MARK: The parts

  /// The number of parts, without those of nested columns.
  public var count: Int { contents.count }

  /// Whether there is nothing to see.
  public var isEmpty: Bool { contents.allSatisfy { $0.isEmpty } }

  /// The parts from top to bottom. O(*p*).
  public var parts: [Part] { zip(contents, frames).map { Part(content: $0, frame: $1) } }

  /// The part at a path, with its frame in coordinates of this column; nil if there is none. The
  /// empty path is not a part.
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

  /// Whether the column's size depends only on measured sizes.
  public var isContentExact: Bool { exactCount == contents.count }
}

extension LayoutColumn.Content {
  /// The layout; nil for a column.
  public var layout: Layout? { if case .layout(let layout) = self { layout } else { nil } }

  /// The column; nil for a layout.
  public var column: LayoutColumn? { if case .column(let column) = self { column } else { nil } }
}

extension Layout {
  /// A layout without scrolling, for a given width; its height is that of ``contentSize``.
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
