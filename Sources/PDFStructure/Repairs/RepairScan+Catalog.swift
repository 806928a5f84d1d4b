internal import DocumentModel

extension RepairScan {
  /// Checks the layers and fields of the catalog.
  ///
  /// - Parameters:
  ///   - layers: The layers; nil to leave them as they are.
  ///   - fields: The topmost fields that poppler will read; nil for all of them.
  mutating func scan(catalog reference: Reference, layers: LayerStates?, fields: [Reference]?) {
    if let layers, layers.offInView != layers.initiallyOff {
      hide(layers.offInView, of: layers, in: reference, .layer)
    }
    if let catalog = open(reference, [Key.acroForm]),
      let form = nested(Key.acroForm, in: catalog, [Key.fields])
    {
      repairFields(from: fields ?? list(Key.fields, form))
    }
  }

  // MARK: Layers

  /// Shows and hides layers.
  ///
  /// - Throws: ``StructureError`` when a layer cannot be read, or a limit is reached.
  mutating func show(
    _ shown: ShownContent,
    layers: LayerStates?,
    of catalog: Reference
  ) throws(StructureError) {
    guard let layers else { return }
    let off = try layers.off(showing: shown, store)
    guard off != layers.initiallyOff else { return }
    let isRepaired = shown.annotations != .print && layers.offInView != layers.initiallyOff
    hide(off, of: layers, in: catalog, isRepaired ? .layer : nil)
  }

  /// Changes the default configuration so that only some layers are off.
  private mutating func hide(
    _ off: Set<Reference>,
    of layers: LayerStates,
    in catalog: Reference,
    _ repair: Repair?
  ) {
    guard let catalog = open(catalog, [Key.ocProperties]),
      let properties = nested(Key.ocProperties, in: catalog, [Key.d])
    else { return }
    let list = words(layers.layers.filter(off.contains))
    guard let settings = nested(Key.d, in: properties, ["BaseState", "ON", "OFF"]) else {
      let (dictionary, object) = (properties.dictionary, properties.object)
      edits.set(Key.d, "/D", in: dictionary, of: object, to: "<< /OFF \(list) >>".utf8, repair)
      return
    }
    let (dictionary, object) = (settings.dictionary, settings.object)
    edits.set("OFF", "/OFF", in: dictionary, of: object, to: list.utf8, repair)
    if dictionary.has("ON") {
      edits.set("ON", "/ON", in: dictionary, of: object, to: "[ ]".utf8, nil)
    }
    if dictionary.has("BaseState") {
      edits.set("BaseState", "/BaseState", in: dictionary, of: object, to: "/ON".utf8, nil)
    }
  }

  /// An array of references in PDF syntax.
  func words(_ list: [Reference]) -> String {
    "[ \(list.map { "\($0.number) \($0.generation) R" }.joined(separator: " ")) ]"
  }

  /// The references in an array that is an entry.
  private func list(_ key: PackedName, _ holder: Found) -> [Reference] {
    (try? store.list(holder.dictionary.sourcedValue(key))) ?? []
  }

  // MARK: Fields

  /// Keeps only one parent for each field, if poppler, which follows every path to a field, would practically never
  /// finish.
  private mutating func repairFields(from roots: [Reference]) {
    var kids: [Reference: [Reference]] = [:]
    guard hasManyWays(from: roots, &kids) else { return }
    var placed = Set(roots)
    var waiting = roots
    while let field = waiting.popLast() {
      let below = kids[field] ?? fields(below: field)
      let kept = below.filter { placed.insert($0).inserted }
      waiting += kept
      guard kept.count < below.count, let found = open(field, [Key.kids]) else { continue }
      edits.set(Key.kids, "/Kids", in: found.dictionary, of: field, to: words(kept).utf8, .field)
    }
  }

  private func fields(below field: Reference) -> [Reference] {
    open(field, [Key.kids]).map { list(Key.kids, $0) } ?? []
  }

  /// Whether there are many more paths to fields than fields, without cycles.
  ///
  /// - Parameters:
  ///   - kids: Receives the kids of each field.
  /// - Returns: Also false for a form with many fields.
  private func hasManyWays(from roots: [Reference], _ kids: inout [Reference: [Reference]]) -> Bool
  {
    var ways = 0
    var path: [(field: Reference, rest: ArraySlice<Reference>)] = []
    var above: Set<Reference> = []
    var rest = roots[...]
    while true {
      guard let field = rest.popFirst() else {
        guard let left = path.popLast() else { return false }
        above.remove(left.field)
        rest = left.rest
        continue
      }
      guard above.insert(field).inserted else { continue }
      ways += 1
      if ways > Self.mostWays { return true }
      if kids[field] == nil {
        guard kids.count < Self.mostFields else { return false }
        kids[field] = fields(below: field)
      }
      path.append((field, rest))
      rest = kids[field]?[...] ?? []
    }
  }

  /// Fields that are looked at.
  private static let mostFields = 4096
  /// The number of paths from which there are too many.
  private static let mostWays = 16_384
}
