public import RectoGeometry

/// A column after an edit of its parts, or of the pages of one.
public struct EditedColumn: Sendable {
  /// The column.
  public var column: LayoutColumn
  /// The anchor in it; nil when there was none or it named nothing, or no page is left.
  public var anchor: ColumnAnchor?
  /// Which positions of the part are new, gone and kept; nil where no part's pages were edited.
  public var changes: PageChanges?
}

extension LayoutColumn {
  /// The column after pages of one part were inserted, removed, moved or duplicated.
  ///
  /// The anchor follows as in ``Layout/edited(keeping:_:)``. Where no page of the part is left, it goes
  /// to the start of the next part that shows one, or else to the end of the one in front.
  ///
  /// - Parameters:
  ///   - path: The part, a layout; where there is none, nothing changes.
  ///   - anchor: What is to stay where it is.
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

  /// The column with further parts, the first of which gets the path that is given.
  ///
  /// - Parameters:
  ///   - parts: The new parts.
  ///   - path: Where they go: a column's path, and an index in it; an index outside means the
  ///     nearer end. Where there is no such column, nothing changes.
  ///   - anchor: What is to stay where it is.
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
  /// An anchor in the part goes to the start of the next part that shows a page, or else to the end of
  /// the one in front.
  ///
  /// - Parameters:
  ///   - path: The part; where there is none, nothing changes.
  ///   - anchor: What is to stay where it is.
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

  /// The column with a part moved in front of the part at `target`, with all that is in it. The anchor
  /// goes along.
  ///
  /// - Parameters:
  ///   - path: The part; where there is none, nothing changes.
  ///   - target: A path as it is before the move, in any column but those in the part; an index
  ///     outside means the nearer end.
  ///   - anchor: What is to stay where it is.
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

  /// The column with another part in the place of one: a layout under another configuration, or for
  /// another width.
  ///
  /// An anchor in the part stays where its page is still shown, goes to what followed it where one of
  /// the old layout's pages is, and else to the start of the next part, or the end of the one in front.
  ///
  /// - Parameters:
  ///   - path: The part; where there is none, nothing changes.
  ///   - content: What is to be there.
  ///   - anchor: What is to stay where it is.
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

  /// The same column in a viewport of another size, with other layouts for it. Anchors stay good.
  ///
  /// - Parameters:
  ///   - viewport: The size of the window. Nested columns as wide as this one was get its width.
  ///   - change: Makes each layout anew, by its path; by default, layouts stay as they are.
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

  /// Changes the parts of one column, and puts those around it into their new places.
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

  /// A path at which parts can be inserted, its last index held to those there are; nil where there is no
  /// such column.
  private func insertionPath(_ path: PartPath) -> PartPath? {
    guard let index = path.indices.last, let parent = path.parent,
      let column = parent.indices.isEmpty ? self : part(at: parent)?.column
    else { return nil }
    return parent.appending(min(max(0, index), column.count))
  }

  /// An anchor that names a page that is shown, or else nil.
  private func valid(_ anchor: ColumnAnchor?) -> ColumnAnchor? {
    anchor.flatMap { anchor in
      layout(at: anchor.path)?.position(of: anchor.anchor) == nil ? nil : anchor
    }
  }

  private func unchanged(_ anchor: ColumnAnchor?) -> EditedColumn {
    EditedColumn(column: self, anchor: valid(anchor))
  }
}
