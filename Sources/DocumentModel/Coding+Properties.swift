package import RectoBase

extension TextLimit {
  /// A text of a document's properties.
  package static let property = title
  /// The most bytes that a document's properties take.
  package static let documentProperties = 512 + 5 * (16 + property)
}

extension ByteWriter {
  /// Writes a document's properties.
  package mutating func write(_ properties: DocumentProperties) {
    for text in DocumentProperties.texts {
      write(properties[keyPath: text]) { $0.write($1, atMost: TextLimit.property) }
    }
    for date in [properties.created, properties.modified] {
      write(date) { writer, date in
        for part in date.parts { writer.write(part) }
      }
    }
    write(properties.version) { writer, version in
      writer.write(version.major)
      writer.write(version.minor)
    }
    write(properties.isEncrypted) { $0.write($1) }
    write(properties.permissions) { $0.write($1.rawValue) }
    write(properties.isLinearized)
    write(properties.isTagged) { $0.write($1) }
    write(properties.form) { $0.write($1.rawValue, atMost: TextLimit.word) }
  }
}

extension ByteReader {
  /// Reads a document's properties.
  ///
  /// - Throws: `ByteCodingError.truncated` or `tooLong` when a value does not fit, `unknown` for an
  ///   invalid date, version or form.
  package mutating func readDocumentProperties() throws(ByteCodingError) -> DocumentProperties {
    var properties = DocumentProperties()
    for text in DocumentProperties.texts {
      properties[keyPath: text] = try readOptional { reader throws(ByteCodingError) in
        try reader.readString(atMost: TextLimit.property)
      }
    }
    properties.created = try readOptional { reader throws(ByteCodingError) in
      try reader.readDate()
    }
    properties.modified = try readOptional { reader throws(ByteCodingError) in
      try reader.readDate()
    }
    properties.version = try readOptional { reader throws(ByteCodingError) in
      let version = PDFVersion(major: try reader.readInt(), minor: try reader.readInt())
      guard version.major >= 0, version.minor >= 0 else { throw ByteCodingError.unknown }
      return version
    }
    properties.isEncrypted = try readOptional { reader throws(ByteCodingError) in
      try reader.readBool()
    }
    properties.permissions = try readOptional { reader throws(ByteCodingError) in
      DocumentPermissions(rawValue: try reader.readByte())
    }
    properties.isLinearized = try readBool()
    properties.isTagged = try readOptional { reader throws(ByteCodingError) in
      try reader.readBool()
    }
    properties.form = try readOptional { reader throws(ByteCodingError) in
      let word = try reader.readString(atMost: TextLimit.word)
      guard let form = DocumentForm(rawValue: word) else { throw ByteCodingError.unknown }
      return form
    }
    return properties
  }

  private mutating func readDate() throws(ByteCodingError) -> DocumentDate {
    let date = DocumentDate(
      year: try readInt(),
      month: try readInt(),
      day: try readInt(),
      hour: try readInt(),
      minute: try readInt(),
      second: try readInt(),
      offset: try readInt()
    )
    guard let date else { throw ByteCodingError.unknown }
    return date
  }
}

extension DocumentDate {
  /// The numbers that a date is made of, in the order of its initializer.
  fileprivate var parts: [Int] { [year, month, day, hour, minute, second, offset] }
}
