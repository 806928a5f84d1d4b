// SPDX-License-Identifier: GPL-2.0-or-later

internal import CPixelLoops
internal import RectoGeometry

/// Makes a reduced picture of a part of an image.
///
/// Cairo's filter processes each pixel of the result separately, with everything that it covers, in 16-bit numbers,
/// which takes two fifths of the time of a scanned page. Here the rows are added up first, then the columns.
struct ImageReduction {
  private let columns: CoveredPixels
  private let rows: CoveredPixels
  /// The image's size in pixels.
  private let source: PixelSize
  /// The picture's size in pixels.
  private let target: PixelSize

  /// - Parameters:
  ///   - source: The image's size in pixels.
  ///   - rect: The part of the surface to make, in pixels.
  ///   - across: How columns of the surface map to the image: image pixels per column, and where column 0 begins.
  init(
    _ source: PixelSize,
    rect: PixelRect,
    across: (scale: Double, origin: Double),
    down: (scale: Double, origin: Double)
  ) {
    self.source = source
    target = rect.size
    columns = CoveredPixels(
      of: rect.x..<rect.maxX,
      scale: across.scale,
      origin: across.origin,
      in: source.width
    )
    rows = CoveredPixels(
      of: rect.y..<rect.maxY,
      scale: down.scale,
      origin: down.origin,
      in: source.height
    )
  }

  /// Makes the picture.
  ///
  /// - Parameters:
  ///   - image: The rows of the image, four bytes a pixel.
  ///   - imageStride: The distance between its rows in bytes.
  ///   - picture: Where the rows of the picture go. Unchanged if the image or the picture does not fit the memory.
  ///   - pictureStride: The distance between its rows in bytes.
  /// - Complexity: O(covered pixels).
  func reduce(
    _ image: UnsafeRawBufferPointer,
    stride imageStride: Int,
    into picture: UnsafeMutableRawBufferPointer,
    stride pictureStride: Int
  ) {
    guard AreaAveraging.holds(source, image.count, imageStride),
      AreaAveraging.holds(target, picture.count, pictureStride),
      let input = image.assumingMemoryBound(to: UInt8.self).baseAddress,
      let output = picture.assumingMemoryBound(to: UInt8.self).baseAddress
    else { return }
    // Only the columns that are covered.
    guard let low = columns.first.min(), let high = lastColumn, low <= high else { return }
    let count = (high - Int(low) + 1) * 4
    let first = columns.first.map { $0 - low }
    withUnsafeTemporaryAllocation(of: UInt32.self, capacity: count) { sums in
      withUnsafeTemporaryAllocation(of: UInt16.self, capacity: count) { values in
        guard let sum = sums.baseAddress, let value = values.baseAddress else { return }
        for row in 0..<target.height {
          sums.initialize(repeating: 0)
          for tap in rows.bounds[row]..<rows.bounds[row + 1] {
            let y = Int(rows.first[row]) + Int(tap - rows.bounds[row])
            let bytes = input + (y * imageStride + Int(low) * 4)
            recto_add_weighted(sum, bytes, rows.weights[Int(tap)], count)
          }
          recto_round_sums(value, sum, count)
          recto_gather_weighted(
            output + row * pictureStride,
            value,
            first,
            columns.bounds,
            columns.weights,
            target.width
          )
        }
      }
    }
  }

  /// The last column of the image that is covered.
  private var lastColumn: Int? {
    columns.first.indices.map { index in
      Int(columns.first[index]) + Int(columns.bounds[index + 1] - columns.bounds[index]) - 1
    }.max()
  }
}
