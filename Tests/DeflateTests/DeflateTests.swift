import RectoBase
import Testing

@Suite struct DeflateTests {
  private struct NoMemory: Error {}
  private let text = Array(repeating: Array("one tile, two tiles, ".utf8), count: 500).flatMap {
    $0
  }

  private func compressed(_ bytes: [UInt8], level: Int) throws -> [UInt8] {
    guard var deflater = Deflater(level: level) else { throw NoMemory() }
    var output = [UInt8](repeating: 0, count: deflater.bound(bytes.count))
    let count = bytes.withUnsafeBytes { input in
      output.withUnsafeMutableBytes { deflater.compress(input, into: $0) }
    }
    return Array(output[..<count])
  }

  /// What a stream decompresses to with room for `room` bytes.
  private func decompressed(
    _ stream: ArraySlice<UInt8>,
    _ format: Inflater.Format,
    room: Int
  ) throws -> [UInt8] {
    guard var inflater = Inflater() else { throw NoMemory() }
    var output = [UInt8](repeating: 0, count: room)
    let count = try stream.withUnsafeBytes { input in
      try output.withUnsafeMutableBytes { try inflater.decompress(input, format, into: $0) }
    }
    return Array(output[..<count])
  }

  private func fill(_ stream: [UInt8], count: Int) throws {
    guard var inflater = Inflater() else { throw NoMemory() }
    var output = [UInt8](repeating: 0, count: count)
    try stream.withUnsafeBytes { input in
      try output.withUnsafeMutableBytes { try inflater.decompress(input, .zlib, filling: $0) }
    }
  }

  @Test(arguments: [-1, 1, 6, 12, 99]) func `what was compressed comes back`(level: Int) throws {
    let stream = try compressed(text, level: level)
    #expect(stream.count < text.count / 10)
    #expect(try decompressed(stream[...], .zlib, room: text.count + 1) == text)
    // Two bytes of header come first and four of checksum last.
    #expect(try decompressed(stream[2...], .deflate, room: text.count) == text)
  }

  @Test func `a stream has to hold exactly the bytes asked for`() throws {
    let stream = try compressed(text, level: 1)
    try fill(stream, count: text.count)
    #expect(throws: Inflater.StreamError.tooLong) { try fill(stream, count: text.count - 1) }
    #expect(throws: Inflater.StreamError.tooShort) { try fill(stream, count: text.count + 1) }
  }

  @Test func `a stream with a wrong checksum is damaged as zlib only`() throws {
    var stream = try compressed(text, level: 1)
    stream[stream.count - 1] ^= 1
    #expect(throws: Inflater.StreamError.damaged) { try fill(stream, count: text.count) }
    #expect(try decompressed(stream[2...], .deflate, room: text.count) == text)
  }

  @Test func `checksums are those of the standards and can be continued`() {
    let digits = Array("123456789".utf8)
    digits.withUnsafeBytes { all in
      #expect(Checksum.crc32(all) == 0xCBF4_3926)
      #expect(Checksum.adler32(all) == 0x091E_01DE)
      let front = UnsafeRawBufferPointer(rebasing: all[..<4])
      let back = UnsafeRawBufferPointer(rebasing: all[4...])
      #expect(Checksum.crc32(back, continuing: Checksum.crc32(front)) == 0xCBF4_3926)
      #expect(Checksum.adler32(back, continuing: Checksum.adler32(front)) == 0x091E_01DE)
    }
    let empty = UnsafeRawBufferPointer(start: nil, count: 0)
    #expect(Checksum.crc32(empty, continuing: 7) == 7)
    #expect(Checksum.adler32(empty) == 1)
  }
}
