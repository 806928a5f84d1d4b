import CPoppler
import DocumentModel
import Foundation
import RectoGeometry
import RenderWorkers
import TestSupport
import Testing

@testable import PDFEngine

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
      ShownText.line("Slanted words here", angle, size: size, spacing: spacing)
        + ShownText.line(
          "Another line below",
          angle,
          size: size,
          spacing: spacing,
          down: 1.25 * size
        )
    }
    for (angle, text) in zip(Self.angles, try await ShownText.texts(pages)) {
      let lines = text.string.split(separator: "\n").map(String.init).sorted()
      #expect(lines == ["Another line below", "Slanted words here"], "\(angle) degrees")
    }
  }

  @Test("Slanted text that crosses upright text is one line, and the rest is as without it")
  func crossing() async throws {
    let rows = (0..<14).map { row in
      ShownText.line(
        "upright text crossing row \(row)",
        0,
        size: 10,
        x: 400,
        y: 400 + 14 * Double(row)
      )
    }
    .joined()
    let pages = Self.angles.map { ShownText.line("Slanted words here", $0, size: 14) + rows }
    for (angle, text) in zip(Self.angles, try await ShownText.texts(pages)) {
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
      ShownText.line(
        letter,
        0,
        size: 12,
        x: 100 + 8 * Double(index),
        y: 100 + Double(index * index)
      )
    }
    let text = try await ShownText.texts([steps.joined()])[0]
    #expect(!text.string.contains("abcde"))
  }

  @Test("Upright characters on a diagonal are no line", arguments: [-1.0, 1])
  func diagonal(sign: Double) async throws {
    // Each begins where the one below it ends.
    let pages = stride(from: 1.0, through: 6, by: 0.5).map { step in
      var content = ""
      for (index, digit) in ["0", "2", "4", "6"].enumerated() {
        let (x, y) = (500 + sign * step * Double(index), 500 + 0.925 * 12 * Double(index))
        content += ShownText.line(digit, 0, size: 12, x: x, y: y)
      }
      return content
    }
    for text in try await ShownText.texts(pages) {
      #expect(text.string == "6\n4\n2\n0" || text.string == "0\n2\n4\n6", "\(text.string)")
    }
  }

  @Test("Words of one length, each below the end of the one above, are no line")
  func stairs() async throws {
    let pages = [8.0, 9, 10, 12].map { size in
      var content = ""
      for step in 0..<5 {
        let (x, y) = (400 + 1.668 * size * Double(step), 500 - 1.15 * size * Double(step))
        content += ShownText.line("end", 0, size: size, x: x, y: y)
      }
      return content
    }
    for text in try await ShownText.texts(pages) { #expect(text.lineBoxes().slants.isEmpty) }
  }

  @Test("A narrow space in a font that is high for its width is one")
  func narrowSpace() {
    // The left, upper, right and lower edges that poppler gives.
    let edges = [
      [401.32, 155.34, 420.23, 158.86], [401.32, 151.45, 420.23, 155.34],
      [401.32, 145.53, 420.23, 151.45], [401.93, 142.36, 420.84, 145.54],
      [402.16, 134.5, 421.07, 140.41], [402.16, 130.61, 421.07, 134.5],
    ]
    let boxes = edges.map { PopplerRectangle(x1: $0[0], y1: $0[1], x2: $0[2], y2: $0[3]) }
    let lines = SlantedLines.lines(Array("f(x,y)".unicodeScalars), boxes)
    #expect(lines.count == 1)
    #expect(lines.first?.glyphs.map(\.hasSpace) == [false, false, false, false, true, false])
  }

  @Test("The corners of slanted words are where they are drawn, and upright words have none")
  func corners() async throws {
    // Helvetica: "Hill", "of", "xylophones".
    let words = [(0.0, 1.388), (1.666, 0.834), (2.778, 5.058)]
    let size = 15.0
    let pages = ([0, 90, 180, 270] + Self.angles).map {
      ShownText.line("Hill of xylophones", $0, size: size)
    }
    let texts = try await ShownText.texts(pages)
    #expect(texts.prefix(4).allSatisfy { $0.lineBoxes().slants.isEmpty })
    for (angle, text) in zip(Self.angles, texts.dropFirst(4)) {
      let boxes = text.lineBoxes()
      let slant = try #require(boxes.slants.first)
      #expect(slant.scalars == 0..<18 && text.string == "Hill of xylophones")
      let turned = (Double(slant.angle) + angle).remainder(dividingBy: 360)
      #expect(abs(turned) < 0.2, "\(angle) degrees")
      for (word, scalars) in zip(words, [0..<4, 5..<7, 8..<18]) {
        let own = boxes.boxes[scalars].map(\.rect)
        let rect = own.dropFirst().reduce(own[0]) { $0.union($1) }
        let quad = Quad(rect).mapped { $0.turned(byDegrees: Double(slant.angle)) }
        // From where the word begins on the baseline, in ems along and below it.
        let (sine, cosine) = (sin(angle * .pi / 180), cos(angle * .pi / 180))
        let places = quad.corners.map { corner in
          let (x, y) = (corner.x - 500, 500 - corner.y)
          return Point(x: (x * cosine + y * sine) / size, y: (x * sine - y * cosine) / size)
        }
        let (start, end) = (word.0, word.0 + word.1)
        for (place, x) in zip(places, [start, end, end, start]) {
          #expect(abs(place.x - x) < 0.05, "\(angle) degrees: \(place), \(x)")
        }
        #expect(places[0].y < -0.65 && places[1].y < -0.65, "\(angle) degrees: \(places)")
        #expect(places[2].y > 0.15 && places[3].y > 0.15, "\(angle) degrees: \(places)")
        #expect(places.allSatisfy { abs($0.y) < 1 })
      }
    }
  }
}
