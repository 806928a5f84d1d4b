internal import RectoGeometry

/// The /PageLabels of a document: ranges of pages with a style, a prefix and a first number.
///
/// Ranges are found like in poppler, so that its viewers show the same label.
struct PageLabels {
  /// How the number is written.
  enum Style {
    case none, decimal, upperRoman, lowerRoman, upperLetters, lowerLetters
  }

  /// One range.
  struct Range {
    /// The first page.
    var base: PageIndex
    var length = 0
    var style: Style
    /// The prefix's bytes as the file has them.
    var prefix: [UInt8]
    var first: Int32
  }

  let ranges: [Range]
  /// The number of pages before each range, by adding up lengths, like poppler.
  let starts: [Int]

  init(_ ranges: [Range], pageCount: Int) {
    var ranges = ranges
    var starts: [Int] = []
    var start = 0
    for index in ranges.indices {
      let next = index + 1 < ranges.count ? ranges[index + 1].base : PageIndex(pageCount)
      ranges[index].length = max(0, ranges[index].base.distance(to: next))
      starts.append(start)
      start += ranges[index].length
    }
    self.ranges = ranges
    self.starts = starts
  }

  /// How many pages all ranges together hold.
  var labeledCount: Int { (starts.last ?? 0) + (ranges.last?.length ?? 0) }

  /// The label of a page; nil if it is in no range, or its prefix is not valid text.
  ///
  /// - Complexity: O(log *ranges*).
  func label(of index: PageIndex) -> String? {
    let before = index.value
    // Several ranges begin at one page when some are empty; the last of them has the pages.
    let last = starts.partitioningIndex { $0 > before } - 1
    guard last >= 0, before - starts[last] < ranges[last].length else { return nil }
    let range = ranges[last]
    let number = Int32(truncatingIfNeeded: before - starts[last]) &+ range.first
    // So in most documents, of every page.
    if range.style == .decimal, range.prefix.isEmpty { return String(number) }
    let digits = Self.write(Int(number), range.style).utf8
    var bytes = range.prefix
    // Poppler appends the number in the prefix's encoding only if that is big-endian UTF-16, else
    // as ASCII.
    if TextString.isBigEndian(bytes) {
      for digit in digits { bytes += [0, digit] }
    } else {
      bytes += digits
    }
    return TextString.popplerText(bytes)
  }

  /// A number in a style; empty if poppler writes nothing.
  static func write(_ number: Int, _ style: Style) -> String {
    switch style {
    case .none: ""
    case .decimal: String(number)
    case .upperRoman: roman(number)
    case .lowerRoman: roman(number).lowercased()
    case .upperLetters: letters(number, from: 0x41)
    case .lowerLetters: letters(number, from: 0x61)
    }
  }

  private static func roman(_ number: Int) -> String {
    guard (1..<4000).contains(number) else { return "" }
    var rest = number
    var text = ""
    for (value, letters) in romanLetters {
      while rest >= value {
        text += letters
        rest -= value
      }
    }
    return text
  }

  static let romanLetters: [(Int, String)] = [
    (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"),
    (40, "XL"), (10, "X"), (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
  ]

  /// A…Z, then AA…ZZ: the letter repeated, up to the length of a label. A number below 1 gets the character that
  /// results from poppler's arithmetic.
  private static func letters(_ number: Int, from first: UInt8) -> String {
    let last = Int(Int32(truncatingIfNeeded: number) &- 1)
    var count = max(0, last / 26 + 1)
    // After a prefix in UTF-16 it matters whether their number is odd.
    if count > longestLabel { count = longestLabel + count % 2 }
    let letter = Character(Unicode.Scalar(UInt8(Int(first) + last % 26)))
    return String(repeating: letter, count: count)
  }

  /// The most letters of a label; longer labels are cut off later.
  static let longestLabel = 1 << 10
}

extension ObjectStore {
  /// A node of the number tree to read later, by its position: storing the node itself would retain its whole object
  /// stream.
  private struct WaitingNode {
    /// The object that holds the node.
    var holder: Reference
    /// The position of the node in the object; nil if it is the object.
    var start: Int?
  }

  /// Reads the number tree of /PageLabels; nil if it is not a dictionary.
  ///
  /// - Parameters:
  ///   - holder: The object that contains the value.
  /// - Throws: ``StructureError`` when a node cannot be read, or the tree is too large.
  func pageLabels(
    _ sourced: SourcedValue?,
    in holder: Reference,
    pageCount: Int
  ) throws(StructureError) -> PageLabels? {
    guard let sourced, let root = Self.waitingNode(sourced, in: holder),
      try dictionary(root, picking: []) != nil
    else { return nil }
    var ranges: [PageLabels.Range] = []
    var seen: Set<Int32> = []
    // Poppler reads a node's own numbers before its kids', depth first.
    var waiting = [root]
    while let next = waiting.popLast() {
      guard let node = try dictionary(next, picking: [Key.nums, Key.kids]) else { continue }
      try readRanges(node, &ranges)
      guard let list = node.sourcedValue(Key.kids) else { continue }
      var holder = next.holder
      if case .reference(let reference) = list.value { holder = reference }
      var kids: [WaitingNode] = []
      try elements(list) { (kid) throws(StructureError) in
        if case .reference(let reference) = kid.value {
          guard seen.insert(reference.number).inserted else { return }
        }
        guard seen.count + waiting.count + kids.count <= self.limits.labelRanges else {
          throw StructureError(
            .limit,
            "a number tree of more than \(self.limits.labelRanges) nodes"
          )
        }
        if let kid = Self.waitingNode(kid, in: holder) { kids.append(kid) }
      }
      waiting += kids.reversed()
    }
    let labels = PageLabels(ranges, pageCount: pageCount)
    guard labels.labeledCount <= Int(Int32.max) else {
      // Poppler's sum of them overflows.
      throw StructureError(.unsupported, "page labels for more pages than there can be")
    }
    return labels
  }

  /// A value as a node to read later; nil if it is not a node.
  private static func waitingNode(_ sourced: SourcedValue, in holder: Reference) -> WaitingNode? {
    switch sourced.value {
    case .reference(let reference): WaitingNode(holder: reference)
    case .dictionary(let span): WaitingNode(holder: holder, start: span.start)
    default: nil
    }
  }

  private func dictionary(
    _ node: WaitingNode,
    picking keys: [PackedName]
  ) throws(StructureError) -> PartialDictionary? {
    guard let start = node.start else { return try dictionary(node.holder, picking: keys) }
    guard var cursor = try open(node.holder) else { return nil }
    cursor.seek(to: start)
    return try PartialDictionary.read(cursor, picking: keys, nesting: limits.nesting)
  }

  private func readRanges(
    _ node: PartialDictionary,
    _ ranges: inout [PageLabels.Range]
  ) throws(StructureError) {
    var base: PageIndex?
    var isKey = true
    try elements(node.sourcedValue(Key.nums)) { (element) throws(StructureError) in
      defer { isKey.toggle() }
      if isKey {
        base = nil
        if case .int(let number) = try self.resolve(element).value, number >= 0 {
          base = PageIndex(Int(number))
        }
        return
      }
      guard let start = base, let range = try self.range(element, start) else { return }
      guard ranges.count < self.limits.labelRanges else {
        throw StructureError(.limit, "more than \(self.limits.labelRanges) ranges of page labels")
      }
      ranges.append(range)
    }
  }

  private func range(_ element: SourcedValue, _ base: PageIndex) throws(StructureError)
    -> PageLabels
    .Range?
  {
    guard let picked = try dictionary(element, picking: [Key.s, Key.p, Key.st]) else {
      return nil
    }
    var range = PageLabels.Range(base: base, style: .none, prefix: [], first: 1)
    if let style = picked.sourcedValue(Key.s), case .name(let name) = try resolve(style).value {
      switch name {
      case "D": range.style = .decimal
      case "R": range.style = .upperRoman
      case "r": range.style = .lowerRoman
      case "A": range.style = .upperLetters
      case "a": range.style = .lowerLetters
      default: break
      }
    }
    if let prefix = picked.sourcedValue(Key.p),
      let bytes = try resolve(prefix).stringBytes(atMost: limits.prefixBytes)
    {
      range.prefix = bytes
    }
    if let first = picked.sourcedValue(Key.st), case .int(let number) = try resolve(first).value {
      range.first = number
    }
    return range
  }

  /// Calls `body` with each element of a direct or indirect array.
  ///
  /// - Throws: ``StructureError`` when the array cannot be read, and what `body` throws.
  func elements(
    _ sourced: SourcedValue?,
    _ body: (SourcedValue) throws(StructureError) -> Void
  ) throws(StructureError) {
    guard let sourced else { return }
    let array = try resolve(sourced)
    guard case .array(let span) = array.value else { return }
    var parser = ObjectParser(array.inside(span), nesting: limits.nesting)
    guard try parser.opensArray() else { return }
    while let value = try parser.nextElement() {
      try body(SourcedValue(value: value, origin: array.origin))
    }
  }
}
