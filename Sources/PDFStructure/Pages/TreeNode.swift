internal import DocumentModel

/// A dictionary of the page tree, with the entries needed here.
struct TreeNode {
  /// The node's kids, in order.
  enum Kids {
    /// /Kids is missing or not an array: poppler's walk ends here.
    case none
    /// ``Reference/packed`` values; 0 for anything but a reference, where poppler's walk ends.
    case list([UInt64])

    var count: Int {
      switch self {
      case .none: 0
      case .list(let kids): kids.count
      }
    }
  }

  /// Whether it is a page: /Type /Page, or no /Kids at all.
  var isLeaf: Bool
  /// Whether /Type is /Page, which poppler checks before it corrects a crop box.
  var isTypedPage: Bool
  var kids: Kids
  /// /Count, read as a number like in poppler; nil if it is not a number.
  var count: Double?
  var mediaBox: PageBox?
  var cropBox: PageBox?
  /// The part of the page that is shown.
  var shownBox: ShownBox
  /// That box, if it is the page's trim, bleed or art box, which are not inherited.
  var ownBox: PageBox?
  /// /Rotate, rounded if it is not an integer.
  var rotate: Int32?
  /// Whether /Rotate is not an integer: poppler ignores it.
  var isRotationRepaired = false
  var userUnit: Double
  /// Whether there are resources: in a page any /Resources, in other nodes only a dictionary,
  /// because poppler inherits only that.
  var hasResources: Bool
  /// Whether there are annotations, of any kind.
  var hasAnnotations: Bool
  /// Whether poppler would accept it as a page: the types of /Annots and /Contents.
  var isAcceptable: Bool
  /// Whether it is a node with only entries that a subset replaces, see ``IncrementalUpdateWriter/rootKeys``.
  var isPlain = false
}

extension ObjectStore {
  private static let nodeKeys: [PackedName] = [
    Key.type, Key.kids, Key.count, Key.mediaBox, Key.cropBox, Key.rotate, Key.userUnit,
    Key.annots, Key.contents, Key.resources,
  ]
  /// Other entries of a node that poppler fetches: in a file with a table they must exist (`PageAttrs`).
  private static let fetchedKeys: [PackedName] = [
    "LastModified", "BoxColorInfo", "Group", "Metadata", "PieceInfo", "SeparationInfo", "BleedBox",
    "TrimBox", "ArtBox", Key.resources,
  ]

  /// Reads a node; nil if the object is missing or not a dictionary.
  ///
  /// - Throws: ``StructureError`` when the object cannot be read, or a limit is reached.
  func node(_ reference: Reference) throws(StructureError) -> TreeNode? {
    let fetchedKeys = crossReference.isStream ? [] : Self.fetchedKeys
    let boxKey: PackedName? =
      switch shownBox {
      case .crop, .media, .content: nil
      case .trim: "TrimBox"
      case .bleed: "BleedBox"
      case .art: "ArtBox"
      }
    let keys = boxKey.map { Self.nodeKeys + [$0] } ?? Self.nodeKeys
    guard
      let picked = try dictionary(reference, picking: keys, fetching: fetchedKeys)
    else { return nil }
    for reference in picked.fetched { _ = try open(reference) }
    var isTypedPage = false
    if case .name(Key.page) = picked[Key.type] { isTypedPage = true }
    let hasKids = picked.has(Key.kids)
    let isLeaf = isTypedPage || !hasKids
    let annots = picked.sourcedValue(Key.annots)
    var node = TreeNode(
      isLeaf: isLeaf,
      isTypedPage: isTypedPage,
      kids: .none,
      count: nil,
      mediaBox: try box(picked.sourcedValue(Key.mediaBox)),
      cropBox: try box(picked.sourcedValue(Key.cropBox)),
      shownBox: shownBox,
      ownBox: try boxKey.flatMap { (key) throws(StructureError) in
        try box(picked.sourcedValue(key))
      },
      rotate: nil,
      userUnit: 1,
      hasResources: picked.has(Key.resources),
      hasAnnotations: annots != nil,
      isAcceptable: true
    )
    if let rotate = picked.sourcedValue(Key.rotate) {
      switch try resolve(rotate).value {
      case .int(let value): node.rotate = value
      case .real(let value):
        node.rotate = Int32(exactly: value.rounded())
        node.isRotationRepaired = node.rotate != nil
      default: break
      }
    }
    if isLeaf {
      node.userUnit = try userUnit(picked.sourcedValue(Key.userUnit))
      node.isAcceptable = try isAcceptable(contents: picked[Key.contents], annots)
    }
    if !isLeaf, case .name("Pages") = picked[Key.type] {
      let others = picked.entryCount - 1
      node.isPlain = others == IncrementalUpdateWriter.rootKeys.count(where: { picked.has($0) })
    }
    node.count = try number(picked.sourcedValue(Key.count))
    if !isLeaf, let resources = picked.sourcedValue(Key.resources) {
      node.hasResources = try isDictionary(resources)
    }
    if hasKids {
      node.kids = try references(picked.sourcedValue(Key.kids))
    }
    return node
  }

  /// A number, indirect or not; nil for anything else.
  ///
  /// - Throws: ``StructureError`` when the object cannot be read, or a limit is reached.
  func number(_ sourced: SourcedValue?) throws(StructureError) -> Double? {
    guard let sourced else { return nil }
    switch try resolve(sourced).value {
    case .int(let value): return Double(value)
    case .long(let value): return Double(value)
    case .real(let value): return value
    default: return nil
    }
  }

  private func isDictionary(_ sourced: SourcedValue) throws(StructureError) -> Bool {
    switch sourced.value {
    case .dictionary: return true
    case .reference(let reference):
      return try dictionary(reference, picking: []) != nil
    default: return false
    }
  }

  private func userUnit(_ sourced: SourcedValue?) throws(StructureError) -> Double {
    guard let value = try number(sourced), value > 0, value.isFinite else { return 1 }
    return value
  }

  /// Four numbers that are not all zero; nil for anything else, which is then inherited.
  private func box(_ sourced: SourcedValue?) throws(StructureError) -> PageBox? {
    guard let sourced else { return nil }
    let array = try resolve(sourced)
    guard case .array(let span) = array.value else { return nil }
    var parser = ObjectParser(array.inside(span), nesting: limits.nesting)
    guard try parser.opensArray() else { return nil }
    var corners: (Double?, Double?, Double?, Double?) = (nil, nil, nil, nil)
    var elements = 0
    while let value = try parser.nextElement() {
      let corner = try number(SourcedValue(value: value, origin: array.origin))
      switch elements {
      case 0: corners.0 = corner
      case 1: corners.1 = corner
      case 2: corners.2 = corner
      case 3: corners.3 = corner
      default: return nil
      }
      elements += 1
    }
    guard let x1 = corners.0, let y1 = corners.1, let x2 = corners.2, let y2 = corners.3,
      !(x1 == 0 && y1 == 0 && x2 == 0 && y2 == 0)
    else { return nil }
    return PageBox(x1: x1, y1: y1, x2: x2, y2: y2)
  }

  private func isAcceptable(contents: Value?, _ annots: SourcedValue?) throws(StructureError)
    -> Bool
  {
    switch contents {
    case nil, .null, .reference, .array: break
    default: return false
    }
    guard let annots else { return true }
    switch annots.value {
    case .null: return true
    case .array, .reference: break
    default: return false
    }
    return switch try resolve(annots).value {
    case .null, .array: true
    default: false
    }
  }

  /// A page's annotations that are indirect objects.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func annotations(of page: Reference) throws(StructureError) -> [Reference] {
    try annotationList(of: page).compactMap(\.self)
  }

  /// A page's annotations in order, nil for direct ones.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func annotationList(of page: Reference) throws(StructureError) -> [Reference?] {
    let picked = try dictionary(page, picking: [Key.annots])
    guard case .list(let list) = try references(picked?.sourcedValue(Key.annots)) else { return [] }
    return list.map { $0 == 0 ? nil : Reference(packed: $0) }
  }

  /// The references in a direct or indirect array.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func references(_ sourced: SourcedValue?) throws(StructureError) -> TreeNode.Kids {
    guard let sourced else { return .none }
    let array = try resolve(sourced)
    guard case .array(let span) = array.value else { return .none }
    var parser = ObjectParser(array.inside(span), nesting: limits.nesting)
    guard try parser.opensArray() else { return .none }
    var list: [UInt64] = []
    while true {
      try parser.lexer.cursor.collectReferences(into: &list, atMost: limits.kids)
      guard let value = try parser.nextElement() else { return .list(list) }
      guard list.count < limits.kids else {
        throw StructureError(.limit, "more than \(limits.kids) references in one array")
      }
      if case .reference(let reference) = value {
        list.append(reference.packed)
      } else {
        list.append(0)
      }
    }
  }
}
