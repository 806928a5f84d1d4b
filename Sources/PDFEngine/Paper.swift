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
