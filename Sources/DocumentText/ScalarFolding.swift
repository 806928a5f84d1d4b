internal import CUTF8Proc

/// The folded form of a scalar beyond ASCII.
struct FoldedScalar {
  /// How a scalar is treated, besides its folded form.
  enum Kind: UInt8 {
    /// Compared as its bytes.
    case plain
    /// White space.
    case space
    /// A hyphen, compared as U+002D, or ignored within a line (U+00AD).
    case hyphen, softHyphen
    /// Not compared.
    case ignored
    /// Its bytes have marks, which may need reordering.
    case marks
  }

  var kind: Kind
  /// Whether it is folded to one scalar of the same length in bytes.
  var keepsLength: Bool
  /// The offset of its folded bytes in ``ScalarFolding/bytes``.
  var start: Int32
  var count: Int32
  /// The first four of these bytes, in memory order.
  var word: UInt32
}

/// Folds scalars, and caches the results.
struct ScalarFolding {
  private let isCaseSensitive: Bool
  private let isDiacriticSensitive: Bool
  /// For each 256 scalars, the start of their block in `indices`; -1 if none of them was seen.
  private var blocks = [Int32](repeating: -1, count: 0x11_0000 >> 8)
  /// For each scalar of a block, its index in `scalars`; -1: not seen.
  private var indices: [Int32] = []
  private var scalars: [FoldedScalar] = []
  /// The folded forms of all scalars seen.
  private(set) var bytes: [UInt8] = []
  private var library: Decomposition?

  init(isCaseSensitive: Bool, isDiacriticSensitive: Bool) {
    self.isCaseSensitive = isCaseSensitive
    self.isDiacriticSensitive = isDiacriticSensitive
  }

  /// How a scalar is compared.
  @inline(__always)
  mutating func folded(_ scalar: Unicode.Scalar) -> FoldedScalar {
    let value = Int(scalar.value)
    let block = Int(blocks[value >> 8])
    if block >= 0 {
      let index = Int(indices[block + value & 0xFF])
      if index >= 0 { return scalars[index] }
    }
    return newlyFolded(scalar)
  }

  @inline(never)
  private mutating func newlyFolded(_ scalar: Unicode.Scalar) -> FoldedScalar {
    let value = Int(scalar.value)
    if blocks[value >> 8] < 0 {
      blocks[value >> 8] = Int32(indices.count)
      indices += repeatElement(-1, count: 256)
    }
    let place = Int(blocks[value >> 8]) + value & 0xFF
    let folded = fold(scalar)
    indices[place] = Int32(scalars.count)
    scalars.append(folded)
    return folded
  }

  private mutating func fold(_ scalar: Unicode.Scalar) -> FoldedScalar {
    let properties = scalar.properties
    if scalar == "\u{AD}" { return add([], .softHyphen, scalar) }
    if scalar == "\u{2010}" || scalar == "\u{2011}" { return add(["-"], .hyphen, scalar) }
    if properties.isWhitespace { return add([" "], .space, scalar) }
    if properties.isDefaultIgnorableCodePoint { return add([], .ignored, scalar) }
    let folded = compared(scalar)
    if folded.isEmpty { return add([], .ignored, scalar) }
    return add(folded, folded.contains(where: \.isCombining) ? .marks : .plain, scalar)
  }

  /// The scalars that one scalar is folded to.
  private mutating func compared(_ scalar: Unicode.Scalar) -> [Unicode.Scalar] {
    let parts = decomposed(scalar, foldsCase: false)
    if parts.first == " " { return [scalar] }
    let letters = withoutMarks(parts)
    guard !isCaseSensitive else { return letters }
    var folded: [Unicode.Scalar] = []
    for letter in letters { folded += decomposed(letter, foldsCase: true) }
    return withoutMarks(folded)
  }

  private func withoutMarks(_ scalars: [Unicode.Scalar]) -> [Unicode.Scalar] {
    scalars.filter { scalar in
      if scalar.properties.isDefaultIgnorableCodePoint { return false }
      return isDiacriticSensitive || !scalar.isRemovableMark
    }
  }

  private mutating func decomposed(
    _ scalar: Unicode.Scalar,
    foldsCase: Bool
  ) -> [Unicode.Scalar] {
    if scalar.isASCII { return [foldsCase ? scalar.lowercased : scalar] }
    let library = library ?? Decomposition()
    self.library = library
    return library.decomposed(scalar, foldsCase: foldsCase)
  }

  private mutating func add(
    _ folded: [Unicode.Scalar],
    _ kind: FoldedScalar.Kind,
    _ scalar: Unicode.Scalar
  ) -> FoldedScalar {
    let start = bytes.count
    for scalar in folded { bytes += UTF8.encode(scalar).map { Array($0) } ?? [] }
    let count = bytes.count - start
    return FoldedScalar(
      kind: kind,
      keepsLength: folded.count == 1 && count == UTF8.width(scalar),
      start: Int32(start),
      count: Int32(count),
      word: bytes[start...].prefix(4).reversed().reduce(0) { $0 << 8 | UInt32($1) }
        .littleEndian
    )
  }
}

/// The decomposition by utf8proc; none without the library.
private struct Decomposition {
  private let library: recto_utf8proc?
  /// The longest decomposition of a scalar has 18 scalars.
  private static let longest = 32

  init() {
    var library = recto_utf8proc()
    self.library = recto_load_utf8proc(&library) ? library : nil
  }

  /// The scalars of the compatibility decomposition; calls `utf8proc_decompose_char`.
  func decomposed(_ scalar: Unicode.Scalar, foldsCase: Bool) -> [Unicode.Scalar] {
    guard let library else { return [scalar] }
    var options = UTF8PROC_DECOMPOSE.rawValue | UTF8PROC_COMPAT.rawValue
    if foldsCase { options |= UTF8PROC_CASEFOLD.rawValue }
    var scalars = [Int32](repeating: 0, count: Self.longest)
    let count = library.decompose(
      Int32(scalar.value),
      &scalars,
      Self.longest,
      utf8proc_option_t(options),
      nil
    )
    guard (0...Self.longest).contains(count) else { return [scalar] }
    return scalars.prefix(count).compactMap { Unicode.Scalar(UInt32(bitPattern: $0)) }
  }
}

extension Unicode.Scalar {
  /// The canonical combining class.
  var combiningClass: UInt8 { properties.canonicalCombiningClass.rawValue }

  /// Whether it is a mark that can be reordered among marks of other classes.
  var isCombining: Bool { value >= 0x300 && combiningClass != 0 }

  /// Whether it is a mark that is ignored with diacritics; a virama (class 9) is not.
  var isRemovableMark: Bool { isCombining && combiningClass != 9 }

  /// The small letter of a capital of ASCII; anything else unchanged.
  fileprivate var lowercased: Unicode.Scalar {
    ("A"..."Z").contains(self) ? Unicode.Scalar(UInt8(value) | 0x20) : self
  }
}
