internal import DocumentModel
internal import RectoGeometry

/// Finds faults in the objects of pages because of which poppler draws nothing, but other programs do.
///
/// It checks dictionaries, font programs, and content that is short or has no fonts. Unreadable and faultless objects
/// are unchanged: a subset without repairs consists of the file's own bytes.
struct RepairScan {
  let store: ObjectStore
  var edits = ObjectEdits()
  /// The checked objects.
  private var seen: Set<Reference> = []

  /// Objects that are looked at.
  private static let mostObjects = 4096
  /// Levels of resources inside each other.
  private static let mostLevels = 32

  /// Annotations of a page that are looked at.
  private static let mostAnnotations = 256
  /// The resources of the document's form.
  private(set) var formResources: Found?
  /// Whether the appearances of all fields are generated, also of those that have one.
  private(set) var generatesAppearances = false

  /// A scan of a document's objects.
  init(_ store: ObjectStore, catalog: Reference) {
    self.store = store
    let form = open(catalog, [Key.acroForm])
      .flatMap { nested(Key.acroForm, in: $0, ["DR", "NeedAppearances"]) }
    formResources = form.flatMap { nested("DR", in: $0, ["Font"]) }
    if let needed = form?.dictionary.sourcedValue("NeedAppearances"),
      case .bool(true) = try? store.resolve(needed).value
    {
      generatesAppearances = true
    }
  }

  /// A dictionary, and its object.
  struct Found {
    var dictionary: PartialDictionary
    var object: Reference
  }

  /// The replacements of objects, and their repairs.
  func finish() -> (replacements: [Reference: Replacement], repairs: [PageIndex: Repairs]) {
    edits.isEmpty ? ([:], [:]) : edits.applied(to: store)
  }

  // MARK: Pages

  /// Checks a page and its resources.
  mutating func scan(
    _ page: Reference,
    inheriting attributes: InheritedAttributes,
    at index: PageIndex
  ) {
    edits.page = index
    if let node = attributes.rotationFrom, isNew(node) { repairRotation(of: node) }
    guard isNew(page),
      let found = open(
        page,
        [Key.contents, Key.resources, Key.annots, Key.cropBox, Key.rotate]
      )
    else { return }
    repairRotation(of: page)
    repairCropBox(found, attributes)
    let streams = repairContents(found)
    let resources = resources(of: found, attributes)
    if let resources { scan(resources: resources, level: 0) }
    repairFontList(of: found, resources, streams)
    guard found.dictionary.has(Key.annots), let annotations = try? store.annotationList(of: page)
    else { return }
    if annotations.count > DrawnAnnotations.most { repairAnnotations(found) }
    for annotation in annotations.lazy.compactMap(\.self).prefix(Self.mostAnnotations) {
      scan(annotation: annotation, resources)
    }
  }

  /// The resources of a page: its own, or else those that it inherits.
  private func resources(of page: Found, _ attributes: InheritedAttributes) -> Found? {
    if let own = nested(Key.resources, in: page, Self.lists) { return own }
    return attributes.resourcesFrom.flatMap { open($0, [Key.resources]) }
      .flatMap { nested(Key.resources, in: $0, Self.lists) }
  }

  private mutating func repairCropBox(_ page: Found, _ attributes: InheritedAttributes) {
    guard page.dictionary.has(Key.cropBox), let node = try? store.node(page.object),
      attributes.page(node, page.object).repairs[.cropBox] > 0
    else { return }
    edits.set(Key.cropBox, "/CropBox", in: page.dictionary, of: page.object, to: "null".utf8, nil)
  }

  /// Writes the rotation as an integer.
  private mutating func repairRotation(of reference: Reference) {
    guard let node = open(reference, [Key.rotate]),
      let value = node.dictionary.sourcedValue(Key.rotate),
      case .real(let degrees) = try? store.resolve(value).value,
      let rounded = Int32(exactly: degrees.rounded())
    else { return }
    edits.set(Key.rotate, "/Rotate", in: node.dictionary, of: reference, to: "\(rounded)".utf8, nil)
  }

  /// The page's content streams, in order. Poppler draws nothing from an array with other elements.
  private mutating func repairContents(_ page: Found) -> [Reference] {
    guard let contents = page.dictionary.sourcedValue(Key.contents) else { return [] }
    var elements: [Reference?] = []
    var streams: [Reference] = []
    if case .list(let list) = try? store.references(contents) {
      elements = list.map { $0 == 0 ? nil : Reference(packed: $0) }
      // Poppler searches for objects that are not at their position.
      guard elements.allSatisfy({ $0.map(isReadable) ?? true }) else { return [] }
      streams = elements.compactMap(\.self).filter {
        open($0, [])?.dictionary.streamStart != nil && !isBomb($0)
      }
    } else if case .reference(let reference) = contents.value {
      elements = [reference]
      streams = isBomb(reference) ? [] : [reference]
    }
    if streams.count < elements.count {
      edits.set(
        Key.contents,
        "/Contents",
        in: page.dictionary,
        of: page.object,
        to: words(streams).utf8,
        .contents
      )
    }
    return streams
  }

  /// Whether an object is at its position, or missing.
  private func isReadable(_ reference: Reference) -> Bool {
    do throws(StructureError) {
      _ = try store.open(reference)
      return true
    } catch {
      return false
    }
  }

  /// The most chained filters; more are a decompression bomb, not content.
  private static let mostFilters = 8

  /// Whether a stream has too many filters: a few bytes could decode to any number of bytes.
  private func isBomb(_ reference: Reference) -> Bool {
    guard let stream = open(reference, [Key.filter]),
      let value = stream.dictionary.sourcedValue(Key.filter),
      let filters = try? store.resolve(value), case .array(let span) = filters.value
    else { return false }
    var parser = ObjectParser(filters.inside(span), nesting: store.limits.nesting)
    guard (try? parser.opensArray()) == true else { return false }
    var count = 0
    while count <= Self.mostFilters, (try? parser.nextElement()) != nil { count += 1 }
    return count > Self.mostFilters
  }

  // MARK: Resources

  static let lists: [PackedName] = ["Font", "XObject", "Pattern"]

  /// Checks a list of resources.
  private mutating func scan(resources: Found, level: Int) {
    guard level < Self.mostLevels else { return }
    scan(fonts: resources, level: level)
    for form in entries(of: "XObject", in: resources, picking: Self.formKeys) {
      scan(form: form, level: level)
    }
    for pattern in entries(of: "Pattern", in: resources, picking: [Key.resources]) {
      scan(resourcesOf: pattern, level: level)
    }
  }

  static let formKeys: [PackedName] = [Key.subtype, Key.resources, "BBox"]

  private mutating func scan(form: Found, level: Int) {
    guard case .name("Form") = form.dictionary[Key.subtype] else { return }
    if !isArray(form.dictionary.sourcedValue("BBox")) {
      edits.set(
        "BBox",
        "/BBox",
        in: form.dictionary,
        of: form.object,
        to: Self.everywhere.utf8,
        .formBox
      )
    }
    scan(resourcesOf: form, level: level)
  }

  /// A box that clips nothing.
  private static let everywhere = "[ -32767 -32767 32767 32767 ]"

  /// Whether a value is an array: with anything else as a box, poppler ignores the form. No program can use an array
  /// that is not a box.
  private func isArray(_ value: SourcedValue?) -> Bool {
    guard let value else { return false }
    // Unreadable objects are left to poppler.
    guard let resolved = try? store.resolve(value) else { return true }
    if case .array = resolved.value { return true }
    return false
  }

  mutating func scan(resourcesOf holder: Found, level: Int) {
    guard let resources = nested(Key.resources, in: holder, Self.lists) else { return }
    scan(resources: resources, level: level + 1)
  }

  // MARK: Objects

  /// Whether an object has not been checked yet, and may be.
  mutating func isNew(_ reference: Reference) -> Bool {
    seen.count < Self.mostObjects && seen.insert(reference).inserted
  }

  /// The dictionary of an object or a stream.
  func open(_ reference: Reference, _ keys: [PackedName]) -> Found? {
    guard let cursor = try? store.open(reference),
      let dictionary = try? PartialDictionary.read(
        cursor,
        picking: keys,
        nesting: store.limits.nesting
      )
    else { return nil }
    return Found(dictionary: dictionary, object: reference)
  }

  /// The direct or indirect dictionary of an entry.
  func nested(_ key: PackedName, in holder: Found, _ keys: [PackedName]) -> Found? {
    guard let value = holder.dictionary.sourcedValue(key) else { return nil }
    return dictionary(value, of: holder.object, keys)
  }

  func dictionary(_ value: SourcedValue, of object: Reference, _ keys: [PackedName]) -> Found? {
    switch value.value {
    case .reference(let reference): return open(reference, keys)
    case .dictionary(let span):
      guard
        let dictionary = try? PartialDictionary.read(
          value.inside(span),
          picking: keys,
          nesting: store.limits.nesting
        )
      else { return nil }
      return Found(dictionary: dictionary, object: object)
    default: return nil
    }
  }

  /// The entries of a list of resources that have not been checked.
  ///
  /// - Returns: The dictionaries and streams among them.
  mutating func entries(
    of key: PackedName,
    in resources: Found,
    picking keys: [PackedName]
  ) -> [Found] {
    guard let list = nested(key, in: resources, []) else { return [] }
    var parser = ObjectParser(list.dictionary.origin, nesting: store.limits.nesting)
    var found: [Found] = []
    guard (try? parser.opensDictionary()) == true else { return [] }
    while let _ = (try? parser.nextKey()) ?? nil, let value = try? parser.entryValue() {
      if case .reference(let reference) = value, !isNew(reference) { continue }
      let sourced = SourcedValue(value: value, origin: list.dictionary.origin)
      if let entry = dictionary(sourced, of: list.object, keys) { found.append(entry) }
    }
    return found
  }
}
