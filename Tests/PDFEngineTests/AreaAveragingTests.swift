import Foundation
import PDFEngine
import RectoGeometry
import TestSupport
import Testing

/// Reducing pictures.
@Suite struct AreaAveragingTests {
  /// Bytes of four channels, row after row.
  private struct Pixels: Equatable {
    var size: PixelSize
    var bytes: [UInt8]

    func reduced(to target: PixelSize) throws -> Pixels {
      let averaging = try #require(AreaAveraging(from: size, to: target))
      var result = [UInt8](repeating: 99, count: target.width * target.height * 4)
      bytes.withUnsafeBytes { source in
        result.withUnsafeMutableBytes {
          averaging.reduce(source, stride: size.width * 4, into: $0, stride: target.width * 4)
        }
      }
      return Pixels(size: target, bytes: result)
    }

    /// The average over all pixels of the product of both sizes, each of which lies in one pixel of either.
    func bruteForce(_ target: PixelSize) -> Pixels {
      var result = Pixels(size: target, bytes: [])
      for y in 0..<target.height {
        for x in 0..<target.width {
          for channel in 0..<4 {
            var sum = 0
            for v in y * size.height..<(y + 1) * size.height {
              for u in x * size.width..<(x + 1) * size.width {
                let place = v / target.height * size.width + u / target.width
                sum += Int(bytes[place * 4 + channel])
              }
            }
            let area = size.width * size.height
            result.bytes.append(UInt8((2 * sum + area) / (2 * area)))
          }
        }
      }
      return result
    }

    static func random(_ size: PixelSize, _ generator: inout SeededGenerator) -> Pixels {
      Pixels(
        size: size,
        bytes: (0..<size.width * size.height * 4).map { _ in
          [0, 255, UInt8.random(in: 0...255, using: &generator)]
            .randomElement(using: &generator) ?? 0
        }
      )
    }
  }

  private func side(_ limit: Int, _ generator: inout SeededGenerator) -> Int {
    Int.random(in: 1...limit, using: &generator)
  }

  @Test("A reduced picture is the average of areas, rounded, for any two sizes")
  func bruteForce() throws {
    var generator = SeededGenerator(seed: 16)
    for _ in 0..<300 {
      let size = PixelSize(width: side(13, &generator), height: side(13, &generator))
      let target = PixelSize(
        width: side(size.width, &generator),
        height: side(size.height, &generator)
      )
      let pixels = Pixels.random(size, &generator)
      #expect(try pixels.reduced(to: target) == pixels.bruteForce(target), "\(size) \(target)")
    }
  }

  @Test("Half of both sides is the average of four pixels")
  func halves() throws {
    var generator = SeededGenerator(seed: 17)
    for width in 1...20 {
      let target = PixelSize(width: width, height: 21 - width)
      let size = PixelSize(width: 2 * target.width, height: 2 * target.height)
      let pixels = Pixels.random(size, &generator)
      #expect(try pixels.reduced(to: target) == pixels.bruteForce(target))
    }
  }

  @Test("The same size is the same picture, and one color stays that color")
  func identity() throws {
    var generator = SeededGenerator(seed: 18)
    let size = PixelSize(width: 31, height: 17)
    let pixels = Pixels.random(size, &generator)
    #expect(try pixels.reduced(to: size) == pixels)
    for value in [UInt8(0), 1, 127, 254, 255] {
      let plain = Pixels(size: size, bytes: .init(repeating: value, count: 31 * 17 * 4))
      for target in [PixelSize(width: 30, height: 16), PixelSize(width: 1, height: 1)] {
        #expect(try Set(plain.reduced(to: target).bytes) == [value])
      }
    }
  }

  @Test("The largest sums do not overflow")
  func longest() throws {
    for size in [PixelSize(width: 65_535, height: 3), PixelSize(width: 3, height: 65_535)] {
      let white = Pixels(size: size, bytes: .init(repeating: 255, count: 65_535 * 12))
      let reduced = try white.reduced(to: PixelSize(width: 2, height: 2))
      #expect(Set(reduced.bytes) == [255])
    }
  }

  @Test("A picture cannot grow, lose all pixels or be larger than sums allow")
  func refused() {
    let size = PixelSize(width: 4, height: 4)
    for (width, height) in [(5, 4), (4, 5), (0, 4), (4, 0), (-1, -1), (.max, .max)] {
      #expect(AreaAveraging(from: size, to: PixelSize(width: width, height: height)) == nil)
    }
    for (width, height) in [(65_536, 4), (4, 65_536), (.max, .max)] {
      #expect(AreaAveraging(from: PixelSize(width: width, height: height), to: size) == nil)
    }
  }

  @Test("Memory that does not hold the pixels is left alone")
  func tooLittleMemory() throws {
    let size = PixelSize(width: 4, height: 4)
    let averaging = try #require(AreaAveraging(from: size, to: PixelSize(width: 2, height: 2)))
    let source = [UInt8](repeating: 7, count: 64)
    for (read, stride, written, resultStride) in [
      (63, 16, 16, 8), (64, 15, 16, 8), (64, 17, 16, 8), (64, 16, 15, 8), (64, 16, 16, 7),
      (64, 16, 16, .max), (64, .max, 16, 8), (64, -16, 16, 8),
    ] {
      var result = [UInt8](repeating: 1, count: 16)
      source.withUnsafeBytes { source in
        result.withUnsafeMutableBytes {
          averaging.reduce(
            UnsafeRawBufferPointer(rebasing: source[..<read]),
            stride: stride,
            into: UnsafeMutableRawBufferPointer(rebasing: $0[..<written]),
            stride: resultStride
          )
        }
      }
      #expect(Set(result) == [1])
    }
  }

  /// Only where whole pixels are averaged: Pillow counts one at an edge as inside or outside.
  @Test("Pillow's box filter has the same result, within one, for whole ratios")
  func pillow() throws {
    guard (try? Program.runInPath("python3", ["-c", "import PIL"]))?.code == 0 else { return }
    var generator = SeededGenerator(seed: 19)
    let folder = FileManager.default.temporaryDirectory.appending(component: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (input, output) = (folder.appending(component: "a"), folder.appending(component: "b"))
    for (width, height, to) in [
      (640, 480, PixelSize(width: 128, height: 160)),
      (300, 400, PixelSize(width: 150, height: 200)),
      (333, 77, PixelSize(width: 111, height: 7)), (201, 200, PixelSize(width: 1, height: 1)),
    ] {
      let pixels = Pixels.random(PixelSize(width: width, height: height), &generator)
      try Data(pixels.bytes).write(to: input)
      let script = """
        import sys
        from PIL import Image
        size = (\(width), \(height))
        image = Image.frombytes('CMYK', size, open(sys.argv[1], 'rb').read())
        image = image.resize((\(to.width), \(to.height)), Image.BOX)
        open(sys.argv[2], 'wb').write(image.tobytes())
        """
      let result = try Program.runInPath("python3", ["-c", script, input.path, output.path])
      try #require(result.code == 0, "\(result.errors)")
      let other = [UInt8](try Data(contentsOf: output))
      let own = try pixels.reduced(to: to).bytes
      try #require(own.count == other.count)
      #expect(zip(own, other).allSatisfy { abs(Int($0) - Int($1)) <= 1 })
    }
  }
}
