internal import Glibc
internal import RectoGeometry

/// A tile of one color, which is encoded once.
struct ConstantTile: Hashable {
  var color: UInt32
  var width: Int
  var height: Int
}

/// One function per kind of picture that the scan tells apart.
extension PNGEncoder {
  /// Mostly for blank paper: pages need two colors, and a few sizes at the edges.
  private static var constantsKept: Int { 64 }

  mutating func encodeConstant(
    _ color: UInt32,
    _ pixels: PixelRows,
    _ chunks: [PNGMetadata.Chunk]
  ) -> [UInt8] {
    let tile = ConstantTile(color: color, width: pixels.width, height: pixels.height)
    if chunks.isEmpty, let known = constants[tile] { return known }
    // One bit per pixel, all zero: black, or the only color of a palette.
    let header = PNGHeader(
      size: pixels.size,
      bitDepth: 1,
      colorType: opaque(color) == 0xFF00_0000 ? .gray : .palette
    )
    let pitch = 1 + RowPacking.byteCount(width: pixels.width, depth: 1)
    let zeros = rows.bytes(pitch * pixels.height)
    zeros.initializeMemory(as: UInt8.self, repeating: 0)
    let palette = header.colorType == .gray ? [] : Self.rgb(color)
    let result = file(header, palette: palette, chunks, rows: zeros)
    if chunks.isEmpty {
      if constants.count >= Self.constantsKept { constants.removeAll(keepingCapacity: true) }
      constants[tile] = result
    }
    return result
  }

  mutating func encodeGray(
    _ bytes: UnsafeMutableRawBufferPointer,
    _ pixels: PixelRows,
    _ chunks: [PNGMetadata.Chunk]
  ) -> [UInt8] {
    let count = scan.colors.count
    // The largest spacing of gray levels that has every value: 255, 85 or 17.
    let spacing = [255, 85, 17].first { spacing in
      (0..<count).allSatisfy { Int(scan.colors[$0] & 0xFF) % spacing == 0 }
    }
    if let spacing {
      let depth = spacing == 255 ? 1 : spacing == 85 ? 2 : 4
      let samples = (0..<256).map { UInt8($0 / spacing) }
      return encodePacked(bytes, .gray, depth: depth, samples, pixels, chunks)
    }
    if count <= 16 {
      var indices = [UInt8](repeating: 0, count: 256)
      for index in 0..<count { indices[Int(scan.colors[index] & 0xFF)] = UInt8(index) }
      return encodePacked(
        bytes,
        .palette,
        depth: Self.depth(colors: count),
        indices,
        pixels,
        chunks
      )
    }
    return encodeFullGray(bytes, pixels, chunks)
  }

  /// 8 bits per pixel, filtered.
  private mutating func encodeFullGray(
    _ bytes: UnsafeMutableRawBufferPointer,
    _ pixels: PixelRows,
    _ chunks: [PNGMetadata.Chunk]
  ) -> [UInt8] {
    let header = PNGHeader(size: pixels.size, bitDepth: 8, colorType: .gray)
    let pitch = PixelScan.pitch(width: pixels.width)
    let zeros = row.bytes(pixels.width)
    zeros.initializeMemory(as: UInt8.self, repeating: 0)
    guard let source = bytes.baseAddress, let top = zeros.baseAddress else { return [] }
    func pair(_ y: Int) -> RowFilter.Rows {
      let above = y == 0 ? UnsafeRawPointer(top) : UnsafeRawPointer(source + (y - 1) * pitch + 1)
      let row = UnsafeRawPointer(source + y * pitch + 1)
      return RowFilter.Rows(row: row, above: above, count: pixels.width, step: 1)
    }
    let weight = RowFilter.Bytes(repeating: 255)
    let filtering = filtering.narrowed(height: pixels.height, weight, pair)
    if filtering == .none { return file(header, chunks, rows: bytes) }
    let output = rows.bytes(pitch * pixels.height)
    guard let target = output.baseAddress else { return [] }
    for y in 0..<pixels.height {
      let filter = filtering.filter(pair(y), weight)
      (target + y * pitch).storeBytes(of: filter.rawValue, as: UInt8.self)
      filter.apply(pair(y), into: target + y * pitch + 1)
    }
    return file(header, chunks, rows: output, isBusy: true)
  }

  mutating func encodePalette(
    _ bytes: UnsafeMutableRawBufferPointer,
    _ pixels: PixelRows,
    _ chunks: [PNGMetadata.Chunk]
  ) -> [UInt8] {
    let depth = Self.depth(colors: scan.colors.count)
    if depth < 8 { return encodePacked(bytes, .palette, depth: depth, nil, pixels, chunks) }
    let header = PNGHeader(size: pixels.size, bitDepth: 8, colorType: .palette)
    // Neighboring indices are unrelated colors, so differences would be noise.
    return file(header, palette: palette(), chunks, rows: bytes)
  }

  /// Fewer than 8 bits per pixel; filters do not help there.
  private mutating func encodePacked(
    _ bytes: UnsafeMutableRawBufferPointer,
    _ colorType: PNGHeader.ColorType,
    depth: Int,
    _ replacement: [UInt8]?,
    _ pixels: PixelRows,
    _ chunks: [PNGMetadata.Chunk]
  ) -> [UInt8] {
    let header = PNGHeader(size: pixels.size, bitDepth: depth, colorType: colorType)
    let pitch = PixelScan.pitch(width: pixels.width)
    let packedPitch = 1 + RowPacking.byteCount(width: pixels.width, depth: depth)
    let packed = rows.bytes(packedPitch * pixels.height)
    guard let source = bytes.baseAddress, let target = packed.baseAddress else { return [] }
    for y in 0..<pixels.height {
      let row = source + y * pitch + 1
      if let replacement { ScanRows.replace(row, pixels.width, by: replacement) }
      let output = target + y * packedPitch
      output.storeBytes(of: 0, as: UInt8.self)
      RowPacking.pack(row, pixels.width, depth: depth, into: output + 1)
    }
    let palette = colorType == .palette ? palette() : []
    return file(header, palette: palette, chunks, rows: packed)
  }

  mutating func encodeRGB(_ pixels: PixelRows, _ chunks: [PNGMetadata.Chunk]) -> [UInt8] {
    let header = PNGHeader(size: pixels.size, bitDepth: 8, colorType: .rgb)
    let count = pixels.width * 4
    let pitch = 1 + pixels.width * 3
    let scratch = row.bytes(count * 2)
    guard let difference = scratch.baseAddress else { return [] }
    let zeros = difference + count
    zeros.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    // The top byte of a pixel is not written, so it is not counted.
    let weight = unsafeBitCast(SIMD4<UInt32>(repeating: 0x00FF_FFFF), to: RowFilter.Bytes.self)
    func pair(_ y: Int) -> RowFilter.Rows {
      let above = y == 0 ? UnsafeRawPointer(zeros) : pixels.row(y - 1)
      return RowFilter.Rows(row: pixels.row(y), above: above, count: count, step: 4)
    }
    let filtering = filtering.narrowed(height: pixels.height, weight, pair)
    if filtering == .none,
      let file = file(
        header,
        pitch: pitch,
        chunks,
        { y, target in
          Self.writeRGB(pixels, y, pitch: pitch, into: target)
        }
      )
    {
      return file
    }
    let output = rows.bytes(pitch * pixels.height)
    guard let target = output.baseAddress else { return [] }
    for y in 0..<pixels.height {
      let filter = filtering.filter(pair(y), weight)
      let packed = target + y * pitch
      packed.storeBytes(of: filter.rawValue, as: UInt8.self)
      if filter == .none {
        RowPacking.rgb(pixels.row(y), pixels.width, into: packed + 1)
      } else {
        filter.apply(pair(y), into: difference)
        RowPacking.rgb(difference, pixels.width, into: packed + 1)
      }
    }
    return file(header, chunks, rows: output, isBusy: filtering != .none)
  }

  /// Writes a row without a filter, after the row above it. Half of the rows of a page equal the row above.
  private static func writeRGB(
    _ pixels: PixelRows,
    _ y: Int,
    pitch: Int,
    into target: UnsafeMutableRawPointer
  ) {
    if y > 0, memcmp(pixels.row(y), pixels.row(y - 1), pixels.width * 4) == 0 {
      target.copyMemory(from: target - pitch, byteCount: pitch)
    } else {
      target.storeBytes(of: RowFilter.none.rawValue, as: UInt8.self)
      RowPacking.rgb(pixels.row(y), pixels.width, into: target + 1)
    }
  }

  /// RGBA with the colors divided by alpha again.
  mutating func encodeRGBA(_ pixels: PixelRows, _ chunks: [PNGMetadata.Chunk]) -> [UInt8] {
    let header = PNGHeader(size: pixels.size, bitDepth: 8, colorType: .rgba)
    let count = pixels.width * 4
    let pitch = 1 + count
    let output = rows.bytes(pitch * pixels.height)
    let scratch = row.bytes(count * 2)
    guard let target = output.baseAddress, var above = scratch.baseAddress else { return [] }
    var current = above + count
    above.initializeMemory(as: UInt8.self, repeating: 0, count: count)
    for y in 0..<pixels.height {
      RowPacking.rgba(pixels.row(y), pixels.width, into: current)
      let pair = RowFilter.Rows(
        row: UnsafeRawPointer(current),
        above: UnsafeRawPointer(above),
        count: count,
        step: 4
      )
      let filter = filtering.filter(pair, RowFilter.Bytes(repeating: 255))
      let written = target + y * pitch
      written.storeBytes(of: filter.rawValue, as: UInt8.self)
      filter.apply(pair, into: written + 1)
      swap(&current, &above)
    }
    return file(header, chunks, rows: output, isBusy: true)
  }

  /// The colors of the last scan as the data of a PLTE chunk.
  private func palette() -> [UInt8] {
    (0..<scan.colors.count).flatMap { Self.rgb(scan.colors[$0]) }
  }

  private static func rgb(_ color: UInt32) -> [UInt8] {
    [
      UInt8(truncatingIfNeeded: color >> 16), UInt8(truncatingIfNeeded: color >> 8),
      UInt8(truncatingIfNeeded: color),
    ]
  }

  /// The fewest bits that tell `count` colors apart.
  private static func depth(colors count: Int) -> Int {
    count <= 2 ? 1 : count <= 4 ? 2 : count <= 16 ? 4 : 8
  }
}

extension PNGEncoder.Filtering {
  /// Turns `byContent` into no filter if fewer than a quarter of the rows are busy, judged by every
  /// eighth row. That is so for most tiles.
  fileprivate func narrowed(
    height: Int,
    _ weight: RowFilter.Bytes,
    _ rows: (Int) -> RowFilter.Rows
  ) -> Self {
    guard self == .byContent else { return self }
    let looked = stride(from: min(4, height - 1), to: height, by: 8)
    var busy = 0
    var all = 0
    for y in looked {
      if RowFilter.isBusy(rows(y), weight: weight) { busy += 1 }
      all += 1
    }
    return busy * 4 >= all ? .byContent : .none
  }

  /// The filter for one row.
  fileprivate func filter(_ rows: RowFilter.Rows, _ weight: RowFilter.Bytes) -> RowFilter {
    switch self {
    case .none: .none
    case .sub: .sub
    case .up: .up
    case .paeth: .paeth
    case .adaptive: RowFilter.smallest(rows, weight: weight)
    case .byContent:
      RowFilter.isBusy(rows, weight: weight) ? RowFilter.smallest(rows, weight: weight) : .none
    }
  }
}
