internal import DocumentModel
internal import DocumentText
internal import HTTPTypes
internal import Hummingbird
internal import RectoBase
internal import RectoGeometry
internal import RectoKit

/// The IIIF Content Search API 2.0 over the text of a document: `/iiif/search/2/{document}?q=words`.
struct ContentSearchRequests: Sendable {
  let documents: OpenDocuments
  let gate: DrawingGate
  let base: BaseURI
  let pixels: Int
  /// Pages that are read at the same time.
  let jobs: Int

  /// The most hits of one answer; others are in further answers.
  private static let largestCount = 250

  /// Answers a request.
  ///
  /// - Throws: A problem if there is no such document, no words are given, or the document cannot be opened.
  func answer(_ id: Substring, _ request: Request) async throws(Problem) -> Response {
    guard let entry = documents.library[String(id)] else { throw .notFound }
    let parameters = request.uri.queryParameters
    let words = parameters["q"].map { $0.split(separator: "+").joined(separator: " ") } ?? ""
    guard !words.allSatisfy(\.isWhitespace) else {
      throw Problem(.badRequest, "q: the words to search for are missing")
    }
    guard words.utf8.count <= TextSearcher.longestWords else {
      throw Problem(.badRequest, "q: longer than \(TextSearcher.longestWords) bytes")
    }
    let start = parameters["start"].flatMap { Int($0) } ?? 1
    let ignored = ["motivation", "date", "user"].filter { parameters[Substring($0)] != nil }
    return try await documents.with(entry) { open async throws(Problem) in
      try await gate.draw { () async throws(Problem) in
        let found = try await self.search(words, from: start, open)
        let answer = SearchAnswer(
          words: words,
          document: entry.id,
          base: base.uri(for: request),
          ignored: ignored,
          found: found,
          pixels: pixels
        )
        return .linkedData(answer.json, context: "search/2", tag: open.version, to: request)
      }
    }
  }

  private func search(
    _ words: String,
    from start: Int,
    _ open: OpenDocument
  ) async throws(Problem) -> SearchAnswer.Found {
    guard (1...open.info.pageCount).contains(start), let pages = PageList("\(start)-") else {
      throw Problem(.badRequest, "start: the document has \(open.info.pageCount) pages")
    }
    var found = SearchAnswer.Found()
    do throws(PageExportError) {
      try await TextSearch(TextQuery(words), pages: pages).run(open.document, width: jobs) { page in
        guard case .success(let hits) = page.hits, !hits.isEmpty else { return true }
        guard found.count < Self.largestCount else {
          found.next = page.pages.lowerBound.number
          return false
        }
        found.pages.append((page.pages.lowerBound, hits))
        found.count += hits.count
        return true
      }
    } catch {
      switch error {
      case .document(let error): throw Problem(error)
      default: throw Problem(.internalServerError, "\(error)")
      }
    }
    for (page, _) in found.pages {
      found.images[page] = try await Problem.of { () async throws(DocumentError) in
        try PageImage(page, try await open.document.page(at: page), pixels: pixels)
      }
    }
    return found
  }
}

/// An annotation page with the hits.
struct SearchAnswer {
  struct Found {
    var pages: [(page: PageIndex, hits: [TextHit])] = []
    var images: [PageIndex: PageImage] = [:]
    var count = 0
    /// The page on which the next answer begins; nil if there is none.
    var next: Int?
  }

  let json: [UInt8]

  init(
    words: String,
    document: String,
    base: String,
    ignored: [String],
    found: Found,
    pixels: Int
  ) {
    let search = "\(base)/iiif/search/2/\(document)"
    let query = words.queryEncoded
    let canvas = "\(base)/iiif/presentation/3/\(document)/canvas"
    var writer = JSONWriter()
    writer.object { object in
      object.member("@context", "http://iiif.io/api/search/2/context.json")
      object.member("id", "\(search)?q=\(query)")
      object.member("type", "AnnotationPage")
      if !ignored.isEmpty { object.array("ignored") { for name in ignored { $0.value(name) } } }
      if let next = found.next { object.member("next", "\(search)?q=\(query)&start=\(next)") }
      var number = 0
      var contexts: [(id: String, snippet: TextSnippet)] = []
      object.array("items") { array in
        for (page, hits) in found.pages {
          guard let image = found.images[page] else { continue }
          for hit in hits {
            let snippet = hit.snippet
            for area in hit.areas {
              let id = "\(search)/hit/\(page.number)/\(number)"
              number += 1
              array.object { object in
                object.member("id", id)
                object.member("type", "Annotation")
                object.member("motivation", "supplementing")
                object.object("body") { body in
                  body.member("type", "TextualBody")
                  body.member("value", snippet.match)
                  body.member("format", "text/plain")
                }
                object.target("\(canvas)/\(page.number)", area, image)
              }
              contexts.append((id, snippet))
            }
          }
        }
      }
      object.array("annotations") { array in
        array.object { object in
          object.member("type", "AnnotationPage")
          object.array("items") { array in
            for (id, snippet) in contexts { array.context(id, snippet) }
          }
        }
      }
    }
    json = writer.bytes
  }
}

extension JSONWriter {
  /// Writes where a hit is on a canvas.
  fileprivate mutating func target(_ canvas: String, _ area: TextArea, _ image: PageImage) {
    guard let quad = area.quad else {
      let box = image.pixels(of: area.rect)
      return member("target", "\(canvas)#xywh=\(box.x),\(box.y),\(box.width),\(box.height)")
    }
    let points = quad.corners.map { corner in
      let pixel = corner * image.scale
      return "\(Int(pixel.x.rounded())),\(Int(pixel.y.rounded()))"
    }
    let polygon = "<polygon points='\(points.joined(separator: " "))'/>"
    object("target") { target in
      target.member("type", "SpecificResource")
      target.member("source", canvas)
      target.object("selector") { selector in
        selector.member("type", "SvgSelector")
        selector.member(
          "value",
          "<svg xmlns='http://www.w3.org/2000/svg'>\(polygon)</svg>"
        )
      }
    }
  }

  /// Writes the text around a hit.
  fileprivate mutating func context(_ id: String, _ snippet: TextSnippet) {
    object { object in
      object.member("id", "\(id)/context")
      object.member("type", "Annotation")
      object.member("motivation", "contextualizing")
      object.object("target") { target in
        target.member("type", "SpecificResource")
        target.member("source", id)
        target.array("selector") { array in
          array.object { selector in
            selector.member("type", "TextQuoteSelector")
            selector.member("prefix", snippet.before)
            selector.member("exact", snippet.match)
            selector.member("suffix", snippet.after)
          }
        }
      }
    }
  }
}

extension PageImage {
  /// The pixels that an area in points covers.
  fileprivate func pixels(of area: Rect) -> PixelRect {
    let left = Int((max(0, area.minX) * scale).rounded(.down))
    let top = Int((max(0, area.minY) * scale).rounded(.down))
    return PixelRect(
      x: left,
      y: top,
      width: max(1, Int((area.maxX * scale).rounded(.up)) - left),
      height: max(1, Int((area.maxY * scale).rounded(.up)) - top)
    )
  }
}

extension String {
  /// The text as the value of a parameter in a URI.
  fileprivate var queryEncoded: String {
    var text = ""
    for byte in utf8 {
      let scalar = Unicode.Scalar(byte)
      if scalar.isASCII, scalar.properties.isAlphabetic || (0x30...0x39).contains(byte) {
        text.unicodeScalars.append(scalar)
      } else {
        text += byte < 16 ? "%0" : "%"
        text += String(byte, radix: 16, uppercase: true)
      }
    }
    return text
  }
}
