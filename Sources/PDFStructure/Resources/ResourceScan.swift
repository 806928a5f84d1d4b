package import DocumentModel
package import RectoGeometry

/// The fonts and images that pages have in their resources, in those of their forms, patterns and Type 3 fonts, and in
/// the appearances of their annotations. Page content is not read: an object that is never drawn is listed too, and
/// images inside content are not.
package struct ResourceScan {
  /// The fonts, each once.
  package private(set) var fonts: [DocumentFont] = []
  /// The images, each once for each page.
  package private(set) var images: [DocumentImage] = []
  private var knownFonts: Set<Reference> = []
  /// Objects of the present page.
  private var seen: Set<Reference> = []
  private var page = PageIndex(0)

  /// Resources within resources.
  private static let deepest = 32
  /// The most objects of a page.
  private static let mostObjects = 1 << 14
  /// The most fonts, and the most images.
  private static let mostFound = 1 << 20

  /// Nothing yet.
  package init() {}

  /// Adds what a page has.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  mutating func add(
    _ page: Reference,
    inheriting attributes: InheritedAttributes,
    at index: PageIndex,
    in store: ObjectStore
  ) throws(StructureError) {
    self.page = index
    seen = []
    var own = try store.dictionary(page, picking: [Key.resources])
    if own?.has(Key.resources) != true, let holder = attributes.resourcesFrom {
      own = try store.dictionary(holder, picking: [Key.resources])
    }
    try add(resources: own?.sourcedValue(Key.resources), depth: 0, in: store)
    for annotation in try store.annotations(of: page) {
      let picked = try store.dictionary(annotation, picking: ["AP"])
      let appearances = try store.dictionary(picked?.sourcedValue("AP"), picking: ["N"])
      guard let normal = appearances?.sourcedValue("N") else { continue }
      for form in try store.states(normal) ?? [normal] {
        try add(object: form, depth: 0, in: store)
      }
    }
  }

  private mutating func add(
    resources: SourcedValue?,
    depth: Int,
    in store: ObjectStore
  ) throws(StructureError) {
    guard let resources, depth < Self.deepest, try isNew(resources) else { return }
    let lists: [PackedName] = ["ExtGState", "Font", "Pattern", "XObject"]
    guard let picked = try store.dictionary(resources, picking: lists) else { return }
    for list in lists {
      for entry in try store.entries(picked.sourcedValue(list)) {
        if list == "Font" {
          try add(font: entry, depth: depth + 1, in: store)
        } else {
          try add(object: entry, depth: depth + 1, in: store)
        }
      }
    }
  }

  /// Adds what a form, an image, a pattern or a graphics state has; they are distinguished by their entries.
  private mutating func add(
    object: SourcedValue,
    depth: Int,
    in store: ObjectStore
  ) throws(StructureError) {
    guard depth < Self.deepest, try isNew(object) else { return }
    let keys: [PackedName] = [Key.subtype, Key.resources, "Font", "G", "Mask", "SMask"]
    guard let entries = try store.entries(of: object, picking: keys) else { return }
    if case .name("Image") = try store.value(entries, Key.subtype) {
      try add(image: object, .image, in: store)
      for (key, kind) in [("SMask", DocumentImage.Kind.softMask), ("Mask", .mask)]
        as [(PackedName, DocumentImage.Kind)]
      {
        guard let mask = entries.sourcedValue(key), case .reference = mask.value, try isNew(mask)
        else { continue }
        try add(image: mask, kind, in: store)
      }
      return
    }
    try add(resources: entries.sourcedValue(Key.resources), depth: depth, in: store)
    // The font and the mask of a graphics state.
    if let font = try store.elements(entries.sourcedValue("Font")).first {
      try add(font: font, depth: depth + 1, in: store)
    }
    for key: PackedName in ["SMask", "G"] {
      guard let mask = entries.sourcedValue(key) else { continue }
      try add(object: mask, depth: depth + 1, in: store)
    }
  }

  private mutating func add(
    image: SourcedValue,
    _ kind: DocumentImage.Kind,
    in store: ObjectStore
  ) throws(StructureError) {
    guard let image = try store.image(image, kind, on: page) else { return }
    guard images.count < Self.mostFound else { throw Self.tooMany("images") }
    images.append(image)
  }

  private mutating func add(
    font: SourcedValue,
    depth: Int,
    in store: ObjectStore
  ) throws(StructureError) {
    guard depth < Self.deepest, try isNew(font),
      let entries = try store.entries(of: font, picking: ObjectStore.fontKeys)
    else { return }
    try add(resources: entries.sourcedValue(Key.resources), depth: depth, in: store)
    if case .reference(let reference) = font.value {
      guard knownFonts.insert(reference).inserted else { return }
    }
    guard fonts.count < Self.mostFound else { throw Self.tooMany("fonts") }
    fonts.append(try store.font(entries, object: ObjectNumber(font), on: page))
  }

  /// Whether a value was not met before on the page; direct ones never were.
  private mutating func isNew(_ value: SourcedValue) throws(StructureError) -> Bool {
    guard case .reference(let reference) = value.value else { return true }
    guard seen.count < Self.mostObjects else {
      throw StructureError(.limit, "more than \(Self.mostObjects) objects on a page")
    }
    return seen.insert(reference).inserted
  }

  private static func tooMany(_ what: String) -> StructureError {
    StructureError(.limit, "more than \(mostFound) \(what)")
  }
}

extension PageTreeReader {
  /// Adds the fonts and images of a page to those of others. A page that is counted but missing has none.
  ///
  /// - Complexity: O(levels · kids) for finding the page, then O(objects).
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached; what was found before is kept.
  package func addResources(
    of index: PageIndex,
    to scan: inout ResourceScan
  ) throws(StructureError) {
    store.meter.reset()
    guard let found = try find(index) else { return }
    try scan.add(found.reference, inheriting: found.inherited, at: index, in: store)
  }
}

extension ObjectNumber {
  /// The object that a value refers to; nil for a direct value.
  init?(_ value: SourcedValue) {
    guard case .reference(let reference) = value.value else { return nil }
    self.init(Int(reference.number), generation: Int(reference.generation))
  }
}
