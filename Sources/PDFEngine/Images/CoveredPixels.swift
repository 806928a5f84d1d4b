// SPDX-License-Identifier: GPL-2.0-or-later

/// For each pixel of a stretch along one axis: what it covers of an image's pixels, and how much of each.
///
/// A pixel of the result is the average of what it covers (a box filter, as cairo has for images that become
/// smaller). What lies beyond the image's edges has the color of the edge.
struct CoveredPixels {
  /// The image's first pixel that each covers.
  private(set) var first: [Int32] = []
  /// Where the weights of each begin, and at last where they end.
  private(set) var bounds: [Int32] = [0]
  /// How much of each pixel, in 65,536ths of what is covered: all of one are that many together.
  private(set) var weights: [UInt32] = []

  /// - Parameters:
  ///   - pixels: Pixels of the result.
  ///   - scale: Pixels of the image that each covers, at least one; negative if the image runs the other way.
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
        // Rounded sums, not rounded parts: so that nothing is missing in the end.
        let reached =
          index == high ? 1 : min(1, max(0, (Double(index + 1) - start) / (end - start)))
        let next = UInt32((reached * 65_536).rounded())
        weights.append(next - sum)
        sum = next
      }
      bounds.append(Int32(weights.count))
    }
  }

  /// The pixel of the image at a place, or the one at the edge.
  private static func index(_ place: Double, in count: Int) -> Int {
    Int(min(max(place, 0), Double(count - 1)))
  }
}
