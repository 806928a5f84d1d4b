internal import DocumentModel
internal import DocumentText
internal import RectoGeometry
internal import RectoKit

/// A request for the content of pages: text, links, pictures. `docs/SERVE.md` describes them all.
struct ContentRequest {
  /// The requested content.
  enum Kind {
    case text(PageIndex, area: Rect?, hasCharacters: Bool, hasStyles: Bool)
    case links(PageIndex)
    /// The link under a point of the content.
    case link(at: Point, geometry: Int?)
    case outline
    /// The annotations of consecutive pages.
    case annotations(first: PageIndex, count: Int)
    case attachments
    /// The labels of consecutive pages.
    case pages(first: PageIndex, count: Int)
    /// The page with a label.
    case labeled(String)
    case search(TextQuery, pages: PageList?, from: PageIndex?, context: Int, limit: Int)
    /// The picture of a page.
    case picture(PageIndex, PictureSize, PictureFormat?)
    case select(from: Point, to: Point, geometry: Int?, SelectionUnit, isJoined: Bool)
  }

  /// The coordinates of boxes and areas.
  enum Coordinates: String, CaseIterable {
    /// Points from the top left of the page as displayed.
    case page
    /// Content coordinates of the latest geometry.
    case content
  }

  var kind: Kind
  var coordinates: Coordinates

  /// Reads the members of a request.
  ///
  /// - Throws: A request error that names the member.
  init(_ name: String, _ fields: inout RequestFields) throws(RequestError) {
    coordinates = .page
    switch name {
    case "text": kind = try Self.text(&fields)
    case "links": kind = try Self.links(&fields)
    case "search": kind = try Self.search(&fields)
    case "select": kind = try Self.select(&fields)
    case "pages":
      kind = try Self.pages(&fields)
      return
    case "annotations":
      kind = try Self.annotations(&fields)
      return
    case "attachments":
      kind = .attachments
      return
    case "picture":
      kind = try Self.picture(&fields)
      return
    default:
      kind = .outline
      return
    }
    coordinates = try fields.oneOf("coordinates") ?? .page
  }

  private static func text(_ fields: inout RequestFields) throws(RequestError) -> Kind {
    .text(
      try fields.required("page", fields.page("page")),
      area: try fields.rect("area"),
      hasCharacters: try fields.bool("characters") ?? false,
      hasStyles: try fields.bool("styles") ?? false
    )
  }

  private static func links(_ fields: inout RequestFields) throws(RequestError) -> Kind {
    guard let point = try fields.point("at") else {
      return .links(try fields.required("page", fields.page("page")))
    }
    return .link(at: point, geometry: try fields.integer("geometry", atLeast: 1))
  }

  private static func pages(_ fields: inout RequestFields) throws(RequestError) -> Kind {
    if let label = try fields.string("label") { return .labeled(label) }
    let (first, count) = try pageList(&fields)
    return .pages(first: first, count: count)
  }

  private static func annotations(_ fields: inout RequestFields) throws(RequestError) -> Kind {
    let (first, count) = try pageList(&fields)
    return .annotations(first: first, count: count)
  }

  private static func pageList(
    _ fields: inout RequestFields
  ) throws(RequestError) -> (first: PageIndex, count: Int) {
    let first = try fields.required("first", fields.page("first"))
    let count = try fields.integer("count", atLeast: 1) ?? 1
    guard count <= longestPageList else {
      throw fields.error("count", "must be at most \(longestPageList), is \(count)")
    }
    return (first, count)
  }

  /// The most pages whose labels or annotations one request asks for.
  private static let longestPageList = 1000

  private static func search(_ fields: inout RequestFields) throws(RequestError) -> Kind {
    let words = try fields.required("words", fields.string("words"))
    guard words.utf8.count <= TextSearcher.longestWords else {
      throw fields.error("words", "longer than \(TextSearcher.longestWords) bytes")
    }
    guard words.unicodeScalars.contains(where: { !$0.properties.isWhitespace }) else {
      throw fields.error("words", "must not be empty")
    }
    let query = TextQuery(
      words,
      isCaseSensitive: try fields.bool("caseSensitive") ?? false,
      isDiacriticSensitive: try fields.bool("diacritics") ?? false,
      isWholeWords: try fields.bool("wholeWords") ?? false
    )
    var pages: PageList?
    if let text = try fields.string("pages") {
      pages = PageList(text)
      guard pages != nil else {
        throw fields.error("pages", "must be a list such as \"1-10,20,z\", is \"\(text)\"")
      }
    }
    let context = try fields.integer("context", atLeast: 0) ?? 40
    guard context <= 1000 else {
      throw fields.error("context", "must be at most 1000, is \(context)")
    }
    return .search(
      query,
      pages: pages,
      from: try fields.page("from"),
      context: context,
      limit: try fields.integer("maxCount", atLeast: 1) ?? .max
    )
  }

  /// The largest picture of a page: pixels of its longer side, pixels per inch, and all pixels.
  static let largestPicture = (side: 16_384, resolution: 2400.0, pixels: 100_000_000)

  private static func picture(_ fields: inout RequestFields) throws(RequestError) -> Kind {
    let page = try fields.required("page", fields.page("page"))
    let side = try fields.integer("size", atLeast: 1, atMost: largestPicture.side)
    let resolution = try fields.positive("dpi", atMost: largestPicture.resolution)
    let format: PictureFormat? = try fields.oneOf("format")
    switch (side, resolution) {
    case (let side?, nil): return .picture(page, .longestSide(side), format)
    case (nil, let resolution?): return .picture(page, .resolution(resolution), format)
    default: throw fields.error("size", "exactly one of size and dpi is needed")
    }
  }

  private static func select(_ fields: inout RequestFields) throws(RequestError) -> Kind {
    .select(
      from: try fields.required("from", fields.point("from")),
      to: try fields.required("to", fields.point("to")),
      geometry: try fields.integer("geometry", atLeast: 1),
      try fields.oneOf("unit") ?? .character,
      isJoined: try fields.bool("joinHyphens") ?? false
    )
  }
}

extension RequestFields {
  /// Takes `{"x": …, "y": …, "width": …, "height": …}`.
  ///
  /// - Throws: A request error if the value has another type, a member is missing or out of range.
  fileprivate mutating func rect(_ key: String) throws(RequestError) -> Rect? {
    guard var object = try object(key) else { return nil }
    let range = 0...Self.coordinates.upperBound
    let rect = Rect(
      x: try object.required("x", object.number("x")),
      y: try object.required("y", object.number("y")),
      width: try object.required("width", object.number("width", in: range)),
      height: try object.required("height", object.number("height", in: range))
    )
    try object.finish()
    return rect
  }
}
