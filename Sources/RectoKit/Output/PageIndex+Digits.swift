internal import RectoGeometry

extension PageIndex {
  /// The number for the name of a file, padded with zeros to `digits`.
  func number(digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.count)) + text
  }
}
