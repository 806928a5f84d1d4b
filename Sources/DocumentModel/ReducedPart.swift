public import RectoGeometry

/// A part of a page that was drawn once and reduced to a smaller size.
public struct ReducedPart: Hashable, Sendable {
  /// The size of the whole page once it is reduced, in pixels.
  public var size: PixelSize
  /// The part, in pixels from the top left of the reduced page.
  public var part: PixelRect

  /// A part of a reduced page.
  ///
  /// - Parameters:
  ///   - size: The size of the whole page once it is reduced, in pixels.
  ///   - part: The part, in pixels from the top left of the reduced page.
  public init(size: PixelSize, part: PixelRect) {
    self.size = size
    self.part = part
  }

  /// All of a page at a size in pixels.
  public init(_ size: PixelSize) {
    self.init(size: size, part: PixelRect(x: 0, y: 0, width: size.width, height: size.height))
  }

  /// The most parts of one request: enough for the tiles of a pyramid of the largest page.
  public static let largestCount = 1 << 16
  /// The most pixels in all parts of one request: a page of 100 million pixels, all smaller sizes, and as much again
  /// for parts that overlap.
  public static let largestTotal = 300_000_000
}

extension ReducedPart {
  /// Checks that parts can be made of one drawing, each size from the previous one.
  ///
  /// - Parameters:
  ///   - parts: The parts, in order.
  /// - Throws: `pageSize` beyond ``largestCount``, ``largestTotal`` or the limits of the format; `usage`
  ///   for sizes that grow, exceed those of the raster or have no pixel, and for a part that is not inside
  ///   its size.
  /// - Complexity: O(*n*) in the number of parts.
  package static func check(
    _ parts: [ReducedPart],
    of raster: PageRaster,
    _ format: PictureFormat
  ) throws(DocumentError) {
    guard parts.count <= largestCount else {
      throw DocumentError(
        .pageSize,
        during: "reduce",
        "\(parts.count) pictures of a page; the limit is \(largestCount)"
      )
    }
    var larger = raster.size
    var total = 0
    for part in parts {
      try part.check(below: larger)
      try format.requireSize(part.part.size)
      larger = part.size
      let (sum, overflow) = total.addingReportingOverflow(part.part.size.area ?? .max)
      guard !overflow, sum <= largestTotal else {
        throw DocumentError(
          .pageSize,
          during: "reduce",
          "the pictures of a page have too many pixels; the limit is \(largestTotal) in all"
        )
      }
      total = sum
    }
  }

  private func check(below larger: PixelSize) throws(DocumentError) {
    guard size.width >= 1, size.height >= 1, size.width <= larger.width,
      size.height <= larger.height
    else {
      throw DocumentError(
        .usage,
        during: "reduce",
        "\(larger.width)×\(larger.height) pixels cannot be reduced to \(size.width)×\(size.height)"
      )
    }
    // Compared without sums, because untrusted numbers could overflow.
    guard part.x >= 0, part.y >= 0, part.width >= 1, part.height >= 1, part.x < size.width,
      part.y < size.height, part.width <= size.width - part.x,
      part.height <= size.height - part.y
    else {
      throw DocumentError(
        .usage,
        during: "reduce",
        "a part is not inside the picture of \(size.width)×\(size.height) pixels"
      )
    }
  }
}
