package import RectoBase

extension TextLimit {
  /// The path of a font's file.
  private static let path = 4_096
  /// The most layers and standard fonts that are read.
  fileprivate static let entries = 32

  /// The most bytes that a description of an engine takes.
  package static let engineDescription =
    1024 + word + entries * (64 + word + detail) + (entries + EngineDescription.largestUnreadable)
    * (64 + word + path)

  fileprivate static var fontFile: Int { path }
}

extension ByteWriter {
  /// Writes the description of an engine.
  package mutating func write(_ description: EngineDescription) {
    write(description.engine, atMost: TextLimit.word * 2)
    write(description.sandbox.count)
    for layer in description.sandbox {
      write(layer.kind.rawValue)
      write(layer.isInForce)
      write(layer.detail, atMost: TextLimit.detail)
    }
    write(description.fontCount)
    let unreadable = description.unreadableFonts.prefix(EngineDescription.largestUnreadable)
    write(unreadable.count)
    for file in unreadable { write(file, atMost: TextLimit.fontFile) }
    write(description.standardFonts.count)
    for font in description.standardFonts {
      write(font.name, atMost: TextLimit.word)
      write(font.file) { $0.write($1, atMost: TextLimit.fontFile) }
    }
    write(description.hasCharacterMaps)
  }
}

extension ByteReader {
  /// Reads the description of an engine.
  ///
  /// - Throws: `ByteCodingError` when a value does not exist, or does not fit.
  package mutating func readEngineDescription() throws(ByteCodingError) -> EngineDescription {
    let engine = try readString(atMost: TextLimit.word * 2)
    var layers: [SandboxLayer] = []
    for _ in 0..<(try readEntryCount(TextLimit.entries)) {
      guard let kind = SandboxLayer.Kind(rawValue: try readString(atMost: TextLimit.word)) else {
        throw ByteCodingError.unknown
      }
      let isInForce = try readBool()
      layers.append(
        SandboxLayer(kind, isInForce: isInForce, try readString(atMost: TextLimit.detail))
      )
    }
    let fontCount = try readInt()
    guard fontCount >= 0 else { throw ByteCodingError.unknown }
    var unreadable: [String] = []
    for _ in 0..<(try readEntryCount(EngineDescription.largestUnreadable)) {
      unreadable.append(try readString(atMost: TextLimit.fontFile))
    }
    var fonts: [EngineDescription.StandardFont] = []
    for _ in 0..<(try readEntryCount(TextLimit.entries)) {
      let name = try readString(atMost: TextLimit.word)
      let file = try readOptional { reader throws(ByteCodingError) in
        try reader.readString(atMost: TextLimit.fontFile)
      }
      fonts.append(EngineDescription.StandardFont(name, file: file))
    }
    return EngineDescription(
      engine: engine,
      sandbox: layers,
      fontCount: fontCount,
      unreadableFonts: unreadable,
      standardFonts: fonts,
      hasCharacterMaps: try readBool()
    )
  }

  private mutating func readEntryCount(_ most: Int) throws(ByteCodingError) -> Int {
    let count = try readCount(ofSize: 1)
    guard count <= most else { throw ByteCodingError.tooLong }
    return count
  }
}
