import DocumentModel

/// A character and its box.
struct BoxedScalar: Hashable, Comparable, CustomStringConvertible {
  var scalar: Unicode.Scalar
  /// Left, top, right and bottom in hundredths of a point.
  var box: [Int]

  init(_ scalar: Unicode.Scalar, _ box: [Double]) {
    self.scalar = scalar
    self.box = box.map { Int(($0 * 100).rounded()) }
  }

  var description: String { "\(scalar.escaped(asASCII: false)) \(box)" }

  static func < (first: BoxedScalar, second: BoxedScalar) -> Bool {
    (first.scalar.value, first.box.description) < (second.scalar.value, second.box.description)
  }

  /// Whether both are the same within a hundredth of a point.
  func isNear(_ other: BoxedScalar) -> Bool {
    scalar == other.scalar && zip(box, other.box).allSatisfy { abs($0 - $1) <= 1 }
  }
}

extension PageText {
  /// The characters but for white space, with their boxes, in order.
  var boxed: [BoxedScalar] {
    zip(string.unicodeScalars, boxes()).filter { !$0.0.properties.isWhitespace }.map {
      BoxedScalar($0, [$1.minX, $1.minY, $1.maxX, $1.maxY].map { Double($0) })
    }
  }

  /// The characters of lines of three and more that go along both axes.
  var slanted: [BoxedScalar] {
    var slanted: [BoxedScalar] = []
    var rest = boxed[...]
    for line in string.split(separator: "\n") {
      let count = line.unicodeScalars.count { !$0.properties.isWhitespace }
      let characters = rest.prefix(count)
      rest = rest.dropFirst(count)
      guard count > 2, let first = characters.first, let last = characters.last else { continue }
      // A line along an axis has one edge across it in common.
      let hasCommonEdge = first.box.indices.contains { abs(first.box[$0] - last.box[$0]) < 40 }
      if !hasCommonEdge { slanted += characters }
    }
    return slanted
  }
}
