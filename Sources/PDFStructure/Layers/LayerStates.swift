internal import DocumentModel

/// The layers of a document, and which of them are off.
///
/// Poppler follows /BaseState, /ON and /OFF of the default configuration, but not /AS, by which layers are on or off for
/// viewing and for printing.
struct LayerStates {
  /// The layers in the order of /OCGs, without duplicates.
  private(set) var layers: [Reference] = []
  /// Layers that poppler does not draw.
  private(set) var initiallyOff: Set<Reference> = []
  /// Layers that are off when the document is viewed.
  private(set) var offInView: Set<Reference> = []
  /// Layers that are off when the document is printed.
  private(set) var offInPrint: Set<Reference> = []
  /// The default configuration; nil if there is none.
  let settings: PartialDictionary?

  private static let settingKeys: [PackedName] = [
    "BaseState", "ON", "OFF", "AS", "Order", "Locked", "RBGroups",
  ]

  /// The layers of a document; nil if it has none.
  ///
  /// - Complexity: O(layers), with one object read for each that /AS names.
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  init?(_ store: ObjectStore, catalog: Reference) throws(StructureError) {
    let found = try store.dictionary(catalog, picking: [Key.ocProperties])
    guard let properties = found?.sourcedValue(Key.ocProperties),
      let picked = try store.dictionary(properties, picking: ["OCGs", Key.d])
    else { return nil }
    settings = try store.dictionary(picked.sourcedValue(Key.d), picking: Self.settingKeys)
    var known: Set<Reference> = []
    layers = try store.list(picked.sourcedValue("OCGs")).filter { known.insert($0).inserted }
    guard let settings else { return }
    if case .name("OFF") = settings["BaseState"] { initiallyOff = known }
    initiallyOff.subtract(try store.list(settings.sourcedValue("ON")))
    initiallyOff.formUnion(try store.list(settings.sourcedValue("OFF")).filter(known.contains))
    offInView = try usage("View", "ViewState", store, known)
    offInPrint = try usage("Print", "PrintState", store, known)
  }

  /// The layers that are off for an event.
  private func usage(
    _ event: PackedName,
    _ state: PackedName,
    _ store: ObjectStore,
    _ known: Set<Reference>
  ) throws(StructureError) -> Set<Reference> {
    var off = initiallyOff
    var seen: Set<Reference> = []
    for usage in try store.elements(settings?.sourcedValue("AS")) {
      guard
        let usage = try store.dictionary(usage, picking: ["Event", "Category", "OCGs"]),
        case .name(event) = usage["Event"],
        try store.elements(usage.sourcedValue("Category")).contains(where: { $0.isName(event) })
      else { continue }
      for layer in try store.list(usage.sourcedValue("OCGs"))
      where known.contains(layer) && seen.insert(layer).inserted {
        guard let group = try store.dictionary(layer, picking: ["Usage"]),
          let uses = try store.dictionary(group.sourcedValue("Usage"), picking: [event]),
          let use = try store.dictionary(uses.sourcedValue(event), picking: [state])
        else { continue }
        if case .name("ON") = use[state] { off.remove(layer) }
        if case .name("OFF") = use[state] { off.insert(layer) }
      }
    }
    return off
  }

  /// The layers that are off if only some content is shown.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func off(showing shown: ShownContent, _ store: ObjectStore) throws(StructureError) -> Set<
    Reference
  > {
    var off = shown.annotations == .print ? offInPrint : offInView
    guard !shown.layers.isEmpty else { return off }
    let names = try names(store)
    let named = Dictionary(grouping: layers) { names[$0] ?? "" }
    var groups: [Set<Reference>] = []
    for group in try store.elements(settings?.sourcedValue("RBGroups")) {
      groups.append(Set(try store.list(group)))
    }
    for change in shown.layers {
      for layer in named[change.name] ?? [] {
        guard change.isOn else {
          off.insert(layer)
          continue
        }
        for group in groups where group.contains(layer) { off.formUnion(group) }
        off.remove(layer)
      }
    }
    return off.intersection(layers)
  }

  /// The names of the layers.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func names(_ store: ObjectStore) throws(StructureError) -> [Reference: String] {
    var names: [Reference: String] = [:]
    for layer in layers {
      let group = try store.dictionary(layer, picking: ["Name"])
      names[layer] = try store.text(group?.sourcedValue("Name")) ?? ""
    }
    return names
  }
}

extension ObjectStore {
  /// The references in a direct or indirect array.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func list(_ array: SourcedValue?) throws(StructureError) -> [Reference] {
    guard case .list(let list) = try references(array) else { return [] }
    return list.filter { $0 != 0 }.map(Reference.init(packed:))
  }

  /// The elements of a direct or indirect array.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func elements(_ array: SourcedValue?) throws(StructureError) -> [SourcedValue] {
    guard let array else { return [] }
    let resolved = try resolve(array)
    guard case .array(let span) = resolved.value else { return [] }
    var parser = ObjectParser(resolved.inside(span), nesting: limits.nesting)
    guard try parser.opensArray() else { return [] }
    var elements: [SourcedValue] = []
    while let element = try parser.nextElement() {
      guard elements.count < limits.layerItems else {
        throw StructureError(.limit, "more than \(limits.layerItems) elements in one array")
      }
      elements.append(SourcedValue(value: element, origin: resolved.origin))
    }
    return elements
  }

  /// A short direct or indirect string as text; nil for anything else.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func text(_ value: SourcedValue?) throws(StructureError) -> String? {
    guard let value, let bytes = try resolve(value).stringBytes(atMost: limits.textBytes) else {
      return nil
    }
    return TextString.text(bytes)
  }
}

extension SourcedValue {
  fileprivate func isName(_ name: PackedName) -> Bool {
    if case .name(name) = value { true } else { false }
  }
}
