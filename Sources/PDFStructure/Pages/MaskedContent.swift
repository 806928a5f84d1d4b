/// Looks in content for what cairo draws in spite of a soft mask: poppler applies one to fills, shadings, groups and
/// images, but not to lines, text, tilings and image masks.
struct MaskedContent {
  /// The part of the graphics state that matters.
  private struct State {
    var isMasked: Bool
    var hasTiling = false
    var hasInvisibleText = false
  }

  /// What the named resources of content do, each looked up once.
  private struct Known {
    var masks: [PackedName: Mask] = [:]
    var tilings: [PackedName: Bool] = [:]
    var objects: [PackedName: Bool] = [:]

    var isFull: Bool { masks.count + tilings.count + objects.count > 256 }
  }

  /// What a graphics state does to the soft mask.
  private enum Mask { case kept, removed, set }

  private let store: ObjectStore
  /// Bytes of content that may still be looked at; the rest counts as valid.
  private var bytesLeft = 4 << 20

  /// Forms within forms.
  private static let deepest = 8
  /// The most states saved at a time.
  private static let mostStates = 512

  init(_ store: ObjectStore) { self.store = store }

  /// Whether content sets a soft mask, and cairo draws something in spite of it; no if it is unreadable.
  ///
  /// - Parameter streams: The content: a stream, or an array of streams.
  mutating func isDrawnUnmasked(_ streams: SourcedValue, _ resources: SourcedValue?) -> Bool {
    (try? isWrong(streams, resources, isMasked: false, depth: 0)) ?? false
  }

  private mutating func isWrong(
    _ streams: SourcedValue,
    _ resources: SourcedValue?,
    isMasked: Bool,
    depth: Int
  ) throws(StructureError) -> Bool {
    let content = try content(of: streams)
    let lists = try store.dictionary(resources, picking: ["ExtGState", "Pattern", "XObject"])
    var states = [State(isMasked: isMasked)]
    var known = Known()
    var lexer = Lexer(
      ByteCursor(memory: content, at: 0, limit: content.count, meter: store.meter)
    )
    var name: PackedName?
    var number: Int32?
    var isImageMask = false
    while !known.isFull {
      let word: PackedName
      switch try lexer.next() {
      case .end: return false
      case .name(let value):
        name = value
        continue
      case .int(let value):
        number = value
        continue
      case .bool(let value):
        if name == "IM" || name == "ImageMask" { isImageMask = value }
        continue
      case .command(let value): word = value
      default: continue
      }
      defer { (name, number) = (nil, nil) }
      let last = states.count - 1
      switch word {
      case "q":
        guard states.count < Self.mostStates else { return false }
        states.append(states[last])
      case "Q": if last > 0 { states.removeLast() }
      case "gs":
        guard let name else { continue }
        let mask = if let mask = known.masks[name] { mask } else { try self.mask(name, lists) }
        known.masks[name] = mask
        if mask != .kept { states[last].isMasked = mask == .set }
      case "Tr": states[last].hasInvisibleText = number == 3 || number == 7
      case "g", "rg", "k", "cs", "sc": states[last].hasTiling = false
      case "scn":
        guard let name else {
          states[last].hasTiling = false
          continue
        }
        let isTiling =
          if let known = known.tilings[name] { known } else { try self.isTiling(name, lists) }
        known.tilings[name] = isTiling
        states[last].hasTiling = isTiling
      case "BI": isImageMask = false
      case "ID":
        if isImageMask, states[last].isMasked { return true }
        guard let end = Self.endOfImage(in: content, from: lexer.cursor.position) else {
          return false
        }
        lexer.cursor.seek(to: end)
      case "S", "s", "B", "B*", "b", "b*":
        if states[last].isMasked { return true }
      case "f", "F", "f*":
        if states[last].isMasked, states[last].hasTiling { return true }
      case "Tj", "TJ", "'", "\"":
        if states[last].isMasked, !states[last].hasInvisibleText { return true }
      case "Do":
        guard states[last].isMasked, depth < Self.deepest, let name, known.objects[name] == nil
        else { continue }
        if try isWrong(object: name, lists, resources, depth: depth) { return true }
        known.objects[name] = false
      default: continue
      }
    }
    return false
  }

  /// Whether cairo draws something of an image or a form in spite of a soft mask.
  private mutating func isWrong(
    object name: PackedName,
    _ lists: PartialDictionary?,
    _ outer: SourcedValue?,
    depth: Int
  ) throws(StructureError) -> Bool {
    let keys: [PackedName] = [Key.subtype, Key.resources, "Group", "ImageMask"]
    guard let value = try value(name, "XObject", of: lists),
      let object = try store.entries(of: value, picking: keys)
    else { return false }
    if case .bool(true) = object["ImageMask"] { return true }
    // A group is masked as a whole.
    guard case .name("Form") = object[Key.subtype], !object.has("Group") else { return false }
    let resources = object.sourcedValue(Key.resources) ?? outer
    return try isWrong(value, resources, isMasked: true, depth: depth + 1)
  }

  private func mask(
    _ name: PackedName,
    _ lists: PartialDictionary?
  ) throws(StructureError) -> Mask {
    guard let state = try value(name, "ExtGState", of: lists),
      let mask = try store.entries(of: state, picking: ["SMask"])?.sourcedValue("SMask")
    else { return .kept }
    if case .dictionary = try store.resolve(mask).value { return .set }
    return .removed
  }

  private func isTiling(
    _ name: PackedName,
    _ lists: PartialDictionary?
  ) throws(StructureError) -> Bool {
    guard let pattern = try value(name, "Pattern", of: lists),
      case .int(1) = try store.entries(of: pattern, picking: ["PatternType"])?["PatternType"]
    else { return false }
    return true
  }

  /// An object in a list of resources.
  private func value(
    _ name: PackedName,
    _ list: PackedName,
    of lists: PartialDictionary?
  ) throws(StructureError) -> SourcedValue? {
    try store.dictionary(lists?.sourcedValue(list), picking: [name])?.sourcedValue(name)
  }

  /// The decoded data of streams, with white space in between.
  private mutating func content(of streams: SourcedValue) throws(StructureError) -> [UInt8] {
    var parts = [streams]
    if case .list(let list) = try store.references(streams) {
      parts = list.filter { $0 != 0 }
        .map { SourcedValue(value: .reference(Reference(packed: $0)), origin: streams.origin) }
    }
    var content: [UInt8] = []
    for part in parts {
      guard let stream = try store.entries(of: part, picking: StreamDecoder.keys),
        let start = stream.streamStart
      else { continue }
      content += try store.mendedStream(of: stream, from: start, atMost: bytesLeft)
      content.append(0x0A)
      guard content.count <= bytesLeft else { return [] }
    }
    bytesLeft -= content.count
    return content
  }

  /// The position after the data of an inline image; nil if it does not end.
  private static func endOfImage(in content: [UInt8], from start: Int) -> Int? {
    var index = start + 1
    while index + 1 < content.count {
      if content[index] == 0x45, content[index + 1] == 0x49,  // EI
        ByteClass.isWhite(Int(content[index - 1])),
        index + 2 == content.count || ByteClass.isBoundary(Int(content[index + 2]))
      {
        return index + 2
      }
      index += 1
    }
    return nil
  }
}
