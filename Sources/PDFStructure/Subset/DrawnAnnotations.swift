/// The annotations of a page without invisible links, and without those that poppler has no room for.
///
/// A page of an index can have more than a hundred of them. Poppler parses each before it draws the page, and that many
/// objects rarely fit into a subset.
struct DrawnAnnotations {
  /// Poppler refuses a page with more annotations.
  static let most = 10_000

  /// Those that may be drawn, in order.
  private(set) var kept: [Reference] = []
  /// Whether some that may be drawn are omitted.
  private(set) var areTooMany = false
  /// The omitted links.
  private(set) var links: [Reference] = []

  /// The annotations of a page; nil if the page keeps its list unchanged: none is omitted, or some are direct objects
  /// and not too many.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  init?(_ store: ObjectStore, of page: Reference) throws(StructureError) {
    let list = try store.annotationList(of: page)
    for annotation in list {
      guard let annotation else {
        guard list.count > Self.most else { return nil }
        areTooMany = true
        continue
      }
      if try Self.isUndrawnLink(annotation, store) {
        links.append(annotation)
      } else {
        kept.append(annotation)
      }
    }
    if kept.count > Self.most {
      kept.removeLast(kept.count - Self.most)
      areTooMany = true
    }
    guard !links.isEmpty || list.count > Self.most else { return nil }
  }

  /// Entries of a link that poppler neither draws nor warns about.
  private static let plainKeys: [PackedName] = [
    Key.type, Key.subtype, Key.rect, Key.border, "BS", Key.a, Key.dest, Key.p, Key.h, "C", Key.f,
    "M", "NM", Key.contents, "StructParent", "QuadPoints",
  ]

  /// Whether an annotation is a link without an appearance, and with a border of width zero.
  private static func isUndrawnLink(
    _ annotation: Reference,
    _ store: ObjectStore
  ) throws(StructureError) -> Bool {
    guard let cursor = try store.open(annotation),
      let link = try PartialDictionary.read(
        cursor,
        picking: plainKeys,
        nesting: store.limits.nesting
      ),
      link.streamStart == nil, case .name(Key.link) = link[Key.subtype],
      // Each entry is one of these, without duplicates.
      link.entryCount == plainKeys.count(where: link.has),
      try numbers(link.sourcedValue(Key.rect), store)?.count == 4
    else { return false }
    if let quads = link.sourcedValue("QuadPoints") {
      guard try numbers(quads, store)?.count.isMultiple(of: 8) == true else { return false }
    }
    if let style = link.sourcedValue("BS") {
      let picked = try store.dictionary(style, picking: ["W"])
      guard let picked, case .int(0) = picked["W"] else { return false }
      return true
    }
    guard let border = try numbers(link.sourcedValue(Key.border), store) else { return false }
    return border.count == 3 && border[2] == 0
  }

  /// The elements of a direct array of at most 64 numbers; nil for anything else.
  private static func numbers(
    _ value: SourcedValue?,
    _ store: ObjectStore
  ) throws(StructureError) -> [Double]? {
    guard let value, case .array(let span) = value.value else { return nil }
    var parser = ObjectParser(value.inside(span), nesting: store.limits.nesting)
    guard try parser.opensArray() else { return nil }
    var numbers: [Double] = []
    while let element = try parser.nextElement() {
      switch element {
      case .int(let number): numbers.append(Double(number))
      case .real(let number): numbers.append(number)
      default: return nil
      }
      guard numbers.count <= 64 else { return nil }
    }
    return numbers
  }
}
