/// What poppler fetches while it opens a document, whether or not somebody asks for it.
///
/// In a file with a cross-reference table an object that is not where it should be makes poppler scan
/// the whole file and take the objects as they come, so everything that it fetches has to be there
/// before any answer can be trusted. In a file with a cross-reference stream such an object is null,
/// and nothing has to be looked at. Nor may a table leave out a number: poppler looks numbers up by
/// themselves where it meets long strings and streams of wrong length, and scans the file for them.
///
/// Taken from poppler 22.12: the constructor of `Catalog`, `OCGs`, `PDFDoc::extractPDFSubtype`, and
/// what is asked for of a document as a whole (title, page layout).
struct OpeningFetches {
  let store: ObjectStore

  /// The entries of the catalog that are looked into.
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

  /// Fetches all of it.
  ///
  /// - Throws: ``NotMine``, `needsRepair` when something is missing.
  func fetch(catalog: PickedDictionary) throws(NotMine) {
    guard !store.crossReference.isStream else { return }
    try store.crossReference.requireAllObjects()
    for reference in catalog.fetched { _ = try store.open(reference) }
    if catalog.has(Self.uri) { try fetchEntries(of: catalog.located(Self.uri), ["Base"]) }
    if catalog.has(Key.ocProperties) {
      try fetchOptionalContent(catalog.located(Key.ocProperties))
    }
    // Poppler follows no reference in a dictionary that stands in the trailer itself.
    let info = store.crossReference.trailer.located(Key.info)
    guard case .reference = info?.value else { return }
    _ = try store.readingText { () throws(NotMine) in
      try fetchEntries(of: info, Self.infoKeys)
    }
  }

  private func fetchOptionalContent(_ properties: Located?) throws(NotMine) {
    try fetchEntries(of: properties, Self.optionalContentKeys)
    guard
      let picked = try store.dictionary(properties, picking: Self.optionalContentKeys)
    else { return }
    if case .list(let groups) = try store.references(picked.located("OCGs")) {
      for group in groups where group != 0 { try fetchGroup(Reference(packed: group)) }
    }
    try fetchEntries(of: picked.located("D"), Self.configurationKeys)
  }

  /// Fetches an optional content group, with what its usage says of viewing and printing.
  private func fetchGroup(_ group: Reference) throws(NotMine) {
    let picked = try fetchEntries(of: group, ["Name", "Usage"])
    let usage = try fetchEntries(of: picked?.located("Usage"), ["View", "Print"])
    try fetchEntries(of: usage?.located("View"), ["ViewState"])
    try fetchEntries(of: usage?.located("Print"), ["PrintState"])
  }

  /// Fetches a dictionary and the values of some of its entries.
  @discardableResult
  private func fetchEntries(
    of located: Located?,
    _ keys: [PackedName]
  ) throws(NotMine) -> PickedDictionary? {
    guard let located else { return nil }
    if case .reference(let reference) = located.value {
      return try fetchEntries(of: reference, keys)
    }
    return try fetchEntries(of: try store.dictionary(located, picking: keys), keys)
  }

  private func fetchEntries(
    of reference: Reference,
    _ keys: [PackedName]
  ) throws(NotMine) -> PickedDictionary? {
    _ = try store.open(reference)
    return try fetchEntries(of: try store.dictionary(reference, picking: keys), keys)
  }

  private func fetchEntries(
    of picked: PickedDictionary?,
    _ keys: [PackedName]
  ) throws(NotMine) -> PickedDictionary? {
    guard let picked else { return nil }
    for key in keys { try fetch(picked.located(key)) }
    return picked
  }

  private func fetch(_ located: Located?) throws(NotMine) {
    if case .reference(let reference) = located?.value { _ = try store.open(reference) }
  }
}
