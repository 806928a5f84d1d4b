/// The replacement of an object of the file in a subset.
struct Replacement {
  /// The object's value; for a stream, up to its data.
  var content: [UInt8]
  /// The position of a stream's data in the file; nil if it is not a stream.
  var data: Range<Int>?
}

/// The form's fields that a subset needs, without those of other pages.
///
/// Before poppler draws an annotation it reads every field of the form: 400 ms for 13,000 fields, to draw a page in 10.
/// A page's widgets need only the fields they belong to.
struct FormFields {
  /// The object to replace: the array of fields if it is indirect, else the form.
  let reference: Reference
  /// The topmost fields, in the form's order.
  let kept: [Reference]

  private let form: SourcedValue

  /// The most fields to check; a longer list is not changed.
  private static let fieldLimit = 1 << 18
  /// Fields above a widget that are looked at.
  private static let depthLimit = 32

  /// The fields that pages need.
  ///
  /// Nil if the list is short, cannot be replaced, or does not contain a widget's topmost field:
  /// then poppler may connect the two in another way.
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
    switch (fields.value, form.value) {
    case (.reference(let own), _), (_, .reference(let own)): reference = own
    default: return nil
    }
    self.form = form
    // Poppler fetches all of them, and scans a file with a table for missing ones.
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
    kept = list.map(Reference.init(packed:)).filter { needed.contains($0.number) }
  }

  /// The content of the object to replace; nil if the form cannot be read.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func content(_ store: ObjectStore) throws(StructureError) -> [UInt8]? {
    let array = Array("[ \(kept.map { "\($0.number) \($0.generation) R " }.joined())]".utf8)
    guard let picked = try store.dictionary(form, picking: [Key.fields]) else { return nil }
    if case .reference(reference) = picked.sourcedValue(Key.fields)?.value { return array }
    return try picked.source(replacing: Key.fields, with: array)
  }

  /// The number of a widget's topmost field, possibly itself; nil if the annotation is not a
  /// widget.
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
