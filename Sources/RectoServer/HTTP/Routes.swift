internal import DocumentModel
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import RectoBase
internal import RectoCommand

/// Dispatches requests by address.
struct Routes: Sendable {
  let documents: OpenDocuments
  let pictures: PictureRequests
  let sessions: ViewerSessions
  let status: StatusRequests
  let images: ImageRequests
  let presentation: PresentationRequests
  let search: ContentSearchRequests
  /// What the pages of the viewer may load, and which pages may have them in a frame.
  let contentSecurityPolicy: String

  private static let tiles = Array("/tiles/".utf8)

  /// The most bytes of a body with a viewer's requests.
  private static let largestBody = 1 << 20

  /// Answers a request with valid host and token.
  ///
  /// - Throws: A problem if there is nothing at the address, or it cannot be answered.
  func answer(_ request: Request, _ path: String) async throws(Problem) -> Response {
    let isReading = request.method == .get || request.method == .head
    // Most requests are for tiles, and most tiles are in memory.
    if isReading, path.utf8.starts(with: Self.tiles) {
      return try await pictures.tile(path, request)
    }
    let parts = try Self.parts(of: path)[...].dropFirst()
    switch (parts.first, parts.count) {
    case ("thumbnails", _) where isReading, ("pictures", _) where isReading:
      return try await pictures.page(Array(parts), path, request)
    case ("sizes", 4) where isReading: return try await pictures.sizes(Array(parts), request)
    case ("", 1) where isReading: return try start(request)
    case ("view", 2) where isReading:
      guard documents.library[String(parts[parts.startIndex + 1])] != nil else { throw .notFound }
      return try file("index.html", request)
    // At the top, so that it can answer for the list of documents too.
    case ("service.js", 1) where isReading: return try file("service.js", request)
    case ("viewer", 2) where isReading:
      return try file(String(parts[parts.startIndex + 1]), request)
    case ("api", _): return try await api(Array(parts.dropFirst()), request)
    case ("iiif", _) where isReading: return try await iiif(Array(parts.dropFirst()), request)
    case ("deepzoom", _) where isReading:
      return try await DeepZoomRequests(images: images).answer(Array(parts.dropFirst()), request)
    case ("health", 1) where isReading: return status.health()
    case ("ready", 1) where isReading: return try await status.ready()
    case ("metrics", 1) where isReading: return await status.metrics()
    default:
      throw isReading ? .notFound : Problem(.methodNotAllowed, "only GET and HEAD are allowed here")
    }
  }

  /// The parts of a path, decoded after splitting: an encoded slash does not split (RFC 3986, 2.4).
  static func parts(of path: String) throws(Problem) -> [Substring] {
    var parts = path.split(separator: "/", omittingEmptySubsequences: false)
    for index in parts.indices where parts[index].utf8.contains(UInt8(ascii: "%")) {
      guard let decoded = parts[index].percentDecoded else {
        throw Problem(.badRequest, "\(parts[index]): is not percent-encoded text")
      }
      parts[index] = Substring(decoded)
    }
    return parts
  }

  private func iiif(_ parts: [Substring], _ request: Request) async throws(Problem) -> Response {
    switch (parts.first, parts.dropFirst().first) {
    case ("3", _?): try await images.answer(Array(parts.dropFirst()), request)
    case ("presentation", "3"): try await presentation.answer(Array(parts.dropFirst(2)), request)
    case ("search", "2") where parts.count == 3: try await search.answer(parts[2], request)
    default: throw .notFound
    }
  }

  /// The viewer of the only document, or the list of documents.
  private func start(_ request: Request) throws(Problem) -> Response {
    if documents.library.entries.count == 1, let only = documents.library.entries.first {
      return .redirect(.seeOther, to: "view/\(only.id)")
    }
    return try file("library.html", request)
  }

  /// A file of the viewer.
  private func file(_ name: String, _ request: Request) throws(Problem) -> Response {
    guard let file = ViewerFiles.file(named: name) else { throw .notFound }
    var response = Response.answer(
      ByteBuffer(bytes: file.bytes),
      type: file.mediaType,
      tag: "\"\(file.tag)\"",
      .checked,
      to: request
    )
    if file.isCompressed { response.headers[.contentEncoding] = "gzip" }
    response.headers[.contentSecurityPolicy] = contentSecurityPolicy
    return response
  }

  private func api(_ parts: [Substring], _ request: Request) async throws(Problem) -> Response {
    switch (parts.first, parts.count, request.method) {
    case ("documents", 1, .get), ("documents", 1, .head): return listDocuments(request)
    case ("documents", 2, .get), ("documents", 2, .head):
      return try await describe(String(parts[1]), request)
    case ("sessions", 3, .get) where parts[2] == "events":
      return try sessions.begin(String(parts[1]), request)
    case ("sessions", 3, .post) where parts[2] == "requests":
      let body: ByteBuffer
      do {
        body = try await request.body.collect(upTo: Self.largestBody)
      } catch {
        throw Problem(.contentTooLarge, "requests of more than \(Self.largestBody) bytes")
      }
      try sessions.take(body, for: String(parts[1]))
      return Response(status: .accepted, headers: [.cacheControl: "no-store"])
    default: throw .notFound
    }
  }

  private func listDocuments(_ request: Request) -> Response {
    var json = JSONWriter()
    json.object { object in
      object.array("documents") { array in
        for entry in documents.library.entries {
          array.object { object in object.members(of: entry) }
        }
      }
    }
    return .json(json.bytes, tag: nil, to: request)
  }

  /// What the list of documents shows of one document.
  ///
  /// - Throws: A problem if there is no such document, or it cannot be opened.
  private func describe(_ id: String, _ request: Request) async throws(Problem) -> Response {
    guard let entry = documents.library[id] else { throw .notFound }
    return try await documents.with(entry) { (open) async throws(Problem) in
      var json = JSONWriter()
      json.object { object in
        object.members(of: entry)
        object.member("title", open.info.title)
        object.member("pages", open.info.pageCount)
        object.member("thumbnails", open.thumbnails)
      }
      return .json(json.bytes, tag: open.version, to: request)
    }
  }
}

extension JSONWriter {
  fileprivate mutating func members(of entry: ServedLibrary.Entry) {
    member("id", entry.id)
    member("name", entry.name)
    if !entry.folder.isEmpty { member("folder", entry.folder) }
  }
}
