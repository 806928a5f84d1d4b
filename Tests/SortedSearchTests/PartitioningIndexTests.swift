import RectoGeometry
import Testing

@Suite struct PartitioningIndexTests {
  @Test(arguments: 0..<40)
  func `the index is the one that linear search finds`(count: Int) {
    let elements = (0..<count).map { 3 * $0 }
    for limit in -1...3 * count {
      let expected = elements.firstIndex { $0 >= limit } ?? elements.endIndex
      #expect(elements.partitioningIndex { $0 >= limit } == expected, "\(limit)")
    }
  }

  @Test func `among equal elements the first is found`() {
    for length in 0..<10 {
      let elements = [0, 0] + Array(repeating: 1, count: length) + [2]
      #expect(elements.partitioningIndex { $0 >= 1 } == 2)
      #expect(elements.partitioningIndex { $0 > 1 } == 2 + length)
    }
  }

  @Test func `a slice keeps its indices`() {
    let slice = Array(0..<20)[5..<15]
    for limit in 0...20 {
      let expected = slice.firstIndex { $0 >= limit } ?? slice.endIndex
      #expect(slice.partitioningIndex { $0 >= limit } == expected, "\(limit)")
    }
  }

  @Test func `a range is searched by its numbers`() {
    for lower in -3...3 {
      for upper in lower...lower + 9 {
        for limit in lower - 1...upper + 1 {
          let found = (lower..<upper).partitioningIndex { $0 >= limit }
          #expect(found == min(max(lower, limit), upper), "\(lower)..<\(upper), \(limit)")
        }
      }
    }
  }

  @Test(arguments: [0, 1, 1 << 40, Int.max - 1])
  func `a long range takes one question for each bit`(limit: Int) {
    var questions = 0
    let found = (0..<Int.max).partitioningIndex {
      questions += 1
      return $0 >= limit
    }
    #expect(found == limit)
    #expect(questions <= Int.bitWidth)
  }
}
