import DocumentModel
import Foundation
import RectoGeometry
import TestSupport
import Testing

@testable import PDFEngine

/// Images that become smaller.
@Suite struct ImageReductionTests {
  /// An image, and how the pixels of a surface lie in it.
  private struct Case {
    var size: PixelSize
    var rect: PixelRect
    var across: (scale: Double, origin: Double)
    var down: (scale: Double, origin: Double)
    var bytes: [UInt8]

    /// At most 255 pixels of the image per pixel of the surface, and half of the pixels beyond its edges.
    static func random(_ generator: inout SeededGenerator) -> Case {
      let size = PixelSize(
        width: Int.random(in: 1...40, using: &generator),
        height: Int.random(in: 1...40, using: &generator)
      )
      func axis(_ count: Int) -> (Double, Double) {
        let scale = Double.random(in: 1...9, using: &generator)
        let origin = Double.random(in: -20...20, using: &generator)
        return Bool.random(using: &generator) ? (scale, origin) : (-scale, Double(count) + origin)
      }
      return Case(
        size: size,
        rect: PixelRect(
          x: Int.random(in: -3...3, using: &generator),
          y: Int.random(in: -3...3, using: &generator),
          width: Int.random(in: 1...20, using: &generator),
          height: Int.random(in: 1...20, using: &generator)
        ),
        across: axis(size.width),
        down: axis(size.height),
        bytes: (0..<size.width * size.height * 4).map { _ in
          [0, 255, UInt8.random(in: 0...255, using: &generator)]
            .randomElement(using: &generator) ?? 0
        }
      )
    }

    func reduced(_ rect: PixelRect) -> [UInt8] {
      var result = [UInt8](repeating: 99, count: rect.width * rect.height * 4)
      let reduction = ImageReduction(size, rect: rect, across: across, down: down)
      bytes.withUnsafeBytes { image in
        result.withUnsafeMutableBytes {
          reduction.reduce(image, stride: size.width * 4, into: $0, stride: rect.width * 4)
        }
      }
      return result
    }

    /// The share of each of `count` pixels in what a pixel covers; beyond the edges that of the edge.
    private static func shares(
      _ pixel: Int,
      _ axis: (scale: Double, origin: Double),
      _ count: Int
    ) -> [(index: Int, share: Double)] {
      let ends = [pixel, pixel + 1].map { axis.origin + Double($0) * axis.scale }.sorted()
      let places = Int(ends[0].rounded(.down))...Int(ends[1].rounded(.up))
      return places.compactMap { place in
        let covered = min(ends[1], Double(place + 1)) - max(ends[0], Double(place))
        guard covered > 0 else { return nil }
        return (min(max(place, 0), count - 1), covered / (ends[1] - ends[0]))
      }
    }

    /// The average of what each pixel covers.
    func average(_ x: Int, _ y: Int, _ channel: Int) -> Double {
      Self.shares(y, down, size.height).reduce(0) { sum, row in
        Self.shares(x, across, size.width).reduce(sum) { sum, column in
          let byte = bytes[(row.index * size.width + column.index) * 4 + channel]
          return sum + Double(byte) * row.share * column.share
        }
      }
    }
  }

  @Test func `each pixel is the average of what it covers, rounded`() {
    var generator = SeededGenerator(seed: 21)
    for _ in 0..<200 {
      let example = Case.random(&generator)
      let rect = example.rect
      let result = example.reduced(rect)
      for (index, byte) in result.enumerated() {
        let (x, y) = (rect.x + index / 4 % rect.width, rect.y + index / 4 / rect.width)
        let average = example.average(x, y, index % 4)
        // Weights are rounded to 65,536ths, and rows to 256ths before columns are added up.
        #expect(abs(Double(byte) - average) < 0.51, "\(x), \(y) of \(example)")
      }
    }
  }

  @Test func `a part of a picture is the same as in the whole`() {
    var generator = SeededGenerator(seed: 22)
    for _ in 0..<200 {
      let example = Case.random(&generator)
      let rect = example.rect
      let whole = example.reduced(rect)
      let part = PixelRect(
        x: rect.x + rect.width / 3,
        y: rect.y + rect.height / 3,
        width: rect.width - rect.width / 3,
        height: rect.height - rect.height / 3
      )
      let rows = (0..<part.height).flatMap { row in
        let start = ((row + part.y - rect.y) * rect.width + part.x - rect.x) * 4
        return whole[start..<start + part.width * 4]
      }
      #expect(example.reduced(part) == rows, "\(example)")
    }
  }

  @Test func `memory that does not hold the pixels is left alone`() {
    let size = PixelSize(width: 4, height: 4)
    let rect = PixelRect(x: 0, y: 0, width: 2, height: 2)
    let reduction = ImageReduction(size, rect: rect, across: (2, 0), down: (2, 0))
    let image = [UInt8](repeating: 7, count: 63)
    var result = [UInt8](repeating: 99, count: 16)
    image.withUnsafeBytes { image in
      result.withUnsafeMutableBytes { reduction.reduce(image, stride: 16, into: $0, stride: 8) }
    }
    #expect(result == [UInt8](repeating: 99, count: 16))
  }
}

extension PopplerTests {
  @Test func `images that become smaller look as cairo draws them`() throws {
    // Without noise, because cairo takes places in an image in fractions of its own.
    let hexadecimal = (0..<60 * 48).map { index in
      let (x, y) = (Double(index % 60), Double(index / 60))
      return [sin(x / 9) * cos(y / 7), sin(y / 5), cos(x / 11)]
        .map { String(format: "%02x", Int(128 + 120 * $0)) }.joined()
    }.joined()
    let image = "BI /W 60 /H 48 /BPC 8 /CS /RGB /F /AHx ID \(hexadecimal)> EI"
    let matrices = [
      // By less than sixteen: beyond that cairo takes a few of the pixels.
      "40 0 0 30 20.3 50.7", "-37.5 0 0 31 90 120.25", "33 0 0 -28.8 100.6 90",
      "-22 0 0 -19 60 200",
      // For cairo: along no axis, and hardly smaller.
      "0 40 -30 0 150 150", "30 8 -8 30 120 220", "58 0 0 45 10 240",
    ]
    let content = matrices.map { "q \($0) cm \(image) Q\n" }.joined()
    try withPage(content, "") { file in
      for scale in [1, 0.7, 0.25] {
        let ours = try picture(of: file, 0, scale: scale, .precise)
        let theirs = try picture(of: file, 0, scale: scale, .poppler)
        let difference = try #require(Difference(ours, theirs))
        #expect(difference.worst <= 2, "at \(scale): \(difference)")
      }
    }
  }
}
