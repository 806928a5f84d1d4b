internal import DocumentModel

extension RepairScan {
  private static let fontKeys: [PackedName] = [
    Key.subtype, Key.resources, "BaseFont", "FontDescriptor", "DescendantFonts",
  ]
  private static let programKeys: [PackedName] = ["FontFile", "FontFile2", "FontFile3"]
  private static let helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>"

  // MARK: Fonts

  /// Checks the fonts of a list of resources.
  mutating func scan(fonts resources: Found, level: Int) {
    repairMissingFonts(resources)
    for font in entries(of: "Font", in: resources, picking: Self.fontKeys) {
      switch font.dictionary[Key.subtype] {
      case .name("Type3"): scan(resourcesOf: font, level: level)
      case .name("Type0"): if let font = descendant(of: font) { _ = hasProgram(font) }
      default:
        guard !hasProgram(font), !isName(font.dictionary.sourcedValue("BaseFont")) else { continue }
        edits.set(
          "BaseFont",
          "/BaseFont",
          in: font.dictionary,
          of: font.object,
          to: "/Helvetica".utf8,
          .fontName
        )
      }
    }
  }

  /// Replaces null and other values that are not fonts by a font.
  private mutating func repairMissingFonts(_ resources: Found) {
    guard let list = nested("Font", in: resources, []) else { return }
    var parser = ObjectParser(list.dictionary.origin, nesting: store.limits.nesting)
    guard (try? parser.opensDictionary()) == true else { return }
    while let _ = (try? parser.nextKey()) ?? nil, let value = try? parser.entryValue() {
      let span = Span(start: parser.valueStart, end: parser.lexer.cursor.position)
      let sourced = SourcedValue(value: value, origin: list.dictionary.origin)
      guard let resolved = try? store.resolve(sourced) else { continue }
      if case .dictionary = resolved.value { continue }
      edits.replace(span, of: list.object, with: " \(Self.helvetica) ".utf8, .fontResource)
    }
  }

  private func isName(_ value: SourcedValue?) -> Bool {
    guard let value, let resolved = try? store.resolve(value) else { return false }
    if case .name = resolved.value { return true }
    return false
  }

  private mutating func descendant(of font: Found) -> Found? {
    guard let value = font.dictionary.sourcedValue("DescendantFonts"),
      case .list(let fonts) = try? store.references(value), let first = fonts.first, first != 0
    else { return nil }
    return open(Reference(packed: first), Self.fontKeys)
  }

  // MARK: Font programs

  /// Whether a font has a program; removes a program that cannot be loaded.
  private mutating func hasProgram(_ font: Found) -> Bool {
    guard let descriptor = nested("FontDescriptor", in: font, Self.programKeys) else {
      return false
    }
    var hasProgram = false
    for key in Self.programKeys {
      guard case .reference(let program) = descriptor.dictionary[key],
        let span = descriptor.dictionary.span(of: key)
      else { continue }
      if isUnusable(program) {
        edits.replace(span, of: descriptor.object, with: " null ".utf8, .fontProgram)
      } else {
        hasProgram = true
      }
    }
    return hasProgram
  }

  /// Whether poppler cannot use a font program, judged only by its beginning and its table directory.
  private func isUnusable(_ program: Reference) -> Bool {
    let isUsable = store.isUsable(program) {
      guard let stream = open(program, StreamDecoder.keys) else { return nil }
      return data(of: stream).map(FontProgram.isPlausible)
    }
    return isUsable == false
  }

  /// The decoded data of a stream; nil if it is large, or left to poppler.
  func data(of stream: Found) -> [UInt8]? {
    guard let start = stream.dictionary.streamStart else { return nil }
    return try? store.mendedStream(
      of: stream.dictionary,
      from: start,
      atMost: store.limits.decodedStream
    )
  }

  // MARK: Lists of fonts

  /// The most encoded bytes of content to check if there are fonts: most pages have no fault.
  private static let scannedContent = 1 << 13

  /// Adds the fonts that the content of a page or form uses but its resources do not have.
  ///
  /// - Parameters:
  ///   - resources: Its resources, or the value in their place.
  ///   - inherited: The resources of the page, which a form can use, too.
  mutating func repairFontList(
    of holder: Found,
    _ resources: Found?,
    _ streams: [Reference],
    besides inherited: Found? = nil
  ) {
    let list = resources.flatMap { nested("Font", in: $0, []) }
    let other = inherited.flatMap { nested("Font", in: $0, []) }
    guard let own = names(in: list), let others = names(in: other) else { return }
    let known = own + others
    if list == nil {
      // Unreadable fonts are left to poppler.
      for value in [
        holder.dictionary.sourcedValue(Key.resources),
        resources?.dictionary.sourcedValue("Font"),
      ] {
        if let value, (try? store.resolve(value)) == nil { return }
      }
    }
    var missing: [FontNames.Name] = []
    for reference in streams {
      guard let stream = open(reference, StreamDecoder.keys),
        list == nil || isShort(stream, atMost: Self.scannedContent), let data = data(of: stream)
      else { return }
      guard FontNames.mayAsk(data, besides: known) else { continue }
      guard missing.count < FontNames.most else { break }
      missing += FontNames.names(in: data, store.meter).filter { name in
        !known.contains(name.packed) && !missing.contains(name)
      }
    }
    guard !missing.isEmpty else { return }
    let entries = missing.map { name in name.source + Array(" \(font(named: name)) ".utf8) }
    if let list {
      let start = Span(start: list.dictionary.bodyStart, end: list.dictionary.bodyStart)
      for entry in entries { edits.replace(start, of: list.object, with: entry, .fontResource) }
      return
    }
    var text = Array("<< /Font << ".utf8) + entries.joined() + Array(">>\n".utf8)
    if let resources {
      guard let others = self.entries(of: resources) else { return }
      text += others
    }
    text += Array("\n>>".utf8)
    edits.set(
      Key.resources,
      "/Resources",
      in: holder.dictionary,
      of: holder.object,
      to: text,
      .fontResource
    )
  }

  /// The substitute for a missing font: the form's font of that name, or Helvetica.
  private func font(named name: FontNames.Name) -> String {
    guard let formResources, let list = nested("Font", in: formResources, [name.packed]),
      case .reference(let font) = list.dictionary[name.packed]
    else { return Self.helvetica }
    return "\(font.number) \(font.generation) R"
  }

  private func isShort(_ stream: Found, atMost count: Int) -> Bool {
    guard let start = stream.dictionary.streamStart,
      let data = try? store.mendedStreamData(of: stream.dictionary, from: start)
    else { return false }
    return data.count <= count
  }

  /// The names in a list of fonts, none without a list; nil when it cannot be read.
  private func names(in list: Found?) -> [PackedName]? {
    guard let list else { return [] }
    var parser = ObjectParser(list.dictionary.origin, nesting: store.limits.nesting)
    guard (try? parser.opensDictionary()) == true else { return nil }
    var names: [PackedName] = []
    do throws(StructureError) {
      while let (name, _) = try parser.nextEntry() { names.append(name) }
    } catch {
      return nil
    }
    return names
  }

  /// A dictionary's entries except fonts, unchanged.
  private func entries(of resources: Found) -> [UInt8]? {
    var parser = ObjectParser(resources.dictionary.origin, nesting: store.limits.nesting)
    guard (try? parser.opensDictionary()) == true else { return nil }
    var entries: [UInt8] = []
    while let (key, span) = (try? parser.nextEntry()) ?? nil {
      guard key != "Font" else { continue }
      guard let source = try? parser.lexer.cursor.bytes(from: span.start, to: span.end) else {
        return nil
      }
      entries += [0x0A] + source
    }
    return entries
  }
}

/// Checks a font program without loading it.
enum FontProgram {
  /// Tables that poppler requires in a TrueType program.
  private static let tables: [[UInt8]] = ["head", "hhea", "maxp", "loca", "glyf"].map {
    Array($0.utf8)
  }

  /// Whether data begins like a font program, and has the required tables.
  static func isPlausible(_ data: [UInt8]) -> Bool {
    guard data.count > 4 else { return false }
    switch (data[0], data[1], data[2], data[3]) {
    case (0, 1, 0, 0), (0x74, 0x72, 0x75, 0x65): return hasTables(data)  // "true"
    case (0x4F, 0x54, 0x54, 0x4F), (0x74, 0x74, 0x63, 0x66): return true  // "OTTO", "ttcf"
    case (0x25, 0x21, _, _), (0x80, 1, _, _): return true  // "%!", and its binary form
    case (1, _, _, _): return true  // CFF
    default: return false
    }
  }

  private static func hasTables(_ data: [UInt8]) -> Bool {
    let header = 12
    guard data.count >= header else { return false }
    let count = Int(data[4]) << 8 | Int(data[5])
    guard data.count >= header + count * 16 else { return false }
    let whole = (0..<count).compactMap { index -> [UInt8]? in
      let entry = header + index * 16
      let offset = word(data, entry + 8)
      return offset + word(data, entry + 12) <= data.count ? Array(data[entry..<entry + 4]) : nil
    }
    return tables.allSatisfy(whole.contains) && !isShifted(data, count, header)
  }

  /// Whether neither the header nor the metrics table is at its position.
  private static func isShifted(_ data: [UInt8], _ count: Int, _ header: Int) -> Bool {
    func value(_ table: String, at place: Int) -> Int? {
      let entries = (0..<count).map { header + $0 * 16 }
      guard let entry = entries.first(where: { data[$0..<$0 + 4].elementsEqual(table.utf8) }),
        case let start = word(data, entry + 8) + place, start + 4 <= data.count
      else { return nil }
      return word(data, start)
    }
    return value("head", at: 12) != 0x5F0F_3CF5 && value("maxp", at: 0) != 0x1_0000
  }

  private static func word(_ data: [UInt8], _ index: Int) -> Int {
    data[index..<index + 4].reduce(0) { $0 << 8 | Int($1) }
  }
}

/// The fonts that a content stream asks for.
enum FontNames {
  /// The most fonts to find in one stream.
  static let most = 64

  /// A name, and its syntax with the slash.
  struct Name: Equatable {
    var packed: PackedName
    var source: [UInt8]
  }

  /// The names before a size and the operator Tf, each once.
  static func names(in content: [UInt8], _ meter: WorkMeter) -> [Name] {
    var lexer = Lexer(ByteCursor(memory: content, at: 0, limit: content.count, meter: meter))
    var names: [Name] = []
    var name: Name?
    while let token = try? lexer.next(), names.count < most {
      switch token {
      case .end: return names
      case .name(let packed):
        name = (try? lexer.cursor.bytes(from: lexer.tokenStart, to: lexer.cursor.position))
          .map { Name(packed: packed, source: $0) }
      case .int, .long, .real: continue
      case .command("Tf"):
        if let name, !names.contains(name) { names.append(name) }
        name = nil
      default: name = nil
      }
    }
    return names
  }

  /// Bytes of a name and a size.
  private static let longest = 128

  /// Whether a content stream may use an unknown font. Checks only the bytes before each `Tf`, which takes a tenth of
  /// the time.
  ///
  /// - Returns: False only if it uses no other fonts, except for one with a comment before `Tf`.
  static func mayAsk(_ content: [UInt8], besides known: [PackedName]) -> Bool {
    var index = 1
    while index < content.count {
      defer { index += 1 }
      guard content[index] == 0x66, content[index - 1] == 0x54 else { continue }  // Tf
      let first = max(0, index - longest)
      var position = index - 1
      // The name, a size and the separators; longer ones are left to the lexer.
      while position > first, !ByteClass.isDelimiter(Int(content[position - 1])) { position -= 1 }
      guard position > first, content[position - 1] == 0x2F else { return true }
      var name = PackedName()
      while position < index, !ByteClass.isWhite(Int(content[position])) {
        name.append(content[position])
        position += 1
      }
      guard known.contains(name) else { return true }
    }
    return false
  }
}
