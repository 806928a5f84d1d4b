// SPDX-License-Identifier: GPL-2.0-or-later

/// White paper under a finished page.
///
/// White painted first would affect blend modes: pdftocairo, Evince and tumbler show such pages differently.
enum Paper {
  /// Puts white under pixels.
  ///
  /// - Parameter pixels: Premultiplied 0xAARRGGBB, without gaps.
  /// - Complexity: O(*n*). Limited by memory bandwidth, unlike cairo's operator for it.
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

  /// Removes the paper of a page that was drawn on white and on black.
  ///
  /// The smallest difference of the three colors is the page's transparency. On white paper the result equals the page,
  /// even where it blends with its paper.
  ///
  /// - Parameters:
  ///   - pixels: The page on white, 0xFFRRGGBB, without gaps; becomes premultiplied 0xAARRGGBB.
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
      // No color is less than the transparency, so there is no borrow between colors.
      pixels.storeBytes(of: onWhite &- light &* 0x0101_0101, toByteOffset: place, as: UInt32.self)
    }
  }

  /// All bytes of a pixel get what its alpha lacks.
  @inline(__always)
  private static func onPaper(_ page: SIMD4<UInt32>) -> SIMD4<UInt32> {
    let lack = (255 &- page &>> 24) &* 0x0101_0101
    let bytes = unsafeBitCast(page, to: SIMD16<UInt8>.self)
    let sum = bytes &+ unsafeBitCast(lack, to: SIMD16<UInt8>.self)
    // An image in the document may have colors that exceed its alpha.
    let result = sum.replacing(with: 255, where: sum .< bytes)
    return unsafeBitCast(result, to: SIMD4<UInt32>.self)
  }
}
