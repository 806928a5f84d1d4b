import Foundation
import TestSupport
import Testing

/// `text --aligned`.
@Suite(.timeLimit(.minutes(10))) struct AlignedTextTests {
  /// Prints words at points of a page of 600 by 400 pt, in Helvetica of 10 pt.
  private func aligned(_ words: [(x: Double, y: Double, text: String)]) throws -> [String] {
    let folder = try TemporaryFolder()
    let path = folder.path("words.pdf")
    let content = words.map { "1 0 0 1 \($0.x) \($0.y) Tm (\($0.text)) Tj" }
      .joined(separator: "\n")
    let stream = "BT /F 10 Tf\n\(content)\nET"
    try TestPDF.write(
      objects: [
        "<< /Type /Catalog /Pages 2 0 R >>", "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 400] /Contents 5 0 R "
          + "/Resources << /Font << /F 4 0 R >> >> >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
        "<< /Length \(stream.utf8.count) >> stream\n\(stream)\nendstream",
      ],
      to: path
    )
    let result = try CommandSandbox().recto("text", path, "--aligned")
    #expect(result.code == 0, "\(result.errors)")
    #expect(result.text.last == "\u{C}")
    return result.text.dropLast().split(separator: "\n", omittingEmptySubsequences: false)
      .dropLast().map(String.init)
  }

  @Test func `a table keeps its columns, whatever order it was written in`() throws {
    let names = ["Apples", "Pears and plums", "Figs"]
    let cells = names.indices.flatMap { row in
      let y = 300 - Double(row) * 14
      return [
        (x: 50.0, y: y, text: names[row]), (x: 250.0, y: y, text: "\(row + 1).50"),
        (x: 400.0, y: y, text: "box \(row)"),
      ]
    }
    for words in [cells, cells.reversed()] {
      let lines = try aligned(words)
      #expect(lines.count == 3)
      for (row, line) in lines.enumerated() {
        let fields = line.split(separator: #/ {2,}/#).map(String.init)
        #expect(fields == [names[row], "\(row + 1).50", "box \(row)"])
      }
      for text in ["1.50", "box"] {
        let columns = lines.map { line in
          line.range(of: text == "box" ? "box" : "[0-9].50", options: .regularExpression)
            .map { line.distance(from: line.startIndex, to: $0.lowerBound) }
        }
        #expect(Set(columns).count == 1, "\(lines)")
      }
    }
  }

  @Test func `what is farther to the right stays so, and empty space becomes empty lines`() throws {
    let lines = try aligned([
      (50, 300, "left"), (500, 286, "right"), (50, 200, "below"),
    ])
    #expect(lines == ["left", lines[1], "", "", "below"])
    #expect(lines[1].hasSuffix("right") && lines[1].count > 40)
    #expect(lines.allSatisfy { $0.last != " " })
  }

  @Test(arguments: ["book", "text-scripts", "two-column-right", "form", "text-geometry"])
  func `the words are those of the text without columns`(name: String) throws {
    let sandbox = try CommandSandbox()
    let words = { (options: [String]) in
      try sandbox.recto(["text", fixture(name)] + options).text
        .split { $0.isWhitespace }.map(String.init).sorted()
    }
    #expect(try words(["--aligned"]) == words([]))
  }

  @Test func `a page without text is a form feed, and lines of JSON are not aligned`() throws {
    #expect(try aligned([]).isEmpty)
    let refused = try CommandSandbox().recto("text", fixture("book"), "--aligned", "--json")
    #expect(refused.code == 64 && refused.errors.contains("--aligned"))
  }
}
