internal import DocumentModel

extension TextStructure {
  /// The text of scalars, with a line feed between lines.
  ///
  /// Joining removes a hyphen at the end of a line, and the line feed, if there are letters on both sides and the
  /// following one is not a capital: "exam-" and "ple" become "example", "Jean-" and "Paul" stay. Hyphens are U+002D,
  /// U+00AD and U+2010.
  ///
  /// - Parameters:
  ///   - scalars: Indices of Unicode scalars; those beyond the end of the text are ignored.
  ///   - joiningHyphenatedLines: Whether words that are hyphenated at the end of a line are joined.
  /// - Returns: The text.
  /// - Complexity: O(scalars in the range).
  public func string(of scalars: Range<Int>, joiningHyphenatedLines: Bool = false) -> String {
    let scalars = scalars.clamped(to: 0..<boxes.count)
    let bytes = text.utf8[offsets[scalars.lowerBound]..<offsets[scalars.upperBound]]
    let string = String(decoding: bytes, as: UTF8.self)
    return joiningHyphenatedLines ? Self.joiningLines(of: string) : string
  }

  private static func joiningLines(of string: String) -> String {
    var joined = String.UnicodeScalarView()
    let scalars = Array(string.unicodeScalars)
    var index = 0
    while index < scalars.count {
      if index + 2 < scalars.count, let last = joined.last, isLetter(last),
        isHyphen(scalars[index]), scalars[index + 1] == "\n", isLetter(scalars[index + 2]),
        !scalars[index + 2].properties.isUppercase
      {
        index += 2
      } else {
        joined.append(scalars[index])
        index += 1
      }
    }
    return String(joined)
  }

  private static func isHyphen(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "-" || scalar == "\u{AD}" || scalar == "\u{2010}"
  }

  /// A mark belongs to the letter before it.
  private static func isLetter(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
      .nonspacingMark, .spacingMark:
      true
    default: false
    }
  }
}
