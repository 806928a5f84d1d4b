/// Encodes boxes of characters in about four bytes each: boxes of a line share two edges, and each begins where the
/// previous one ends.
///
/// A run has a kind, a count of boxes (two bytes), then single-precision numbers, all little-endian:
/// - row: the upper and the lower edge, then one x more than boxes;
/// - column: the left and the right edge, then one y more than boxes;
/// - free: four edges for each box;
/// - end: nothing; empty boxes at the lower right corner of the previous one;
/// - slant: how far the line of the boxes that follow is turned; its count is that of these boxes, which have their own
///   runs.
enum TextBoxCoding {
  private enum Kind: UInt8 {
    case row, column, free, end, slant
  }

  private static let longestRun = 0xFFFF

  /// The boxes as bytes.
  static func encode(_ boxes: TextBoxes) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(boxes.boxes.count * 5 + 16)
    var index = 0
    for slant in boxes.slants {
      guard slant.scalars.lowerBound >= index, slant.scalars.upperBound <= boxes.boxes.count else {
        continue
      }
      append(index..<slant.scalars.lowerBound, of: boxes.boxes, to: &bytes)
      index = slant.scalars.lowerBound
      while index < slant.scalars.upperBound {
        let end = min(slant.scalars.upperBound, index + longestRun)
        append(.slant, count: end - index, to: &bytes)
        append(slant.angle, to: &bytes)
        append(index..<end, of: boxes.boxes, to: &bytes)
        index = end
      }
    }
    append(index..<boxes.boxes.count, of: boxes.boxes, to: &bytes)
    return bytes
  }

  private static func append(_ range: Range<Int>, of boxes: [TextBox], to bytes: inout [UInt8]) {
    var index = range.lowerBound
    while index < range.upperBound {
      let (kind, end) = run(from: index, of: boxes, to: range.upperBound)
      append(kind, count: end - index, to: &bytes)
      let run = boxes[index..<end]
      let first = boxes[index]
      switch kind {
      case .end, .slant: break
      case .row:
        append(first.minY, to: &bytes)
        append(first.maxY, to: &bytes)
        append(first.minX, to: &bytes)
        for box in run { append(box.maxX, to: &bytes) }
      case .column:
        append(first.minX, to: &bytes)
        append(first.maxX, to: &bytes)
        append(first.minY, to: &bytes)
        for box in run { append(box.maxY, to: &bytes) }
      case .free:
        for box in run {
          for edge in [box.minX, box.minY, box.maxX, box.maxY] { append(edge, to: &bytes) }
        }
      }
      index = end
    }
  }

  /// The longest run that starts at a box; at least one box.
  ///
  /// - Returns: The kind of the run, and where it ends.
  private static func run(
    from first: Int,
    of boxes: [TextBox],
    to limit: Int
  ) -> (Kind, end: Int) {
    let limit = min(limit, first + longestRun)
    func end(while follows: (TextBox, TextBox) -> Bool) -> Int {
      var end = first + 1
      while end < limit, follows(boxes[end - 1], boxes[end]) { end += 1 }
      return end
    }
    if first > 0, boxes[first] == boxes[first - 1].end {
      return (.end, end { $1 == $0.end })
    }
    let row = end { $1.minY == $0.minY && $1.maxY == $0.maxY && $1.minX == $0.maxX }
    let column = end { $1.minX == $0.minX && $1.maxX == $0.maxX && $1.minY == $0.maxY }
    if row == first + 1, column == row { return (.free, row) }
    return row >= column ? (.row, row) : (.column, column)
  }

  private static func append(_ kind: Kind, count: Int, to bytes: inout [UInt8]) {
    bytes.append(kind.rawValue)
    bytes.append(UInt8(truncatingIfNeeded: count))
    bytes.append(UInt8(truncatingIfNeeded: count >> 8))
  }

  private static func append(_ number: Float, to bytes: inout [UInt8]) {
    withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Decodes boxes; nil if the bytes are not what ``encode(_:)`` makes.
  static func decode(_ bytes: [UInt8]) -> TextBoxes? {
    guard let (count, slants) = check(bytes) else { return nil }
    let boxes = [TextBox](unsafeUninitializedCapacity: count) { boxes, initialized in
      bytes.withUnsafeBytes { bytes in
        var last = TextBox.zero
        _ = forEachRun(of: bytes) { kind, count, numbers in
          for index in 0..<(kind == .slant ? 0 : count) {
            last = box(index, kind, numbers, last)
            boxes.initializeElement(at: initialized, to: last)
            initialized += 1
          }
          return true
        }
      }
    }
    return TextBoxes(boxes, slants: slants)
  }

  /// The number of encoded boxes; nil if the bytes are not what ``encode(_:)`` makes.
  static func count(_ bytes: [UInt8]) -> Int? { check(bytes)?.count }

  /// The number of encoded boxes, and the slanted lines among them.
  private static func check(_ bytes: [UInt8]) -> (count: Int, slants: [TextSlant])? {
    var total = 0
    var slants: [TextSlant] = []
    let isWhole = bytes.withUnsafeBytes { bytes in
      forEachRun(of: bytes) { kind, count, numbers in
        if kind == .slant {
          guard total >= slants.last?.scalars.upperBound ?? 0 else { return false }
          slants.append(TextSlant(scalars: total..<total + count, angle: numbers[0]))
        } else {
          total += count
        }
        return numbers.areFinite
      }
    }
    guard isWhole, total >= slants.last?.scalars.upperBound ?? 0 else { return nil }
    return (total, slants)
  }

  /// One box of a run.
  @inline(__always)
  private static func box(
    _ index: Int,
    _ kind: Kind,
    _ numbers: Numbers,
    _ last: TextBox
  ) -> TextBox {
    switch kind {
    case .end, .slant: last.end
    case .row:
      TextBox(
        minX: numbers[2 + index],
        minY: numbers[0],
        maxX: numbers[3 + index],
        maxY: numbers[1]
      )
    case .column:
      TextBox(
        minX: numbers[0],
        minY: numbers[2 + index],
        maxX: numbers[1],
        maxY: numbers[3 + index]
      )
    case .free:
      TextBox(
        minX: numbers[4 * index],
        minY: numbers[4 * index + 1],
        maxX: numbers[4 * index + 2],
        maxY: numbers[4 * index + 3]
      )
    }
  }

  /// Calls `take` with the kind, count and numbers of each run until it returns false.
  ///
  /// - Returns: Whether all runs are whole and `take` returned true for each.
  @inline(__always)
  private static func forEachRun(
    of bytes: UnsafeRawBufferPointer,
    _ take: (Kind, Int, Numbers) -> Bool
  ) -> Bool {
    var position = 0
    while position < bytes.count {
      guard bytes.count - position >= 3, let kind = Kind(rawValue: bytes[position]) else {
        return false
      }
      let count = Int(bytes[position + 1]) | Int(bytes[position + 2]) << 8
      position += 3
      let size =
        switch kind {
        case .end: 0
        case .slant: 1
        case .row, .column: count + 3
        case .free: 4 * count
        }
      guard count > 0, (bytes.count - position) / 4 >= size else { return false }
      let end = position + 4 * size
      let numbers = Numbers(bytes: UnsafeRawBufferPointer(rebasing: bytes[position..<end]))
      guard take(kind, count, numbers) else { return false }
      position = end
    }
    return true
  }

  /// Single-precision numbers, little-endian.
  private struct Numbers {
    let bytes: UnsafeRawBufferPointer

    @inline(__always)
    subscript(index: Int) -> Float { Float(bitPattern: bits(index)) }

    @inline(__always)
    private func bits(_ index: Int) -> UInt32 {
      UInt32(
        littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)
      )
    }

    /// Whether none is infinite or not a number.
    var areFinite: Bool {
      let exponent: UInt32 = 0x7F80_0000
      var areFinite = true
      for index in 0..<bytes.count / 4 {
        areFinite = areFinite && bits(index) & exponent != exponent
      }
      return areFinite
    }
  }
}
