package import RectoBase
package import RectoGeometry

// How the model's values are encoded, in pipes and on disk.

/// The longest texts in encoded values, in bytes of UTF-8. A longer one is cut off when it is
/// written, and refused when it is read.
package enum TextLimit {
  /// A document's title.
  package static let title = DocumentInfo.titleLimit
  /// The label of a page.
  package static let label = PageInfo.labelLimit
  /// A word: an error's code, a page layout.
  package static let word = 64
  /// An operation that failed.
  package static let operation = 1_024
  /// The text of an error or a warning.
  package static let detail = 4_096

  /// The most bytes of a document's info.
  package static let documentInfo = 64 + title + word
  /// The most bytes of a page's info.
  package static let pageInfo = 128 + label
  /// The most bytes that an error takes.
  package static let error = 32 + word + operation + detail
}

extension ByteWriter {
  /// Writes a page index as an integer.
  package mutating func write(_ page: PageIndex) { write(page.value) }

  /// Writes a document's info.
  package mutating func write(_ info: DocumentInfo) {
    write(info.pageCount)
    write(info.title) { $0.write($1, atMost: TextLimit.title) }
    write(info.isRightToLeft)
    write(info.pageLayout) { $0.write($1.rawValue) }
  }

  /// Writes a page's info.
  package mutating func write(_ info: PageInfo) {
    write(info.cropBox.minX)
    write(info.cropBox.minY)
    write(info.cropBox.size)
    write(info.rotation) { $0.write($1.degrees) }
    write(info.userUnit)
    write(info.size)
    write(info.label) { $0.write($1, atMost: TextLimit.label) }
  }

  /// Writes an error.
  package mutating func write(_ error: DocumentError) {
    write(error.code.rawValue, atMost: TextLimit.word)
    write(error.operation, atMost: TextLimit.operation)
    write(error.detail, atMost: TextLimit.detail)
  }

  private mutating func write(_ size: Size) {
    write(size.width)
    write(size.height)
  }
}

extension ByteReader {
  /// Reads a page index, whether or not any document has such a page.
  ///
  /// - Throws: `ByteCodingError.truncated` when the bytes end too early.
  package mutating func readPageIndex() throws(ByteCodingError) -> PageIndex {
    PageIndex(try readInt())
  }

  /// Reads a document's info.
  ///
  /// - Throws: `ByteCodingError.truncated` or `tooLong` when a value does not fit, `unknown` for an
  ///   invalid page count or title.
  package mutating func readDocumentInfo() throws(ByteCodingError) -> DocumentInfo {
    let count = try readInt()
    guard count >= 0, count <= Int(Int32.max) else { throw ByteCodingError.unknown }
    let title = try readOptionalString(atMost: TextLimit.title)
    let isRightToLeft = try readBool()
    let info = DocumentInfo(
      pageCount: count,
      title: title,
      isRightToLeft: isRightToLeft,
      pageLayout: try readOptionalString(atMost: TextLimit.word)
        .flatMap(PageLayoutHint.init(rawValue:))
    )
    guard info.title == title else { throw ByteCodingError.unknown }
    return info
  }

  /// Reads a page's info.
  ///
  /// - Throws: `unknown` for numbers and labels that no ``PageInfo`` can have.
  package mutating func readPageInfo() throws(ByteCodingError) -> PageInfo {
    let corner = Point(x: try readDouble(), y: try readDouble())
    let crop = Rect(origin: corner, size: try readSize())
    let degrees = try readOptional { reader throws(ByteCodingError) in try reader.readInt() }
    let userUnit = try readDouble()
    let size = try readSize()
    let label = try readOptionalString(atMost: TextLimit.label)
    let info = PageInfo(
      cropBox: crop,
      rotation: degrees.flatMap(Rotation.init(rawValue:)),
      userUnit: userUnit,
      size: size,
      label: label
    )
    guard info.cropBox == crop, info.rotation?.degrees == degrees, info.userUnit == userUnit,
      info.size == size, info.label == label
    else { throw ByteCodingError.unknown }
    return info
  }

  /// Reads an error.
  ///
  /// - Throws: `ByteCodingError.truncated` when the bytes end too early, `tooLong` for a text
  ///   beyond its limit.
  package mutating func readDocumentError() throws(ByteCodingError) -> DocumentError {
    let code = DocumentError.Code(rawValue: try readString(atMost: TextLimit.word))
    let operation = try readString(atMost: TextLimit.operation)
    return DocumentError(code, during: operation, try readString(atMost: TextLimit.detail))
  }

  private mutating func readSize() throws(ByteCodingError) -> Size {
    Size(width: try readDouble(), height: try readDouble())
  }

  private mutating func readOptionalString(atMost limit: Int) throws(ByteCodingError) -> String? {
    try readOptional { reader throws(ByteCodingError) in try reader.readString(atMost: limit) }
  }
}
