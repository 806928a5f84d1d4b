// SPDX-License-Identifier: GPL-2.0-or-later

/// The coverage of a glyph in steps of a part of a pixel, from which its image at any step is told.
///
/// Of each point it has the coverage of all that lies above it and to its left, so that the coverage of a pixel is
/// told by four of them (a summed-area table: Crow, "Summed-area tables for texture mapping", 1984). An outline is
/// drawn once and not for each of its positions.
struct CoverageSums {
  /// Steps of a pixel, along each axis, are 2 to the power of this; no more than 3.
  private let shift: Int
  /// From the glyph's origin, in steps; y points down.
  private let left: Int
  private let top: Int
  /// In steps.
  private let width: Int
  private let height: Int
  /// Modulo 2¹⁶, which the coverage of a pixel stays below: 64 · 255.
  private let sums: [UInt16]

  /// Bytes of memory.
  var bytes: Int { sums.count * 2 }

  /// - Parameters:
  ///   - drawing: The glyph, drawn larger by the number of steps. Complexity: O(its pixels).
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
  ///   - bytes: Gets the coverage of pixels, a row after the other.
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
