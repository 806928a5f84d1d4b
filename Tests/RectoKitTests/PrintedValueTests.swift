import DocumentModel
import DocumentText
import Foundation
import PNGCoding
import PageLayout
import RectoBase
import RectoGeometry
import RectoKit
import RectoTiles
import TestSupport
import Testing

/// What values and errors look like in a log.
@Suite struct PrintedValueTests {
  private static let bytes = [UInt8](repeating: 7, count: 100_000)

  /// One of each public value that has bytes.
  private static func values() throws -> [any BriefValue] {
    let tile = Tile(bytes: bytes, cached: nil, source: .rendered)
    let text = PageText(
      String(repeating: "word and\n", count: 10_000),
      boxes: Array(repeating: TextBox.zero, count: 90_000)
    )
    return [
      tile, DrawnPage(pictures: [bytes, bytes], warnings: Warnings()), text,
      DocumentSubset.Piece.bytes(bytes), DocumentSubset(pages: [], pieces: [.bytes(bytes)]),
      TextStructure(text),
    ]
  }

  private static func isBrief(_ text: String) -> Bool {
    text.count < 200 && !text.dropLast().contains("\n")
  }

  @Test func `a value with bytes is one short line, however it is printed`() throws {
    for value in try Self.values() {
      var dumped = ""
      dump(value, to: &dumped)
      for text in [
        "\(value)", String(reflecting: value), "\([value])", "\(Optional(value) as Any)", dumped,
      ] { #expect(Self.isBrief(text), "\(text.prefix(300))") }
    }
    let picture = PNGPicture(
      size: PixelSize(width: 300, height: 300),
      pixels: Array(repeating: 0, count: 90_000)
    )
    #expect("\([picture])" == "[300 × 300 pixels]")
  }

  @Test func `pictures that were drawn are one short line`() async throws {
    let document = try OpenedFixture.document("book")
    let picture = try await document.picture(
      of: 0,
      geometry: PictureGeometry(size: .longestSide(2000))
    )
    #expect(Self.isBrief("\([picture])") && Self.isBrief(String(reflecting: picture)))
    var layout = try DocumentLayout(
      document,
      configuration: LayoutConfiguration(),
      pages: PageSequence(pageCount: try await document.info().pageCount),
      viewport: Size(width: 500, height: 400)
    )
    let window = try await layout.window(at: .offset(.zero), sizes: .exact)
    let spreads = try await layout.spreads(in: window)
    for result in await layout.tiles(of: spreads, in: window, scale: 1, tileSide: 64) {
      let tiles = try result.get()
      #expect(Self.isBrief("\([tiles])"))
      for tile in tiles.tiles { #expect(Self.isBrief("\([tile])")) }
    }
    await document.close()
  }

  @Test func `what a task that is cancelled draws ends as cancelled`() async throws {
    let document = try OpenedFixture.document("book")
    let geometry = PictureGeometry(size: .longestSide(50))
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await document.picture(of: 0, geometry: geometry)
    }
    await #expect { try await task.value } throws: { ($0 as? DocumentError)?.code == .cancelled }
    #expect(try await !document.picture(of: 0, geometry: geometry).bytes.isEmpty)
    await document.close()
  }

  @Test func `an error says in Foundation what it says of itself`() {
    let error = DocumentError(.drawing, during: "draw", "the page is broken")
    let errors: [(any Error, String)] = [
      (error, "draw: the page is broken"),
      (ViewerError.window(error), "draw: the page is broken"),
      (LayoutError(field: "scale", reason: "must be above 0"), "scale must be above 0"),
    ]
    for (error, words) in errors {
      #expect(error.localizedDescription == words || error.localizedDescription == "\(error)")
    }
  }
}
