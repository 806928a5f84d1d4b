extension Sequence<UInt8> {
  /// Bytes of a part of a URI as text: all but ASCII letters, digits and some marks as `%XX`.
  ///
  /// - Parameter marks: The marks that are kept, in ASCII.
  package func percentEncoded(sparing marks: String) -> String {
    let kept = Array(marks.utf8)
    var text = ""
    for byte in self {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A,
        _ where kept.contains(byte):
        text.unicodeScalars.append(Unicode.Scalar(byte))
      default: text += (byte < 16 ? "%0" : "%") + String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
