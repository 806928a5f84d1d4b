/// An object in a list of a store.
package struct ListedObject: Hashable, Sendable {
  /// The whole key.
  var key = ""
  /// The entity tag, with its quotes; nil if there is no strong one.
  var tag: String?
  /// In bytes.
  var size: Int?

  /// Whether it is a document, by its name.
  package var isDocument: Bool { key.lowercased().hasSuffix(".pdf") }
}

/// A page of a list of objects: the answer of a store to ListObjectsV2.
struct ObjectPage: Hashable {
  /// The objects, in the order of the store.
  private(set) var objects: [ListedObject] = []
  /// What the next page is asked for with; nil at the end.
  private(set) var next: String?

  /// Reads the answer of a store; nil for anything else.
  ///
  /// Elements are known by their name and by whether they are in `Contents`; attributes, and elements with other names,
  /// are skipped. Document types are refused, so that there are no entities but those of XML.
  ///
  /// - Complexity: O(*n*) in the bytes.
  init?(_ bytes: [UInt8]) {
    var isComplete = false
    var isEncoded = false
    var isTruncated = false
    var object: ListedObject?
    var scanner = ElementScanner(bytes)
    while let (name, text) = scanner.next() {
      switch name {
      case "!": return nil
      case "/ListBucketResult": isComplete = true
      case "Contents": object = ListedObject()
      case "/Contents":
        guard let found = object, !found.key.isEmpty else { return nil }
        objects.append(found)
        object = nil
      case "Key": object?.key = text
      case "ETag":
        object?.tag = text.hasPrefix("\"") && text.utf8.count > 2 ? text : nil
      case "Size": object?.size = Int(text).flatMap { $0 >= 0 ? $0 : nil }
      case "EncodingType": isEncoded = text == "url"
      case "IsTruncated": isTruncated = text == "true"
      case "NextContinuationToken": next = text
      default: break
      }
    }
    guard isComplete, scanner.isAtEnd, object == nil else { return nil }
    if !isTruncated { next = nil }
    guard !isTruncated || next?.isEmpty == false else { return nil }
    guard isEncoded else { return }
    for index in objects.indices { objects[index].key = Self.decoded(objects[index].key) }
  }

  /// A text without the encoding of forms.
  private static func decoded(_ text: String) -> String {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "%"), rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// Reads the tags of an XML document, each with the text behind it.
private struct ElementScanner {
  private let bytes: [UInt8]
  private var position: Int
  /// Whether everything was read.
  private(set) var isAtEnd = false

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    position = bytes.firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
  }

  /// The next tag: its name, with a slash before that of an end tag, and the text until the tag after it; `!` for a
  /// declaration or comment. Nil at the end, and for a tag without an end.
  mutating func next() -> (name: String, text: String)? {
    guard position < bytes.count else {
      isAtEnd = true
      return nil
    }
    let tag = bytes[(position + 1)...]
    guard let end = tag.firstIndex(of: UInt8(ascii: ">")) else { return nil }
    let next = bytes[end...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count
    let name = tag[..<end].prefix { $0 > 0x20 && $0 != UInt8(ascii: "!") }
    let text = bytes[(end + 1)..<next]
    position = next
    guard !name.isEmpty else { return ("!", "") }
    return (String(decoding: name, as: UTF8.self), Self.unescaped(text))
  }

  /// A text with its entities replaced.
  private static func unescaped(_ text: ArraySlice<UInt8>) -> String {
    guard text.contains(UInt8(ascii: "&")) else { return String(decoding: text, as: UTF8.self) }
    var result = ""
    for (index, part) in text.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      .enumerated()
    {
      guard index > 0, let end = part.firstIndex(of: UInt8(ascii: ";")),
        let scalar = scalar(String(decoding: part[..<end], as: UTF8.self))
      else {
        result += (index > 0 ? "&" : "") + String(decoding: part, as: UTF8.self)
        continue
      }
      result.unicodeScalars.append(scalar)
      result += String(decoding: part[(end + 1)...], as: UTF8.self)
    }
    return result
  }

  /// The character that an entity names.
  private static func scalar(_ name: String) -> Unicode.Scalar? {
    switch name {
    case "lt": return "<"
    case "gt": return ">"
    case "quot": return "\""
    case "apos": return "'"
    case "amp": return "&"
    default: break
    }
    guard name.hasPrefix("#") else { return nil }
    let isHexadecimal = name.hasPrefix("#x")
    return UInt32(name.dropFirst(isHexadecimal ? 2 : 1), radix: isHexadecimal ? 16 : 10)
      .flatMap(Unicode.Scalar.init)
  }
}
