/// PNG's five row filters (PNG specification, 3rd edition, 9.2): each replaces a byte by its
/// difference from a prediction by its neighbors.
///
/// Rows are filtered as they are in memory, with four bytes per color pixel, because a filter
/// treats all channels alike; ``RowPacking`` drops the fourth byte afterwards.
enum RowFilter: UInt8, CaseIterable {
  case none, sub, up, average, paeth

  typealias Bytes = SIMD16<UInt8>
  static let block = 16

  /// Two rows and their pixel size. Bytes left of a row count as zero.
  struct Rows {
    /// The row to filter, and the row above; for the topmost row, zeros.
    var row: UnsafeRawPointer
    var above: UnsafeRawPointer
    /// Bytes in either.
    var count: Int
    /// Bytes per pixel: the distance to the left neighbor.
    var step: Int

    /// A block of the row at `x`, and the blocks to its left, above, and above to the left.
    @inline(__always)
    func block(at x: Int) -> (this: Bytes, a: Bytes, b: Bytes, c: Bytes) {
      (
        (row + x).loadUnaligned(as: Bytes.self),
        (row + (x &- step)).loadUnaligned(as: Bytes.self),
        (above + x).loadUnaligned(as: Bytes.self),
        (above + (x &- step)).loadUnaligned(as: Bytes.self)
      )
    }
  }

  /// Writes the differences of `rows` to `output`, which holds `rows.count` bytes.
  func apply(_ rows: Rows, into output: UnsafeMutableRawPointer) {
    switch self {
    case .none: output.copyMemory(from: rows.row, byteCount: rows.count)
    case .sub: Self.each(rows, output, Self.left, Self.left)
    case .up: Self.each(rows, output, Self.above, Self.above)
    case .average: Self.each(rows, output, Self.mean, Self.mean)
    case .paeth: Self.each(rows, output, Self.nearest, Self.nearest)
    }
  }

  /// The filter whose differences, taken as signed numbers, have the smallest sum of magnitudes:
  /// the specification's heuristic (12.7). `weight` is 0 for bytes that do not count.
  static func smallest(_ rows: Rows, weight: Bytes) -> RowFilter {
    var sums = [5 of Int](repeating: 0)
    var part = [5 of SIMD16<UInt16>](repeating: .zero)
    var blocks = 0
    var x = rows.step
    // The first pixel is skipped: it has no left neighbor, and one pixel does not matter.
    while x &+ block <= rows.count {
      let (this, a, b, c) = rows.block(at: x)
      part[0] &+= magnitudes(this & weight)
      part[1] &+= magnitudes((this &- a) & weight)
      part[2] &+= magnitudes((this &- b) & weight)
      part[3] &+= magnitudes((this &- mean(a, b, c)) & weight)
      part[4] &+= magnitudes((this &- nearest(a, b, c)) & weight)
      blocks &+= 1
      // A magnitude is at most 128, so 511 of them fit 16 bits.
      if blocks == 500 {
        for index in 0..<5 { sums[index] &+= sum(part[index]) }
        part = .init(repeating: .zero)
        blocks = 0
      }
      x &+= block
    }
    for index in 0..<5 { sums[index] &+= sum(part[index]) }
    var best = 0
    for index in 1..<5 where sums[index] < sums[best] { best = index }
    return RowFilter(rawValue: UInt8(best)) ?? .none
  }

  /// Whether fewer than a quarter of the blocks of sixteen bytes equal their left or upper
  /// neighbor, as in photographs and scans. Drawn pages are repetitive, and compress best
  /// unfiltered. `weight` is 0 for bytes that do not count.
  static func isBusy(_ rows: Rows, weight: Bytes) -> Bool {
    var equal = 0
    var blocks = 0
    var x = rows.step
    while x &+ block <= rows.count {
      let (this, a, b, _) = rows.block(at: x)
      if isZero((this ^ a) & weight) || isZero((this ^ b) & weight) { equal &+= 1 }
      blocks &+= 1
      x &+= block
    }
    return equal &* 4 < blocks
  }

  @inline(__always)
  private static func isZero(_ bytes: Bytes) -> Bool {
    let words = unsafeBitCast(bytes, to: SIMD2<UInt64>.self)
    return words.x | words.y == 0
  }

  @inline(__always)
  private static func magnitudes(_ differences: Bytes) -> SIMD16<UInt16> {
    SIMD16<UInt16>(truncatingIfNeeded: pointwiseMin(differences, 0 &- differences))
  }

  private static func sum(_ values: SIMD16<UInt16>) -> Int {
    Int(SIMD16<UInt32>(truncatingIfNeeded: values).wrappedSum())
  }

  @inline(__always)
  private static func each(
    _ rows: Rows,
    _ output: UnsafeMutableRawPointer,
    _ predict: (Bytes, Bytes, Bytes) -> Bytes,
    _ predictOne: (UInt8, UInt8, UInt8) -> UInt8
  ) {
    for x in 0..<min(rows.step, rows.count) {
      let b = rows.above.load(fromByteOffset: x, as: UInt8.self)
      let difference = rows.row.load(fromByteOffset: x, as: UInt8.self) &- predictOne(0, b, 0)
      output.storeBytes(of: difference, toByteOffset: x, as: UInt8.self)
    }
    var x = rows.step
    while x &+ block <= rows.count {
      let (this, a, b, c) = rows.block(at: x)
      (output + x).storeBytes(of: this &- predict(a, b, c), as: Bytes.self)
      x &+= block
    }
    while x < rows.count {
      let a = rows.row.load(fromByteOffset: x &- rows.step, as: UInt8.self)
      let b = rows.above.load(fromByteOffset: x, as: UInt8.self)
      let c = rows.above.load(fromByteOffset: x &- rows.step, as: UInt8.self)
      let difference = rows.row.load(fromByteOffset: x, as: UInt8.self) &- predictOne(a, b, c)
      output.storeBytes(of: difference, toByteOffset: x, as: UInt8.self)
      x &+= 1
    }
  }
}

/// Predictions by the neighbors: `a` to the left, `b` above, `c` above and to the left.
extension RowFilter {
  @inline(__always)
  static func left(_ a: Bytes, _ b: Bytes, _ c: Bytes) -> Bytes { a }
  @inline(__always)
  static func left(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> UInt8 { a }
  @inline(__always)
  static func above(_ a: Bytes, _ b: Bytes, _ c: Bytes) -> Bytes { b }
  @inline(__always)
  static func above(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> UInt8 { b }

  /// Half the sum of `a` and `b`, rounded down, without a ninth bit.
  @inline(__always)
  static func mean(_ a: Bytes, _ b: Bytes, _ c: Bytes) -> Bytes { (a & b) &+ ((a ^ b) &>> 1) }
  @inline(__always)
  static func mean(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> UInt8 { (a & b) &+ ((a ^ b) &>> 1) }

  /// Paeth's predictor: the neighbor nearest to `a + b - c`, ties in the order a, b, c.
  @inline(__always)
  static func nearest(_ a: Bytes, _ b: Bytes, _ c: Bytes) -> Bytes {
    // |p - a| = |b - c|, |p - b| = |a - c|, both within a byte; |p - c| is their sum when the two
    // differences have the same sign and their difference otherwise.
    let toA = pointwiseMax(b, c) &- pointwiseMin(b, c)
    let toB = pointwiseMax(a, c) &- pointwiseMin(a, c)
    let sameSide = (b .>= c) .== (a .>= c)
    let apart = pointwiseMax(toA, toB) &- pointwiseMin(toA, toB)
    // With the same sign the sum is at least either, so c never wins; 255 says the same.
    let toC = apart.replacing(with: 255, where: sameSide)
    let vertical = c.replacing(with: b, where: toB .<= toC)
    return vertical.replacing(with: a, where: (toA .<= toB) .& (toA .<= toC))
  }
  @inline(__always)
  static func nearest(_ a: UInt8, _ b: UInt8, _ c: UInt8) -> UInt8 {
    let toA = abs(Int(b) - Int(c))
    let toB = abs(Int(a) - Int(c))
    let toC = abs(Int(a) + Int(b) - 2 * Int(c))
    if toA <= toB && toA <= toC { return a }
    return toB <= toC ? b : c
  }
}
