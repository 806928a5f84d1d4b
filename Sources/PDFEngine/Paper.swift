// SPDX-License-Identifier: GPL-2.0-or-later

/// White paper under a finished page.
///
/// White that is painted first would take part in blend modes: pdftocairo, Evince and tumbler show such pages
/// otherwise.
enum Paper {
  /// Puts white under pixels.
  ///
  /// - Parameter pixels: 0xAARRGGBB, with colors multiplied by alpha, without a gap.
  /// - Complexity: O(*n*). It takes as long as the memory does, which cairo's operator for it does not.
  static func add(under pixels: UnsafeMutableRawBufferPointer) {
    guard let start = pixels.baseAddress else { return }
    var place = 0
    while place &+ 16 <= pixels.count {
      let four = start + place
      let page = four.loadUnaligned(as: SIMD4<UInt32>.self)
      four.storeBytes(of: onPaper(page), as: SIMD4<UInt32>.self)
      place &+= 16
    }
    while place &+ 4 <= pixels.count {
      let page = SIMD4((start + place).load(as: UInt32.self), 0, 0, 0)
      (start + place).storeBytes(of: onPaper(page).x, as: UInt32.self)
      place &+= 4
    }
  }

  /// Takes the paper away from a page that was drawn on white and on black.
  ///
  /// The least that differs between the two, of the three colors, is what the page lets through. On white paper the result
  /// is the page again, also where it blends with its paper.
  ///
  /// - Parameters:
  ///   - pixels: The page on white, 0xFFRRGGBB, without a gap; becomes 0xAARRGGBB, with colors multiplied by alpha.
  ///   - black: The page on black, as many pixels.
  /// - Complexity: O(*n*).
  static func remove(
    from pixels: UnsafeMutableRawBufferPointer,
    onBlack black: UnsafeRawBufferPointer
  ) {
    for place in stride(from: 0, to: min(pixels.count, black.count) & ~3, by: 4) {
      let onWhite = pixels.load(fromByteOffset: place, as: UInt32.self)
      let onBlack = black.load(fromByteOffset: place, as: UInt32.self)
      var light: UInt32 = 255
      for shift in stride(from: UInt32(0), to: 24, by: 8) {
        let (bright, dark) = (onWhite >> shift & 255, onBlack >> shift & 255)
        light = min(light, bright > dark ? bright &- dark : 0)
      }
      // No color is less than the light, and none takes of the next one.
      pixels.storeBytes(of: onWhite &- light &* 0x0101_0101, toByteOffset: place, as: UInt32.self)
    }
  }

  /// All bytes of a pixel get what its alpha lacks.
  @inline(__always)
  private static func onPaper(_ page: SIMD4<UInt32>) -> SIMD4<UInt32> {
    let lack = (255 &- page &>> 24) &* 0x0101_0101
    let bytes = unsafeBitCast(page, to: SIMD16<UInt8>.self)
    let sum = bytes &+ unsafeBitCast(lack, to: SIMD16<UInt8>.self)
    // A picture in the document may have colors beyond its alpha.
    let result = sum.replacing(with: 255, where: sum .< bytes)
    return unsafeBitCast(result, to: SIMD4<UInt32>.self)
  }
}
