import DocumentModel
import Testing

/// Headings whose letters are spaced.
@Suite(.timeLimit(.minutes(10))) struct SpacedTextTests {
  /// What is added between letters, in ems.
  private static let spacings = (0...15).map { 0.13 + Double($0) * 0.05 }

  @Test("A heading of spaced letters is words, at every spacing, size and quarter turn")
  func headings() async throws {
    let headings = ["HEADING ONE", "Spaced", "A HOUSE OF WAX", "Many words of it"]
    for angle in [0.0, 90, 180, 270] {
      for (size, heading) in [7.0, 10, 14, 18].flatMap({ size in headings.map { (size, $0) } }) {
        let pages = Self.spacings.map { spacing in
          ShownText.line(heading, angle, size: size, spacing: spacing)
            + ShownText.line("and text below it", angle, size: size, down: 2 * size)
        }
        for (spacing, text) in zip(Self.spacings, try await ShownText.texts(pages)) {
          let lines = text.string.split(separator: "\n").map(String.init)
          let words = lines.flatMap { $0.split(separator: " ") }.sorted()
          let expected = "\(heading) and text below it".split(separator: " ").sorted()
          #expect(words == expected, "\(angle) degrees, \(size) points, \(spacing) em")
          // With less poppler joins the letters of words by itself, and leaves words apart.
          let isWhole = lines.contains(heading)
          #expect(isWhole || spacing < 0.4, "\(angle) degrees, \(size) points, \(spacing) em")
        }
      }
    }
  }

  @Test("Columns of letters and numbers, and letters with spaces, stay apart")
  func columns() async throws {
    let rows = ["IMWAI", "WIMIA", "MAWIM", "12345", "10891"]
    for width in stride(from: 9.0, through: 80, by: 3.7) {
      // At the left, in the middle and at the right of a column.
      for share in [0, 0.5, 1.0] {
        let content = rows.enumerated().flatMap { row, string in
          string.enumerated().map { column, letter in
            let advance = ["I": 0.278, "M": 0.833, "W": 0.944, "A": 0.667][letter] ?? 0.556
            let x = 100 + Double(column) * width - share * advance * 10
            return ShownText.line(
              String(letter),
              0,
              size: 10,
              x: x,
              y: 500 - 14 * Double(row)
            )
          }
        }
        let text = try await ShownText.texts([content.joined()])[0].string
        for row in rows.dropLast(2) { #expect(!text.contains(row), "\(width) points, \(share)") }
      }
    }
    let lines = ["a e i o u", "A B C D E F G H", "1 2 3 4 5", "I a"]
    for line in lines {
      let text = try await ShownText.texts([ShownText.line(line, 0, size: 12)])[0].string
      #expect(text == line)
    }
  }
}
