public import RectoGeometry

/// The content of IHDR, the first chunk of a PNG.
public struct PNGHeader: Hashable, Sendable {
  /// How a pixel is made of samples. The raw value is PNG's color type.
  public enum ColorType: UInt8, Hashable, Sendable {
    /// One gray sample of 1, 2, 4, 8 or 16 bits.
    case gray = 0
    /// Red, green and blue of 8 or 16 bits.
    case rgb = 2
    /// An index of 1, 2, 4 or 8 bits into a palette of RGB colors.
    case palette = 3
    /// Gray and alpha of 8 or 16 bits.
    case grayAlpha = 4
    /// Red, green, blue and alpha of 8 or 16 bits.
    case rgba = 6

    /// Samples per pixel.
    public var samples: Int {
      switch self {
      case .gray, .palette: 1
      case .grayAlpha: 2
      case .rgb: 3
      case .rgba: 4
      }
    }
  }

  /// Columns and rows, each from 1 to 2^31 - 1.
  public var size: PixelSize
  /// Bits per sample: 1, 2, 4, 8 or 16, as the color type allows.
  public var bitDepth: Int
  /// How a pixel is made of samples.
  public var colorType: ColorType
  /// Whether the rows are in Adam7 order.
  public var isInterlaced: Bool

  /// A header from its parts.
  ///
  /// - Parameters:
  ///   - size: Columns and rows.
  ///   - bitDepth: Bits per sample, as the color type allows.
  ///   - colorType: How a pixel is made of samples.
  ///   - isInterlaced: Whether the rows are in Adam7 order.
  public init(size: PixelSize, bitDepth: Int, colorType: ColorType, isInterlaced: Bool = false) {
    self.size = size
    self.bitDepth = bitDepth
    self.colorType = colorType
    self.isInterlaced = isInterlaced
  }

  /// Bytes of one row without its filter byte, or nil when the product does not fit.
  var rowBytes: Int? {
    let (bits, overflow) = size.width.multipliedReportingOverflow(by: colorType.samples * bitDepth)
    return overflow ? nil : bits / 8 + (bits % 8 == 0 ? 0 : 1)
  }

  /// Whether ``PNGEncoder/tile(_:stride:size:)`` writes this kind.
  var isTile: Bool {
    switch colorType {
    case .gray, .palette, .rgb: bitDepth <= 8 && !isInterlaced
    case .grayAlpha, .rgba: false
    }
  }

  /// The data of an IHDR chunk.
  var bytes: [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(13)
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: size.width))
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: size.height))
    bytes += [UInt8(truncatingIfNeeded: bitDepth), colorType.rawValue, 0, 0, isInterlaced ? 1 : 0]
    return bytes
  }
}
