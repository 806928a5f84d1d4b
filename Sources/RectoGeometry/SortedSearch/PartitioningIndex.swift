// swift-algorithms has the same function, but depends on swift-numerics; one function is not worth
// two packages.

extension RandomAccessCollection {
  /// Finds where the second part of a collection begins, by binary search.
  ///
  /// A range of integers is such a collection, so indices can be searched as well as elements.
  ///
  /// - Parameter belongsInSecondPart: Whether an element belongs to the second part. Has to be false
  ///   up to some element, and true from there on.
  /// - Returns: The index of the first element of the second part; `endIndex` if that part is empty.
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
