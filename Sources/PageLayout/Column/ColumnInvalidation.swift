public import RectoGeometry

/// The changes in a column caused by new sizes. Everything else has not moved.
///
/// Everything in a part is drawn relative to the part's position, so changes have two levels: changes inside a part, in
/// its own coordinates, and displacements of whole parts. Only the parts in `changes` are laid out again.
public struct ColumnInvalidation: Hashable, Sendable {
  /// A part in which something has moved.
  public struct Change: Hashable, Sendable {
    /// The part, a layout.
    public var path: PartPath
    /// The changes inside it, in its own coordinates. Its offset adjustment is zero: use that of
    /// the column.
    public var invalidation: Invalidation
  }

  /// Parts that are elsewhere as a whole.
  public struct Displacement: Hashable, Sendable {
    /// The column whose parts they are; the empty path for the outermost one.
    public var column: PartPath
    /// The parts of that column, with their contents.
    public var parts: Range<Int>
    /// How far they have moved, in coordinates of the outermost column.
    public var distance: Point

    /// A displacement from its parts.
    ///
    /// - Parameters:
    ///   - column: The column whose parts they are; the empty path for the outermost one.
    ///   - parts: The parts of that column.
    ///   - distance: How far they have moved, in the coordinates of the outermost column.
    public init(column: PartPath, parts: Range<Int>, distance: Point) {
      self.column = column
      self.parts = parts
      self.distance = distance
    }
  }

  /// The parts with changes inside, from top to bottom.
  public var changes: [Change]
  /// The displaced parts: those after a part that has grown or shrunk and, if parts are aligned, that part itself. No
  /// part occurs twice, neither itself nor through a column around it.
  public var displacements: [Displacement]
  /// How much the column has grown; negative if it has shrunk.
  public var contentSizeAdjustment: Size
  /// What to add to the offset so that the anchor stays in place in the viewport.
  public var offsetAdjustment: Point

  /// Nothing has moved.
  public static let none = ColumnInvalidation(
    changes: [],
    displacements: [],
    contentSizeAdjustment: .zero,
    offsetAdjustment: .zero
  )

  /// Whether nothing has moved.
  public var isEmpty: Bool { changes.isEmpty }

  /// How far the part at a path has been moved as a whole.
  ///
  /// - Complexity: Linear in the number of displacements.
  public func displacement(of path: PartPath) -> Point {
    let found = displacements.first { displacement in
      let level = displacement.column.indices.count
      return path.isWithin(displacement.column) && path.indices.count > level
        && displacement.parts.contains(path.indices[level])
    }
    return found?.distance ?? .zero
  }
}
