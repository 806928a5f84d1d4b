/// A folded text, and where its bytes come from.
struct FoldedText {
  /// Marks a hyphen at the end of a line, which can match in several ways. Never a byte of UTF-8.
  static let hyphenation: UInt8 = 0xFF

  /// A place where the folded text and its source do not correspond byte by byte.
  struct Change {
    enum Kind: UInt8 {
      /// Scalars that are folded to others, or a run of white space.
      case replaced
      /// Scalars that are not compared.
      case ignored
      /// Hyphens at the ends of lines.
      case hyphenation
    }

    /// Bytes of the folded text.
    var start: Int32
    var end: Int32
    /// Bytes of the source.
    var sourceStart: Int32
    var sourceEnd: Int32
    var kind: Kind
  }

  /// The folded bytes, and room for more.
  var bytes: [UInt8] = []
  /// How many bytes there are.
  var count = 0
  /// Whether the source has one byte for each scalar.
  var isASCII = true
  /// In order; the bytes between two changes correspond one to one.
  var changes: [Change] = []

  /// The index of the first change that begins after an offset.
  private func changeIndex(behind offset: Int) -> Int {
    var (low, high) = (0, changes.count)
    while low < high {
      let middle = (low + high) / 2
      if Int(changes[middle].start) > offset { high = middle } else { low = middle + 1 }
    }
    return low
  }

  /// The start in the source of the scalar whose folded form has the byte at an offset.
  func sourceStart(of offset: Int) -> Int {
    let index = changeIndex(behind: offset)
    guard index > 0 else { return offset }
    let change = changes[index - 1]
    if offset < Int(change.end) { return Int(change.sourceStart) }
    return Int(change.sourceEnd) + offset - Int(change.end)
  }

  /// The end in the source of the scalar whose folded form has the byte before an offset above 0, including ignored
  /// scalars after it.
  func sourceEnd(of offset: Int) -> Int {
    var index = changeIndex(behind: offset - 1)
    var end = offset
    if index > 0 {
      let change = changes[index - 1]
      end = Int(change.sourceEnd) + max(0, offset - Int(change.end))
    }
    while index < changes.count, changes[index].kind == .ignored,
      Int(changes[index].sourceStart) == end
    {
      end = Int(changes[index].sourceEnd)
      index += 1
    }
    return end
  }

  /// Whether an offset is inside the replacement of a change.
  func isInsideChange(_ offset: Int) -> Bool {
    let index = changeIndex(behind: offset - 1)
    return index > 0 && Int(changes[index - 1].end) > offset
  }

  /// Whether a hyphen at the end of a line was removed at an offset.
  func hasHyphenation(at offset: Int) -> Bool {
    var index = changeIndex(behind: offset)
    // The replacement of the scalar after the offset.
    if index > 0, Int(changes[index - 1].end) > offset { index -= 1 }
    while index > 0, Int(changes[index - 1].end) == offset {
      index -= 1
      if changes[index].kind == .hyphenation { return true }
      if changes[index].kind == .replaced { return false }
    }
    return false
  }
}
