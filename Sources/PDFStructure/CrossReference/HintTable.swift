internal import RectoGeometry

/// The positions of pages according to the hints of a linearized file (ISO 32000-1, F.4.1).
///
/// If they look right, poppler uses them instead of the page tree. Only the object numbers of pages
/// are read: if the tree has the same object for a page, it is the same page either way.
struct HintTable {
  /// Objects of each page but the first, by page index.
  private let objects: [UInt32]
  private let firstPage: PageIndex
  private let firstObject: Int32

  /// Pages whose numbers are kept.
  private static let pageLimit = 1 << 20

  /// Reads the table; nil if poppler would not use it.
  ///
  /// - Throws: ``StructureError``, `linearized` when it cannot be read with certainty.
  init?(_ store: ObjectStore, _ linearization: Linearization) throws(StructureError) {
    guard let hints = linearization.hints, linearization.pages > 0 else { return nil }
    guard linearization.pages <= Self.pageLimit else {
      throw StructureError(.linearized, "linearized, with hints for \(linearization.pages) pages")
    }
    let table: [UInt8]
    do throws(StructureError) {
      guard let found = try store.hintStream(in: hints) else { return nil }
      table = found
    } catch {
      throw StructureError(.linearized, "linearized, and its hints cannot be read: \(error.detail)")
    }
    var bits = BitReader(table)
    guard let least = bits.read(32), least >= 1, bits.read(32) != nil, let width = bits.read(16),
      width <= 32, bits.skip(Self.restOfHeader)
    else { return nil }
    var objects: [UInt32] = []
    objects.reserveCapacity(linearization.pages)
    for _ in 0..<linearization.pages {
      guard let more = bits.read(Int(width)) else { return nil }
      objects.append(least &+ more)
    }
    objects[0] = 0
    // As running sums: the number of the first object of each page.
    var sum: UInt32 = 1
    for index in objects.indices {
      let count = objects[index]
      objects[index] = sum
      sum &+= count
    }
    self.objects = objects
    firstPage = linearization.firstPage
    firstObject = linearization.firstObject
  }

  /// Bits of the header after the three numbers used here.
  private static let restOfHeader = 32 + 16 + 32 + 16 + 32 + 16 + 16 + 16 + 16 + 16

  /// The number of a page's object; nil for a page that the table does not know.
  func objectNumber(of page: PageIndex) -> Int32? {
    guard objects.indices.contains(page.value) else { return nil }
    if page == firstPage { return firstObject }
    // The file's first page comes first in the table, whatever its index in the document.
    let position = page > firstPage ? page.value : page.value + 1
    return objects.indices.contains(position) ? Int32(truncatingIfNeeded: objects[position]) : nil
  }
}

/// The values of a linearization dictionary.
struct Linearization {
  /// The number of pages; 0 if it is missing.
  var pages = 0
  /// The page whose objects come first in the file.
  var firstPage: PageIndex = 0
  /// Number of that page's object; 0 if it is missing.
  var firstObject: Int32 = 0
  /// Where the entries of the main cross-reference table begin; 0 if it is missing.
  var mainEntries = 0
  /// Where the hint stream's object is.
  var hints: Range<Int>?
}

extension ObjectStore {
  /// The decoded hint stream; nil if poppler would not accept it.
  fileprivate func hintStream(in range: Range<Int>) throws(StructureError) -> [UInt8]? {
    guard range.upperBound <= file.source.count else { return nil }
    let cursor = ByteCursor(file, at: range.lowerBound, reach: range.count)
    var lexer = Lexer(cursor)
    guard case .int = try lexer.next(), case .int = try lexer.next(),
      case .command(Keyword.obj) = try lexer.next(),
      let dictionary = try PartialDictionary.read(
        lexer.cursor,
        picking: StreamDecoder.keys + [Key.s],
        nesting: limits.nesting
      ),
      let start = dictionary.streamStart
    else { return nil }
    if case .reference? = dictionary[Key.s] {
      throw StructureError(.linearized, "linearized, with an indirect /S in its hints")
    }
    guard case .int(let shared)? = dictionary[Key.s], shared > 0 else { return nil }
    return try decodedStream(of: dictionary, from: start)
  }
}

/// Reads numbers of any width, the highest bit first.
private struct BitReader {
  private let bytes: [UInt8]
  private var position = 0

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The next number of up to 32 bits; nil if there are not enough bits left.
  mutating func read(_ width: Int) -> UInt32? {
    guard position + width <= bytes.count * 8 else { return nil }
    var value: UInt32 = 0
    for _ in 0..<width {
      value = value << 1 | UInt32(bytes[position >> 3] >> UInt8(7 - position & 7) & 1)
      position += 1
    }
    return value
  }

  /// Skips bits; whether there were as many.
  mutating func skip(_ width: Int) -> Bool {
    position += width
    return position <= bytes.count * 8
  }
}
