internal import DocumentModel
package import PNGCoding
internal import RectoGeometry

/// Binary PPM and PGM (netpbm): a header of three lines, then a byte for each channel of each pixel.
package enum Pixmap {
  /// A picture as a file.
  ///
  /// - Complexity: O(pixels).
  static func file(_ pixels: PixelMemory, isGray: Bool) -> [UInt8] {
    let header = header(pixels.size, isGray: isGray)
    let count = bytes(pixels.size, isGray: isGray)
    return [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
      guard var next = target.baseAddress else { return }
      _ = target.initialize(from: header)
      next += header.count
      for y in 0..<pixels.size.height {
        if isGray {
          for pixel in pixels.row(y) {
            next.initialize(to: pixel.gray)
            next += 1
          }
        } else {
          RowPacking.rgb(pixels.bytes + y * pixels.stride, pixels.size.width, into: next)
          next += pixels.size.width * 3
        }
      }
      initialized = count
    }
  }

  /// The length of a file.
  static func bytes(_ size: PixelSize, isGray: Bool) -> Int {
    header(size, isGray: isGray).count + size.width * size.height * (isGray ? 1 : 3)
  }

  /// Whether bytes are a picture of a size, as ``file(_:isGray:)`` writes it.
  static func isPicture(_ file: [UInt8], size: PixelSize, isGray: Bool) -> Bool {
    file.count == bytes(size, isGray: isGray) && file.starts(with: header(size, isGray: isGray))
  }

  /// The pixels of a file, as ``file(_:isGray:)`` writes it.
  ///
  /// - Parameters:
  ///   - file: The file. Comments and other depths of pixels are not read.
  ///   - maxPixels: The most pixels that it may have.
  /// - Returns: Opaque pixels; nil if it is no such file.
  /// - Complexity: O(pixels).
  package static func picture(_ file: [UInt8], maxPixels: Int) -> PNGPicture? {
    // The longest header has two sides of ten digits.
    let lines = file.prefix(32).split(separator: UInt8(ascii: "\n"), maxSplits: 2)
    guard lines.count == 3, let type = lines[0].last, file.first == UInt8(ascii: "P") else {
      return nil
    }
    let sides = lines[1].split(separator: UInt8(ascii: " ")).map {
      Int(String(decoding: $0, as: UTF8.self)) ?? 0
    }
    let isGray = type == UInt8(ascii: "5")
    guard sides.count == 2 else { return nil }
    let size = PixelSize(width: sides[0], height: sides[1])
    guard size.width > 0, size.height > 0, let area = size.area, area <= maxPixels,
      isPicture(file, size: size, isGray: isGray)
    else { return nil }
    let start = file.count - area * (isGray ? 1 : 3)
    let pixels = [UInt32](unsafeUninitializedCapacity: area) { target, initialized in
      for index in 0..<area {
        let first = isGray ? start + index : start + index * 3
        let (green, blue) = isGray ? (first, first) : (first + 1, first + 2)
        let color = UInt32(file[first]) << 16 | UInt32(file[green]) << 8 | UInt32(file[blue])
        target.initializeElement(at: index, to: 0xFF00_0000 | color)
      }
      initialized = area
    }
    return PNGPicture(size: size, pixels: pixels)
  }

  private static func header(_ size: PixelSize, isGray: Bool) -> [UInt8] {
    Array("P\(isGray ? 5 : 6)\n\(size.width) \(size.height)\n255\n".utf8)
  }
}
