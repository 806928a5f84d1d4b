internal import DocumentModel

extension PageTreeReader {
  /// The entries of an annotation or an outline item with its target.
  static let targetKeys = [Key.dest, Key.a]

  /// The target of an annotation or an outline item; nil if there is none.
  ///
  /// - Parameter holder: Read with ``targetKeys``.
  /// - Returns: The target. A destination has precedence over an action, as in poppler.
  /// - Throws: ``StructureError`` when it cannot be read, or a limit is reached.
  func target(in holder: PartialDictionary) throws(StructureError) -> LinkTarget? {
    if let destination = holder.sourcedValue(Key.dest) {
      let resolved = try store.resolve(destination)
      if !resolved.isNull { return try target(of: resolved, in: holder, at: Key.dest) }
    }
    let keys: [PackedName] = [Key.s, Key.d, Key.f, Key.uri, Key.n, Key.win, Key.unix]
    guard let action = try store.dictionary(holder.sourcedValue(Key.a), picking: keys) else {
      return nil
    }
    return try target(ofAction: action)
  }

  private func target(ofAction action: PartialDictionary) throws(StructureError) -> LinkTarget? {
    guard let kind = try name(action.sourcedValue(Key.s)) else { return nil }
    switch kind {
    case "GoTo":
      return try action.sourcedValue(Key.d).map { (value) throws(StructureError) in
        try target(of: value, in: action, at: Key.d)
      } ?? .missing(name: nil)
    case "GoToR": return try remoteTarget(action) ?? .other(kind)
    case "URI": return try address(action.sourcedValue(Key.uri)).map { .uri($0) } ?? .other(kind)
    case "Launch": return try launchedFile(action).map { .launch($0) } ?? .other(kind)
    case "Named": return try name(action.sourcedValue(Key.n)).map { .named($0) } ?? .other(kind)
    default: return .other(kind)
    }
  }

  // MARK: Kinds of actions

  private func remoteTarget(_ action: PartialDictionary) throws(StructureError) -> LinkTarget? {
    guard let file = try fileName(action.sourcedValue(Key.f)) else { return nil }
    guard let value = action.sourcedValue(Key.d) else { return .file(file, page: nil, name: nil) }
    let destination = try store.resolve(value)
    switch destination.value {
    case .array:
      var page: Int?
      var isFirst = true
      try store.elements(destination) { (element) throws(StructureError) in
        if isFirst, case .int(let index) = element.value, index >= 0 { page = Int(index) + 1 }
        isFirst = false
      }
      return .file(file, page: page, name: nil)
    case .string: return .file(file, page: nil, name: try text(destination))
    case .name(let name):
      let bytes = try nameBytes(name, in: action, at: Key.d)
      return .file(file, page: nil, name: bytes.map(NameBytes.text))
    default: return .file(file, page: nil, name: nil)
    }
  }

  private func launchedFile(_ action: PartialDictionary) throws(StructureError) -> String? {
    if let file = try fileName(action.sourcedValue(Key.f)) { return file }
    for key in [Key.unix, Key.win] {
      let picked = try store.dictionary(action.sourcedValue(key), picking: [Key.f])
      if let file = try fileName(picked?.sourcedValue(Key.f)) { return file }
    }
    return nil
  }

  /// The name in a file specification; nil if it is missing or too long.
  private func fileName(_ specification: SourcedValue?) throws(StructureError) -> String? {
    guard let specification else { return nil }
    let resolved = try store.resolve(specification)
    if case .string = resolved.value { return try text(resolved) }
    let keys = [Key.uf, Key.f, Key.unix]
    guard let picked = try store.dictionary(resolved, picking: keys) else { return nil }
    for key in keys {
      guard let value = picked.sourcedValue(key) else { continue }
      if let text = try text(try store.resolve(value)) { return text }
    }
    return nil
  }

  /// An address, completed as poppler does it: by /Base in /URI of the catalog, or by `http://`.
  private func address(_ sourced: SourcedValue?) throws(StructureError) -> String? {
    guard let sourced, var bytes = try bytes(try store.resolve(sourced)) else { return nil }
    let scheme = bytes.firstIndex { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ":") }
    if scheme.map({ bytes[$0] }) != UInt8(ascii: ":") {
      if bytes.starts(with: Array("www.".utf8)) {
        bytes = Array("http://".utf8) + bytes
      } else if let base = try baseAddress() {
        let hasEnd = base.last.map { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") } ?? true
        let start = base + (hasEnd ? [] : [UInt8(ascii: "/")])
        bytes = start + (bytes.first == UInt8(ascii: "/") ? bytes.dropFirst() : bytes[...])
      }
    }
    guard bytes.count <= store.limits.targetBytes else { return nil }
    return NameBytes.text(bytes)
  }

  private func baseAddress() throws(StructureError) -> [UInt8]? {
    if let known = targets.base { return known }
    let picked = try store.dictionary(catalog.sourcedValue(Key.uri), picking: [Key.base])
    var base: [UInt8]?
    if let value = picked?.sourcedValue(Key.base) { base = try bytes(try store.resolve(value)) }
    targets.base = .some(base)
    return base
  }

  // MARK: Values

  /// The bytes of a string; nil for anything else, and for one that is too long.
  private func bytes(_ value: SourcedValue) throws(StructureError) -> [UInt8]? {
    let limit = store.limits.targetBytes
    let bytes = try value.stringBytes(atMost: limit + 1)
    return bytes.flatMap { $0.count <= limit ? $0 : nil }
  }

  /// The text of a string; nil for anything else, and for one that is too long.
  private func text(_ value: SourcedValue) throws(StructureError) -> String? {
    try bytes(value).map(NameBytes.text)
  }

  /// A name of up to 24 ASCII characters, like all names that PDF defines; nil for anything else.
  private func name(_ sourced: SourcedValue?) throws(StructureError) -> String? {
    guard let sourced, case .name(let name) = try store.resolve(sourced).value else { return nil }
    return name.text
  }
}

extension SourcedValue {
  fileprivate var isNull: Bool { if case .null = value { true } else { false } }
}
