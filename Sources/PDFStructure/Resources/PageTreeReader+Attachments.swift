package import DocumentModel

extension PageTreeReader {
  /// The files in the name tree of the document, in its order. Those of annotations are with their pages.
  ///
  /// - Complexity: O(files).
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  package func attachments() throws(StructureError) -> [DocumentAttachment] {
    store.meter.reset()
    return try store.readingText { () throws(StructureError) in
      let tree: PackedName = "EmbeddedFiles"
      let names = try store.dictionary(catalog.sourcedValue(Key.names), picking: [tree])
      var waiting = [names?.sourcedValue(tree)].compactMap(\.self)
      var seen: Set<Reference> = []
      var (nodes, bytes) = (0, 0)
      var found: [DocumentAttachment] = []
      while let node = waiting.popLast() {
        if case .reference(let reference) = node.value {
          guard seen.insert(reference).inserted else { continue }
        }
        nodes += 1
        let picked = try store.dictionary(node, picking: [Key.kids, Key.names])
        waiting += try elements(picked?.sourcedValue(Key.kids)).reversed()
        guard nodes + found.count + waiting.count <= Self.mostAttachments else {
          throw Self.tooMany
        }
        let pairs = try elements(picked?.sourcedValue(Key.names))
        for place in stride(from: 1, to: pairs.count, by: 2) {
          let name = try text(pairs[place - 1])
          guard let file = try attachment(pairs[place], named: name) else { continue }
          found.append(file)
          bytes += file.byteCount
          guard found.count <= Self.mostAttachments, bytes <= store.limits.pageTargetBytes else {
            throw Self.tooMany
          }
        }
      }
      return found
    }
  }

  /// The most files and nodes of their tree.
  private static let mostAttachments = 1 << 16

  private static let tooMany = StructureError(.limit, "more files than can be kept")

  private func elements(_ list: SourcedValue?) throws(StructureError) -> [SourcedValue] {
    let found = try store.elements(list)
    guard found.count <= 2 * Self.mostAttachments else { throw Self.tooMany }
    return found
  }

  /// The file of a file specification (ISO 32000-2, 7.11.3); nil if none is embedded.
  ///
  /// - Parameter name: Its name where the specification has none.
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func attachment(
    _ specification: SourcedValue,
    named name: String?
  ) throws(StructureError) -> DocumentAttachment? {
    let keys: [PackedName] = ["UF", "F", "Desc", "EF"]
    guard let picked = try store.entries(of: specification, picking: keys),
      let files = try store.dictionary(picked.sourcedValue("EF"), picking: ["UF", "F"]),
      let file = try embedded(in: files)
    else { return nil }
    var own = try text(picked.sourcedValue("UF"))
    if own == nil { own = try text(picked.sourcedValue("F")) }
    let details = try store.dictionary(file.sourcedValue("Params"), picking: ["Size", "ModDate"])
    return DocumentAttachment(
      name: own ?? name ?? "",
      description: try text(picked.sourcedValue("Desc")),
      mediaType: try store.name(file, Key.subtype),
      bytes: try details.flatMap { details throws(StructureError) in
        try store.integer(details, "Size").flatMap { $0 < 0 ? nil : $0 }
      },
      modified: try text(details?.sourcedValue("ModDate")).flatMap(DocumentDate.init(pdf:))
    )
  }

  /// The entries of an embedded file.
  private func embedded(in files: PartialDictionary) throws(StructureError) -> PartialDictionary? {
    for key: PackedName in ["UF", "F"] {
      guard let object = files.sourcedValue(key) else { continue }
      if let file = try store.entries(of: object, picking: [Key.subtype, "Params"]) { return file }
    }
    return nil
  }
}
