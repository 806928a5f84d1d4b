import DocumentModel
import Foundation
import PDFEngine
import RectoGeometry
import TestSupport
import Testing

/// Colors of spaces that say what they mean become sRGB by the formulas of the PDF specification.
extension PopplerTests {
  /// Spaces in which equal shares of all components are gray, with the share of white that they are.
  ///
  /// The primaries are those of sRGB, so that colors with linear components have these very shares of its primaries; the
  /// white is that of daylight, D65, and that of paper, D50, with the primaries adapted to it by Bradford.
  private static let linear = [
    "D65": """
    [/CalRGB<</WhitePoint[0.9505 1 1.089]/Matrix[0.4124 0.2126 0.0193 0.3576 0.7152 0.1192 \
    0.1805 0.0722 0.9505]>>]
    """,
    "D50": """
    [/CalRGB<</WhitePoint[0.9642 1 0.8249]/Matrix[0.43607 0.22249 0.01392 0.38515 0.71687 \
    0.09708 0.14307 0.06061 0.7141]>>]
    """,
  ]

  @Test(arguments: ["D65", "D50"])
  func `calibrated colors are those of sRGB whatever their white`(_ white: String) throws {
    let space = try #require(Self.linear[white])
    let colors = [[0.2, 0.2, 0.2], [1, 1, 1], [0.8, 0.3, 0.1], [0.05, 0.4, 0.7], [0, 0, 0.5]]
    for (drawn, shares) in zip(try drawn(colors, in: space), colors) {
      let expected = shares.map(Self.standardRGB)
      // The white of D65 has four digits in files.
      let most = zip(drawn, expected).map { abs($0 - $1) }.max() ?? 255
      #expect(most <= 2, "\(white) \(shares): \(drawn), not \(expected)")
    }
  }

  @Test func `grays of the Lab space are gray, and as light as it says`() throws {
    let colors = [[20.0, 0, 0], [50, 0, 0], [80, 0, 0], [100, 0, 0]]
    let drawn = try drawn(
      colors,
      in: "[/Lab<</WhitePoint[0.9642 1 0.8249]/Range[-100 100 -100 100]>>]"
    )
    for (drawn, color) in zip(drawn, colors) {
      // ISO 32000-2, 8.6.5.4, for lightnesses from 8 on.
      let cubeRoot = (color[0] + 16) / 116
      let expected = Self.standardRGB(cubeRoot * cubeRoot * cubeRoot)
      let most = drawn.map { abs($0 - expected) }.max() ?? 255
      #expect(most <= 2, "\(color): \(drawn), not \(expected)")
    }
  }

  /// IEC 61966-2-1.
  private static func standardRGB(_ share: Double) -> Int {
    let value = share <= 0.0031308 ? 12.92 * share : 1.055 * pow(share, 1 / 2.4) - 0.055
    return Int((value * 255).rounded())
  }

  /// Red, green and blue of squares with these colors.
  private func drawn(_ colors: [[Double]], in space: String) throws -> [[Int]] {
    let squares = colors.enumerated().map { place, color in
      "\(color.map { "\($0)" }.joined(separator: " ")) sc \(place * 20) 0 20 20 re f"
    }
    let content = "/S cs " + squares.joined(separator: " ")
    var result: [[Int]] = []
    try withPage(content, "/ColorSpace<</S \(space)>>") { file in
      let picture = try picture(of: file, 0, scale: 1, .precise)
      for place in colors.indices {
        let word = picture.pixels[290 * picture.size.width + place * 20 + 10]
        result.append([16, 8, 0].map { Int(word >> $0 & 255) })
      }
    }
    return result
  }
}
