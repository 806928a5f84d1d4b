/// Names, paths and addresses in a PDF, which are bytes without an encoding.
package enum NameBytes {
  /// The text of a name: UTF-16 if it has a byte order mark, else UTF-8, which most files use, else Latin 1.
  package static func text(_ bytes: [UInt8]) -> String {
    if bytes.starts(with: [0xFE, 0xFF]) { return utf16(bytes, high: 0) }
    if bytes.starts(with: [0xFF, 0xFE]) { return utf16(bytes, high: 1) }
    if let text = String(validating: bytes, as: UTF8.self) { return text }
    return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
  }

  /// The possible encodings of a name in a file, the most likely first. Each decodes to the name.
  package static func encodings(of name: String) -> [[UInt8]] {
    var encodings = [Array(name.utf8)]
    let latin = name.unicodeScalars.compactMap { UInt8(exactly: $0.value) }
    if latin.count == name.unicodeScalars.count, latin != encodings[0] { encodings.append(latin) }
    for mark in [[0xFE, 0xFF], [0xFF, 0xFE]] as [[UInt8]] {
      let isHighFirst = mark[0] == 0xFE
      encodings.append(
        mark
          + name.utf16.flatMap { unit in
            let bytes = [UInt8(unit >> 8), UInt8(truncatingIfNeeded: unit)]
            return isHighFirst ? bytes : bytes.reversed()
          }
      )
    }
    return encodings
  }

  private static func utf16(_ bytes: [UInt8], high: Int) -> String {
    let units = stride(from: 2, to: bytes.count - 1, by: 2).map {
      UInt16(bytes[$0 + high]) << 8 | UInt16(bytes[$0 + 1 - high])
    }
    return String(decoding: units, as: UTF16.self)
  }
}
