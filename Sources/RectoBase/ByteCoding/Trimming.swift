extension Substring {
  /// The text without white space at both ends.
  ///
  /// - Complexity: O(*n*) in the white space.
  package var trimmed: Substring {
    var text = drop { $0.isWhitespace }
    while text.last?.isWhitespace == true { text.removeLast() }
    return text
  }
}
