/// The objects that poppler fetches whenever it opens a document.
///
/// In a file with a cross-reference table, an object that is not at its position makes poppler scan the whole file and
/// use the objects found there. So everything that it fetches must be valid before any answer can be trusted. In a file
/// with a cross-reference stream such an object is null, and nothing has to be checked. A table must not leave out
/// numbers either: for long strings and streams of wrong length poppler looks up numbers, and scans the file for
/// missing ones.
///
/// Taken from poppler 22.12: the constructor of `Catalog`, `OCGs`, `PDFDoc::extractPDFSubtype`, and
/// the properties of a whole document (title, page layout).
struct OpeningFetches {
  let store: ObjectStore

  /// The entries of the catalog whose contents are read.
  static let openedKeys: [PackedName] = [uri, Key.ocProperties]
  private static let uri: PackedName = "URI"
  /// The entries of the catalog that are fetched.
  static let catalogKeys: [PackedName] = [
    Key.acroForm, uri, Key.ocProperties, Key.viewerPreferences, "Version", Key.pageLayout,
  ]
  /// The entries of the document's information dictionary that are fetched.
  private static let infoKeys: [PackedName] = [
    Key.title, "GTS_PDFA1Version", "GTS_PDFEVersion", "GTS_PDFUAVersion", "GTS_PDFVTVersion",
    "GTS_PDFXVersion",
  ]
  private static let optionalContentKeys: [PackedName] = ["OCGs", "D"]
  private static let configurationKeys: [PackedName] = [
    "BaseState", "ON", "OFF", "Order", "RBGroups",
  ]

  /// Fetches all of them.
  ///
  /// - Throws: ``StructureError``, `needsRepair` when something is missing.
  func fetch(catalog: PartialDictionary) throws(StructureError) {
    guard !store.crossReference.isStream else { return }
    try store.crossReference.requireAllObjects()
    for reference in catalog.fetched { _ = try store.open(reference) }
    if catalog.has(Self.uri) { try fetchEntries(of: catalog.sourcedValue(Self.uri), ["Base"]) }
    if catalog.has(Key.ocProperties) {
      try fetchOptionalContent(catalog.sourcedValue(Key.ocProperties))
    }
    // Poppler does not follow references in a direct dictionary in the trailer.
    let info = store.crossReference.trailer.sourcedValue(Key.info)
    guard case .reference = info?.value else { return }
    _ = try store.readingText { () throws(StructureError) in
      try fetchEntries(of: info, Self.infoKeys)
    }
  }

  private func fetchOptionalContent(_ properties: SourcedValue?) throws(StructureError) {
    try fetchEntries(of: properties, Self.optionalContentKeys)
    guard
      let picked = try store.dictionary(properties, picking: Self.optionalContentKeys)
    else { return }
    if case .list(let groups) = try store.references(picked.sourcedValue("OCGs")) {
      for group in groups where group != 0 { try fetchGroup(Reference(packed: group)) }
    }
    try fetchEntries(of: picked.sourcedValue("D"), Self.configurationKeys)
  }

  /// Fetches an optional content group, with its usage for viewing and printing.
  private func fetchGroup(_ group: Reference) throws(StructureError) {
    let picked = try fetchEntries(of: group, ["Name", "Usage"])
    let usage = try fetchEntries(of: picked?.sourcedValue("Usage"), ["View", "Print"])
    try fetchEntries(of: usage?.sourcedValue("View"), ["ViewState"])
    try fetchEntries(of: usage?.sourcedValue("Print"), ["PrintState"])
  }

  /// Fetches a dictionary and the values of some of its entries.
  @discardableResult
  private func fetchEntries(
    of sourced: SourcedValue?,
    _ keys: [PackedName]
  ) throws(StructureError) -> PartialDictionary? {
    guard let sourced else { return nil }
    if case .reference(let reference) = sourced.value {
      return try fetchEntries(of: reference, keys)
    }
    return try fetchEntries(of: try store.dictionary(sourced, picking: keys), keys)
  }

  private func fetchEntries(
    of reference: Reference,
    _ keys: [PackedName]
  ) throws(StructureError) -> PartialDictionary? {
    _ = try store.open(reference)
    return try fetchEntries(of: try store.dictionary(reference, picking: keys), keys)
  }

  private func fetchEntries(
    of picked: PartialDictionary?,
    _ keys: [PackedName]
  ) throws(StructureError) -> PartialDictionary? {
    guard let picked else { return nil }
    for key in keys { try fetch(picked.sourcedValue(key)) }
    return picked
  }

  private func fetch(_ sourced: SourcedValue?) throws(StructureError) {
    if case .reference(let reference) = sourced?.value { _ = try store.open(reference) }
  }
}
