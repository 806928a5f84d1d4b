extension Double {
  /// The tolerance for equal lengths in layout units: rounding errors of sums of many extents are smaller, and a
  /// millionth of a unit is not visible at any zoom.
  static let lengthTolerance = 1e-6
}
