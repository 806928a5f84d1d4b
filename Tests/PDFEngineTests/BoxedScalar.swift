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
  /// The characters but for white space and slanted lines, with their boxes, in order.
  var boxed: [BoxedScalar] {
    let boxes = lineBoxes()
    let slanted = Set(boxes.slants.flatMap(\.scalars))
    return zip(string.unicodeScalars, boxes.boxes).enumerated()
      .filter { !slanted.contains($0) && !$1.0.properties.isWhitespace }
      .map { BoxedScalar($1.0, [$1.1.minX, $1.1.minY, $1.1.maxX, $1.1.maxY].map { Double($0) }) }
  }

  /// The characters of slanted lines but for white space.
  var slanted: [Unicode.Scalar] {
    let scalars = Array(string.unicodeScalars)
    return lineBoxes().slants.flatMap { scalars[$0.scalars] }.filter { !$0.properties.isWhitespace }
  }
}
