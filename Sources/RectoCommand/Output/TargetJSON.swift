internal import DocumentModel
internal import RectoBase
internal import RectoGeometry

extension JSONWriter {
  /// Writes "target".
  ///
  /// - Parameters:
  ///   - labels: The labels of pages of this document.
  mutating func target(_ target: LinkTarget, _ labels: [PageIndex: String]) {
    object("target") { object in
      switch target {
      case .destination(let place):
        object.member("kind", "page")
        object.destination(place, labels)
      case .missing(let name):
        object.member("kind", "missing")
        object.member("name", name)
      case .file(let file, let page, let name):
        object.member("kind", "file")
        object.member("file", file)
        if let page { object.member("page", page) }
        object.member("name", name)
      case .uri(let uri):
        object.member("kind", "uri")
        object.member("uri", uri)
      case .launch(let file):
        object.member("kind", "launch")
        object.member("file", file)
      case .named(let name):
        object.member("kind", "action")
        object.member("action", name)
      case .other(let name):
        object.member("kind", "other")
        object.member("action", name)
      }
    }
  }

  /// Writes the members of a destination.
  ///
  /// - Parameters:
  ///   - labels: The labels of pages of this document.
  mutating func destination(_ place: LinkDestination, _ labels: [PageIndex: String]) {
    member("page", place.page.number)
    member("label", labels[place.page] ?? String(place.page.number))
    member("name", place.name)
    switch place.fit {
    case .point(let x, let y, let zoom): fit("point", x: x, y: y, zoom: zoom)
    case .page: fit("page")
    case .width(let y): fit("width", y: y)
    case .height(let x): fit("height", x: x)
    case .area(let area):
      fit("area")
      rect("area", area)
    case .content: fit("content")
    case .contentWidth(let y): fit("contentWidth", y: y)
    case .contentHeight(let x): fit("contentHeight", x: x)
    }
  }

  private mutating func fit(
    _ fit: String,
    x: Double? = nil,
    y: Double? = nil,
    zoom: Double? = nil
  ) {
    member("fit", fit)
    if let x { member("x", x) }
    if let y { member("y", y) }
    if let zoom { member("zoom", zoom) }
  }

  /// Writes a rectangle as an element of an array.
  mutating func rect(_ rect: Rect) { object { $0.edges(rect) } }

  /// Writes the members of a link.
  ///
  /// - Parameters:
  ///   - labels: The labels of pages of this document.
  mutating func link(
    _ link: PageLink,
    _ labels: [PageIndex: String],
    _ place: ContentPlace
  ) {
    areas(link.areas, place)
    target(link.target, labels)
  }
}
