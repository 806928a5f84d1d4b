internal import DocumentModel
internal import RectoBase

/// The header of an answer, as far as it is read.
struct AnswerHeader {
  /// The status; 0 before there is one.
  private(set) var status = 0
  /// Whether its last line was read: a connection can be cut before that.
  private(set) var isComplete = false
  /// The range of bytes that is sent, and the size of the document, if it is stated.
  private(set) var contentRange: (bytes: Range<Int>, size: Int?)?
  private(set) var contentLength: Int?
  private(set) var isEncoded = false
  /// Seconds to wait before the next try.
  private(set) var retryAfter: Int?
  /// Where the bucket is, if a store says that.
  private(set) var bucketRegion: String?
  private var tag: String?
  private var modified: String?
  private var bytes = 0

  /// The most bytes of all headers of an answer.
  private static let limit = 1 << 16

  /// The version of the document.
  var validator: Validator {
    if let tag, !tag.hasPrefix("W/"), tag.count > 2 { return Validator(text: tag, isStrong: true) }
    return Validator(text: tag ?? modified ?? "", isStrong: false)
  }

  /// Reads a line.
  ///
  /// - Returns: Whether the header is not too long.
  mutating func read(_ line: UnsafeRawBufferPointer) -> Bool {
    bytes += line.count
    guard bytes <= Self.limit else { return false }
    let text = String(decoding: line, as: UTF8.self)
    if text.hasPrefix("HTTP/") {
      // Another answer begins: the one before it was provisional, or of a proxy.
      let read = bytes
      self = AnswerHeader()
      bytes = read
      let words = text.split(separator: " ")
      status = words.count > 1 ? Int(words[1].prefix(3)) ?? 0 : 0
      return true
    }
    // Lines after it are a trailer; a provisional answer is followed by another one.
    isComplete = isComplete || (status >= 200 && text.allSatisfy(\.isNewline))
    guard let colon = text.firstIndex(of: ":") else { return true }
    let value = text[text.index(after: colon)...].trimmed
    switch text[..<colon].lowercased() {
    case "content-range": contentRange = Self.range(value)
    case "content-length": contentLength = Int(value).flatMap { $0 >= 0 ? $0 : nil }
    case "content-encoding": isEncoded = !["", "identity"].contains(value.lowercased())
    case "retry-after": retryAfter = Int(value).flatMap { $0 >= 0 ? $0 : nil }
    case "etag": tag = Self.validator(value)
    case "last-modified": modified = Self.validator(value)
    case "x-amz-bucket-region" where value.utf8.allSatisfy(Self.isOfRegion):
      bucketRegion = String(value)
    default: break
    }
    return true
  }

  private static func isOfRegion(_ byte: UInt8) -> Bool {
    byte == 0x2D || (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte)
  }

  /// A text that can be sent back in a header.
  private static func validator(_ value: Substring) -> String? {
    guard value.utf8.count <= 512, value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
      return nil
    }
    return String(value)
  }

  /// `bytes 0-99/1000`, or with `*` for an unknown size.
  private static func range(_ value: Substring) -> (Range<Int>, Int?)? {
    guard value.lowercased().hasPrefix("bytes ") else { return nil }
    let parts = value.dropFirst(6).split(separator: "/")
    guard parts.count == 2 else { return nil }
    let ends = parts[0].trimmed.split(separator: "-")
    guard ends.count == 2, let first = Int(ends[0]), let last = Int(ends[1]), first >= 0,
      last >= first, last < .max
    else { return nil }
    let size = Int(parts[1].trimmed)
    if let size, last >= size { return nil }
    return (first..<last + 1, size)
  }
}
