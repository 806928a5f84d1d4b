import DocumentModel
import Foundation
import Geometry
import PageNumbers
import RenderWorkers
import TestSupport
import Testing

/// Lines that are neither upright nor turned by quarters.
@Suite(.timeLimit(.minutes(10))) struct SlantedTextTests {
  /// Degrees, without quarter turns.
  private static let angles: [Double] = (0..<24).filter { $0 % 6 != 0 }.map { Double($0) * 15 }

  @Test(
    "Two slanted lines beside each other are read whole, at every angle, size and spacing",
    arguments: [5.0, 8, 12, 20],
    [0.0, 0.1, 0.25, 0.43, 0.5]
  )
  func twoLines(size: Double, spacing: Double) async throws {
    let pages = Self.angles.map { angle in
      Self.line("Slanted words here", angle, size: size, spacing: spacing)
        + Self.line("Another line below", angle, size: size, spacing: spacing, down: 1.25 * size)
    }
    for (angle, text) in zip(Self.angles, try await texts(pages)) {
      let lines = text.string.split(separator: "\n").map(String.init).sorted()
      #expect(lines == ["Another line below", "Slanted words here"], "\(angle) degrees")
    }
  }

  @Test("Slanted text that crosses upright text is one line, and the rest is as without it")
  func crossing() async throws {
    let rows = (0..<14).map { row in
      Self.line("upright text crossing row \(row)", 0, size: 10, x: 400, y: 400 + 14 * Double(row))
    }
    .joined()
    let pages = Self.angles.map { Self.line("Slanted words here", $0, size: 14) + rows }
    for (angle, text) in zip(Self.angles, try await texts(pages)) {
      let lines = text.string.split(separator: "\n").map(String.init)
      #expect(lines.count { $0 == "Slanted words here" } == 1, "\(angle) degrees")
      let letters = lines.filter { $0 != "Slanted words here" }.joined().filter { $0 != " " }
      let expected = (0..<14).map { "uprighttextcrossingrow\($0)" }.joined()
      #expect(letters.sorted() == expected.sorted(), "\(angle) degrees")
    }
  }

  @Test("Letters in steps of different heights are no line")
  func steps() async throws {
    let letters = ["a", "b", "c", "d", "e"].enumerated()
    let steps = letters.map { index, letter in
      Self.line(letter, 0, size: 12, x: 100 + 8 * Double(index), y: 100 + Double(index * index))
    }
    let text = try await texts([steps.joined()])[0]
    #expect(!text.string.contains("abcde"))
  }

  /// The text of pages with contents.
  private func texts(_ contents: [String]) async throws -> [PageText] {
    var file = PDFFile()
    file.add("<</Type/Catalog/Pages 2 0 R>>")
    let kids = contents.indices.map { "\(4 + 2 * $0) 0 R" }.joined(separator: " ")
    file.add("<</Type/Pages/Count \(contents.count)/Kids[\(kids)]>>")
    file.add("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    for content in contents {
      let stream = Data(content.utf8)
      file.add(
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 1000 1000]/Resources<</Font<</F 3 0 R>>>>"
          + "/Contents \(file.count + 2) 0 R>>"
      )
      file.add("<</Length \(stream.count)>>", stream: stream)
    }
    let folder = try TemporaryFolder()
    let url = folder.url.appending(path: "slanted.pdf")
    try file.finished().write(to: url)
    return try await withPool(url) { pool in
      try await pool.text(of: Range(pageCount: contents.count), hasStyles: false, subset: nil)
        .map { try $0.get() }
    }
  }

  /// Shows a line.
  ///
  /// - Parameters:
  ///   - text: The line.
  ///   - angle: Its direction in degrees, counterclockwise.
  ///   - size: The size of the font in points.
  ///   - spacing: What is added between letters, in ems.
  ///   - down: How far it is below the place, across its direction.
  ///   - x: The place.
  ///   - y: The place.
  /// - Returns: What a content stream has of it.
  private static func line(
    _ text: String,
    _ angle: Double,
    size: Double,
    spacing: Double = 0,
    down: Double = 0,
    x: Double = 500,
    y: Double = 500
  ) -> String {
    let (sine, cosine) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
    let matrix = [cosine, sine, -sine, cosine, x + sine * down, y - cosine * down]
    let numbers = matrix.map { String(format: "%.6f", $0) }.joined(separator: " ")
    return "BT /F \(size) Tf \(spacing * size) Tc \(numbers) Tm (\(text)) Tj ET\n"
  }
}
