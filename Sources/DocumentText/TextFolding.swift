/// Folds texts as ``TextQuery`` says.
struct TextFolding {
  /// Whether a hyphen at the end of a line is folded to ``FoldedText/hyphenation`` instead of being removed.
  private let keepsHyphenation: Bool
  /// The folded form of each ASCII byte; 0 for bytes without a fixed one.
  private let table: [UInt8]
  private var scalars: ScalarFolding

  /// More bytes than one scalar can be folded to.
  private static let room = 160

  /// - Parameters:
  ///   - keepsHyphenation: Whether a hyphen at the end of a line is folded to ``FoldedText/hyphenation``.
  init(_ query: TextQuery, keepsHyphenation: Bool) {
    self.keepsHyphenation = keepsHyphenation
    table = (0..<256).map { byte in
      switch UInt8(byte) {
      case UInt8(ascii: "-"), 0x80...: 0
      case 0x09...0x0D, 0x20: 0x20
      case UInt8(ascii: "A")...UInt8(ascii: "Z"):
        UInt8(byte) | (query.isCaseSensitive ? 0 : 0x20)
      default: UInt8(byte)
      }
    }
    scalars = ScalarFolding(
      isCaseSensitive: query.isCaseSensitive,
      isDiacriticSensitive: query.isDiacriticSensitive
    )
  }

  /// Folds a text of less than 2 GB. Reuses the memory of `text`.
  mutating func fold(_ source: UnsafeBufferPointer<UInt8>, into text: inout FoldedText) {
    var writer = FoldedTextWriter(source: source, changes: text.changes)
    text.changes = []
    writer.changes.removeAll(keepingCapacity: true)
    while writer.position < source.count {
      let needed = writer.count + source.count - writer.position + Self.room
      if text.bytes.count < needed {
        text.bytes += repeatElement(0, count: needed + needed / 4 - text.bytes.count)
      }
      text.bytes.withUnsafeMutableBufferPointer { output in
        fold(&writer, into: output)
      }
    }
    if writer.hasMarks {
      text.bytes.withUnsafeMutableBufferPointer { Self.sortMarks(of: $0[..<writer.count]) }
    }
    text.count = writer.count
    text.isASCII = writer.isASCII
    text.changes = writer.changes
  }

  /// Folds until the end, or until the output may be full.
  private mutating func fold(
    _ writer: inout FoldedTextWriter,
    into output: UnsafeMutableBufferPointer<UInt8>
  ) {
    let source = writer.source
    table.withUnsafeBufferPointer { table in
      while writer.position < source.count,
        output.count - writer.count >= source.count - writer.position + Self.room
      {
        writer.copyPlain(table, into: output)
        if writer.position < source.count { step(&writer, into: output) }
      }
    }
  }

  /// Folds one scalar that is not plain.
  private mutating func step(
    _ writer: inout FoldedTextWriter,
    into output: UnsafeMutableBufferPointer<UInt8>
  ) {
    let byte = writer.source[writer.position]
    switch byte {
    case UInt8(ascii: "-"):
      hyphen(&writer, into: output, width: 1) { writer, output in
        writer.copy(byte, into: output)
      }
    case 0..<0x80:
      // White space after a space, or U+0000.
      if byte == 0 { writer.copy(0, into: output) } else { writer.space(1, into: output) }
    default: stepBeyondASCII(&writer, into: output)
    }
  }

  private mutating func stepBeyondASCII(
    _ writer: inout FoldedTextWriter,
    into output: UnsafeMutableBufferPointer<UInt8>
  ) {
    writer.isASCII = false
    let (scalar, width) = writer.source.scalar(at: writer.position)
    let folded = scalars.folded(scalar)
    switch folded.kind {
    case .space: writer.space(width, into: output)
    case .ignored: writer.leaveOut(width, .ignored, in: output)
    case .softHyphen:
      hyphen(&writer, into: output, width: width) { writer, output in
        writer.leaveOut(width, .ignored, in: output)
      }
    case .hyphen:
      hyphen(&writer, into: output, width: width) { [scalars] writer, output in
        writer.replace(width, by: folded, of: scalars.bytes, into: output)
      }
    case .plain, .marks:
      writer.replace(width, by: folded, of: scalars.bytes, into: output)
      if folded.kind == .marks { writer.hasMarks = true }
    }
  }

  /// Folds a hyphen: at the end of a line with the white space after it, elsewhere by `otherwise`.
  private mutating func hyphen(
    _ writer: inout FoldedTextWriter,
    into output: UnsafeMutableBufferPointer<UInt8>,
    width: Int,
    otherwise: (inout FoldedTextWriter, UnsafeMutableBufferPointer<UInt8>) -> Void
  ) {
    let source = writer.source
    var end = writer.position + width
    guard end < source.count, source[end] == UInt8(ascii: "\n") else {
      otherwise(&writer, output)
      return
    }
    end = endOfSpace(source, from: end)
    let length = end - writer.position
    if source[writer.position..<end].contains(where: { $0 >= 0x80 }) { writer.isASCII = false }
    if keepsHyphenation {
      writer.replace(length, by: FoldedText.hyphenation, .hyphenation, into: output)
    } else {
      writer.leaveOut(length, .hyphenation, in: output)
    }
  }

  /// Puts the marks of each letter in canonical order.
  private static func sortMarks(of bytes: Slice<UnsafeMutableBufferPointer<UInt8>>) {
    let bytes = UnsafeMutableBufferPointer(rebasing: bytes)
    let source = UnsafeBufferPointer(bytes)
    var position = 0
    while position < bytes.count {
      if bytes[position] < 0x80 {
        position += 1
        continue
      }
      let start = position
      var marks: [(order: UInt8, scalar: Unicode.Scalar)] = []
      var isSorted = true
      while position < bytes.count, bytes[position] >= 0x80 {
        let (scalar, width) = source.scalar(at: position)
        let order = scalar.isCombining ? scalar.combiningClass : 0
        if order == 0 { break }
        if let last = marks.last, last.order > order { isSorted = false }
        marks.append((order, scalar))
        position += width
      }
      if marks.isEmpty { position += source.scalar(at: position).width }
      if isSorted { continue }
      // The sort is stable.
      marks.sort { $0.order < $1.order }
      var place = start
      for byte in marks.lazy.compactMap({ UTF8.encode($0.scalar) }).joined() {
        bytes[place] = byte
        place += 1
      }
    }
  }

  /// The end of a run of white space, including ignored scalars in it.
  private mutating func endOfSpace(_ source: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var (position, end) = (start, start)
    while position < source.count {
      if source[position] < 0x80 {
        guard table[Int(source[position])] == 0x20 else { break }
        position += 1
        end = position
        continue
      }
      let (scalar, width) = source.scalar(at: position)
      let folded = scalars.folded(scalar)
      if folded.kind == .space {
        end = position + width
      } else {
        guard folded.count == 0 else { break }
        // A soft hyphen at the end of the next line.
        let next = position + width
        if scalar == "\u{AD}", next < source.count, source[next] == UInt8(ascii: "\n") { break }
      }
      position += width
    }
    return end
  }
}
