/// A page tree made by the reader, for pages that are in no page tree.
struct FlatTree {
  /// The catalog, the root, and a node for each run of pages with the same inherited attributes.
  private(set) var objects: [[UInt8]] = []

  private let store: ObjectStore
  private var known: [Reference: InheritedAttributes] = [:]

  /// Levels above a page that are looked at.
  private static let mostLevels = 64

  /// A tree of pages, in order.
  ///
  /// - Parameters:
  ///   - number: The number of the catalog, the first of ``objects``.
  /// - Throws: ``StructureError`` when a node cannot be read, or a limit is reached.
  init(
    _ pages: [Reference],
    _ store: ObjectStore,
    numbered number: Int
  ) throws(StructureError) {
    self.store = store
    var runs: [PageRun] = []
    for page in pages {
      let attributes = try attributes(of: page)
      if runs.last?.attributes != attributes {
        runs.append(PageRun(attributes: attributes, pages: []))
      }
      runs[runs.count - 1].pages.append(page)
    }
    let kids = runs.indices.map { " \(number + 2 + $0) 0 R" }.joined()
    append("<< /Type /Catalog /Pages \(number + 1) 0 R >>")
    append("<< /Type /Pages /Count \(pages.count) /Kids [\(kids) ] >>")
    for run in runs {
      let kids = run.pages.map { " \($0.number) \($0.generation) R" }.joined()
      append("<< /Type /Pages /Count \(run.pages.count) /Parent \(number + 1) 0 R /Kids [\(kids) ]")
      for (name, source) in try store.entries(run.attributes) {
        objects[objects.count - 1] += Array("\n/\(name) ".utf8) + source
        byteCount += source.count
      }
      objects[objects.count - 1] += Array("\n>>".utf8)
      guard byteCount <= store.limits.subsetBytes else {
        throw StructureError(.limit, "a page tree of more than \(store.limits.subsetBytes) bytes")
      }
    }
  }

  private var byteCount = 0

  private mutating func append(_ text: String) {
    objects.append(Array(text.utf8))
    byteCount += text.utf8.count
  }

  /// The attributes inherited from the ancestors that a page names.
  private mutating func attributes(of page: Reference) throws(StructureError)
    -> InheritedAttributes
  {
    var above: [Reference] = []
    var next = try parent(of: page)
    while let node = next, known[node] == nil, !above.contains(node),
      above.count < Self.mostLevels
    {
      above.append(node)
      next = try parent(of: node)
    }
    var attributes = next.flatMap { known[$0] } ?? InheritedAttributes()
    for reference in above.reversed() {
      if let node = try? store.node(reference) {
        attributes = attributes.passing(node, reference)
      }
      known[reference] = attributes
    }
    return attributes
  }

  private func parent(of reference: Reference) throws(StructureError) -> Reference? {
    let node = try? store.dictionary(reference, picking: [Key.parent])
    try store.meter.charge(0)
    guard case .reference(let parent)? = node?[Key.parent] else { return nil }
    return parent
  }
}
