internal import RectoGeometry

/// Finds the positions of references in a long list.
///
/// The first requests search the list; then it is sorted by reference once, unless it already is.
struct ReferencePositions {
  private enum State {
    case scanned(times: Int)
    case ascending
    /// The indices of the list, sorted by their references.
    case sorted([Int32])
  }

  private var state = State.scanned(times: 0)
  private static let scans = 8

  /// Finds a reference.
  ///
  /// - Parameters:
  ///   - list: The list, the same one each time.
  /// - Returns: Its first position in the list; nil if it is not in it.
  /// - Complexity: O(*n*) at first, O(*n* log *n*) once, then O(log *n*).
  mutating func position(of packed: UInt64, in list: [UInt64]) -> Int? {
    switch state {
    case .scanned(let times) where times < Self.scans || list.count > Int32.max:
      state = .scanned(times: min(times + 1, Self.scans))
      return list.firstIndex(of: packed)
    case .scanned:
      state = Self.sorted(list)
      return position(of: packed, in: list)
    case .ascending:
      let place = list.partitioningIndex { $0 >= packed }
      return place < list.count && list[place] == packed ? place : nil
    case .sorted(let order):
      let place = order.partitioningIndex { list[Int($0)] >= packed }
      guard place < order.count, list[Int(order[place])] == packed else { return nil }
      return Int(order[place])
    }
  }

  private static func sorted(_ list: [UInt64]) -> State {
    if zip(list, list.dropFirst()).allSatisfy({ $0 <= $1 }) { return .ascending }
    let order = (0..<Int32(list.count)).sorted { first, second in
      let (left, right) = (list[Int(first)], list[Int(second)])
      return left == right ? first < second : left < right
    }
    return .sorted(order)
  }
}
