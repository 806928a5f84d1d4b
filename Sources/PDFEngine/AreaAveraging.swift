// SPDX-License-Identifier: GPL-2.0-or-later

public import RectoGeometry

/// Reduces pixels by exact area averaging: each pixel of the result is the average of the source pixels it covers,
/// weighted by the covered fraction, and rounded half up.
///
/// A pixel is four channels of 8 bits. Colors must be premultiplied, so that transparent pixels do not count; then no
/// color of the result exceeds its alpha either. If a source pixel is as many units wide as the result has columns, all
/// edges are integers, so sums are exact.
public struct AreaAveraging: Hashable, Sendable {
  /// The size of the source in pixels.
  public let source: PixelSize
  /// The size of the result in pixels.
  public let target: PixelSize

  /// The longest side of a source in pixels.
  static let largestSide = Int(UInt16.max)
  /// The most pixels of a source: sums of 255 times as much are exact as a `Double`.
  static let largestArea = 1 << 32

  /// An averaging from one size to another; nil if the result is empty or larger than the source, or if the source has
  /// more than 65,535 pixels a side.
  ///
  /// - Parameters:
  ///   - source: The size of the source in pixels.
  ///   - target: The size of the result in pixels.
  public init?(from source: PixelSize, to target: PixelSize) {
    guard target.width >= 1, target.height >= 1, target.width <= source.width,
      target.height <= source.height, max(source.width, source.height) <= Self.largestSide,
      let area = source.area, area <= Self.largestArea
    else { return nil }
    self.source = source
    self.target = target
  }

  /// Reduces pixels.
  ///
  /// - Parameters:
  ///   - pixels: The rows of the source.
  ///   - stride: The distance between rows of the source in bytes.
  ///   - result: The rows of the result. Not written if the memory does not hold the pixels.
  ///   - resultStride: The distance between rows of the result in bytes.
  /// - Complexity: O(pixels of the source).
  public func reduce(
    _ pixels: UnsafeRawBufferPointer,
    stride: Int,
    into result: UnsafeMutableRawBufferPointer,
    stride resultStride: Int
  ) {
    guard Self.holds(source, pixels.count, stride),
      Self.holds(target, result.count, resultStride),
      let input = pixels.assumingMemoryBound(to: UInt8.self).baseAddress,
      let output = result.assumingMemoryBound(to: UInt8.self).baseAddress
    else { return }
    let isHalf = source.width == 2 * target.width && source.height == 2 * target.height
    let sums = UnsafeMutablePointer<UInt32>.allocate(capacity: source.width * 4)
    defer { sums.deallocate() }
    let columns = isHalf ? [] : (0..<target.width).map { Cover($0, source.width, target.width) }
    for row in 0..<target.height {
      let target = output + row * resultStride
      if isHalf {
        let upper = input + 2 * row * stride
        halve(upper, upper + stride, into: target)
      } else {
        addRows(under: row, of: input, stride: stride, to: sums)
        averageColumns(of: sums, under: columns, into: target)
      }
    }
  }

  /// Whether memory holds rows of pixels.
  static func holds(_ size: PixelSize, _ bytes: Int, _ stride: Int) -> Bool {
    stride >= size.width * 4 && stride <= Int(Int32.max)
      && (size.height - 1) * stride + size.width * 4 <= bytes
  }

  /// Averages two by two pixels.
  @inline(__always)
  private func halve(
    _ upper: UnsafePointer<UInt8>,
    _ lower: UnsafePointer<UInt8>,
    into target: UnsafeMutablePointer<UInt8>
  ) {
    for column in 0..<self.target.width {
      let (above, below) = (upper + column * 8, lower + column * 8)
      for channel in 0..<4 {
        let sum =
          UInt16(above[channel]) &+ UInt16(above[channel &+ 4]) &+ UInt16(below[channel])
          &+ UInt16(below[channel &+ 4])
        target[column &* 4 &+ channel] = UInt8(truncatingIfNeeded: (sum &+ 2) &>> 2)
      }
    }
  }

  /// The source pixels covered by a pixel of the result on one axis, with the covered units.
  private struct Cover {
    let first: Int
    let last: Int
    let firstWeight: Int
    let lastWeight: Int

    /// - Parameters:
    ///   - index: The pixel of the result.
    ///   - source: The pixels of the source; each has as many units as the result has pixels.
    ///   - target: The pixels of the result; each has as many units as the source has pixels.
    init(_ index: Int, _ source: Int, _ target: Int) {
      let start = index * source
      let end = start + source
      first = start / target
      last = (end - 1) / target
      firstWeight = min(end, (first + 1) * target) - start
      lastWeight = end - max(start, last * target)
    }
  }

  /// Sums up the source rows of a row of the result, channel by channel, with their weights.
  private func addRows(
    under row: Int,
    of pixels: UnsafePointer<UInt8>,
    stride: Int,
    to sums: UnsafeMutablePointer<UInt32>
  ) {
    let count = source.width * 4
    let cover = Cover(row, source.height, target.height)
    sums.update(repeating: 0, count: count)
    for line in cover.first...cover.last {
      let weight =
        line == cover.first
        ? cover.firstWeight : line == cover.last ? cover.lastWeight : target.height
      Self.add(pixels + line * stride, times: UInt16(weight), to: sums, count: count)
    }
  }

  /// Adds a row with a weight. Both factors have 16 bits, because SSE2 has no multiplication of 32-bit numbers.
  @inline(__always)
  private static func add(
    _ row: UnsafePointer<UInt8>,
    times weight: UInt16,
    to sums: UnsafeMutablePointer<UInt32>,
    count: Int
  ) {
    for index in 0..<count {
      sums[index] = sums[index] &+ UInt32(row[index]) &* UInt32(weight)
    }
  }

  /// Averages the sums of rows over the columns under each pixel of a row of the result.
  ///
  /// Sums are whole numbers below 2^53, so a `Double` holds them exactly.
  private func averageColumns(
    of sums: UnsafePointer<UInt32>,
    under covers: [Cover],
    into result: UnsafeMutablePointer<UInt8>
  ) {
    let inverse = 1 / Double(source.width * source.height)
    let width = Double(target.width)
    var output = UnsafeMutableRawPointer(result)
    for cover in covers {
      var sum = Self.pixel(sums, cover.first) * Double(cover.firstWeight)
      if cover.last > cover.first {
        var inner = SIMD4<Double>.zero
        for index in cover.first &+ 1..<cover.last { inner += Self.pixel(sums, index) }
        sum += inner * width + Self.pixel(sums, cover.last) * Double(cover.lastWeight)
      }
      // Adding a quarter makes halves round up: it is far more than the rounding error of the product and far less than
      // the distance between sums. At 2^52 a `Double` has no fraction, so adding it rounds, and leaves the integer in
      // the last bits.
      let average = (sum + 0.25) * inverse + 0x1p52
      let bits = unsafeBitCast(average, to: SIMD4<UInt64>.self)
      output.storeBytes(of: SIMD4<UInt8>(truncatingIfNeeded: bits), as: SIMD4<UInt8>.self)
      output += 4
    }
  }

  @inline(__always)
  private static func pixel(_ sums: UnsafePointer<UInt32>, _ index: Int) -> SIMD4<Double> {
    // Below 2^24, so signed: x86 converts no other integers.
    SIMD4<Double>(UnsafeRawPointer(sums + index &* 4).loadUnaligned(as: SIMD4<Int32>.self))
  }
}
