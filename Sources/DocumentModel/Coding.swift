public import ByteCoding
internal import Geometry

// How the model's values travel over a pipe and lie on disk.

extension ByteWriter {
  /// Writes what a document says of itself.
  public mutating func write(_ facts: DocumentFacts) {
    write(facts.pageCount)
    write(facts.title) { $0.write($1) }
    write(facts.isRightToLeft)
    write(facts.pageLayout) { $0.write($1.rawValue) }
  }

  /// Writes what is known of a page.
  public mutating func write(_ facts: PageFacts) {
    write(facts.cropBox.minX)
    write(facts.cropBox.minY)
    write(facts.cropBox.size)
    write(facts.rotation) { $0.write($1.degrees) }
    write(facts.userUnit)
    write(facts.size)
    write(facts.label) { $0.write($1) }
  }

  /// Writes an error.
  public mutating func write(_ error: DocumentError) {
    write(error.code.rawValue)
    write(error.operation)
    write(error.detail)
  }

  private mutating func write(_ size: Size) {
    write(size.width)
    write(size.height)
  }
}

extension ByteReader {
  /// Reads what a document says of itself.
  public mutating func readDocumentFacts() throws(ByteCodingError) -> DocumentFacts {
    let count = try readInt()
    guard count >= 0, count <= Int(Int32.max) else { throw ByteCodingError.unknown }
    let title = try readOptionalString()
    let isRightToLeft = try readBool()
    let facts = DocumentFacts(
      pageCount: count,
      title: title,
      isRightToLeft: isRightToLeft,
      pageLayout: try readOptionalString().flatMap(PageLayoutHint.init(rawValue:))
    )
    guard facts.title == title else { throw ByteCodingError.unknown }
    return facts
  }

  /// Reads what is known of a page.
  ///
  /// - Throws: `unknown` for numbers and labels that no ``PageFacts`` has; so they are not ours.
  public mutating func readPageFacts() throws(ByteCodingError) -> PageFacts {
    let corner = Point(x: try readDouble(), y: try readDouble())
    let crop = Rect(origin: corner, size: try readSize())
    let degrees = try readOptional { reader throws(ByteCodingError) in try reader.readInt() }
    let userUnit = try readDouble()
    let size = try readSize()
    let label = try readOptionalString()
    let facts = PageFacts(
      cropBox: crop,
      rotation: degrees.flatMap(Rotation.init(rawValue:)),
      userUnit: userUnit,
      size: size,
      label: label
    )
    guard facts.cropBox == crop, facts.rotation?.degrees == degrees, facts.userUnit == userUnit,
      facts.size == size, facts.label == label
    else { throw ByteCodingError.unknown }
    return facts
  }

  /// Reads an error.
  public mutating func readDocumentError() throws(ByteCodingError) -> DocumentError {
    let code = DocumentError.Code(rawValue: try readString())
    let operation = try readString()
    return DocumentError(code, during: operation, try readString())
  }

  private mutating func readSize() throws(ByteCodingError) -> Size {
    Size(width: try readDouble(), height: try readDouble())
  }

  private mutating func readOptionalString() throws(ByteCodingError) -> String? {
    try readOptional { reader throws(ByteCodingError) in try reader.readString() }
  }
}
