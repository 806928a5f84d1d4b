internal import DocumentText
internal import PageLayout
internal import RectoBase
internal import RectoGeometry

/// The place of a page in the content: converts page points in the output to content coordinates.
struct ContentPlace: Sendable {
  /// The laid out page; nil leaves page points unchanged.
  private let page: LaidOutPage?
  /// The geometry of its layout.
  let geometry: Int?

  /// The place of a page.
  ///
  /// - Parameters:
  ///   - page: The laid out page; nil leaves page points unchanged.
  ///   - geometry: The geometry of its layout.
  init(_ page: LaidOutPage?, geometry: Int? = nil) {
    self.page = page
    self.geometry = geometry
  }

  /// A rectangle of the page.
  func map(_ rect: Rect) -> Rect { page?.contentRect(rect) ?? rect }

  /// A point of the page.
  func map(_ point: Point) -> Point { page?.contentPoint(point) ?? point }
}

extension JSONWriter {
  /// Writes "areas".
  ///
  /// - Parameters:
  ///   - areas: Rectangles in points of a page.
  mutating func areas(_ areas: [Rect], _ place: ContentPlace) {
    array("areas") { array in for area in areas { array.rect(place.map(area)) } }
  }

  /// Writes "areas".
  ///
  /// - Parameters:
  ///   - areas: The areas of parts of a page's text.
  mutating func areas(_ areas: [TextArea], _ place: ContentPlace) {
    array("areas") { array in
      for area in areas { array.object { $0.edges(area, place) } }
    }
  }

  /// Writes the edges of a rectangle as members of the current object.
  mutating func edges(_ rect: Rect) {
    member("x", rect.minX)
    member("y", rect.minY)
    member("width", rect.width)
    member("height", rect.height)
  }

  /// Writes the edges of a text area as members of the current object.
  mutating func edges(_ area: TextArea, _ place: ContentPlace) {
    edges(place.map(area.rect))
    if let corners = area.quad { quad("quad", corners.mapped { place.map($0) }) }
  }
}
