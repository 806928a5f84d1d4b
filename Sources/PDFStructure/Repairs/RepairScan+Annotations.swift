internal import DocumentModel

extension RepairScan {
  /// Keeps as many annotations of a page as poppler accepts.
  mutating func repairAnnotations(_ page: Found) {
    guard let drawn = try? DrawnAnnotations(store, of: page.object) else { return }
    let repair: Repair? = drawn.areTooMany ? .annotations : nil
    let kept = words(drawn.kept).utf8
    edits.set(Key.annots, "/Annots", in: page.dictionary, of: page.object, to: kept, repair)
  }

  /// Checks the appearances of an annotation.
  mutating func scan(annotation reference: Reference, _ resources: Found?) {
    guard isNew(reference), let annotation = open(reference, Self.annotationKeys) else { return }
    if generatesAppearances || !annotation.dictionary.has("AP") { repairBorder(of: annotation) }
    guard let appearances = nested("AP", in: annotation, ["N"]),
      let normal = nested("N", in: appearances, Self.formKeys)
    else { return }
    var forms = [normal]
    if normal.dictionary.streamStart == nil {
      forms = entries(of: "N", in: appearances, picking: Self.formKeys)
    } else if !isNew(normal.object) {
      return
    }
    for form in forms where form.dictionary.streamStart != nil {
      scan(resourcesOf: form, level: 0)
      let own = nested(Key.resources, in: form, Self.lists)
      repairFontList(of: form, own, [form.object], besides: resources)
    }
  }

  private static let annotationKeys: [PackedName] = [Key.subtype, Key.border, "AP", "BS", "MK"]

  /// Gives a field the border that its /MK has a color for: poppler generates none without a width, which is 1 by
  /// default.
  private mutating func repairBorder(of field: Found) {
    guard case .name("Widget") = field.dictionary[Key.subtype],
      !field.dictionary.has("BS"), !field.dictionary.has(Key.border),
      let color = nested("MK", in: field, ["BC"])?.dictionary.sourcedValue("BC"),
      let components = try? store.elements(color), !components.isEmpty
    else { return }
    let style = "<< /W 1 >>"
    edits.set("BS", "/BS", in: field.dictionary, of: field.object, to: style.utf8, .fieldBorder)
  }
}
