public import DocumentModel
public import PNGCoding

/// The resolution of a whole page or window, written into a finished file. Tiles have none.
public enum PictureResolution {
  /// The same picture with a resolution, without coding it again.
  ///
  /// PNG gets a pHYs chunk, and JPEG the densities of its JFIF header, which are whole numbers of pixels per inch
  /// up to 65,535. WebP has no field for a resolution: the file stays as it is.
  ///
  /// - Parameters:
  ///   - pixelsPerInch: More than 0.
  ///   - file: A picture without a resolution, as an engine makes it.
  ///   - format: Its format.
  /// - Returns: The file.
  /// - Throws: `PNGError` if the number does not fit into a PNG, or `file` is not one.
  /// - Complexity: O(bytes).
  public static func setting(
    pixelsPerInch: Double,
    in file: [UInt8],
    _ format: PictureFormat
  ) throws(PNGError) -> [UInt8] {
    switch format {
    case .png: return try PNGMetadata(pixelsPerInch: pixelsPerInch).added(to: file)
    case .jpeg:
      guard file.count >= 18 else { return file }
      let density = min(max(pixelsPerInch.rounded(), 1), 65_535)
      let (high, low) = UInt16(density).quotientAndRemainder(dividingBy: 256)
      // After SOI, marker, length, `JFIF` and the version: the unit, 1 for the inch, and both densities.
      var file = file
      let field: [UInt8] = [1, UInt8(high), UInt8(low), UInt8(high), UInt8(low)]
      file.replaceSubrange(13..<18, with: field)
      return file
    case .webp: return file
    }
  }
}
