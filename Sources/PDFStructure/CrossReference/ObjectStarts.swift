internal import RectoGeometry

/// The start positions of objects, to find the object at a position in the file.
///
/// Poppler uses the non-free entry with the largest offset before the position (XRef.cc, `getNumEntry`). For an object
/// in an object stream it uses the stream's number as the offset. It ignores offsets smaller than the number in the
/// entry of object 0, even if that is free.
struct ObjectStarts {
  /// In order.
  private let offsets: [Int]
  /// The least that counts.
  private var floor = 0

  /// Reads all entries.
  ///
  /// - Parameters:
  ///   - limit: The most entries that are kept.
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
      let entry = try crossReference.entry(of: number)
      switch entry {
      case .offset(let offset, _), .compressed(let offset, _), .free(let offset):
        if number == 0 {
          floor = offset
          continue
        }
        if case .free = entry { continue }
        offsets.append(offset)
      case nil: continue
      }
    }
    self.offsets = offsets.sorted()
  }

  /// The least offset of an object after another; nil if there is none.
  ///
  /// - Complexity: O(log *n*)
  func next(after offset: Int) -> Int? {
    let place = offsets.partitioningIndex { $0 > offset }
    return place < offsets.count ? offsets[place] : nil
  }

  /// Whether exactly one object begins in a range of offsets: the one at its lower end.
  ///
  /// - Complexity: O(log *n*)
  func beginsOne(in range: Range<Int>) -> Bool {
    guard floor <= range.lowerBound else { return false }
    let first = offsets.partitioningIndex { $0 >= range.lowerBound }
    return offsets.partitioningIndex { $0 >= range.upperBound } == first + 1
  }
}
