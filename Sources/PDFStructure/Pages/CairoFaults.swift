/// Finds pages that poppler draws wrong with cairo, by their resources. Reads no content except the glyphs of Type 3
/// fonts, and what may have a soft mask.
///
/// - Function-based shadings (type 1): cairo gets a path for each color, endlessly many where the function is steep.
/// - Type 3 glyphs with their own colors (`d0`): cairo draws them in one color. Also glyphs that contain text, and
///   masks (`d1`) that set a color, which must be ignored.
/// - Blend modes in a group that is not isolated, or that knocks out: cairo blends with transparency, so that a
///   highlighter covers the text.
/// - Images with a matte color: it is not removed.
/// - Translucent images with a mask of one bit: cairo draws them opaque.
/// - Lines, text, tilings and image masks with a soft mask, which is ignored (``MaskedContent``).
/// - Objects too large for cairo, and images in strips (`ObjectStore.isBeyondCairo(_:)`).
///
/// Unreadable objects count as valid, and so do knockout groups without blending, which Splash does not support.
struct CairoFaults {
  /// Facts about resources and what they refer to.
  private struct Facts: OptionSet {
    let rawValue: UInt8
    /// Cairo draws something of it wrong.
    static let isWrong = Facts(rawValue: 1)
    /// It blends with the content below.
    static let blends = Facts(rawValue: 2)
    /// It makes what is drawn translucent.
    static let fades = Facts(rawValue: 4)
    /// An image of it has a mask of one bit.
    static let masks = Facts(rawValue: 8)
    /// A graphics state of it has a soft mask.
    static let hasSoftMask = Facts(rawValue: 16)
  }

  private let store: ObjectStore
  private var masked: MaskedContent
  /// Facts by object, so that shared objects are checked once; empty while an object is being checked, which ends
  /// cycles.
  private var known: [Reference: Facts] = [:]

  /// Resources within resources.
  private static let deepest = 16
  /// The most objects to check for the pages of a subset.
  private static let mostObjects = 1 << 14
  /// Annotations of a page that are looked at.
  private static let mostAnnotations = 64
  /// Glyphs of a font that are looked at.
  private static let mostGlyphs = 16
  /// Tokens of a glyph that are looked at.
  private static let mostTokens = 512

  init(_ store: ObjectStore) {
    self.store = store
    masked = MaskedContent(store)
  }

  /// Whether cairo draws something of a page wrong.
  ///
  /// - Parameters:
  ///   - inherited: The attributes that the page inherits.
  /// - Returns: Whether something was found.
  mutating func areOn(
    _ page: Reference,
    inherited: InheritedAttributes,
    hasAnnotations: Bool
  ) -> Bool {
    do throws(StructureError) {
      let keys = [Key.contents, Key.resources]
      guard let own = try store.dictionary(page, picking: keys) else { return false }
      var resources = own.sourcedValue(Key.resources)
      if resources == nil, let holder = inherited.resourcesFrom {
        let node = try store.dictionary(holder, picking: [Key.resources])
        resources = node?.sourcedValue(Key.resources)
      }
      let facts = try facts(ofResources: resources, depth: 0)
      if facts.contains(.isWrong) { return true }
      if facts.contains(.hasSoftMask), let contents = own.sourcedValue(Key.contents),
        masked.isDrawnUnmasked(contents, resources)
      {
        return true
      }
      return hasAnnotations ? try appearancesAreWrong(of: page) : false
    } catch {
      return false
    }
  }

  private mutating func appearancesAreWrong(of page: Reference) throws(StructureError) -> Bool {
    for annotation in try store.annotationList(of: page).prefix(Self.mostAnnotations) {
      guard let annotation else { continue }
      let picked = try store.dictionary(annotation, picking: ["AP"])
      let appearances = try store.dictionary(picked?.sourcedValue("AP"), picking: ["N"])
      guard let normal = appearances?.sourcedValue("N") else { continue }
      // A form, or one for each state.
      var forms = [normal]
      if let states = try store.states(normal) { forms = states }
      for form in forms where try facts(ofObject: form, depth: 0).contains(.isWrong) { return true }
    }
    return false
  }

  private mutating func facts(
    ofResources resources: SourcedValue?,
    depth: Int
  ) throws(StructureError) -> Facts {
    guard let resources, depth < Self.deepest else { return [] }
    return try remembering(resources) { look, value throws(StructureError) in
      let keys: [PackedName] = ["ExtGState", "Font", "Pattern", "Shading", "XObject"]
      guard let picked = try look.store.dictionary(value, picking: keys) else { return [] }
      var facts: Facts = []
      for key in keys {
        let entries = try look.store.entries(picked.sourcedValue(key))
        if key == "XObject", try look.store.haveStrips(entries) { facts.insert(.isWrong) }
        for entry in entries {
          facts.formUnion(try look.facts(ofObject: entry, depth: depth + 1))
        }
      }
      if facts.isSuperset(of: [.fades, .masks]) { facts.insert(.isWrong) }
      return facts
    }
  }

  /// Facts about a font, a form, an image, a pattern, a shading or a graphics state, which are distinguished by their
  /// entries.
  private mutating func facts(
    ofObject object: SourcedValue,
    depth: Int
  ) throws(StructureError) -> Facts {
    try remembering(object) { look, object throws(StructureError) in
      let keys: [PackedName] = [
        Key.subtype, Key.resources, "BM", "CharProcs", "G", "Group", "Mask", "Matte", "SMask",
        "Shading", "ca",
      ]
      guard
        let entries = try look.store.entries(of: object, picking: keys + ObjectStore.sizeKeys)
      else { return [] }
      let resources = entries.sourcedValue(Key.resources)
      var facts = try look.facts(ofResources: resources, depth: depth)
      if case .int(1) = entries["ShadingType"] { facts.insert(.isWrong) }
      if entries.has("Matte") { facts.insert(.isWrong) }
      if try look.store.isBeyondCairo(entries) { facts.insert(.isWrong) }
      if try look.store.isBlending(entries.sourcedValue("BM")) { facts.insert(.blends) }
      if try look.store.isFraction(entries.sourcedValue("ca")) { facts.insert(.fades) }
      if entries.streamStart == nil, let mask = entries.sourcedValue("SMask"),
        case .dictionary = try look.store.resolve(mask).value
      {
        facts.insert(.hasSoftMask)
      } else if facts.remove(.hasSoftMask) != nil, look.masked.isDrawnUnmasked(object, resources) {
        facts.insert(.isWrong)
      }
      if let mask = entries.sourcedValue("Mask"),
        try look.store.entries(of: mask, picking: [])?.streamStart != nil
      {
        facts.insert(.masks)
      }
      for key: PackedName in ["SMask", "Shading", "G"] where depth < Self.deepest {
        guard let value = entries.sourcedValue(key) else { continue }
        // Blending in a mask stays in the mask.
        let inner = try look.facts(ofObject: value, depth: depth + 1)
        facts.formUnion(inner.intersection(.isWrong))
      }
      if case .name("Type3") = entries[Key.subtype],
        try look.hasColoredGlyphs(entries.sourcedValue("CharProcs"))
      {
        facts.insert(.isWrong)
      }
      let group = try look.store.dictionary(
        entries.sourcedValue("Group"),
        picking: ["I", "K", "S"]
      )
      if let group, case .name("Transparency") = group["S"] {
        var isIsolated = false
        var knocksOut = false
        if case .bool(true) = group["I"] { isIsolated = true }
        if case .bool(true) = group["K"] { knocksOut = true }
        if facts.contains(.blends), knocksOut || !isIsolated { facts.insert(.isWrong) }
        if isIsolated { facts.remove(.blends) }
        // The group is drawn translucent as a whole.
        facts.subtract([.fades, .masks])
      }
      return facts
    }
  }

  /// Facts about a value; cached if it is an indirect object.
  private mutating func remembering(
    _ value: SourcedValue,
    _ look: (inout CairoFaults, SourcedValue) throws(StructureError) -> Facts
  ) throws(StructureError) -> Facts {
    guard case .reference(let reference) = value.value else { return try look(&self, value) }
    if let facts = known[reference] { return facts }
    guard known.count < Self.mostObjects else { return [] }
    known[reference] = []
    let facts = try look(&self, value)
    known[reference] = facts
    return facts
  }

  /// Whether glyphs of a Type 3 font have their own colors.
  private func hasColoredGlyphs(_ glyphs: SourcedValue?) throws(StructureError) -> Bool {
    for glyph in try store.entries(glyphs).prefix(Self.mostGlyphs) {
      guard
        let entries = try store.entries(of: glyph, picking: StreamDecoder.keys),
        let start = entries.streamStart
      else { continue }
      // With an unknown filter it counts as valid.
      guard let content = try? store.mendedStream(of: entries, from: start) else { continue }
      let cursor = ByteCursor(
        memory: content,
        at: 0,
        limit: content.count,
        meter: store.meter
      )
      if try Self.isColored(Lexer(cursor)) { return true }
    }
    return false
  }

  private static let colorOperators: Set<PackedName> = [
    "cs", "g", "k", "rg", "sc", "scn", "CS", "G", "K", "RG", "SC", "SCN",
  ]
  private static let drawingOperators: Set<PackedName> = [
    "f", "F", "f*", "S", "s", "B", "B*", "b", "b*", "sh", "Do", "g", "rg", "k", "sc", "scn",
  ]

  /// Whether the content of a glyph begins with `d0` and draws more than a mask, or with `d1` but sets a color, or
  /// contains text.
  private static func isColored(_ content: Lexer) throws(StructureError) -> Bool {
    var lexer = content
    var isFree = false
    var isMask = false
    var isInImage = false
    for _ in 0..<mostTokens {
      switch try lexer.next() {
      case .end: return false
      case .command("BT"): return true
      case .command("d0"): isFree = true
      case .command("d1"): isMask = true
      case .command("BI"): isInImage = true
      case .name("IM") where isInImage, .name("ImageMask") where isInImage: return false
      case .command("ID"): return isFree && isInImage
      case .command(let word) where isMask && colorOperators.contains(word): return true
      case .command(let word) where isFree && drawingOperators.contains(word): return true
      default: continue
      }
    }
    return false
  }
}

extension ObjectStore {
  /// The values of the entries of a direct or indirect dictionary.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func entries(_ value: SourcedValue?) throws(StructureError) -> [SourcedValue] {
    guard let value else { return [] }
    let resolved = try resolve(value)
    guard case .dictionary(let span) = resolved.value else { return [] }
    let cursor = resolved.inside(span)
    var parser = ObjectParser(cursor, nesting: limits.nesting)
    guard try parser.opensDictionary() else { return [] }
    var entries: [SourcedValue] = []
    while try parser.nextKey() != nil {
      entries.append(SourcedValue(value: try parser.entryValue(), origin: cursor))
    }
    return entries
  }

  /// The forms of an appearance for each state; nil for one that is a form itself.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func states(_ appearance: SourcedValue) throws(StructureError) -> [SourcedValue]? {
    guard try entries(of: appearance, picking: [])?.streamStart == nil else { return nil }
    return try entries(appearance)
  }

  /// Some entries of a direct or indirect dictionary, or of a stream's; nil for anything else.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func entries(
    of value: SourcedValue,
    picking keys: [PackedName]
  ) throws(StructureError) -> PartialDictionary? {
    let cursor: ByteCursor
    switch value.value {
    case .reference(let reference):
      guard let found = try open(reference) else { return nil }
      cursor = found
    case .dictionary(let span): cursor = value.inside(span)
    default: return nil
    }
    return try PartialDictionary.read(cursor, picking: keys, nesting: limits.nesting)
  }

  /// Whether a number is less than 1.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  fileprivate func isFraction(_ value: SourcedValue?) throws(StructureError) -> Bool {
    guard let value else { return false }
    return switch try resolve(value).value {
    case .int(let number): number < 1
    case .real(let number): number < 1
    default: false
    }
  }

  /// Whether a blend mode, or the first of a list, is not /Normal.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  fileprivate func isBlending(_ mode: SourcedValue?) throws(StructureError) -> Bool {
    guard let mode else { return false }
    let resolved = try resolve(mode)
    var value = resolved.value
    if case .array(let span) = value {
      var parser = ObjectParser(resolved.inside(span), nesting: limits.nesting)
      guard try parser.opensArray(), let first = try parser.nextElement() else { return false }
      value = first
    }
    guard case .name(let name) = value else { return false }
    return name != "Normal" && name != "Compatible"
  }
}
