import Foundation
import RectoGeometry
import TestSupport
import Testing

@testable import PageLayout

/// Values as JSON, and back.
@Suite struct CodableTests {
  private func again<Value: Codable>(_ value: Value) throws -> Value {
    try JSONDecoder().decode(Value.self, from: try JSONEncoder().encode(value))
  }

  @Test(arguments: LayoutConfiguration.Mode.allCases)
  func `a layout that is decoded has the same frames`(mode: LayoutConfiguration.Mode) throws {
    for seed in seeds(200) {
      try expectSame(RandomInput(seed: seed, mode: mode))
    }
  }

  private func expectSame(_ random: RandomInput) throws {
    var input = random
    let layout = try input.layout(measuring: 0.5)
    let configuration = try again(layout.configuration)
    #expect(configuration == layout.configuration)
    let pages = try again(layout.pages)
    #expect(pages == layout.pages)
    let spreads = layout.spreads(visibleIn: Rect(origin: .zero, size: layout.viewport))
    #expect(try again(spreads) == spreads)
  }

  @Test func `what is missing has its default, and what is there is kept`() throws {
    let text = #"{"mode":"grid","grid":{"columns":3},"stickyPages":[4],"pairing":{"alone":[2]}}"#
    var expected = LayoutConfiguration()
    expected.mode = .grid
    expected.grid.columns = 3
    expected.stickyPages = [4]
    expected.pairing.alone = [2]
    let decoded = try JSONDecoder().decode(LayoutConfiguration.self, from: Data(text.utf8))
    #expect(decoded == expected)
  }

  @Test(arguments: [
    #"{"mode":"spiral"}"#, #"{"zoom":"1"}"#, #"{"margins":{"left":1}}"#, #"{"stickyPages":3}"#,
    #"{"spacing":{"gaps":[{"pages":[9,2],"gap":1}]}}"#,
  ]) func `what is no value of its type is an error`(text: String) {
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode(LayoutConfiguration.self, from: Data(text.utf8))
    }
  }

  @Test func `a page is its index`() throws {
    #expect(String(decoding: try JSONEncoder().encode([PageIndex(7)]), as: UTF8.self) == "[7]")
  }

  @Test func `places, anchors and invalidations stay what they are`() throws {
    let anchor = Anchor(page: 3, occurrence: 1, place: Point(x: 0.25, y: -0.5))
    let place = Place(anchor, at: Point(x: 0.5, y: 0.125), progress: 0.75)
    #expect(try again(place) == place)
    var layout = try Layout(
      LayoutConfiguration(),
      pages: PageSequence(pageCount: 9),
      sizes: PageSizes(estimate: .fixed(Size(width: 100, height: 100))),
      viewport: Size(width: 300, height: 300)
    )
    let change = layout.measure(4, as: Size(width: 50, height: 300), keeping: anchor)
    #expect(!change.isEmpty)
    #expect(try again(change) == change)
  }
}
