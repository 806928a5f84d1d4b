/// Finds pages that poppler draws wrong with cairo.
///
/// - Function-based shadings (type 1), unless they are smooth (`ObjectStore.isSmoothShading(_:)`).
/// - Type 3 glyphs with their own colors (`d0`): cairo draws them in one color. Also glyphs that contain text, and
///   masks (`d1`) that set a color, which must be ignored.
/// - Blend modes in a group that is not isolated, or that knocks out: cairo blends with transparency, so that a
///   highlighter covers the text.
/// - Images with a matte color: it is not removed.
/// - Translucent images with a mask of one bit: cairo draws them opaque.
/// - Lines, text, tilings and image masks with a soft mask, which is ignored.
/// - Objects too large for cairo (`ObjectStore.isBeyondCairo(_:)`), and images in strips that adjoin (`Strips`).
///
/// First it looks at all resources of a page. If there may be a fault, it reads the content to see which of them are
/// used: all pages of a document can have the same lists of resources. Unreadable objects count as valid, and so do
/// knockout groups without blending, which Splash does not support.
struct CairoFaults {
  /// Facts about what is drawn with an object.
  struct Facts: OptionSet {
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

  /// What is looked at.
  enum Scope: Hashable {
    /// All resources.
    case resources
    /// What content uses of its resources, which begins with or without a soft mask.
    case content(isMasked: Bool)
  }

  private struct Question: Hashable {
    var object: Reference
    var scope: Scope
  }

  let store: ObjectStore
  /// Facts by object, so that shared objects are checked once; empty while an object is being checked, which ends
  /// cycles.
  private var known: [Question: Facts] = [:]
  /// Bytes of content that may still be read.
  var contentBytes = 4 << 20

  /// Resources within resources.
  static let deepest = 16
  /// The most objects to check for the pages of a subset.
  private static let mostObjects = 1 << 14
  /// Annotations of a page that are looked at.
  private static let mostAnnotations = 64

  init(_ store: ObjectStore) { self.store = store }

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
      let all = try facts(ofResources: resources, level: 0)
      if !all.isDisjoint(with: [.isWrong, .hasSoftMask]) {
        let content = own.sourcedValue(Key.contents)
        let used = try? facts(ofContent: content, resources, isMasked: false, level: 0)
        if (used ?? all).contains(.isWrong) { return true }
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
      for form in forms {
        let all = try facts(ofObject: form, nil, .resources, level: 0)
        if all.isDisjoint(with: [.isWrong, .hasSoftMask]) { continue }
        let used = try? facts(ofObject: form, nil, .content(isMasked: false), level: 0)
        if (used ?? all).contains(.isWrong) { return true }
      }
    }
    return false
  }

  private mutating func facts(
    ofResources resources: SourcedValue?,
    level: Int
  ) throws(StructureError) -> Facts {
    guard let resources, level < Self.deepest else { return [] }
    return try remembering(resources, .resources) { look, value throws(StructureError) in
      guard let picked = try look.store.dictionary(value, picking: Self.lists) else { return [] }
      var facts: Facts = []
      for key in Self.lists {
        let entries = try look.store.entries(picked.sourcedValue(key))
        if key == "XObject", try look.store.mayHaveStrips(entries) { facts.insert(.isWrong) }
        for entry in entries {
          facts.formUnion(try look.facts(ofObject: entry, nil, .resources, level: level + 1))
        }
      }
      return facts.withFadedMasks
    }
  }

  /// The lists of resources that are looked at.
  static let lists: [PackedName] = ["ExtGState", "Font", "Pattern", "Shading", "XObject"]

  /// Facts about a font, a form, an image, a pattern, a shading or a graphics state, which are distinguished by their
  /// entries.
  ///
  /// - Parameters:
  ///   - outer: The resources of what it is used in, for a form without its own.
  mutating func facts(
    ofObject object: SourcedValue,
    _ outer: SourcedValue?,
    _ scope: Scope,
    level: Int
  ) throws(StructureError) -> Facts {
    try remembering(object, scope) { look, object throws(StructureError) in
      let keys: [PackedName] = [
        Key.subtype, Key.resources, "BM", "CharProcs", "G", "Group", "ImageMask", "Mask", "Matte",
        "SMask", "Shading", "ca",
      ]
      guard
        let entries = try look.store.entries(of: object, picking: keys + ObjectStore.sizeKeys)
      else { return [] }
      let group = try look.store.transparencyGroup(entries.sourcedValue("Group"))
      var facts = try look.facts(
        ofContentsOf: object,
        entries,
        outer,
        group == nil ? scope : scope.unmasked,
        level: level
      )
      if case .int(1) = entries["ShadingType"] {
        // It is judged only where it is used.
        var isSmooth = false
        if scope != .resources { isSmooth = try look.store.isSmoothShading(object) }
        if !isSmooth { facts.insert(.isWrong) }
      }
      if entries.has("Matte") { facts.insert(.isWrong) }
      if try look.store.isBeyondCairo(entries) { facts.insert(.isWrong) }
      if try look.store.isBlending(entries.sourcedValue("BM")) { facts.insert(.blends) }
      if try look.store.isFraction(entries.sourcedValue("ca")) { facts.insert(.fades) }
      if entries.streamStart == nil, let mask = entries.sourcedValue("SMask"),
        case .dictionary = try look.store.resolve(mask).value
      {
        facts.insert(.hasSoftMask)
      }
      if scope.isMasked, case .bool(true) = entries["ImageMask"] { facts.insert(.isWrong) }
      if let mask = entries.sourcedValue("Mask"),
        try look.store.entries(of: mask, picking: [])?.streamStart != nil
      {
        facts.insert(.masks)
      }
      for key: PackedName in ["SMask", "Shading", "G"] where level < Self.deepest {
        guard let value = entries.sourcedValue(key) else { continue }
        // Blending in a mask stays in the mask.
        let inner = try look.facts(ofObject: value, nil, scope.unmasked, level: level + 1)
        facts.formUnion(
          inner.intersection(scope == .resources ? [.isWrong, .hasSoftMask] : .isWrong)
        )
      }
      if case .name("Type3") = entries[Key.subtype],
        try look.store.hasColoredGlyphs(entries.sourcedValue("CharProcs"))
      {
        facts.insert(.isWrong)
      }
      if let group {
        if facts.contains(.blends), group.knocksOut || !group.isIsolated { facts.insert(.isWrong) }
        if group.isIsolated { facts.remove(.blends) }
        // The group is drawn translucent as a whole.
        facts.subtract([.fades, .masks])
      }
      return facts
    }
  }

  /// Facts about what is drawn in an object.
  private mutating func facts(
    ofContentsOf object: SourcedValue,
    _ entries: PartialDictionary,
    _ outer: SourcedValue?,
    _ scope: Scope,
    level: Int
  ) throws(StructureError) -> Facts {
    let resources = entries.sourcedValue(Key.resources)
    guard entries.streamStart != nil, case .content(let isMasked) = scope else {
      return try facts(ofResources: resources, level: level)
    }
    // The data of an image is no content.
    if case .name("Image") = entries[Key.subtype] { return [] }
    guard level < Self.deepest else { return [] }
    return try facts(
      ofContent: object,
      resources ?? outer,
      isMasked: isMasked,
      level: level + 1
    )
  }

  /// Facts about a value; cached if it is an indirect object.
  private mutating func remembering(
    _ value: SourcedValue,
    _ scope: Scope,
    _ look: (inout CairoFaults, SourcedValue) throws(StructureError) -> Facts
  ) throws(StructureError) -> Facts {
    guard case .reference(let reference) = value.value else { return try look(&self, value) }
    let question = Question(object: reference, scope: scope)
    if let facts = known[question] { return facts }
    guard known.count < Self.mostObjects else { return [] }
    known[question] = []
    let facts = try look(&self, value)
    known[question] = facts
    return facts
  }
}

extension CairoFaults.Facts {
  /// With the fault of images that have a mask of one bit and are translucent.
  var withFadedMasks: Self { isSuperset(of: [.fades, .masks]) ? union(.isWrong) : self }
}

extension CairoFaults.Scope {
  /// Whether content begins with a soft mask.
  fileprivate var isMasked: Bool { self == .content(isMasked: true) }

  /// The same without a soft mask.
  fileprivate var unmasked: Self { isMasked ? .content(isMasked: false) : self }
}

extension ObjectStore {
  /// Whether a group is isolated, and whether it knocks out; nil for anything but a transparency group.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  fileprivate func transparencyGroup(
    _ value: SourcedValue?
  ) throws(StructureError) -> (isIsolated: Bool, knocksOut: Bool)? {
    guard let group = try dictionary(value, picking: ["I", "K", "S"]),
      case .name("Transparency") = group["S"]
    else { return nil }
    var isIsolated = false
    var knocksOut = false
    if case .bool(true) = group["I"] { isIsolated = true }
    if case .bool(true) = group["K"] { knocksOut = true }
    return (isIsolated, knocksOut)
  }

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
