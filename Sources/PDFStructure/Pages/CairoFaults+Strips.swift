/// Finds images that are strips of a larger one, between which cairo leaves seams.
extension CairoFaults {
  /// Where content draws: the point (x, y) of a unit square is at x · `right` + y · `up` + `origin`.
  struct Placement {
    var right = SIMD2(1.0, 0)
    var up = SIMD2(0.0, 1)
    var origin = SIMD2(0.0, 0)

    /// Changes the coordinates as the operator `cm` does, which takes six numbers.
    mutating func concatenate(_ matrix: [Double]) {
      guard matrix.count == 6 else { return }
      let outer = self
      right = outer.right * matrix[0] + outer.up * matrix[1]
      up = outer.right * matrix[2] + outer.up * matrix[3]
      origin += outer.right * matrix[4] + outer.up * matrix[5]
    }

    /// Whether another unit square is as wide and lies above or below this one, to within an eighth of its height.
    fileprivate func adjoins(_ other: Placement) -> Bool {
      func square(_ vector: SIMD2<Double>) -> Double { (vector * vector).sum() }
      let tolerance = square(up) / 64
      return tolerance > 0 && square(right - other.right) <= tolerance
        && (square(origin + up - other.origin) <= tolerance
          || square(other.origin + other.up - origin) <= tolerance)
    }
  }

  /// Images that have the shape of strips, as content draws them.
  struct Strips {
    /// Those that the next one is compared with.
    private var last: [(width: Double, placement: Placement)] = []
    private var joints = 0

    /// Whether there are two places at which images adjoin.
    var adjoin: Bool { joints >= ObjectStore.fewestStrips - 1 }

    /// - Parameter width: In samples.
    mutating func append(_ width: Double, _ placement: Placement) {
      joints += last.count { $0.width == width && $0.placement.adjoins(placement) }
      if last.count == ObjectStore.mostStripsLookedAt { last.removeFirst() }
      last.append((width, placement))
    }
  }
}

extension ObjectStore {
  /// Whether objects include images that may be strips of a larger one: at least three of equal width.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func mayHaveStrips(_ objects: [SourcedValue]) throws(StructureError) -> Bool {
    guard objects.count >= Self.fewestStrips else { return false }
    var counts: [Double: Int] = [:]
    for object in objects.prefix(Self.mostStripsLookedAt) {
      guard let width = try stripWidth(object) else { continue }
      counts[width, default: 0] += 1
      if counts[width] == Self.fewestStrips { return true }
    }
    return false
  }

  /// The width in samples of an image that is much wider than high; nil for anything else, and for masks.
  ///
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func stripWidth(_ object: SourcedValue) throws(StructureError) -> Double? {
    guard let entries = try entries(of: object, picking: ["Height", "ImageMask", "Width"]),
      !entries.has("ImageMask"),
      let width = try number(entries.sourcedValue("Width")),
      let height = try number(entries.sourcedValue("Height")), height * 3 <= width
    else { return nil }
    return width
  }

  fileprivate static var fewestStrips: Int { 3 }
  fileprivate static var mostStripsLookedAt: Int { 16 }
}
