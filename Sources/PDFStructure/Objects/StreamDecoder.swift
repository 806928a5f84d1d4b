/// Decodes the streams this module needs: cross-reference streams and object streams.
final class StreamDecoder {
  private let flate: FlateDecoder
  private let file: BlockCache
  private let limits: ReaderLimits

  init(_ file: BlockCache, limits: ReaderLimits) throws(StructureError) {
    self.file = file
    self.limits = limits
    flate = try FlateDecoder()
  }

  /// The keys required for a stream's dictionary.
  static let keys: [PackedName] = [
    Key.length, Key.filter, Key.f, Key.decodeParms, Key.dp,
  ]

  /// Bytes in which the word after the data of a stream ends.
  static let endBytes = 256

  /// The decoded bytes of a stream.
  ///
  /// - Parameters:
  ///   - start: The position of its first byte in the file.
  ///   - length: The value of /Length; nil if it is unusable.
  ///   - filters: The names of /Filter and the dictionaries of /DecodeParms, in order.
  ///   - expected: The decoded size, if it is known.
  ///   - surplus: Additional bytes to use if /Length is wrong, as poppler does while it has no
  ///     cross-reference to find the end; nil refuses such a stream.
  /// - Throws: ``StructureError``; `damaged` for a stream outside the file or of wrong length,
  ///   `limit` for one that is too large, `unsupported` for an unknown filter.
  func decode(
    from start: Int,
    length: Int?,
    filters: [(name: PackedName, predictor: Predictor)],
    expecting expected: Int?,
    surplus: Int?
  ) throws(StructureError) -> [UInt8] {
    let size = file.source.count
    guard start <= size else { throw StructureError(.damaged, "a stream outside the file") }
    let claimed = length ?? 0
    // Poppler takes neither for a stream.
    guard claimed >= 0, !start.addingReportingOverflow(claimed).overflow else {
      throw StructureError(.damaged, "a stream of \(claimed) bytes")
    }
    var end = claimed <= size - start ? start + claimed : size
    if file.source.isDistant, end - start <= limits.streamBytes {
      try file.source.expect([start..<min(size, end + Self.endBytes)])
    }
    let isHonest = try endsStream(at: end)
    if !isHonest {
      guard let surplus, !filters.isEmpty else {
        throw StructureError(.damaged, "a stream of wrong length")
      }
      end = min(size, end + surplus)
    }
    guard end - start <= limits.streamBytes else {
      throw StructureError(.limit, "an encoded stream of \(end - start) bytes")
    }
    try file.meter.charge(end - start)
    var data = try file.read(start, end - start)
    for (index, filter) in filters.enumerated() {
      let isLast = index == filters.count - 1
      data = try apply(filter, to: data, expecting: isLast ? expected : nil)
    }
    return data
  }

  private func apply(
    _ filter: (name: PackedName, predictor: Predictor),
    to data: [UInt8],
    expecting expected: Int?
  ) throws(StructureError) -> [UInt8] {
    switch filter.name {
    case "FlateDecode", "Fl":
      let inflated = try flate.decode(
        data[...],
        expecting: expected.map { filter.predictor.encodedSize(of: $0) },
        limit: limits.streamBytes,
        meter: file.meter
      )
      return try filter.predictor.decode(inflated)
    case "ASCIIHexDecode", "AHx": return Self.hexadecimal(data)
    default: throw StructureError(.unsupported, "filter \(filter.name.text ?? "?")")
    }
  }

  private static func hexadecimal(_ data: [UInt8]) -> [UInt8] {
    var output: [UInt8] = []
    output.reserveCapacity(data.count / 2)
    var half: Int?
    for byte in data {
      if byte == 0x3E { break }
      guard let digit = Lexer.hexadecimal(Int(byte)) else { continue }
      if let high = half {
        output.append(UInt8(high << 4 | digit))
        half = nil
      } else {
        half = digit
      }
    }
    if let high = half { output.append(UInt8(high << 4)) }
    return output
  }

  /// Whether `endstream` follows.
  ///
  /// - Throws: ``StructureError`` when the bytes cannot be read, or a limit is reached.
  func endsStream(at position: Int) throws(StructureError) -> Bool {
    var lexer = Lexer(ByteCursor(file, at: position, reach: 256))
    // Anything else, even a partial token, is not the end.
    if case .command(Keyword.endstream)? = try? lexer.next() { return true }
    return false
  }
}

extension StreamDecoder {
  /// The filters of a dictionary, with their predictors.
  ///
  /// - Parameters:
  ///   - dictionary: The stream's dictionary, read with ``keys``.
  ///   - nesting: The most levels of arrays and dictionaries.
  ///   - resolve: Resolves a reference; nil if poppler does not follow references here.
  /// - Returns: The name and predictor of each filter, in the order in which they are applied.
  /// - Throws: ``StructureError`` for a list that cannot be read, and what `resolve` throws.
  static func filters(
    of dictionary: PartialDictionary,
    nesting: Int,
    resolve: (SourcedValue) throws(StructureError) -> SourcedValue?
  ) throws(StructureError) -> [(name: PackedName, predictor: Predictor)] {
    func entry(_ key: PackedName, _ short: PackedName) throws(StructureError) -> SourcedValue? {
      for key in [key, short] {
        guard let found = dictionary.sourcedValue(key), let value = try resolve(found) else {
          continue
        }
        if case .null = value.value { continue }
        return value
      }
      return nil
    }
    guard let filter = try entry(Key.filter, Key.f) else { return [] }
    let parameters = try entry(Key.decodeParms, Key.dp)
    switch filter.value {
    case .name(let name):
      return [(name, try predictor(parameters, nesting: nesting, resolve: resolve))]
    case .array(let span):
      var all: [SourcedValue] = []
      if case .array(let inner)? = parameters?.value, let parameters {
        all = try elements(parameters, inner, nesting: nesting, atMost: 8)
      }
      var filters: [(name: PackedName, predictor: Predictor)] = []
      for (index, element) in try elements(filter, span, nesting: nesting, atMost: 8).enumerated() {
        guard case .name(let name)? = try resolve(element)?.value else {
          throw StructureError(.damaged, "a filter without a name")
        }
        let own = index < all.count ? try resolve(all[index]) : nil
        filters.append((name, try predictor(own, nesting: nesting, resolve: resolve)))
      }
      return filters
    default: throw StructureError(.damaged, "a /Filter that is no name")
    }
  }

  private static func elements(
    _ array: SourcedValue,
    _ span: Span,
    nesting: Int,
    atMost limit: Int
  ) throws(StructureError) -> [SourcedValue] {
    var parser = ObjectParser(array.inside(span), nesting: nesting)
    guard try parser.opensArray() else { return [] }
    var elements: [SourcedValue] = []
    while let value = try parser.nextElement() {
      guard elements.count < limit else {
        throw StructureError(.limit, "more than \(limit) filters")
      }
      elements.append(SourcedValue(value: value, origin: array.origin))
    }
    return elements
  }

  private static func predictor(
    _ parameters: SourcedValue?,
    nesting: Int,
    resolve: (SourcedValue) throws(StructureError) -> SourcedValue?
  ) throws(StructureError) -> Predictor {
    var predictor = Predictor()
    guard let parameters, case .dictionary(let span) = parameters.value,
      let dictionary = try PartialDictionary.read(
        parameters.inside(span),
        picking: [Key.predictor, Key.colors, Key.bitsPerComponent, Key.columns],
        nesting: nesting
      )
    else { return predictor }
    func number(_ key: PackedName, _ fallback: Int32) throws(StructureError) -> Int32 {
      guard let found = dictionary.sourcedValue(key),
        case .int(let value)? = try resolve(found)?.value
      else { return fallback }
      return value
    }
    predictor.kind = try number(Key.predictor, 1)
    predictor.colors = try number(Key.colors, 1)
    predictor.bits = try number(Key.bitsPerComponent, 8)
    predictor.columns = try number(Key.columns, 1)
    return predictor
  }
}
