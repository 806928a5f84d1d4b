/// Finds objects by their headers, such as `12 0 obj`, and trailers by their keyword, wherever they are in a file.
///
/// Skips data between `stream` and `endstream`, which may be an embedded document.
struct HeaderScan {
  /// Where an object is.
  struct Header {
    var reference: Reference
    /// The position of its number.
    var start: Int
    /// The position after its header.
    var body: Int
  }

  /// The objects, in the order of the file.
  private(set) var headers: [Header] = []
  /// The positions after the keyword `trailer`, in order.
  private(set) var trailers: [Int] = []

  private let file: BlockCache
  private let limits: ReaderLimits
  /// The position after a `stream` whose end has not been found yet.
  private var openStream: Int?
  /// Whether an unterminated stream was found: the bytes after it are scanned.
  private var looksIntoStreams = false

  /// The bytes scanned at a time, and the context before and after them.
  private static let window = 1 << 18
  private static let behind = 64
  private static let ahead = 16
  /// Digits of a number.
  private static let mostDigits = 10
  /// The last generation.
  private static let mostGeneration = 65535

  /// Scans a file.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read, or there are more objects than the limits allow.
  /// - Complexity: O(bytes).
  init(_ file: BlockCache, limits: ReaderLimits) throws(StructureError) {
    self.file = file
    self.limits = limits
    var position = 0
    while true {
      try scan(from: position)
      guard let stream = openStream, !looksIntoStreams else { return }
      openStream = nil
      looksIntoStreams = true
      position = stream
    }
  }

  private mutating func scan(from start: Int) throws(StructureError) {
    let size = file.source.count
    var position = start
    while position < size {
      let first = max(0, position - Self.behind)
      let next = min(size, position + Self.window)
      let bytes = try file.read(first, min(size, next + Self.ahead) - first)
      try file.meter.charge(bytes.count)
      for index in position - first..<next - first {
        switch bytes[index] {
        case 0x6F: try takeObject(bytes, index, first)  // o
        case 0x73: takeStream(bytes, index, first)  // s
        case 0x74:  // t
          guard openStream == nil, Self.has("trailer", bytes, index) else { continue }
          guard trailers.count < Self.mostTrailers else { continue }
          trailers.append(first + index + 7)
        default: continue
        }
      }
      position = next
    }
  }

  /// Trailers that are looked at.
  private static let mostTrailers = 4096

  private static func has(_ word: StaticString, _ bytes: [UInt8], _ index: Int) -> Bool {
    guard index + word.utf8CodeUnitCount <= bytes.count else { return false }
    return word.withUTF8Buffer { word in
      bytes[index..<index + word.count].elementsEqual(word)
    }
  }

  private mutating func takeStream(_ bytes: [UInt8], _ index: Int, _ first: Int) {
    guard Self.has("stream", bytes, index) else { return }
    if index >= 3, Self.has("end", bytes, index - 3) {
      openStream = nil
    } else if openStream == nil, !looksIntoStreams, index + 6 < bytes.count,
      [0x0A, 0x0D, 0x20].contains(bytes[index + 6])
    {
      openStream = first + index + 6
    }
  }

  private mutating func takeObject(
    _ bytes: [UInt8],
    _ index: Int,
    _ first: Int
  ) throws(StructureError) {
    guard openStream == nil, Self.has("obj", bytes, index) else { return }
    if index + 3 < bytes.count, !ByteClass.isBoundary(Int(bytes[index + 3])) { return }
    var position = index
    Self.skipWhite(bytes, &position)
    guard let generation = Self.number(bytes, &position), generation <= Self.mostGeneration else {
      return
    }
    let end = position
    Self.skipWhite(bytes, &position)
    guard position < end, let number = Self.number(bytes, &position), number > 0,
      number <= limits.rebuiltObjects
    else { return }
    guard headers.count < limits.rebuiltObjects else {
      throw StructureError(.limit, "more than \(limits.rebuiltObjects) objects to look for")
    }
    headers.append(
      Header(
        reference: Reference(number: Int32(number), generation: Int32(generation)),
        start: first + position,
        body: first + index + 3
      )
    )
  }

  /// Moves back over white space.
  private static func skipWhite(_ bytes: [UInt8], _ position: inout Int) {
    while position > 0, ByteClass.isWhite(Int(bytes[position - 1])) { position -= 1 }
  }

  /// The number before a position, which moves to its first digit; nil if there is none, or it is too long.
  private static func number(_ bytes: [UInt8], _ position: inout Int) -> Int? {
    var value = 0
    var factor = 1
    let end = position
    while position > 0, ByteClass.isDigit(Int(bytes[position - 1])) {
      guard end - position < mostDigits else { return nil }
      position -= 1
      value += Int(bytes[position] - 0x30) * factor
      factor *= 10
    }
    return position < end ? value : nil
  }
}
