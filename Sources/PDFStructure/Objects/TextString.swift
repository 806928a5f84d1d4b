/// Converts PDF strings to text.
enum TextString {
  /// The text of a string's bytes: UTF-16 or UTF-8 with a byte order mark, else PDFDocEncoding (ISO
  /// 32000-2, 7.9.2.2). Invalid characters become U+FFFD.
  static func text(_ bytes: [UInt8]) -> String {
    if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes.dropFirst(2), high: 0) }
    if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes.dropFirst(2), high: 1) }
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) {
      return String(decoding: bytes.dropFirst(3), as: UTF8.self)
    }
    var text = ""
    for byte in bytes {
      if byte != 0, let scalar = Unicode.Scalar(scalar(byte)) { text.unicodeScalars.append(scalar) }
    }
    return text
  }

  /// Whether bytes are marked as big-endian UTF-16.
  static func isBigEndian(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0xFE, 0xFF]) }

  /// The text of a string's bytes in poppler-glib 22.12: UTF-16 with a complete byte order mark, else PDFDocEncoding;
  /// up to the first zero. Nil for invalid UTF-16.
  static func popplerText(_ bytes: [UInt8]) -> String? {
    var text = ""
    if isBigEndian(bytes) || bytes.starts(with: [0xFF, 0xFE]) {
      guard bytes.count.isMultiple(of: 2) else { return nil }
      let high = isBigEndian(bytes) ? 0 : 1
      let units = stride(from: 2, to: bytes.count, by: 2).map {
        UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + 1 - high])
      }
      guard let whole = String(validating: units, as: UTF16.self) else { return nil }
      text = whole
    } else {
      for byte in bytes {
        text.unicodeScalars.append(Unicode.Scalar(scalar(byte)) ?? "\u{FFFD}")
      }
    }
    return text.unicodeScalars.firstIndex(of: "\0").map { String(text[..<$0]) } ?? text
  }

  /// The bytes of a name in a file, after its slash.
  static func nameBytes(_ source: ArraySlice<UInt8>) -> [UInt8] {
    var bytes: [UInt8] = []
    var index = source.startIndex
    while index < source.endIndex {
      if source[index] == UInt8(ascii: "#"), source.endIndex - index > 2,
        let high = Lexer.hexadecimal(Int(source[index + 1])),
        let low = Lexer.hexadecimal(Int(source[index + 2]))
      {
        bytes.append(UInt8(truncatingIfNeeded: high << 4 | low))
        index += 3
      } else {
        bytes.append(source[index])
        index += 1
      }
    }
    return bytes
  }

  private static func utf16(_ bytes: ArraySlice<UInt8>, high: Int) -> String {
    var units: [UInt16] = []
    var isEscaped = false
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
      let unit =
        UInt16(bytes[index + high]) << 8 | UInt16(bytes[index + 1 - high])
      index += 2
      // U+001B frames the name of a language.
      if unit == 0x1B { isEscaped.toggle() } else if unit != 0, !isEscaped { units.append(unit) }
    }
    return String(decoding: units, as: UTF16.self)
  }

  private static func scalar(_ byte: UInt8) -> UInt32 {
    switch byte {
    case 0x18...0x1F: low[Int(byte) - 0x18]
    case 0x7F, 0xAD: 0xFFFD
    case 0x80...0xA0: middle[Int(byte) - 0x80]
    default: UInt32(byte)
    }
  }

  private static let low: [UInt32] = [
    0x02D8, 0x02C7, 0x02C6, 0x02D9, 0x02DD, 0x02DB, 0x02DA, 0x02DC,
  ]
  private static let middle: [UInt32] = [
    0x2022, 0x2020, 0x2021, 0x2026, 0x2014, 0x2013, 0x0192, 0x2044, 0x2039, 0x203A, 0x2212,
    0x2030, 0x201E, 0x201C, 0x201D, 0x2018, 0x2019, 0x201A, 0x2122, 0xFB01, 0xFB02, 0x0141,
    0x0152, 0x0160, 0x0178, 0x017D, 0x0131, 0x0142, 0x0153, 0x0161, 0x017E, 0xFFFD, 0x20AC,
  ]
}

extension SourcedValue {
  /// The decoded bytes of a string, at most `limit`; nil if the value is not a string.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read, or a limit is reached.
  func stringBytes(atMost limit: Int) throws(StructureError) -> [UInt8]? {
    guard case .string(let span) = value else { return nil }
    var cursor = inside(span)
    let isHexadecimal = try cursor.next() == 0x3C
    var bytes: [UInt8] = []
    if isHexadecimal {
      var half: Int?
      while bytes.count < limit, cursor.position < span.end - 1 {
        let byte = try cursor.next()
        if byte == -1 { break }
        guard !ByteClass.isWhite(byte) else { continue }
        // Poppler reads a character that is not a digit as zero.
        let digit = Lexer.hexadecimal(byte) ?? 0
        if let high = half {
          bytes.append(UInt8(truncatingIfNeeded: high << 4 | digit))
          half = nil
        } else {
          half = digit
        }
      }
      if let high = half { bytes.append(UInt8(truncatingIfNeeded: high << 4)) }
      return bytes
    }
    while bytes.count < limit, cursor.position < span.end - 1 {
      let byte = try cursor.next()
      if byte == -1 { break }
      if byte != 0x5C {
        bytes.append(UInt8(truncatingIfNeeded: byte))
      } else if let escaped = try Self.escaped(&cursor) {
        bytes.append(escaped)
      }
    }
    return bytes
  }

  /// The byte of a backslash escape; nil for a continued line.
  private static func escaped(_ cursor: inout ByteCursor) throws(StructureError) -> UInt8? {
    let byte = try cursor.next()
    switch byte {
    case 0x6E: return 0x0A
    case 0x72: return 0x0D
    case 0x74: return 0x09
    case 0x62: return 0x08
    case 0x66: return 0x0C
    case 0x30...0x37:
      var code = byte - 0x30
      for _ in 0..<2 {
        let digit = try cursor.peek()
        guard (0x30...0x37).contains(digit) else { break }
        cursor.advance()
        code = code << 3 | (digit - 0x30)
      }
      return UInt8(truncatingIfNeeded: code)
    case 0x0D:
      if try cursor.peek() == 0x0A { cursor.advance() }
      return nil
    case 0x0A, -1: return nil
    default: return UInt8(truncatingIfNeeded: byte)
    }
  }
}
