/// The root of the page tree, as poppler reads it.
struct RootNode {
  var pageCount = 0
  var frame: TreeWalk.StackFrame?
  var lonePage: FoundPage?
  /// Whether it has only the entries of a node, see ``TreeNode/isPlain``.
  var isPlain = false

  init(_ store: ObjectStore, _ catalog: PartialDictionary) throws(StructureError) {
    try read(store, catalog)
    // Poppler uses a linearized file's own number, whatever is in the tree.
    if let pages = store.layout.linearization?.pages, pages > 0, pages != pageCount {
      throw StructureError(.linearized, "linearized for \(pages) pages, but it counts \(pageCount)")
    }
  }

  private mutating func read(
    _ store: ObjectStore,
    _ catalog: PartialDictionary
  ) throws(StructureError) {
    guard case .reference(let reference) = catalog[Key.pages] else {
      // Poppler uses the count of a direct dictionary in the catalog, but finds no page in it.
      let pages = try store.dictionary(catalog.sourcedValue(Key.pages), picking: [Key.count])
      if let stated = try store.number(pages?.sourcedValue(Key.count)) {
        pageCount = try Self.plausible(stated, store)
      }
      return
    }
    guard let node = try store.node(reference) else { return }
    let inherited = InheritedAttributes()
    guard let stated = node.count else {
      if node.isTypedPage, node.isAcceptable {
        pageCount = 1
        lonePage = FoundPage(reference: reference, node: node, inherited: inherited)
      }
      return
    }
    guard !node.isTypedPage else {
      throw StructureError(.unsupported, "a root of the page tree that calls itself a page")
    }
    pageCount = try Self.plausible(stated, store)
    isPlain = node.isPlain
    frame = TreeWalk.StackFrame(
      reference: reference,
      kids: node.kids,
      index: 0,
      inherited: inherited.passing(node, reference),
      count: stated,
      produced: 0
    )
  }

  /// A count that poppler accepts: at least one page, and no more pages than objects.
  private static func plausible(_ stated: Double, _ store: ObjectStore) throws(StructureError)
    -> Int
  {
    guard stated >= 1, stated < 2_147_483_648 else { return 0 }
    let count = Int(stated)
    // There can be at most as many pages as objects.
    return try store.crossReference.hasRoom(for: count - 1) ? count : 0
  }
}
