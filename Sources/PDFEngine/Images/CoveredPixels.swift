// SPDX-License-Identifier: GPL-2.0-or-later

/// For each pixel of a range on one axis: the image pixels it covers, and how much of each.
///
/// A pixel of the result is the average of what it covers (a box filter, as cairo uses for reduced images). Points
/// beyond the image's edges have the color of the edge.
struct CoveredPixels {
  /// The image's first pixel that each covers.
  private(set) var first: [Int32] = []
  /// The start of each pixel's weights, then their end.
  private(set) var bounds: [Int32] = [0]
  /// The weights, in 65,536ths; those of a pixel add up to 65,536.
  private(set) var weights: [UInt32] = []

  /// - Parameters:
  ///   - pixels: Pixels of the result.
  ///   - scale: Image pixels per pixel, at least one; negative if the image is mirrored.
  ///   - origin: Where pixel 0 of the result begins, in pixels of the image.
  ///   - count: Pixels of the image, at least one.
  /// - Complexity: O(pixels of the image).
  init(of pixels: Range<Int>, scale: Double, origin: Double, in count: Int) {
    for pixel in pixels {
      let ends = (origin + Double(pixel) * scale, origin + Double(pixel + 1) * scale)
      let (start, end) = (min(ends.0, ends.1), max(ends.0, ends.1))
      let low = Self.index(start, in: count)
      let high = max(low, Self.index(end.nextDown, in: count))
      first.append(Int32(low))
      var sum: UInt32 = 0
      for index in low...high {
        // Rounds the sums instead of the parts, so that they add up exactly.
        let reached =
          index == high ? 1 : min(1, max(0, (Double(index + 1) - start) / (end - start)))
        let next = UInt32((reached * 65_536).rounded())
        weights.append(next - sum)
        sum = next
      }
      bounds.append(Int32(weights.count))
    }
  }

  /// The pixel of the image at a position, clamped to the edge.
  private static func index(_ place: Double, in count: Int) -> Int {
    Int(min(max(place, 0), Double(count - 1)))
  }
}
