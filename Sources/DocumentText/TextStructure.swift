public import DocumentModel

/// The lines, words and blocks of a page's text.
///
/// Elements are in the order of ``PageText/utf8``, which is reading order. They are values with ranges into the text;
/// ``string(of:joiningHyphenatedLines:)`` and ``areas(of:)`` take such ranges.
public struct TextStructure: Sendable {
  /// The text.
  public let text: PageText
  /// The smallest upright box around each Unicode scalar, in points.
  public let boxes: [TextBox]
  /// The boxes along their lines.
  let lineBoxes: TextBoxes
  /// The lines with at least one character. Lines end at a line feed.
  public let lines: [TextLine]
  /// The words, in the order of lines. Words are separated by white space.
  public let words: [TextElement]
  /// The blocks: consecutive lines that belong together.
  ///
  /// A line continues the block of the previous line if both have the same direction (slanted lines within one degree),
  /// they overlap along it, and one is at most 1.5 times as high as the other. It must begin after the previous line,
  /// with a gap of at most 0.75 times the smaller height, or an overlap of at most half of it. Height is measured
  /// across the direction.
  public let blocks: [TextBlock]
  /// The offset in the UTF-8 of each scalar, then the number of bytes.
  let offsets: [Int]

  /// The structure of a text.
  ///
  /// - Complexity: O(scalars).
  public init(_ text: PageText) {
    let offsets = Self.offsets(of: text.utf8)
    var boxes = text.lineBoxes()
    let count = offsets.count - 1
    if boxes.boxes.count > count { boxes.boxes.removeLast(boxes.boxes.count - count) }
    while boxes.boxes.count < count { boxes.boxes.append(boxes.boxes.last ?? .zero) }
    var parser = LineParser(utf8: text.utf8, offsets: offsets, boxes: boxes)
    parser.run()
    self.text = text
    self.boxes = boxes.upright
    lineBoxes = boxes
    self.offsets = offsets
    lines = parser.lines
    words = parser.words
    blocks = Self.blocks(of: parser.lines)
  }

  private static func offsets(of utf8: [UInt8]) -> [Int] {
    var offsets: [Int] = []
    offsets.reserveCapacity(utf8.count + 1)
    for (offset, byte) in utf8.enumerated() where byte & 0xC0 != 0x80 { offsets.append(offset) }
    offsets.append(utf8.count)
    return offsets
  }

  /// The characters (extended grapheme clusters), without line feeds.
  ///
  /// - Complexity: O(scalars).
  public func characters() -> [TextElement] {
    lines.flatMap { characters(in: $0) }
  }

  /// The characters of a line.
  func characters(in line: TextLine) -> [TextElement] {
    let string = String(decoding: text.utf8[line.element.utf8], as: UTF8.self)
    var characters: [TextElement] = []
    characters.reserveCapacity(line.element.scalars.count)
    var scalar = line.element.scalars.lowerBound
    for character in string {
      let end = min(scalar + character.unicodeScalars.count, line.element.scalars.upperBound)
      characters.append(element(scalar..<end, angle: line.angle))
      scalar = end
    }
    return characters
  }

  /// The element that scalars form. Scalars beyond the end of the text are ignored.
  ///
  /// - Complexity: O(scalars in the range + log *m*), *m* being the number of lines.
  public func element(_ scalars: Range<Int>) -> TextElement {
    let scalars = scalars.clamped(to: 0..<boxes.count)
    let line = lines[firstLine(endingBehind: scalars.lowerBound)...].first?.element
    let isOfLine = line.map { $0.scalars.clamped(to: scalars) == scalars } ?? false
    return element(scalars, angle: isOfLine ? line?.area.angle : nil)
  }

  /// The element that scalars form.
  ///
  /// - Parameters:
  ///   - scalars: Scalars of one line if that is slanted.
  ///   - angle: How far the line is turned clockwise, in degrees; nil for one that is not slanted.
  private func element(_ scalars: Range<Int>, angle: Float?) -> TextElement {
    TextElement(
      scalars: scalars,
      utf8: offsets[scalars.lowerBound]..<offsets[scalars.upperBound],
      area: TextArea(
        Self.box(around: scalars, of: angle == nil ? boxes : lineBoxes.boxes),
        angle: angle
      )
    )
  }

  /// The box around the boxes of scalars. Empty boxes count only if there are no others.
  static func box(around scalars: Range<Int>, of boxes: [TextBox]) -> TextBox {
    var result: TextBox?
    for box in boxes[scalars] where !box.isPoint { result = result?.union(box) ?? box }
    return result ?? (scalars.isEmpty ? .zero : boxes[scalars.lowerBound])
  }
}

/// Splits a text into lines and words.
private struct LineParser {
  let utf8: [UInt8]
  let offsets: [Int]
  let boxes: [TextBox]
  var lines: [TextLine] = []
  var words: [TextElement] = []
  /// The slanted lines that begin after the last line.
  private var slants: ArraySlice<TextSlant>

  init(utf8: [UInt8], offsets: [Int], boxes: TextBoxes) {
    self.utf8 = utf8
    self.offsets = offsets
    self.boxes = boxes.boxes
    slants = boxes.slants[...]
  }

  mutating func run() {
    var start = 0
    for scalar in boxes.indices where utf8[offsets[scalar]] == UInt8(ascii: "\n") {
      addLine(start..<scalar)
      start = scalar + 1
    }
    addLine(start..<boxes.count)
  }

  private mutating func addLine(_ scalars: Range<Int>) {
    guard !scalars.isEmpty else { return }
    while let slant = slants.first, slant.scalars.upperBound <= scalars.lowerBound {
      slants.removeFirst()
    }
    let slant = slants.first.flatMap { $0.scalars.contains(scalars.lowerBound) ? $0 : nil }
    let firstWord = words.count
    var start = scalars.lowerBound
    for scalar in scalars where isSpace(scalar) {
      addWord(start..<scalar, slant?.angle)
      start = scalar + 1
    }
    addWord(start..<scalars.upperBound, slant?.angle)
    lines.append(
      TextLine(
        element: element(scalars, slant?.angle),
        words: firstWord..<words.count,
        direction: slant.map { TextDirection(nearest: $0.angle) }
          ?? TextDirection(ofBoxes: boxes[scalars])
      )
    )
  }

  private mutating func addWord(_ scalars: Range<Int>, _ angle: Float?) {
    if !scalars.isEmpty { words.append(element(scalars, angle)) }
  }

  private func isSpace(_ scalar: Int) -> Bool {
    let offset = offsets[scalar]
    let byte = utf8[offset]
    if byte < 0x80 { return byte == 0x20 || (0x09...0x0D).contains(byte) }
    // White space beyond ASCII begins with one of these bytes.
    guard byte == 0xC2 || (0xE1...0xE3).contains(byte) else { return false }
    let bytes = utf8[offset..<offsets[scalar + 1]]
    return String(decoding: bytes, as: UTF8.self).unicodeScalars.first?.properties.isWhitespace
      ?? false
  }

  private func element(_ scalars: Range<Int>, _ angle: Float?) -> TextElement {
    TextElement(
      scalars: scalars,
      utf8: offsets[scalars.lowerBound]..<offsets[scalars.upperBound],
      area: TextArea(TextStructure.box(around: scalars, of: boxes), angle: angle)
    )
  }
}

extension TextDirection {
  /// The direction that is nearest to an angle: degrees clockwise from the direction to the right.
  fileprivate init(nearest angle: Float) {
    let quarters = Int((Double(angle) / 90).rounded()) & 3
    self = [.right, .down, .left, .up][quarters]
  }

  /// The direction of consecutive boxes: the axis along which the centers of the first and the last are farther apart;
  /// to the right if they coincide.
  init(ofBoxes boxes: ArraySlice<TextBox>) {
    guard let first = boxes.first(where: { !$0.isPoint }),
      let last = boxes.last(where: { !$0.isPoint })
    else {
      self = .right
      return
    }
    let x = Double(last.minX) + Double(last.maxX) - Double(first.minX) - Double(first.maxX)
    let y = Double(last.minY) + Double(last.maxY) - Double(first.minY) - Double(first.maxY)
    if abs(x) >= abs(y) {
      self = x < 0 ? .left : .right
    } else {
      self = y < 0 ? .up : .down
    }
  }
}

extension TextStructure: BriefValue {
  /// How many lines, words and blocks.
  public var description: String {
    "\(lines.count) lines, \(words.count) words, \(blocks.count) blocks"
  }
}
