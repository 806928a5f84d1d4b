extension Collection<UInt8> {
  /// The bytes with each `%` and its two hexadecimal digits replaced by the byte (RFC 3986, 2.1); nil if other bytes
  /// follow a `%`.
  package var percentDecoded: [UInt8]? {
    var bytes: [UInt8] = []
    var rest = self[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard let high = rest.popFirst().flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }),
        let low = rest.popFirst().flatMap({ Character(Unicode.Scalar($0)).hexDigitValue })
      else { return nil }
      bytes.append(UInt8(high << 4 | low))
    }
    return bytes
  }
}
