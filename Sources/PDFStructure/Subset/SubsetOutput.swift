internal import DocumentModel

/// Builds the bytes of a standalone subset: objects, followed by an object stream and a cross-reference.
///
/// It does not know what the objects mean; see `SubsetWriter`.
struct SubsetOutput {
  private let limits: ReaderLimits
  private var pieces: [DocumentSubset.Piece] = []
  /// The text after the pieces, and its position in the subset.
  private var text: [UInt8] = []
  private var textStart = 0
  /// Bytes of text in the pieces.
  private var textBytes = 0

  /// The content of the object stream, and the number and offset of each object in it.
  private var members: [UInt8] = []
  private var memberOffsets: [(number: Int, offset: Int)] = []

  /// Where each object is, by number.
  private var places: [Location] = [.missing, .missing]
  /// The current object, and its start in the text.
  private var current = (number: 0, start: 0)

  /// Where an object is in the subset.
  private enum Location {
    /// It is also missing in the file, or it is object 0.
    case missing
    case offset(Int)
    /// In the object stream, at an index.
    case member(Int)
  }

  /// Less than any offset: poppler uses the number as an offset when it searches for the object at a position.
  private static let objectStreamNumber = 1
  /// Streams from this size on are aligned with the memory pages of the file, so that they can be
  /// mapped.
  private static let mappedBytes = 1 << 16
  private static let memoryPage = 4096

  /// A document without objects.
  init(_ limits: ReaderLimits) {
    self.limits = limits
    append("%PDF-1.7\n")
  }

  /// Checks that more bytes are within the limit.
  ///
  /// - Throws: ``StructureError``, `limit`.
  func requireRoom(for count: Int) throws(StructureError) {
    guard textBytes + text.count + members.count + count <= limits.subsetBytes else {
      throw StructureError(.limit, "a subset of more than \(limits.subsetBytes) bytes")
    }
  }

  /// Reserves an object number; the object is missing until it is begun.
  ///
  /// - Throws: ``StructureError``, `limit`.
  mutating func newNumber() throws(StructureError) -> Int {
    guard places.count <= limits.subsetObjects else {
      throw StructureError(.limit, "a subset of more than \(limits.subsetObjects) objects")
    }
    places.append(.missing)
    return places.count - 1
  }

  // MARK: Objects

  /// Begins an object, which ends with ``end()`` or ``endStream(with:)``.
  mutating func begin(_ number: Int) {
    places[number] = .offset(position)
    current = (number, text.count)
    append("\(number) 0 obj\n")
  }

  mutating func end() { append("\nendobj\n") }

  /// Ends a stream object, whose dictionary has been appended, with its data.
  mutating func endStream(with data: DocumentSubset.Piece) {
    append("\nstream\n")
    if case .file(let range) = data, range.count >= Self.mappedBytes {
      let gap = (range.lowerBound - position) & (Self.memoryPage - 1)
      text.insert(contentsOf: Array(repeating: 0x0A, count: gap), at: current.start)
      places[current.number] = .offset(textStart + current.start + gap)
    }
    endText()
    pieces.append(data)
    textStart += data.count
    append("\nendstream")
    end()
  }

  /// Begins an object of the object stream, which ends with ``endMember()``.
  mutating func beginMember(_ number: Int) {
    swap(&text, &members)
    places[number] = .member(memberOffsets.count)
    memberOffsets.append((number, text.count))
  }

  mutating func endMember() {
    append("\n")
    swap(&text, &members)
  }

  // MARK: Bytes

  mutating func append(_ string: String) { text += string.utf8 }

  mutating func append(_ bytes: ArraySlice<UInt8>) { text += bytes }

  /// Appends a reference to an object, separated from a preceding number: in the source only a sign may have separated
  /// them.
  mutating func appendReference(to number: Int) {
    if let last = text.last, !ByteClass.isBoundary(Int(last)) { append(" ") }
    append("\(number) 0 R")
  }

  private var position: Int { textStart + text.count }

  private mutating func endText() {
    guard !text.isEmpty else { return }
    textStart += text.count
    textBytes += text.count
    pieces.append(.bytes(text))
    text = []
  }

  // MARK: End

  /// All pieces, with the object stream and the cross-reference.
  ///
  /// - Returns: The pieces in order.
  /// - Throws: ``StructureError``, `limit`.
  consuming func finish(catalog: Int) throws(StructureError) -> [DocumentSubset.Piece] {
    appendObjectStream()
    try appendCrossReference(catalog)
    endText()
    return pieces
  }

  /// Appends the object stream, if it is not empty.
  private mutating func appendObjectStream() {
    guard !memberOffsets.isEmpty else { return }
    let table = memberOffsets.map { "\($0.number) \($0.offset) " }.joined()
    let first = table.utf8.count
    begin(Self.objectStreamNumber)
    append("<< /Type /ObjStm /N \(memberOffsets.count) /First \(first)")
    append(" /Length \(first + members.count) >>\nstream\n")
    append(table)
    text += members
    append("\nendstream")
    end()
  }

  private mutating func appendCrossReference(_ catalog: Int) throws(StructureError) {
    let number = try newNumber()
    let start = position
    begin(number)
    append("<< /Type /XRef /W [ 1 8 4 ] /Size \(places.count) /Root \(catalog) 0 R")
    append(" /Length \(places.count * 13) >>\nstream\n")
    for place in places {
      let (kind, second, third) =
        switch place {
        case .missing: (0, 0, 0)
        case .offset(let offset): (1, offset, 0)
        case .member(let index): (2, Self.objectStreamNumber, index)
        }
      text.append(UInt8(kind))
      text += IncrementalUpdateWriter.bytes(second, 8)
      text += IncrementalUpdateWriter.bytes(third, 4)
    }
    append("\nendstream\nendobj\nstartxref\n\(start)\n%%EOF\n")
  }
}
