internal import DocumentModel

extension RepairScan {
  /// Checks the layers and fields of the catalog.
  mutating func scan(catalog reference: Reference) {
    guard let catalog = open(reference, [Key.ocProperties, Key.acroForm]) else { return }
    if let layers = nested(Key.ocProperties, in: catalog, [Key.d]),
      let settings = nested(Key.d, in: layers, ["AS", "ON", "OFF"])
    {
      repairLayers(settings)
    }
    if let form = nested(Key.acroForm, in: catalog, [Key.fields]) { repairFields(form) }
  }

  // MARK: Layers

  /// Shows and hides layers by /AS for viewing, which poppler does not support.
  private mutating func repairLayers(_ settings: Found) {
    var (shown, hidden): ([Reference], [Reference]) = ([], [])
    for layer in layersOfView(settings) {
      guard let group = open(layer, ["Usage"]), let usage = nested("Usage", in: group, ["View"]),
        let view = nested("View", in: usage, ["ViewState"])
      else { continue }
      switch view.dictionary["ViewState"] {
      case .name("ON"): shown.append(layer)
      case .name("OFF"): hidden.append(layer)
      default: break
      }
    }
    let on = list("ON", settings)
    let off = list("OFF", settings)
    let nowOff = off.filter { !shown.contains($0) } + hidden.filter { !off.contains($0) }
    guard nowOff != off else { return }
    let nowOn = on + shown.filter { off.contains($0) && !on.contains($0) }
    edits.set(
      "OFF",
      "/OFF",
      in: settings.dictionary,
      of: settings.object,
      to: words(nowOff).utf8,
      .layer
    )
    if nowOn != on {
      edits.set(
        "ON",
        "/ON",
        in: settings.dictionary,
        of: settings.object,
        to: words(nowOn).utf8,
        nil
      )
    }
  }

  /// The layers whose usage for viewing applies.
  private func layersOfView(_ settings: Found) -> [Reference] {
    guard let value = settings.dictionary.sourcedValue("AS"), let array = try? store.resolve(value),
      case .array(let span) = array.value
    else { return [] }
    var parser = ObjectParser(array.inside(span), nesting: store.limits.nesting)
    guard (try? parser.opensArray()) == true else { return [] }
    var layers: [Reference] = []
    while let element = (try? parser.nextElement()) ?? nil {
      let sourced = SourcedValue(value: element, origin: array.origin)
      guard let usage = dictionary(sourced, of: settings.object, ["Event", "Category", "OCGs"]),
        case .name("View") = usage.dictionary["Event"], namesView(usage)
      else { continue }
      layers += list("OCGs", usage).filter { !layers.contains($0) }
    }
    return layers
  }

  private func namesView(_ usage: Found) -> Bool {
    guard let value = usage.dictionary.sourcedValue("Category"),
      let array = try? store.resolve(value),
      case .array(let span) = array.value
    else { return false }
    var parser = ObjectParser(array.inside(span), nesting: store.limits.nesting)
    guard (try? parser.opensArray()) == true else { return false }
    while let element = (try? parser.nextElement()) ?? nil {
      if case .name("View") = element { return true }
    }
    return false
  }

  /// The references in an array that is an entry.
  private func list(_ key: PackedName, _ holder: Found) -> [Reference] {
    guard case .list(let list) = try? store.references(holder.dictionary.sourcedValue(key)) else {
      return []
    }
    return list.filter { $0 != 0 }.map(Reference.init(packed:))
  }

  /// An array of references in PDF syntax.
  func words(_ list: [Reference]) -> String {
    "[ \(list.map { "\($0.number) \($0.generation) R" }.joined(separator: " ")) ]"
  }

  // MARK: Fields

  /// Keeps only one parent for each field, if poppler, which follows every path to a field, would practically never
  /// finish.
  private mutating func repairFields(_ form: Found) {
    var kids: [Reference: [Reference]] = [:]
    let roots = list(Key.fields, form)
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
