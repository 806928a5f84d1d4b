package import DocumentModel
package import PNGCoding

/// Metadata of a picture of a page or window, written into a finished file. Tiles have none.
package struct PictureDescription: Hashable, Sendable {
  /// More than 0.
  package var pixelsPerInch: Double

  /// A description from its parts.
  package init(pixelsPerInch: Double) { self.pixelsPerInch = pixelsPerInch }

  /// The same picture with its resolution and color space, sRGB, without encoding it again.
  ///
  /// PNG gets an sRGB and a pHYs chunk. JPEG gets a profile (``ColorProfile``) and the densities of its JFIF header, which
  /// are whole numbers of pixels per inch up to 65,535. TIFF gets its resolution; readers take its colors as sRGB. WebP and
  /// PPM have no field for a resolution, WebP is sRGB by default, and SVG and PDF have no pixels: these files are
  /// returned unchanged.
  ///
  /// - Parameters:
  ///   - file: A picture without a description, as an engine makes it.
  ///   - style: Its format, and whether it is gray.
  /// - Throws: `PNGError` if the number does not fit into a PNG, or `file` is not one.
  /// - Complexity: O(bytes).
  package func added(to file: [UInt8], _ style: PictureStyle) throws(PNGError) -> [UInt8] {
    switch style.format {
    case .png:
      return try PNGMetadata(pixelsPerInch: pixelsPerInch, isStandardRGB: true).added(to: file)
    case .jpeg: return addedToJPEG(file, isGray: style.isGray)
    case .tiff: return TIFFStructure.described(file, pixelsPerInch: pixelsPerInch)
    case .webp, .ppm, .svg, .pdf: return file
    }
  }

  private func addedToJPEG(_ file: [UInt8], isGray: Bool) -> [UInt8] {
    // SOI and a JFIF header without a thumbnail: 2 + 18 bytes.
    guard file.count >= 20 else { return file }
    let density = min(max(pixelsPerInch.rounded(), 1), 65_535)
    let (high, low) = UInt16(density).quotientAndRemainder(dividingBy: 256)
    // After SOI, marker, length, `JFIF` and the version: the unit, 1 for the inch, and both densities.
    var file = file
    let field: [UInt8] = [1, UInt8(high), UInt8(low), UInt8(high), UInt8(low)]
    file.replaceSubrange(13..<18, with: field)
    // One part of one, in an APP2 segment (ICC.1, annex B.4), whose length counts its own two bytes.
    let profile =
      Array("ICC_PROFILE\0".utf8) + [1, 1]
      + (isGray ? ColorProfile.standardGray : ColorProfile.standardRGB)
    let (lengthHigh, lengthLow) = (profile.count + 2).quotientAndRemainder(dividingBy: 256)
    file.insert(contentsOf: [0xFF, 0xE2, UInt8(lengthHigh), UInt8(lengthLow)] + profile, at: 20)
    return file
  }
}
