/// PNG files written by the book: no compression, no optimization, checksums bit by bit. An
/// independent check on the encoder's and the reader's ideas of the format.
struct HandMade {
  var width: Int
  var height: Int
  var depth: Int
  var colorType: Int
  var interlace = 0
  /// Filtered rows, each after its filter byte.
  var rows: [UInt8]
  var palette: [UInt8] = []
  var extra: [(String, [UInt8])] = []
  /// Pieces the compressed data are cut into.
  var pieces = 1

  var file: [UInt8] {
    var file: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]
    file += Self.chunk(
      "IHDR",
      Self.number(width) + Self.number(height)
        + [UInt8(depth), UInt8(colorType), 0, 0, UInt8(interlace)]
    )
    for (type, data) in extra { file += Self.chunk(type, data) }
    if !palette.isEmpty { file += Self.chunk("PLTE", palette) }
    let stream = Self.zlib(rows)
    let length = (stream.count + pieces - 1) / pieces
    for piece in 0..<pieces {
      file += Self.chunk("IDAT", Array(stream.dropFirst(piece * length).prefix(length)))
    }
    return file + Self.chunk("IEND", [])
  }

  /// A picture without any compressed data.
  static func empty(width: Int, height: Int) -> [UInt8] {
    let header = number(width) + number(height) + [8, 0, 0, 0, 0]
    return [0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10] + chunk("IHDR", header) + chunk("IDAT", [])
      + chunk("IEND", [])
  }

  static func number(_ value: Int) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  static func chunk(_ type: String, _ data: [UInt8]) -> [UInt8] {
    let body = Array(type.utf8) + data
    return number(data.count) + body + number(Int(crc32(body)))
  }

  /// Stored blocks.
  static func zlib(_ bytes: [UInt8]) -> [UInt8] {
    var stream: [UInt8] = [0x78, 0x01]
    var rest = bytes[...]
    repeat {
      let block = rest.prefix(65535)
      rest = rest.dropFirst(65535)
      let length = block.count
      stream += [rest.isEmpty ? 1 : 0, UInt8(length & 255), UInt8(length >> 8)]
      stream += [UInt8(~length & 255), UInt8((~length >> 8) & 255)] + block
    } while !rest.isEmpty
    return stream + number(Int(adler32(bytes)))
  }

  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    var crc: UInt32 = 0xFFFF_FFFF
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
  }

  static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var a: UInt32 = 1
    var b: UInt32 = 0
    for byte in bytes {
      a = (a + UInt32(byte)) % 65521
      b = (b + a) % 65521
    }
    return b << 16 | a
  }
}

/// The chunks of a file that is known to be whole.
func chunks(of file: [UInt8]) -> [(type: String, data: [UInt8])] {
  var result: [(String, [UInt8])] = []
  var offset = 8
  while offset + 12 <= file.count {
    let length = file[offset..<offset + 4].reduce(0) { $0 << 8 | Int($1) }
    let type = String(decoding: file[offset + 4..<offset + 8], as: UTF8.self)
    result.append((type, Array(file[offset + 8..<offset + 8 + length])))
    offset += 12 + length
  }
  return result
}
