/// Finds objects that poppler draws wrong with cairo because of their size or position.
extension ObjectStore {
  /// The largest side of a JPEG in cairo, in samples; other images are reduced first.
  private static let largestSide = 32_767.0
  /// The largest coordinate in cairo, in pixels; the size of a pixel is not known here.
  private static let farthest = 8_388_608.0

  /// Whether cairo draws an object wrong or not at all: a JPEG beyond its largest side, a form that is larger than its
  /// coordinates, a tiling whose cells overlap, a radial shading between circles neither of which contains the other.
  ///
  /// - Parameter entries: The entries ``sizeKeys`` of an image, a form, a pattern or a shading.
  /// - Throws: ``StructureError`` when an object cannot be read, or a limit is reached.
  func isBeyondCairo(_ entries: PartialDictionary) throws(StructureError) -> Bool {
    if case .name("DCTDecode") = entries["Filter"] {
      for key: PackedName in ["Width", "Height"] {
        if let side = try number(entries.sourcedValue(key)), side > Self.largestSide { return true }
      }
    }
    if case .int(3) = entries["ShadingType"],
      let circles = try numbers(entries.sourcedValue("Coords")), circles.count == 6
    {
      let (x, y) = (circles[3] - circles[0], circles[4] - circles[1])
      let apart = (x * x + y * y).squareRoot()
      return apart > abs(circles[5] - circles[2])
    }
    guard let box = try numbers(entries.sourcedValue("BBox")), box.count == 4 else { return false }
    if box.contains(where: { abs($0) > Self.farthest }) { return true }
    guard case .int(1) = entries["PatternType"] else { return false }
    for (key, side) in [("XStep", abs(box[2] - box[0])), ("YStep", abs(box[3] - box[1]))]
      as [(PackedName, Double)]
    {
      // A smaller overlap may be rounding.
      if let step = try number(entries.sourcedValue(key)), abs(step) < side * 0.9 { return true }
    }
    return false
  }

  /// What ``isBeyondCairo(_:)`` looks at.
  static var sizeKeys: [PackedName] {
    ["BBox", "Coords", "Filter", "Height", "PatternType", "ShadingType", "Width", "XStep", "YStep"]
  }

  /// The numbers of an array; nil for anything else.
  func numbers(_ value: SourcedValue?) throws(StructureError) -> [Double]? {
    guard let value else { return nil }
    let array = try resolve(value)
    guard case .array(let span) = array.value else { return nil }
    var parser = ObjectParser(array.inside(span), nesting: limits.nesting)
    guard try parser.opensArray() else { return nil }
    var numbers: [Double] = []
    while let element = try parser.nextElement(), numbers.count <= 6 {
      guard let number = try number(SourcedValue(value: element, origin: array.origin)) else {
        return nil
      }
      numbers.append(number)
    }
    return numbers
  }
}
