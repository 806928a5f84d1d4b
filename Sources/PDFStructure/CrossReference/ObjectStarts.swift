internal import SortedSearch

/// Where objects begin, for telling which of them a position in the file is in.
///
/// Poppler takes the entry with the largest offset in front of the position that is not free (XRef.cc,
/// `getNumEntry`), and the number of the object stream for the offset of an object in it.
struct ObjectStarts {
  /// In order.
  private let offsets: [Int]

  /// Reads all entries.
  ///
  /// - Parameter crossReference: The cross-reference, with at most so many entries as can be kept.
  /// - Throws: ``StructureError`` when an entry cannot be read, or a limit is reached.
  /// - Complexity: O(*n* log *n*) in the number of entries.
  init(_ crossReference: CrossReference, atMost limit: Int) throws(StructureError) {
    try crossReference.readAll()
    guard crossReference.size <= limit else {
      throw StructureError(.limit, "more than \(limit) objects to look a position up among")
    }
    var offsets: [Int] = []
    offsets.reserveCapacity(crossReference.size)
    for number in 0..<crossReference.size {
      switch try crossReference.entry(of: number) {
      case .offset(let offset, _): offsets.append(offset)
      case .compressed(let stream, _): offsets.append(stream)
      case .free, nil: continue
      }
    }
    self.offsets = offsets.sorted()
  }

  /// How many objects begin in a range of offsets.
  ///
  /// - Complexity: O(log *n*)
  func count(in range: Range<Int>) -> Int {
    offsets.partitioningIndex { $0 >= range.upperBound }
      - offsets.partitioningIndex { $0 >= range.lowerBound }
  }
}
