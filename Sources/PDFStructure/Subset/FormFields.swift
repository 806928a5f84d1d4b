/// What a subset has in place of an object of the file.
struct Replacement {
  /// The object's value; of a stream up to its data.
  var content: [UInt8]
  /// Where a stream's data are in the file; nil when it is none.
  var data: Range<Int>?
}

/// What a subset says instead of the form's list of fields.
struct FormFields {
  /// The object to replace: the array of fields if it is one of its own, else the form.
  var reference: Reference
  var content: [UInt8]

  /// Fields that are looked at; a longer list is left as it is.
  private static let fieldLimit = 1 << 18
  /// Fields above a widget that are looked at.
  private static let depthLimit = 32

  /// The form's fields without those of other pages.
  ///
  /// Before poppler draws an annotation it reads every field of the form: 400 ms for 13,000 fields,
  /// to draw a page in 10. A page's widgets need no more than the fields they belong to.
  ///
  /// Nil when the list is short, when it is nowhere to be replaced, or when a widget's topmost
  /// field is not in it: then poppler may connect the two in a way that only it knows.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  init?(
    _ store: ObjectStore,
    catalog: PartialDictionary,
    pages: [Reference]
  ) throws(StructureError) {
    guard let form = catalog.sourcedValue(Key.acroForm),
      let picked = try store.dictionary(form, picking: [Key.fields]),
      let fields = picked.sourcedValue(Key.fields),
      case .list(let list) = try store.references(fields),
      (store.limits.manyFields...Self.fieldLimit).contains(list.count)
    else { return nil }
    // Poppler fetches them all, and scans a file with a table for one that is missing.
    if !store.crossReference.isStream {
      for field in list where field != 0 { _ = try store.open(Reference(packed: field)) }
    }
    let listed = Set(list.map { Reference(packed: $0).number })
    var needed: Set<Int32> = []
    for page in pages {
      for widget in try store.annotations(of: page) {
        guard let root = try Self.topmostField(above: widget, store) else { continue }
        guard listed.contains(root) else { return nil }
        needed.insert(root)
      }
    }
    let kept = list.map(Reference.init(packed:)).filter { needed.contains($0.number) }
    let array = "[ " + kept.map { "\($0.number) \($0.generation) R " }.joined() + "]"
    switch (fields.value, form.value) {
    case (.reference(let own), _):
      reference = own
      content = Array(array.utf8)
    case (_, .reference(let own)):
      guard let source = try picked.source(replacing: Key.fields, with: Array(array.utf8)) else {
        return nil
      }
      reference = own
      content = source
    default: return nil
    }
  }

  /// The number of the field at the top of a widget's family, itself perhaps; nil when the
  /// annotation is no widget.
  private static func topmostField(
    above widget: Reference,
    _ store: ObjectStore
  ) throws(StructureError) -> Int32? {
    var current = widget
    for level in 0..<depthLimit {
      let picked = try store.dictionary(current, picking: [Key.subtype, Key.parent])
      if level == 0 {
        guard let subtype = picked?.sourcedValue(Key.subtype),
          case .name(Key.widget) = try store.resolve(subtype).value
        else { return nil }
      }
      guard case .reference(let parent) = picked?[Key.parent] else { return current.number }
      current = parent
    }
    throw StructureError(.limit, "a field more than \(depthLimit) levels deep")
  }
}
