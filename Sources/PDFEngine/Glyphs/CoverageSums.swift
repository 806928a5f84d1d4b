// SPDX-License-Identifier: GPL-2.0-or-later

/// The coverage of a glyph in subpixel steps, from which its image at any step is computed.
///
/// A summed-area table: each point has the sum of the coverage above and to the left of it, so that the coverage of a
/// pixel is computed from four points (Crow, "Summed-area tables for texture mapping", 1984). An outline is drawn once
/// instead of for each position.
struct CoverageSums {
  /// The binary logarithm of the number of steps per pixel on each axis; at most 3.
  private let shift: Int
  /// From the glyph's origin, in steps; y points down.
  private let left: Int
  private let top: Int
  /// In steps.
  private let width: Int
  private let height: Int
  /// Modulo 2¹⁶; the coverage of a pixel is less: at most 64 · 255.
  private let sums: [UInt16]

  /// Bytes of memory.
  var bytes: Int { sums.count * 2 }

  /// - Parameters:
  ///   - drawing: The glyph, enlarged by the number of steps. Complexity: O(its pixels).
  ///   - steps: Steps of a pixel, along each axis: a power of two up to 8.
  init(_ drawing: borrowing GlyphDrawing, steps: Int) {
    shift = steps.trailingZeroBitCount
    let (width, height) = (drawing.width, drawing.height)
    left = drawing.left
    top = drawing.top
    self.width = width
    self.height = height
    let row = width + 1
    sums = [UInt16](unsafeUninitializedCapacity: row * (height + 1)) { sums, count in
      count = row * (height + 1)
      sums[0..<row].initialize(repeating: 0)
      for y in 0..<height {
        let above = y * row
        let place = above + row
        var sum: UInt16 = 0
        sums[place] = 0
        for x in 0..<width {
          sum &+= UInt16(drawing.coverage[y * width + x])
          sums[place + x + 1] = sums[above + x + 1] &+ sum
        }
      }
    }
  }

  /// Adds the image of the glyph to others.
  ///
  /// - Parameters:
  ///   - x: Steps to the right of a pixel.
  ///   - y: Steps below it.
  ///   - bytes: Receives the coverage of pixels, row by row.
  func image(x: Int, y: Int, _ bytes: inout [UInt8]) -> GlyphImages.Image {
    let steps = 1 << shift
    let half = UInt16(steps * steps / 2)
    guard width > 0, height > 0 else { return .empty }
    let columns = (left + x) >> shift..<(left + x + width + steps - 1) >> shift
    let rows = (top + y) >> shift..<(top + y + height + steps - 1) >> shift
    let image = GlyphImages.Image(
      left: Int32(columns.lowerBound),
      top: Int32(rows.lowerBound),
      width: Int16(columns.count),
      height: Int16(rows.count),
      start: Int32(bytes.count)
    )
    bytes.append(contentsOf: repeatElement(0, count: rows.count * columns.count))
    var place = Int(image.start)
    bytes.withUnsafeMutableBufferPointer { bytes in
      for row in rows {
        let start = row << shift - top - y
        let above = min(max(start, 0), height) * (width + 1)
        let below = min(max(start + steps, 0), height) * (width + 1)
        for column in columns {
          let start = column << shift - left - x
          let before = min(max(start, 0), width)
          let after = min(max(start + steps, 0), width)
          let sum =
            sums[below + after] &- sums[below + before] &- sums[above + after]
            &+ sums[above + before]
          bytes[place] = UInt8(truncatingIfNeeded: (sum &+ half) >> UInt16(2 * shift))
          place += 1
        }
      }
    }
    return image
  }
}
