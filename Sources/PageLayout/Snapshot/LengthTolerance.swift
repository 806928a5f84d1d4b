extension Double {
  /// Lengths in layout units that differ by less are the same: what sums of many extents lose is less,
  /// and a millionth of a unit is not visible at any zoom.
  static let lengthTolerance = 1e-6
}
