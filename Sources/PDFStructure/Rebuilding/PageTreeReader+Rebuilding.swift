package import DocumentModel
internal import RectoGeometry

extension PageTreeReader {
  /// Reads a file whose cross-reference is unusable, or leads to no page, by scanning it for objects.
  ///
  /// The catalog is the one that a trailer names, or else an object of that type, if it leads to a page. If none does, the
  /// pages are all objects of that type, in the order of the file.
  ///
  /// - Throws: ``StructureError``: `damaged` when no page is found, `encrypted`, `notPDF`, or `limit`.
  /// - Complexity: O(bytes).
  package convenience init(
    rebuilding bytes: any ByteSource,
    limits: ReaderLimits = .standard,
    shown: ShownContent = ShownContent()
  ) throws(StructureError) {
    try self.init(bytes: try Self.rebuilt(bytes, limits), limits: limits, shown: shown)
  }

  /// Whether the cross-reference was rebuilt by the reader.
  package var isRebuilt: Bool { store.file.source is RebuiltBytes }

  /// Whether the page tree claims to have no pages.
  private var isEmpty: Bool {
    guard case .reference(let root) = catalog[Key.pages], let node = try? store.node(root),
      case .list(let kids) = node.kids
    else { return false }
    return kids.isEmpty && node.count == 0
  }

  private static func rebuilt(
    _ file: any ByteSource,
    _ limits: ReaderLimits
  ) throws(StructureError) -> RebuiltBytes {
    let found = try FoundObjects(file, limits: limits)
    let end = file.count - found.start
    var trial = limits
    trial.work /= FoundObjects.mostCatalogs
    trial.seconds /= Double(FoundObjects.mostCatalogs)
    for catalog in found.catalogs {
      let entries = found.trailer(catalog)
      let bytes = RebuiltBytes(file: file, tail: found.table.tail(adding: [], entries, at: end))
      guard let reader = try? PageTreeReader(bytes: bytes, limits: trial) else { continue }
      if reader.pageCount > 0, (try? reader.page(at: 0)) != nil { return bytes }
      // Page objects of a document without pages were removed.
      guard !reader.isEmpty else { return bytes }
    }
    guard !found.pages.isEmpty else {
      throw StructureError(.damaged, "no page is found in the file")
    }
    let plain = RebuiltBytes(file: file, tail: found.table.tail(adding: [], "", at: end))
    let tree = try FlatTree(
      found.pages,
      try ObjectStore(plain, limits: limits),
      numbered: found.table.size
    )
    let catalog = Reference(number: Int32(found.table.size), generation: 0)
    return RebuiltBytes(
      file: file,
      tail: found.table.tail(adding: tree.objects, found.trailer(catalog), at: end)
    )
  }

  /// The pieces of a subset, relative to the file alone: bytes after it are written out.
  func overFile(_ pieces: [DocumentSubset.Piece]) -> [DocumentSubset.Piece] {
    guard let rebuilt = store.file.source as? RebuiltBytes else { return pieces }
    let end = rebuilt.file.count
    return pieces.flatMap { piece -> [DocumentSubset.Piece] in
      guard case .file(let range) = piece, range.upperBound > end else { return [piece] }
      let front = range.lowerBound..<max(range.lowerBound, end)
      let rest = rebuilt.tail[(max(range.lowerBound, end) - end)..<(range.upperBound - end)]
      return (front.isEmpty ? [] : [.file(front)]) + [.bytes(Array(rest))]
    }
  }
}
