/// The path of a part in a column: its index, preceded by the indices of the columns around it,
/// from the outside in. The empty path is the column itself.
public struct PartPath: Hashable, Sendable, Comparable, ExpressibleByArrayLiteral {
  /// The indices, from the outermost column inwards, each from 0.
  public var indices: [Int]

  /// A path from its indices.
  public init(_ indices: [Int]) { self.indices = indices }

  /// A path from its indices.
  public init(arrayLiteral elements: Int...) { indices = elements }

  /// The path of a part of the column at this path.
  public func appending(_ index: Int) -> PartPath { PartPath(indices + [index]) }

  /// Whether this is the path of `other`, or of a part of the column there.
  public func isWithin(_ other: PartPath) -> Bool { indices.starts(with: other.indices) }

  /// Whether one part comes before another, from top to bottom; a column comes before its parts.
  public static func < (first: PartPath, second: PartPath) -> Bool {
    first.indices.lexicographicallyPrecedes(second.indices)
  }

  /// The path of the column around the part; nil for the empty path.
  var parent: PartPath? { indices.isEmpty ? nil : PartPath(indices.dropLast()) }

  /// The same part's path after removing the part at `path`; nil if it is removed with it.
  func removing(_ path: PartPath) -> PartPath? {
    guard let last = path.indices.last, !isWithin(path) else { return isWithin(path) ? nil : self }
    return moved(by: -1, from: last, path)
  }

  /// The same part's path after inserting parts before the one at `path`.
  func inserting(_ count: Int, at path: PartPath) -> PartPath {
    path.indices.last.map { moved(by: count, from: $0, path) } ?? self
  }

  private func moved(by count: Int, from first: Int, _ path: PartPath) -> PartPath {
    let level = path.indices.count - 1
    guard indices.count > level, indices[level] >= first,
      indices[..<level] == path.indices[..<level]
    else { return self }
    var moved = self
    moved.indices[level] += count
    return moved
  }
}
