package import DocumentModel
package import RectoGeometry

/// Consecutive pages that inherit the same attributes.
struct PageRun {
  var attributes: InheritedAttributes
  var pages: [Reference]
  /// Those of them that have annotations.
  var annotated: [Reference] = []
}

extension PageTreeReader {
  /// A PDF of only some pages, made of bytes of the file and additional ones.
  ///
  /// Its page tree has only the requested pages, in that order; the parts of the catalog needed for
  /// drawing (optional content, forms, output intents) are unchanged. Poppler then opens page
  /// 15,000 as fast as page 1, because there is no page before it.
  ///
  /// For a file with many objects it is a standalone document (`SubsetWriter`): otherwise poppler would read the whole
  /// cross-reference, and many object streams, which takes longer than drawing the page. For other files, and if not
  /// everything that the pages need can be found, it is the file with an incremental update
  /// (`IncrementalUpdateWriter`); for a file with both kinds of cross-reference it is always standalone. A form with
  /// many fields keeps only those with widgets on the pages, and faults that other programs repair are repaired
  /// (`RepairScan`). With a rebuilt cross-reference (``isRebuilt``) it is standalone if possible.
  ///
  /// The pieces refer to the file the reader was opened with, which must not have changed.
  ///
  /// - Parameters:
  ///   - indices: The pages; a page may occur more than once.
  ///   - keepsEmbedded: Whether to include the thumbnails embedded for the pages (/Thumb).
  /// - Throws: ``StructureError``; `damaged` when a page is missing, `unsupported` for a tree that
  ///   cannot be replaced.
  /// - Complexity: As ``page(at:)`` for each page, plus reading once everything that the pages
  ///   refer to.
  package func subset(
    of indices: [PageIndex],
    keepsEmbedded: Bool = false
  ) throws(StructureError) -> [DocumentSubset.Piece] {
    store.meter.reset()
    guard case .reference(let root) = catalog[Key.pages], !hasLonePage,
      case .reference(let catalog) = store.crossReference.trailer[Key.root],
      catalog.number != root.number
    else { throw StructureError(.unsupported, "a page tree whose root cannot be replaced") }
    let runs = try runs(of: indices)
    if store.file.source.isDistant { try expectObjects(of: runs, besides: [root, catalog]) }
    store.meter.reset()
    let isStandalone = isRebuilt || store.crossReference.size >= store.limits.manyObjects
    let fields =
      isStandalone && !store.crossReference.isHybrid
      ? fields(of: runs, besides: [root, catalog]) : nil
    store.meter.reset()
    func replacements(fields: [Reference]?) throws(StructureError) -> [Reference: Replacement] {
      defer { store.meter.reset() }
      return try self.replacements(for: runs, catalog: catalog, fields: fields, at: indices)
    }
    store.replacements = try replacements(fields: fields?.kept)
    defer { store.replacements = [:] }
    if store.crossReference.isHybrid {
      // If something is missing, poppler scans such a file and loses its object streams, with other
      // results in the subset than in the file.
      return try writer(catalog, root, keepsEmbedded).write(runs)
    }
    if isStandalone {
      if let fields {
        if let content = try? fields.content(store) {
          store.replacements[fields.reference] = Replacement(content: content)
        } else {
          store.replacements = [:]
          store.replacements = try replacements(fields: nil)
        }
      }
      // If something is missing or too large here, poppler may still cope with the whole file.
      if let pieces = try? writer(catalog, root, keepsEmbedded).write(runs) {
        return pieces
      }
    }
    return overFile(try IncrementalUpdateWriter(store: store, root: root).pieces(runs))
  }

  /// Whether pages have content that poppler is known to draw wrong with cairo (`CairoFaults`), judged by their
  /// resources.
  ///
  /// - Returns: An answer for each page; false if it cannot be read.
  /// - Complexity: As ``page(at:)`` for each page, plus checking each resource once.
  package func hasCairoFaults(_ indices: [PageIndex]) -> [Bool] {
    store.meter.reset()
    var faults = CairoFaults(store)
    return indices.map { index in
      guard let found = try? find(index) else { return false }
      return faults.areOn(
        found.reference,
        inherited: found.inherited,
        hasAnnotations: found.node.hasAnnotations
      )
    }
  }

  private func writer(
    _ catalog: Reference,
    _ root: Reference,
    _ keepsEmbedded: Bool
  ) throws(StructureError) -> SubsetWriter {
    var writer = try SubsetWriter(
      store,
      catalog: catalog,
      root: root,
      isRootPlain: isRootPlain
    )
    writer.keepsEmbedded = keepsEmbedded
    return writer
  }

  private func runs(of indices: [PageIndex]) throws(StructureError) -> [PageRun] {
    var runs: [PageRun] = []
    for index in indices {
      guard let found = try find(index) else {
        throw StructureError(.damaged, "page \(index.number) is missing")
      }
      try refuseLinearizedInheritance(found, at: index)
      var attributes = found.inherited
      var repairs = found.page.repairs
      // Without it the page has its media box.
      let isMedia = found.node.shownBox == .media
      if isMedia || repairs[.cropBox] > 0 { attributes.cropBoxFrom = nil }
      if isRebuilt { repairs.add(.crossReference) }
      self.repairs[index] = repairs.isEmpty ? nil : repairs
      if runs.last?.attributes != attributes {
        runs.append(PageRun(attributes: attributes, pages: []))
      }
      runs[runs.count - 1].pages.append(found.reference)
      if found.node.hasAnnotations { runs[runs.count - 1].annotated.append(found.reference) }
    }
    return runs
  }

  /// The replacements of faulty objects, and of those that decide what is shown. Unreadable objects are not repaired.
  ///
  /// - Parameter fields: The topmost fields of the form in the subset; nil for all of them.
  /// - Throws: ``StructureError`` when an object that decides what is shown cannot be read, or a limit is reached.
  private func replacements(
    for runs: [PageRun],
    catalog: Reference,
    fields: [Reference]?,
    at indices: [PageIndex]
  ) throws(StructureError) -> [Reference: Replacement] {
    guard repairsFaults || !shown.isUsual else { return [:] }
    var scan = RepairScan(store, catalog: catalog)
    let pages = runs.flatMap { run in run.pages.map { ($0, run.attributes) } }
    // First, because the first of two edits counts.
    if !shown.isUsual {
      for (index, (page, attributes)) in zip(indices, pages) {
        try scan.show(shown, of: page, content: contents[index], inheriting: attributes)
      }
      try scan.show(shown, layers: try layerStates(), of: catalog)
    }
    if repairsFaults {
      for (index, (page, attributes)) in zip(indices, pages) {
        scan.scan(page, inheriting: attributes, at: index)
      }
      let layers = shown.isUsual ? (try? layerStates()) ?? nil : nil
      scan.scan(catalog: catalog, layers: layers, fields: fields)
    }
    let (replacements, repairs) = scan.finish()
    for (index, found) in repairs { self.repairs[index, default: Repairs()].formUnion(found) }
    return replacements
  }

  /// The form's fields that pages need, if they can be replaced without changing anything else in the subset.
  private func fields(of runs: [PageRun], besides taken: [Reference]) -> FormFields? {
    let pages = runs.flatMap(\.pages)
    // A faulty form does not prevent a subset.
    guard let fields = try? FormFields(store, catalog: catalog, pages: pages),
      !(taken + pages).contains(where: { $0.number == fields.reference.number })
    else { return nil }
    return fields
  }

  /// When poppler reads a linearized file through its hint tables, pages inherit nothing; in a
  /// subset they would, and look different.
  private func refuseLinearizedInheritance(_ found: FoundPage, at index: PageIndex)
    throws(StructureError)
  {
    guard store.layout.isLinearized else { return }
    _ = try checked(found, at: index)
    guard found.node.hasResources || found.inherited.resourcesFrom == nil else {
      throw StructureError(.linearized, "linearized, and the page inherits its resources")
    }
  }
}

extension ObjectStore {
  /// The entries that pages inherit, each with the syntax of its node.
  ///
  /// - Throws: ``StructureError`` when a node cannot be read, or a limit is reached.
  func entries(
    _ attributes: InheritedAttributes
  ) throws(StructureError) -> [(name: String, source: [UInt8])] {
    var entries: [(name: String, source: [UInt8])] = []
    func add(_ key: PackedName, _ name: String, from holder: Reference?) throws(StructureError) {
      guard let holder, let node = try dictionary(holder, picking: [key]),
        let source = try node.source(of: key)
      else { return }
      entries.append((name, source))
    }
    try add(Key.mediaBox, "MediaBox", from: attributes.mediaBoxFrom)
    try add(Key.cropBox, "CropBox", from: attributes.cropBoxFrom)
    try add(Key.rotate, "Rotate", from: attributes.rotationFrom)
    try add(Key.resources, "Resources", from: attributes.resourcesFrom)
    return entries
  }
}
