package import RectoBase

extension PageText {
  /// The most characters of a page that is read.
  public static let largestCount = 250_000
  /// The most bytes that the text of a page takes: four of UTF-8 and nineteen of boxes a character, and
  /// its styles.
  package static let largestEncoding = largestCount * (4 + 19) + largestStyles * 256 + 64
  /// The most runs of styles.
  fileprivate static let largestStyles = 100_000
}

extension ByteWriter {
  /// Writes the text of a page.
  package mutating func write(_ text: PageText) {
    write(text.utf8)
    write(text.encodedBoxes)
    write(text.styles) { writer, styles in
      // Characters beyond the limit get the style of the last run.
      var runs = Array(styles.prefix(PageText.largestStyles))
      for run in styles.dropFirst(runs.count) { runs[runs.count - 1].count += run.count }
      writer.write(runs.count)
      for run in runs {
        writer.write(run.count)
        writer.write(run.font, atMost: TextLimit.detail)
        writer.write(run.size)
        for channel in run.color { writer.write(channel) }
        writer.write(run.isUnderlined)
      }
    }
  }
}

extension ByteReader {
  /// Reads the text of a page.
  ///
  /// - Throws: `ByteCodingError` for invalid UTF-8, and for boxes or styles that do not match its characters.
  package mutating func readPageText() throws(ByteCodingError) -> PageText {
    let utf8 = try readBytes()
    let boxes = try readBytes()
    let styles = try readOptional { reader throws(ByteCodingError) in try reader.readStyles() }
    guard let text = PageText(utf8: utf8, encodedBoxes: boxes, checking: styles) else {
      throw ByteCodingError.unknown
    }
    return text
  }

  private mutating func readStyles() throws(ByteCodingError) -> [TextStyleRun] {
    let count = try readCount(ofSize: 28)
    guard count <= PageText.largestStyles else { throw ByteCodingError.tooLong }
    var styles: [TextStyleRun] = []
    styles.reserveCapacity(count)
    for _ in 0..<count {
      let count = try readInt()
      let font = try readString(atMost: TextLimit.detail)
      let size = try readDouble()
      let color = [try readByte(), try readByte(), try readByte()]
      guard count > 0, size.isFinite else { throw ByteCodingError.unknown }
      styles.append(
        TextStyleRun(
          count: count,
          font: font,
          size: size,
          color: color,
          isUnderlined: try readBool()
        )
      )
    }
    return styles
  }
}

extension PageText {
  /// A text from untrusted parts; nil for invalid UTF-8, or for boxes or styles that do not match its scalars.
  ///
  /// - Parameters:
  ///   - styles: Fonts, sizes and colors of its scalars.
  package init?(utf8: [UInt8], encodedBoxes: [UInt8], checking styles: [TextStyleRun]?) {
    guard let string = String(validating: utf8, as: UTF8.self) else { return nil }
    let count = string.unicodeScalars.count
    guard count <= Self.largestCount, TextBoxCoding.count(encodedBoxes) == count else { return nil }
    if let styles {
      var rest = count
      for run in styles {
        guard run.count <= rest else { return nil }
        rest -= run.count
      }
      guard rest == 0 else { return nil }
    }
    self.init(utf8: utf8, encodedBoxes: encodedBoxes, styles: styles)
  }

  /// The boxes in bytes, as ``TextBoxCoding`` makes them.
  package var boxBytes: [UInt8] { encodedBoxes }
}
