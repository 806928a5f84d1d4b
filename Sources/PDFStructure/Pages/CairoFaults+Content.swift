/// Finds what content uses of its resources.
extension CairoFaults {
  /// The part of the graphics state that matters.
  private struct State {
    var isMasked: Bool
    var hasTiling = false
    var hasInvisibleText = false
    var placement = Placement()
  }

  /// A resource that an operator names.
  private struct Use: Hashable {
    var name: PackedName
    var list: PackedName
    var isMasked: Bool
  }

  /// What a named resource does.
  private struct Used {
    var facts: Facts = []
    /// Whether it is a pattern of tiles.
    var isTiling = false
    /// Whether a graphics state sets a soft mask, or removes it; nil if it keeps what there is.
    var isMasked: Bool?
    /// The width in samples of an image that has the shape of a strip.
    var stripWidth: Double?
  }

  /// The most states saved at a time.
  private static let mostStates = 512
  /// The most names in content.
  private static let mostNames = 256
  /// The most numbers that an operator of interest takes.
  private static let mostNumbers = 6

  /// Facts about what content draws: a stream, or an array of streams.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  mutating func facts(
    ofContent streams: SourcedValue?,
    _ resources: SourcedValue?,
    isMasked: Bool,
    level: Int
  ) throws(StructureError) -> Facts {
    guard let streams else { return [] }
    let content = try data(of: streams)
    let lists = try store.dictionary(resources, picking: Self.lists)
    var lexer = Lexer(
      ByteCursor(memory: content, at: 0, limit: content.count, meter: store.meter)
    )
    var facts: Facts = []
    var known: [Use: Used] = [:]
    var strips = Strips()
    var states = [State(isMasked: isMasked)]
    var name: PackedName?
    var numbers: [Double] = []
    var isImageMask = false
    /// Keeps an operand; the last ones count.
    func take(_ number: Double) {
      if numbers.count == Self.mostNumbers { numbers.removeFirst() }
      numbers.append(number)
    }
    while !facts.contains(.isWrong) {
      let word: PackedName
      switch try lexer.next() {
      case .end:
        if strips.adjoin { facts.insert(.isWrong) }
        return facts.withFadedMasks
      case .name(let value):
        name = value
        continue
      case .int(let value):
        take(Double(value))
        continue
      case .long(let value):
        take(Double(value))
        continue
      case .real(let value):
        take(value)
        continue
      case .bool(let value):
        if name == "IM" || name == "ImageMask" { isImageMask = value }
        continue
      case .command(let value): word = value
      default: continue
      }
      defer {
        name = nil
        numbers.removeAll(keepingCapacity: true)
      }
      let last = states.count - 1
      switch word {
      case "q":
        guard last < Self.mostStates else { throw StructureError(.limit, "too many saved states") }
        states.append(states[last])
      case "Q": if last > 0 { states.removeLast() }
      case "cm": states[last].placement.concatenate(numbers)
      case "Tr": states[last].hasInvisibleText = numbers.last == 3 || numbers.last == 7
      case "g", "rg", "k", "cs", "sc": states[last].hasTiling = false
      case "S", "s", "B", "B*", "b", "b*": if states[last].isMasked { facts.insert(.isWrong) }
      case "f", "F", "f*":
        if states[last].isMasked, states[last].hasTiling { facts.insert(.isWrong) }
      case "Tj", "TJ", "'", "\"":
        if states[last].isMasked, !states[last].hasInvisibleText { facts.insert(.isWrong) }
      case "BI": isImageMask = false
      case "ID":
        if isImageMask, states[last].isMasked { facts.insert(.isWrong) }
        lexer.cursor.seek(to: Self.endOfImage(in: content, from: lexer.cursor.position))
      default:
        guard let list = Self.list(of: word) else { continue }
        if word == "scn" { states[last].hasTiling = false }
        guard let name else { continue }
        // A group, or anything else, is masked as a whole.
        let use = Use(name: name, list: list, isMasked: word == "Do" && states[last].isMasked)
        let used: Used
        if let found = known[use] {
          used = found
        } else {
          guard known.count < Self.mostNames else {
            throw StructureError(.limit, "too many names in content")
          }
          used = try look(at: use, in: lists, resources, level: level)
          known[use] = used
          facts.formUnion(used.facts)
        }
        if word == "Do", let width = used.stripWidth {
          strips.append(width, states[last].placement)
        }
        if word == "scn" { states[last].hasTiling = used.isTiling }
        if let isMasked = used.isMasked, word == "gs" { states[last].isMasked = isMasked }
      }
    }
    return facts
  }

  /// Looks up a resource.
  private mutating func look(
    at use: Use,
    in lists: PartialDictionary?,
    _ resources: SourcedValue?,
    level: Int
  ) throws(StructureError) -> Used {
    let list = try store.dictionary(lists?.sourcedValue(use.list), picking: [use.name])
    guard let value = list?.sourcedValue(use.name) else { return Used() }
    let scope = Scope.content(isMasked: use.isMasked)
    var used = Used()
    used.facts = try facts(ofObject: value, resources, scope, level: level + 1)
    if use.list == "XObject" { used.stripWidth = try store.stripWidth(value) }
    let entries = try store.entries(of: value, picking: ["PatternType", "SMask"])
    if case .int(1) = entries?["PatternType"] { used.isTiling = true }
    if let mask = entries?.sourcedValue("SMask") {
      used.isMasked = if case .dictionary = try store.resolve(mask).value { true } else { false }
    }
    return used
  }

  /// The list with the names that an operator takes; nil for operators without.
  private static func list(of word: PackedName) -> PackedName? {
    switch word {
    case "gs": "ExtGState"
    case "Tf": "Font"
    case "scn", "SCN": "Pattern"
    case "sh": "Shading"
    case "Do": "XObject"
    default: nil
    }
  }

  /// The decoded data of streams, with white space in between.
  ///
  /// - Throws: ``StructureError``, `limit` for more bytes than may still be read.
  private mutating func data(of streams: SourcedValue) throws(StructureError) -> [UInt8] {
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
      content += try store.mendedStream(of: stream, from: start, atMost: contentBytes)
      content.append(0x0A)
      guard content.count <= contentBytes else { throw StructureError(.limit, "too much content") }
    }
    contentBytes -= content.count
    return content
  }

  /// The position after the data of an inline image.
  private static func endOfImage(in content: [UInt8], from start: Int) -> Int {
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
    return content.count
  }
}
