package import DocumentModel

extension PageTreeReader {
  /// The layers in the order of the document's list, then those that are not in it.
  ///
  /// - Complexity: O(layers).
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  package func layers() throws(StructureError) -> [DocumentLayer] {
    store.meter.reset()
    return try store.readingText { () throws(StructureError) in
      guard let states = try layerStates() else { return [] }
      var list = try LayerList(store, states, names: try states.names(store))
      try list.add(states.settings?.sourcedValue("Order"), level: 0)
      try list.addRest()
      return list.lines
    }
  }

  /// The states of the layers, read once; nil for a document without layers.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func layerStates() throws(StructureError) -> LayerStates? {
    if let known = knownLayers { return known }
    guard case .reference(let catalog) = store.crossReference.trailer[Key.root] else { return nil }
    let states = try LayerStates(store, catalog: catalog)
    knownLayers = .some(states)
    return states
  }
}

/// Reads /Order: nested arrays of layers and headings.
private struct LayerList {
  private let store: ObjectStore
  private let states: LayerStates
  private let names: [Reference: String]
  private let locked: Set<Reference>
  private(set) var lines: [DocumentLayer] = []
  /// The layers that are not listed yet.
  private var rest: Set<Reference>
  /// Indirect arrays that were read: each is read once, so that circles end.
  private var seen: Set<Reference> = []

  init(
    _ store: ObjectStore,
    _ states: LayerStates,
    names: [Reference: String]
  ) throws(StructureError) {
    self.store = store
    self.states = states
    self.names = names
    locked = Set(try store.list(states.settings?.sourcedValue("Locked")))
    rest = Set(states.layers)
  }

  /// Adds the elements of an array. The layers after a heading, and those in an array below a layer, are a level deeper.
  mutating func add(_ array: SourcedValue?, level: Int) throws(StructureError) {
    guard level <= store.limits.layerDepth else { return }
    for element in try store.elements(array) {
      switch element.value {
      case .reference(let reference) where names[reference] != nil:
        try add(reference, level: level)
      case .reference(let reference):
        guard seen.insert(reference).inserted else { continue }
        try addNested(element, level: level)
      case .array: try addNested(element, level: level)
      default: continue
      }
    }
  }

  /// Adds an array in another one, with the heading that it begins with.
  private mutating func addNested(_ array: SourcedValue, level: Int) throws(StructureError) {
    if let first = try store.elements(array).first, let heading = try store.text(first) {
      try append(DocumentLayer(heading, level: level, state: nil))
    }
    try add(array, level: level + 1)
  }

  private mutating func add(_ layer: Reference, level: Int) throws(StructureError) {
    guard rest.remove(layer) != nil else { return }
    let state = DocumentLayer.State(
      isOn: !states.offInView.contains(layer),
      isPrinted: !states.offInPrint.contains(layer),
      isLocked: locked.contains(layer)
    )
    try append(DocumentLayer(names[layer] ?? "", level: level, state: state))
  }

  /// Adds the layers that are not in the list.
  mutating func addRest() throws(StructureError) {
    for layer in states.layers { try add(layer, level: 0) }
  }

  private mutating func append(_ line: DocumentLayer) throws(StructureError) {
    guard lines.count < store.limits.layerItems else {
      throw StructureError(.limit, "a list of layers of more than \(store.limits.layerItems) lines")
    }
    lines.append(line)
  }
}
