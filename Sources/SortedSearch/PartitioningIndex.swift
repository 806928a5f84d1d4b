// swift-algorithms has the same function, but depends on swift-numerics; one function is not worth
// two packages.

extension RandomAccessCollection {
  /// The index at which the second part of a collection begins, by binary search; `endIndex` where
  /// that part is empty.
  ///
  /// A range of integers is such a collection, so indices can be searched as well as elements.
  /// - Parameter belongsInSecondPart: Whether an element belongs to the second part. Has to be false
  ///   up to some element, and true from there on.
  /// - Complexity: O(log *n*) calls of `belongsInSecondPart`.
  @inlinable
  package func partitioningIndex(where belongsInSecondPart: (Element) -> Bool) -> Index {
    var lower = startIndex
    var upper = endIndex
    while lower < upper {
      let middle = index(lower, offsetBy: distance(from: lower, to: upper) / 2)
      if belongsInSecondPart(self[middle]) { upper = middle } else { lower = index(after: middle) }
    }
    return lower
  }
}
