package import DocumentModel
internal import RectoGeometry

extension PageTreeReader {
  /// The destination with a name; nil when the document does not have it.
  ///
  /// The file may have the name in UTF-8, PDFDocEncoding or UTF-16.
  ///
  /// - Complexity: O(log names) in a valid name tree.
  /// - Throws: ``StructureError`` when the names or the page cannot be read, or a limit is reached.
  package func destination(named name: String) throws(StructureError) -> LinkDestination? {
    store.meter.reset()
    return try store.readingText { () throws(StructureError) in
      for bytes in NameBytes.encodings(of: name) {
        guard case .destination(var found) = try target(named: bytes) else { continue }
        found.name = name
        return found
      }
      return nil
    }
  }

  /// The names of all destinations with their targets, which may be missing.
  ///
  /// - Complexity: O(names · levels).
  /// - Throws: ``StructureError`` when the names or a page cannot be read, or a limit is reached.
  package func destinations() throws(StructureError) -> [NamedDestination] {
    store.meter.reset()
    return try store.readingText { () throws(StructureError) in
      let names =
        if let names = targets.names { names } else { try DestinationNames(store, catalog) }
      targets.names = names
      var all: [NamedDestination] = []
      for (bytes, value) in try names.all() {
        let name = NameBytes.text(bytes)
        var place: LinkDestination?
        if case .destination(let found) = try target(of: value, named: name) { place = found }
        all.append(NamedDestination(name: name, place: place))
      }
      return all
    }
  }

  /// The target of a value of /Dest or /D: an array, or a name as a name object or a string.
  ///
  /// - Throws: ``StructureError`` when it cannot be read, or a limit is reached.
  func target(
    of destination: SourcedValue,
    in holder: PartialDictionary,
    at key: PackedName
  ) throws(StructureError) -> LinkTarget {
    let resolved = try store.resolve(destination)
    switch resolved.value {
    case .array: return .destination(in: try place(resolved), name: nil)
    case .string:
      guard let bytes = try resolved.stringBytes(atMost: store.limits.targetBytes + 1),
        bytes.count <= store.limits.targetBytes
      else { return .missing(name: nil) }
      return try target(named: bytes)
    case .name(let name):
      guard let bytes = try nameBytes(name, in: holder, at: key) else {
        return .missing(name: nil)
      }
      return try target(named: bytes)
    default: return .missing(name: nil)
    }
  }

  private func target(named bytes: [UInt8]) throws(StructureError) -> LinkTarget {
    let name = NameBytes.text(bytes)
    if targets.names == nil { targets.names = try DestinationNames(store, catalog) }
    guard let found = try targets.names?.value(of: bytes) else { return .missing(name: name) }
    return try target(of: found, named: name)
  }

  /// The target of the value of a name.
  private func target(
    of value: SourcedValue,
    named name: String
  ) throws(StructureError) -> LinkTarget {
    let resolved = try store.resolve(value)
    var array: SourcedValue? = resolved
    if case .dictionary = resolved.value {
      let picked = try store.dictionary(resolved, picking: [Key.d])
      array = try picked?.sourcedValue(Key.d).map { (value) throws(StructureError) in
        try store.resolve(value)
      }
    }
    guard let array, case .array = array.value else { return .missing(name: name) }
    return .destination(in: try place(array), name: name)
  }

  /// The bytes of a name; nil if it is too long, or an indirect one that is not short ASCII.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read.
  func nameBytes(
    _ name: PackedName,
    in holder: PartialDictionary,
    at key: PackedName
  ) throws(StructureError) -> [UInt8]? {
    if let text = name.text { return Array(text.utf8) }
    guard name.count <= store.limits.targetBytes, let source = try holder.source(of: key),
      source.first == UInt8(ascii: "/")
    else { return nil }
    return TextString.nameBytes(source.dropFirst())
  }

  /// The destination of an array; nil if it has no page of this document.
  ///
  /// - Throws: ``StructureError`` when it cannot be read, or a limit is reached.
  private func place(_ array: SourcedValue) throws(StructureError) -> LinkDestination? {
    var elements: [SourcedValue] = []
    try store.elements(array) { (element) throws(StructureError) in
      if elements.count < 6 { elements.append(element) }
    }
    guard let first = elements.first else { return nil }
    let page: TargetCaches.Page?
    switch first.value {
    case .reference(let reference): page = try targetPage(reference)
    case .int(let index) where index >= 0: page = try targetPage(at: PageIndex(Int(index)))
    default: page = nil
    }
    guard let page else { return nil }
    let fit = try fit(elements.dropFirst()).shown(on: page.info)
    return LinkDestination(page: page.index, fit: fit)
  }

  /// How to show a page, by the elements after it in the array.
  private func fit(_ elements: ArraySlice<SourcedValue>) throws(StructureError) -> UserSpaceFit {
    var kind: PackedName?
    if let first = elements.first, case .name(let name) = try store.resolve(first).value {
      kind = name
    }
    var numbers: [Double?] = []
    for element in elements.dropFirst() { numbers.append(try store.number(element)) }
    func number(_ index: Int) -> Double? { index < numbers.count ? numbers[index] : nil }
    switch kind {
    case "Fit": return .page
    case "FitH": return .width(top: number(0))
    case "FitV": return .height(left: number(0))
    case "FitR":
      guard let left = number(0), let bottom = number(1), let right = number(2),
        let top = number(3)
      else { return .page }
      return .area(left: left, bottom: bottom, right: right, top: top)
    case "FitB": return .content
    case "FitBH": return .contentWidth(top: number(0))
    case "FitBV": return .contentHeight(left: number(0))
    // An unknown kind still has a page.
    case "XYZ": return .point(left: number(0), top: number(1), zoom: number(2))
    default: return .point(left: nil, top: nil, zoom: nil)
    }
  }
}

extension LinkTarget {
  fileprivate static func destination(in place: LinkDestination?, name: String?) -> LinkTarget {
    guard var place else { return .missing(name: name) }
    place.name = name
    return .destination(place)
  }
}
