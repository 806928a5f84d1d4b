import CCairo
import Foundation
import PDFEngine
import RectoGeometry

/// Opaque pixels, as words 0xAARRGGBB, row after row.
struct Picture: Hashable {
  var size: PixelSize
  var pixels: [UInt32]

  init(size: PixelSize, pixels: [UInt32]) {
    self.size = size
    self.pixels = pixels
  }

  init(_ bitmap: borrowing Bitmap) {
    let size = bitmap.size
    self = bitmap.withPixels { bytes, stride in
      Picture(size: size, bytes: bytes, stride: stride)
    }
  }

  /// Reads a PNG with cairo, which owes nothing to our own decoder.
  init?(png: [UInt8]) {
    var source = Source(bytes: png)
    let surface = withUnsafeMutablePointer(to: &source) { source in
      cairo_image_surface_create_from_png_stream(
        { closure, data, count in
          guard let source = closure?.assumingMemoryBound(to: Source.self), let data else {
            return CAIRO_STATUS_READ_ERROR
          }
          return source.pointee.read(data, Int(count))
        },
        source
      )
    }
    defer { cairo_surface_destroy(surface) }
    guard let surface, cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS,
      let data = cairo_image_surface_get_data(surface)
    else { return nil }
    let stride = Int(cairo_image_surface_get_stride(surface))
    let size = PixelSize(
      width: Int(cairo_image_surface_get_width(surface)),
      height: Int(cairo_image_surface_get_height(surface))
    )
    let bytes = UnsafeRawBufferPointer(start: data, count: stride * size.height)
    self.init(size: size, bytes: bytes, stride: stride)
  }

  private init(size: PixelSize, bytes: UnsafeRawBufferPointer, stride: Int) {
    self.size = size
    pixels = [UInt32](unsafeUninitializedCapacity: size.width * size.height) { pixels, count in
      let target = UnsafeMutableRawBufferPointer(pixels)
      for y in 0..<size.height {
        let row = UnsafeRawBufferPointer(
          rebasing: bytes[(y * stride)..<(y * stride + size.width * 4)]
        )
        UnsafeMutableRawBufferPointer(rebasing: target[(y * size.width * 4)...]).copyMemory(
          from: row
        )
      }
      count = size.width * size.height
    }
  }

  private struct Source {
    var bytes: [UInt8]
    var offset = 0

    mutating func read(_ data: UnsafeMutablePointer<UInt8>, _ count: Int) -> cairo_status_t {
      guard bytes.count - offset >= count else { return CAIRO_STATUS_READ_ERROR }
      bytes.withUnsafeBufferPointer { buffer in
        guard let start = buffer.baseAddress else { return }
        data.update(from: start + offset, count: count)
      }
      offset += count
      return CAIRO_STATUS_SUCCESS
    }
  }
}

extension Picture {
  /// TestPaths `part` in this picture; it has to fit.
  mutating func paste(_ part: Picture, at rect: PixelRect) {
    for y in 0..<part.size.height {
      let row = (rect.y + y) * size.width + rect.x
      pixels.replaceSubrange(
        row..<(row + part.size.width),
        with: part.pixels[(y * part.size.width)..<((y + 1) * part.size.width)]
      )
    }
  }

  /// The picture turned clockwise.
  func turned(by rotation: Rotation) -> Picture {
    let (width, height) = (size.width, size.height)
    let turnedSize =
      rotation.isSideways ? PixelSize(width: height, height: width) : size
    var result = Picture(size: turnedSize, pixels: pixels)
    pixels.withUnsafeBufferPointer { source in
      result.pixels.withUnsafeMutableBufferPointer { target in
        var place = 0
        for y in 0..<turnedSize.height {
          for x in 0..<turnedSize.width {
            let from =
              switch rotation {
              case .none: y * width + x
              case .quarter: (height - 1 - x) * width + y
              case .half: (height - 1 - y) * width + width - 1 - x
              case .threeQuarters: x * width + width - 1 - y
              }
            target[place] = source[from]
            place += 1
          }
        }
      }
    }
    return result
  }

  /// The mean of each channel in `count` × `count` fields: what the picture looks like from afar.
  func coarse(_ count: Int) -> [Double] {
    var sums = [Double](repeating: 0, count: count * count * 3)
    var numbers = [Double](repeating: 0, count: count * count)
    pixels.withUnsafeBufferPointer { pixels in
      for y in 0..<size.height {
        for x in 0..<size.width {
          let pixel = pixels[y * size.width + x]
          let field = (y * count / size.height) * count + x * count / size.width
          numbers[field] += 1
          sums[field * 3] += Double(pixel >> 16 & 255)
          sums[field * 3 + 1] += Double(pixel >> 8 & 255)
          sums[field * 3 + 2] += Double(pixel & 255)
        }
      }
    }
    return sums.indices.map { sums[$0] / max(1, numbers[$0 / 3]) }
  }
}

/// How far two pictures of the same size are apart.
struct Difference: CustomStringConvertible {
  /// Pixels in one picture.
  var area: Int
  /// Pixels with a channel that differs by more than 2.
  var count = 0
  /// Pixels with a channel that differs by more than 16: more than another way of antialiasing.
  var visibleCount = 0
  /// The most that any channel of any pixel differs.
  var worst = 0

  /// Nil when the sizes differ.
  ///
  /// - Parameters:
  ///   - one: A picture.
  ///   - other: The picture to compare it with.
  ///   - rim: Pixels at the edges that are not looked at.
  init?(_ one: Picture, _ other: Picture, rim: Int = 0) {
    guard one.size == other.size else { return nil }
    area = one.pixels.count
    if one.pixels == other.pixels { return }
    let (width, height) = (one.size.width, one.size.height)
    one.pixels.withUnsafeBufferPointer { one in
      other.pixels.withUnsafeBufferPointer { other in
        for index in one.indices {
          let (a, b) = (one[index], other[index])
          guard (a ^ b) & 0xFF_FFFF != 0 else { continue }
          let (x, y) = (index % width, index / width)
          guard min(x, y, width - 1 - x, height - 1 - y) >= rim else { continue }
          var most = 0
          for shift: UInt32 in [0, 8, 16] {
            most = max(most, abs(Int(a >> shift & 255) - Int(b >> shift & 255)))
          }
          worst = max(worst, most)
          if most > 2 { count += 1 }
          if most > 16 { visibleCount += 1 }
        }
      }
    }
  }

  /// Share of the pixels that differ by more than 2.
  var share: Double { Double(count) / Double(max(1, area)) }

  /// Whether at most 0.01 % of the pixels differ by more than 2.
  var isNone: Bool { count * 10_000 <= area }

  var description: String {
    "\(count) of \(area) pixels differ (\(String(format: "%.4f", share * 100)) %), "
      + "\(visibleCount) by more than 16, the worst by \(worst)"
  }
}
