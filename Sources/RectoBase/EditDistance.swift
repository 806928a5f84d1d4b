extension Collection where Element: Equatable {
  /// The number of elements to insert, remove or replace to get another collection (Levenshtein distance).
  ///
  /// - Complexity: O(*n* · *m*) for *n* and *m* elements.
  package func editDistance(to other: some Collection<Element>) -> Int {
    var row = Array(0...other.count)
    for (index, element) in enumerated() {
      var diagonal = row[0]
      row[0] = index + 1
      for (column, candidate) in other.enumerated() {
        let replaced = diagonal + (element == candidate ? 0 : 1)
        diagonal = row[column + 1]
        row[column + 1] = Swift.min(replaced, row[column] + 1, diagonal + 1)
      }
    }
    return row[other.count]
  }
}
