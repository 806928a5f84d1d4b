public import RectoGeometry

/// A column after an edit of its parts, or of the pages of one.
public struct EditedColumn: Sendable {
  /// The column.
  public var column: LayoutColumn
  /// The anchor in it; nil if there was none, it was invalid, or no page is left.
  public var anchor: ColumnAnchor?
  /// Which positions of the part are new, removed and kept; nil if no part's pages were edited.
  public var changes: PageChanges?
}

extension LayoutColumn {
  /// The column after pages of one part were inserted, removed, moved or duplicated.
  ///
  /// The anchor follows as in ``Layout/edited(keeping:_:)``. If no page of the part is left, it moves to the start of
  /// the next part with pages, or else to the end of the previous one.
  ///
  /// - Parameters:
  ///   - path: The part, a layout; if there is none, nothing changes.
  ///   - anchor: What to keep in place.
  ///   - edit: Changes the order of the part's pages.
  /// - Returns: The column with the anchor in it.
  /// - Complexity: As making the part's layout, and O(*p*).
  public func edited(
    _ path: PartPath,
    keeping anchor: ColumnAnchor? = nil,
    _ edit: (inout PageEdit) -> Void
  ) -> EditedColumn {
    guard let layout = layout(at: path) else { return unchanged(anchor) }
    let own = anchor?.path == path ? anchor?.anchor : nil
    let edited = layout.edited(keeping: own, edit)
    var column = self
    column.change(columnAt: path.indices.dropLast()) { parts in
      if let index = path.indices.last { parts[index] = .layout(edited.layout) }
    }
    var result = EditedColumn(column: column, anchor: valid(anchor), changes: edited.changes)
    if own != nil, result.anchor != nil {
      result.anchor =
        edited.anchor.map { ColumnAnchor(path: path, anchor: $0) } ?? column.anchor(near: path)
    }
    return result
  }

  /// The column with additional parts, the first of which gets the given path.
  ///
  /// - Parameters:
  ///   - parts: The new parts.
  ///   - path: Where they go: a column's path, and an index in it; an index outside means the
  ///     nearer end. If there is no such column, nothing changes.
  ///   - anchor: What to keep in place.
  /// - Returns: The column with the anchor in it.
  /// - Throws: ``LayoutError`` when columns get nested deeper than ``largestDepth``.
  /// - Complexity: O(*p* log *n*), as are the other edits of parts.
  public func inserting(
    _ parts: [Content],
    at path: PartPath,
    keeping anchor: ColumnAnchor? = nil
  ) throws(LayoutError) -> EditedColumn {
    guard let path = insertionPath(path), let index = path.indices.last else {
      return unchanged(anchor)
    }
    var column = self
    column.change(columnAt: path.indices.dropLast()) {
      $0.insert(contentsOf: parts, at: index)
    }
    try column.checkDepth()
    var kept = valid(anchor)
    if let anchor = kept { kept?.path = anchor.path.inserting(parts.count, at: path) }
    return EditedColumn(column: column, anchor: kept)
  }

  /// The column without a part.
  ///
  /// An anchor in the part moves to the start of the next part with pages, or else to the end of the previous one.
  ///
  /// - Parameters:
  ///   - path: The part; if there is none, nothing changes.
  ///   - anchor: What to keep in place.
  /// - Returns: The column with the anchor in it.
  public func removing(_ path: PartPath, keeping anchor: ColumnAnchor? = nil) -> EditedColumn {
    guard let index = path.indices.last, part(at: path) != nil else { return unchanged(anchor) }
    var column = self
    column.change(columnAt: path.indices.dropLast()) { $0.remove(at: index) }
    guard var kept = valid(anchor) else { return EditedColumn(column: column) }
    guard let moved = kept.path.removing(path) else {
      return EditedColumn(column: column, anchor: column.anchor(near: path))
    }
    kept.path = moved
    return EditedColumn(column: column, anchor: kept)
  }

  /// The column with a part and its contents moved before the part at `target`. The anchor moves with it.
  ///
  /// - Parameters:
  ///   - path: The part; if there is none, nothing changes.
  ///   - target: A path before the move, in any column outside of the part; an index outside means
  ///     the nearer end.
  ///   - anchor: What to keep in place.
  /// - Returns: The column with the anchor in it.
  /// - Throws: ``LayoutError`` when columns get nested deeper than ``largestDepth``.
  public func moving(
    _ path: PartPath,
    to target: PartPath,
    keeping anchor: ColumnAnchor? = nil
  ) throws(LayoutError) -> EditedColumn {
    guard let part = part(at: path), let target = insertionPath(target), target != path,
      target.parent?.isWithin(path) == false, let place = target.removing(path)
    else { return unchanged(anchor) }
    var edited = try removing(path).column.inserting([part.content], at: place)
    guard var kept = valid(anchor) else { return edited }
    if kept.path.isWithin(path) {
      kept.path = PartPath(place.indices + kept.path.indices.dropFirst(path.indices.count))
    } else if let moved = kept.path.removing(path) {
      kept.path = moved.inserting(1, at: place)
    }
    edited.anchor = kept
    return edited
  }

  /// The column with a part replaced, such as by a layout with another configuration or width.
  ///
  /// An anchor in the part is kept if its page is still shown. Otherwise it moves to the next page of the old layout
  /// that is shown, else to the start of the next part, or the end of the previous one.
  ///
  /// - Parameters:
  ///   - path: The part; if there is none, nothing changes.
  ///   - content: The new part.
  ///   - anchor: What to keep in place.
  /// - Returns: The column with the anchor in it.
  /// - Throws: ``LayoutError`` when columns get nested deeper than ``largestDepth``.
  public func replacing(
    _ path: PartPath,
    with content: Content,
    keeping anchor: ColumnAnchor? = nil
  ) throws(LayoutError) -> EditedColumn {
    guard let index = path.indices.last, part(at: path) != nil else { return unchanged(anchor) }
    var column = self
    column.change(columnAt: path.indices.dropLast()) { $0[index] = content }
    try column.checkDepth()
    var kept = valid(anchor)
    if let anchor = kept, anchor.path.isWithin(path), column.valid(anchor) == nil {
      kept = column.anchor(near: anchor.path)
      if let old = layout(at: anchor.path), let new = column.layout(at: anchor.path),
        let successor = old.successor(of: anchor.anchor, in: new)
      {
        kept = ColumnAnchor(path: anchor.path, anchor: successor)
      }
    }
    return EditedColumn(column: column, anchor: kept)
  }

  /// The same column in a viewport of another size, with other layouts for it. Anchors remain
  /// valid.
  ///
  /// - Parameters:
  ///   - viewport: The size of the window. Nested columns that were as wide as this one get its
  ///     width.
  ///   - change: Returns a new layout for each path; by default, layouts do not change.
  /// - Returns: The column.
  /// - Throws: ``LayoutError`` when the viewport is refused, and what `change` throws.
  /// - Complexity: As making all layouts.
  public func resized(
    to viewport: Size,
    _ change: (PartPath, Layout) throws(LayoutError) -> Layout = { _, layout in layout }
  ) throws(LayoutError) -> LayoutColumn {
    try LayoutConfiguration.validate(viewport: viewport)
    return try resized(to: viewport, [], change)
  }

  private func resized(
    to viewport: Size,
    _ own: PartPath,
    _ change: (PartPath, Layout) throws(LayoutError) -> Layout
  ) throws(LayoutError) -> LayoutColumn {
    var column = self
    column.viewport = viewport
    for index in contents.indices {
      let path = own.appending(index)
      switch contents[index] {
      case .layout(let layout): column.contents[index] = .layout(try change(path, layout))
      case .column(let nested):
        let isAsWide = nested.viewport.width == self.viewport.width
        let inner = isAsWide ? viewport : nested.viewport
        column.contents[index] = .column(try nested.resized(to: inner, path, change))
      }
    }
    column.stack()
    return column
  }

  // MARK: Changing the parts of a column

  /// Changes the parts of one column, and updates the positions in the columns around it.
  private mutating func change(
    columnAt path: ArraySlice<Int>,
    _ change: (inout [Content]) -> Void
  ) {
    if let index = path.first {
      guard contents.indices.contains(index), case .column(var column) = contents[index] else {
        return
      }
      column.change(columnAt: path.dropFirst(), change)
      contents[index] = .column(column)
    } else {
      change(&contents)
    }
    stack()
  }

  /// A path at which parts can be inserted, with its last index clamped; nil if there is no such column.
  private func insertionPath(_ path: PartPath) -> PartPath? {
    guard let index = path.indices.last, let parent = path.parent,
      let column = parent.indices.isEmpty ? self : part(at: parent)?.column
    else { return nil }
    return parent.appending(min(max(0, index), column.count))
  }

  /// The anchor if its page is shown, else nil.
  private func valid(_ anchor: ColumnAnchor?) -> ColumnAnchor? {
    anchor.flatMap { anchor in
      layout(at: anchor.path)?.position(of: anchor.anchor) == nil ? nil : anchor
    }
  }

  private func unchanged(_ anchor: ColumnAnchor?) -> EditedColumn {
    EditedColumn(column: self, anchor: valid(anchor))
  }
}
