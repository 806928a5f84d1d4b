internal import RectoGeometry

/// Turns unfiltered rows into 32-bit pixels.
struct Expansion {
  var header: PNGHeader
  /// Opaque words, for color type palette.
  var palette: [UInt32]

  /// The pixels of rows of `pitch` bytes, the first of each its filter byte.
  ///
  /// - Throws: ``PNGError/Code-swift.enum/damaged`` when an index lies outside the palette.
  func pixels(_ bytes: [UInt8], pitch: Int) throws(PNGError) -> [UInt32] {
    let width = header.size.width
    var pixels = [UInt32](repeating: 0, count: width * header.size.height)
    var output = pixels.mutableSpan
    let bytes = bytes.span
    switch header.colorType {
    case .gray, .palette:
      try samples(bytes, pitch: pitch, into: &output)
    case .rgb:
      for y in 0..<header.size.height {
        var offset = y * pitch + 1
        for x in 0..<width {
          output[y * width + x] = Self.color(bytes, offset) | 0xFF00_0000
          offset += 3
        }
      }
    case .rgba:
      for y in 0..<header.size.height {
        var offset = y * pitch + 1
        for x in 0..<width {
          let alpha = UInt32(bytes[offset + 3])
          output[y * width + x] = Self.multiplied(Self.color(bytes, offset), alpha)
          offset += 4
        }
      }
    case .grayAlpha:
      throw PNGError(.unsupported, during: "decode PNG", "gray with alpha is not read")
    }
    return pixels
  }

  /// Samples of 1 to 8 bits, mapped through a table.
  private func samples(
    _ bytes: Span<UInt8>,
    pitch: Int,
    into output: inout MutableSpan<UInt32>
  ) throws(PNGError) {
    let width = header.size.width
    let depth = header.bitDepth
    let colors = table()
    let perByte = 8 / depth
    let mask = (1 << depth) - 1
    // Words of the table are opaque; 0 marks indices beyond the palette.
    var missing = false
    for y in 0..<header.size.height {
      let start = y * pitch + 1
      let target = y * width
      if depth == 8 {
        for x in 0..<width {
          let color = colors[Int(bytes[start + x])]
          missing = missing || color == 0
          output[target + x] = color
        }
      } else {
        for x in 0..<width {
          let shift = 8 - depth - (x % perByte) * depth
          let color = colors[(Int(bytes[start + x / perByte]) >> shift) & mask]
          missing = missing || color == 0
          output[target + x] = color
        }
      }
    }
    guard !missing else {
      throw PNGError(
        .damaged,
        during: "decode PNG",
        "an index lies outside the \(palette.count) colors"
      )
    }
  }

  /// 256 words; 0 where no sample can have the value.
  private func table() -> [UInt32] {
    let values = 1 << header.bitDepth
    var table = [UInt32](repeating: 0, count: 256)
    for value in 0..<values {
      if header.colorType == .gray {
        table[value] = ScanRows.color(gray: value * 255 / (values - 1))
      } else if value < palette.count {
        table[value] = palette[value]
      }
    }
    return table
  }

  /// Red, green and blue at `offset` as 0x00RRGGBB.
  @inline(__always)
  private static func color(_ bytes: Span<UInt8>, _ offset: Int) -> UInt32 {
    UInt32(bytes[offset]) << 16 | UInt32(bytes[offset + 1]) << 8 | UInt32(bytes[offset + 2])
  }

  /// A color multiplied by its alpha, each channel rounded to the nearest.
  private static func multiplied(_ color: UInt32, _ alpha: UInt32) -> UInt32 {
    if alpha == 255 { return color | 0xFF00_0000 }
    func channel(_ shift: UInt32) -> UInt32 {
      ((((color >> shift) & 0xFF) * alpha + 127) / 255) << shift
    }
    return alpha << 24 | channel(16) | channel(8) | channel(0)
  }
}
