extension PNGMetadata {
  /// A chunk ready to be written.
  struct Chunk {
    var type: UInt32
    var data: [UInt8]
  }

  /// The chunks for the metadata.
  ///
  /// - Throws: ``PNGError/Code-swift.enum/badInput`` when a keyword or a text breaks PNG's rules,
  ///   or the resolution is not a positive number that fits a chunk.
  func chunks() throws(PNGError) -> [Chunk] {
    var chunks: [Chunk] = []
    // The intent is perceptual.
    if isStandardRGB { chunks.append(Chunk(type: PNGFormat.Chunk.standardRGB, data: [0])) }
    if let pixelsPerInch { chunks.append(try Self.physical(pixelsPerInch)) }
    for text in texts { chunks.append(try text.chunk()) }
    return chunks
  }

  /// pHYs: pixels per unit across and down, and the unit, 1 for the metre.
  private static func physical(_ pixelsPerInch: Double) throws(PNGError) -> Chunk {
    let perMeter = pixelsPerInch / 0.0254 + 0.5
    guard perMeter >= 1, perMeter < Double(PNGFormat.maxNumber) else {
      throw PNGError(
        .badInput,
        during: "encode PNG",
        "\(pixelsPerInch) pixels per inch cannot be written"
      )
    }
    var data: [UInt8] = []
    data.append(bigEndian: UInt32(perMeter))
    data.append(bigEndian: UInt32(perMeter))
    data.append(1)
    return Chunk(type: PNGFormat.Chunk.physical, data: data)
  }
}

extension PNGText {
  /// tEXt for Latin-1, iTXt for the rest.
  ///
  /// - Throws: ``PNGError/Code-swift.enum/badInput`` for a keyword or text that cannot be written.
  func chunk() throws(PNGError) -> PNGMetadata.Chunk {
    guard let key = Self.latin1(keyword), Self.isKeyword(key) else {
      throw PNGError(
        .badInput,
        during: "encode PNG",
        "\"\(keyword)\" is no keyword: 1 to 79 Latin-1 characters, single spaces inside only"
      )
    }
    guard !text.unicodeScalars.contains("\0"), text.utf8.count <= PNGFormat.maxNumber - 100 else {
      throw PNGError(
        .badInput,
        during: "encode PNG",
        "the text of \(keyword) holds U+0000 or is too long"
      )
    }
    if let plain = Self.latin1(text) {
      return PNGMetadata.Chunk(type: PNGFormat.Chunk.text, data: key + [0] + plain)
    }
    // After the keyword: not compressed, method 0, no language tag, no translated keyword.
    return PNGMetadata.Chunk(
      type: PNGFormat.Chunk.unicodeText,
      data: key + [0, 0, 0, 0, 0] + Array(text.utf8)
    )
  }

  private static func latin1(_ string: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    for scalar in string.unicodeScalars {
      guard let byte = UInt8(exactly: scalar.value) else { return nil }
      bytes.append(byte)
    }
    return bytes
  }

  private static func isKeyword(_ bytes: [UInt8]) -> Bool {
    let space = UInt8(ascii: " ")
    guard (1...79).contains(bytes.count), bytes.first != space, bytes.last != space else {
      return false
    }
    let printable = bytes.allSatisfy { (32...126).contains($0) || $0 >= 161 }
    return printable && !zip(bytes, bytes.dropFirst()).contains { $0 == space && $1 == space }
  }
}

extension PNGMetadata {
  /// A finished file with this metadata inserted after its header. Other chunks are kept.
  ///
  /// - Parameter file: A PNG.
  /// - Returns: The file.
  /// - Throws: ``PNGError/Code-swift.enum/badInput`` when the metadata cannot be written,
  ///   ``PNGError/Code-swift.enum/notPNG`` when the file does not begin like a PNG.
  /// - Complexity: O(bytes).
  public func added(to file: [UInt8]) throws(PNGError) -> [UInt8] {
    var reader = try ChunkReader(file.span.bytes, during: "add metadata")
    _ = try reader.header(in: file.span.bytes)
    // The signature and IHDR, which has 13 bytes of data.
    let start = PNGFormat.signature.count + PNGFormat.chunkOverhead + 13
    var writer = ChunkWriter(capacity: 0)
    for chunk in try chunks() { writer.append(chunk.type, chunk.data) }
    let chunks = writer.bytes.dropFirst(PNGFormat.signature.count)
    var result: [UInt8] = []
    result.reserveCapacity(file.count + chunks.count)
    result += file[..<start]
    result += chunks
    result += file[start...]
    return result
  }
}
