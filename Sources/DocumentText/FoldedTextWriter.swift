/// Reads a text and writes its folded form, with the changes of offsets.
struct FoldedTextWriter {
  typealias Change = FoldedText.Change

  let source: UnsafeBufferPointer<UInt8>
  /// The next byte of the source.
  var position = 0
  /// How many bytes are written.
  var count = 0
  var changes: [Change]
  /// Whether marks were written, which may need reordering.
  var hasMarks = false
  /// Whether nothing beyond ASCII was read.
  var isASCII = true

  init(source: UnsafeBufferPointer<UInt8>, changes: [Change]) {
    self.source = source
    self.changes = changes
  }

  /// Copies bytes through a table, up to a byte that the table maps to 0, or white space after a
  /// space.
  @inline(__always)
  mutating func copyPlain(
    _ table: UnsafeBufferPointer<UInt8>,
    into output: UnsafeMutableBufferPointer<UInt8>
  ) {
    guard let table = table.baseAddress, let from = source.baseAddress,
      let to = output.baseAddress
    else { return }
    var (read, write) = (position, count)
    let end = source.count
    var last: UInt8 = write > 0 ? to[write - 1] : 0
    while read < end {
      let byte = table[Int(from[read])]
      if byte == 0 || UInt16(last) << 8 | UInt16(byte) == 0x2020 { break }
      to[write] = byte
      last = byte
      read += 1
      write += 1
    }
    position = read
    count = write
  }

  /// Writes one byte for one byte.
  mutating func copy(_ byte: UInt8, into output: UnsafeMutableBufferPointer<UInt8>) {
    output[count] = byte
    count += 1
    position += 1
  }

  /// Writes the folded form of a scalar.
  mutating func replace(
    _ width: Int,
    by folded: FoldedScalar,
    of bytes: [UInt8],
    into output: UnsafeMutableBufferPointer<UInt8>
  ) {
    let length = Int(folded.count)
    if length <= 4 {
      UnsafeMutableRawBufferPointer(output)
        .storeBytes(of: folded.word, toByteOffset: count, as: UInt32.self)
    } else {
      for index in 0..<length { output[count + index] = bytes[Int(folded.start) + index] }
    }
    if !folded.keepsLength || width != length { add(length, width, .replaced) }
    count += length
    position += width
  }

  /// Writes one byte for several.
  ///
  /// - Parameters:
  ///   - width: The number of source bytes that it replaces.
  mutating func replace(
    _ width: Int,
    by byte: UInt8,
    _ kind: Change.Kind,
    into output: UnsafeMutableBufferPointer<UInt8>
  ) {
    output[count] = byte
    add(1, width, kind)
    count += 1
    position += width
  }

  /// Leaves bytes of the source out.
  mutating func leaveOut(
    _ width: Int,
    _ kind: Change.Kind,
    in output: UnsafeMutableBufferPointer<UInt8>
  ) {
    if let last = changes.last, last.kind == kind, Int(last.start) == count,
      Int(last.end) == count, Int(last.sourceEnd) == position
    {
      changes[changes.count - 1].sourceEnd += Int32(truncatingIfNeeded: width)
    } else {
      add(0, width, kind)
    }
    position += width
  }

  /// Writes a space for white space, or adds it to the previous run.
  mutating func space(_ width: Int, into output: UnsafeMutableBufferPointer<UInt8>) {
    guard count > 0, output[count - 1] == 0x20 else {
      output[count] = 0x20
      if width != 1 { add(1, width, .replaced) }
      count += 1
      position += width
      return
    }
    // Ignored scalars between two runs of white space belong to the run.
    while let last = changes.last, Int(last.start) == count { changes.removeLast() }
    if let last = changes.last, Int(last.end) == count {
      changes[changes.count - 1].sourceEnd = Int32(truncatingIfNeeded: position + width)
    } else {
      let start =
        changes.last.map { Int($0.sourceEnd) + count - 1 - Int($0.end) } ?? count - 1
      changes.append(
        Change(
          start: Int32(truncatingIfNeeded: count - 1),
          end: Int32(truncatingIfNeeded: count),
          sourceStart: Int32(truncatingIfNeeded: start),
          sourceEnd: Int32(truncatingIfNeeded: position + width),
          kind: .replaced
        )
      )
    }
    position += width
  }

  /// Records that the next `length` bytes replace the next `width` bytes of the source.
  private mutating func add(_ length: Int, _ width: Int, _ kind: Change.Kind) {
    changes.append(
      Change(
        start: Int32(truncatingIfNeeded: count),
        end: Int32(truncatingIfNeeded: count + length),
        sourceStart: Int32(truncatingIfNeeded: position),
        sourceEnd: Int32(truncatingIfNeeded: position + width),
        kind: kind
      )
    )
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The scalar that begins at an offset, and how many bytes it has. Each byte of invalid UTF-8 becomes U+FFFD.
  func scalar(at offset: Int) -> (scalar: Unicode.Scalar, width: Int) {
    let byte = self[offset]
    if byte < 0x80 { return (Unicode.Scalar(byte), 1) }
    let width = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
    let invalid: (Unicode.Scalar, Int) = ("\u{FFFD}", 1)
    guard byte >= 0xC2, byte < 0xF5, count - offset >= width else { return invalid }
    var value = UInt32(byte) & (0x7F >> UInt32(width))
    for index in 1..<width {
      let next = self[offset + index]
      guard next & 0xC0 == 0x80 else { return invalid }
      value = value << 6 | UInt32(next & 0x3F)
    }
    guard let scalar = Unicode.Scalar(value), UTF8.width(scalar) == width else { return invalid }
    return (scalar, width)
  }
}
