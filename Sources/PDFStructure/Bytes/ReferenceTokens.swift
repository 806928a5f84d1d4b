/// The references in a range of syntax, in order, at any depth.
struct ReferenceTokens {
  private var lexer: Lexer
  private var key = PackedName()

  /// A reference, its range of bytes, and the last name before it.
  struct Found {
    var reference: Reference
    var range: Range<Int>
    var key: PackedName
  }

  /// The references in `source`; ranges count from its first byte.
  init(_ source: [UInt8], _ meter: WorkMeter) {
    lexer = Lexer(ByteCursor(memory: source, at: 0, limit: source.count, meter: meter))
  }

  /// The next reference; nil at the end. References to object 0 or below are skipped.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read, or a limit is reached.
  mutating func next() throws(StructureError) -> Found? {
    var integers: (first: (value: Int32, start: Int)?, second: (value: Int32, start: Int)?)
    while true {
      switch try lexer.next() {
      case .end: return nil
      case .name(let name):
        key = name
        integers = (nil, nil)
      case .int(let value): integers = (integers.second, (value, lexer.tokenStart))
      case .command(Keyword.r):
        if let number = integers.first, let generation = integers.second, number.value > 0,
          generation.value >= 0
        {
          return Found(
            reference: Reference(number: number.value, generation: generation.value),
            range: number.start..<lexer.cursor.position,
            key: key
          )
        }
        integers = (nil, nil)
      default: integers = (nil, nil)
      }
    }
  }
}
