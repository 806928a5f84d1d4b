public import RectoGeometry

/// What taking in sizes has moved in a column. What it does not name is where it was.
///
/// Everything in a part is drawn at the part's place, so a change is told in two steps: what has changed
/// in a part, in the part's own coordinates, and how far whole parts are displaced. No part but those
/// in `changes` is laid out anew.
public struct ColumnInvalidation: Hashable, Sendable {
  /// A part in which something has moved.
  public struct Change: Hashable, Sendable {
    /// The part, a layout.
    public var path: PartPath
    /// What has moved in it, in its own coordinates. The offset adjustment is nothing: it is the
    /// column's that counts.
    public var invalidation: Invalidation
  }

  /// Parts that are elsewhere as a whole.
  public struct Displacement: Hashable, Sendable {
    /// The column whose parts they are; the empty path for the outermost one.
    public var column: PartPath
    /// The parts of that column, with all that is in them.
    public var parts: Range<Int>
    /// How far they have moved in the coordinates of the outermost column.
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

  /// The parts in which something has moved, from top to bottom.
  public var changes: [Change]
  /// The parts that are displaced: those behind a part that has grown or shrunk and, where parts are
  /// aligned, that part itself. No part is named twice, neither by itself nor by a column around it.
  public var displacements: [Displacement]
  /// How much the column has grown; negative where it has shrunk.
  public var contentSizeAdjustment: Size
  /// What has to be added to the offset so that the anchor stays where it is in the viewport.
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
