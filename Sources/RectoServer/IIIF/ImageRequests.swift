internal import Dispatch
internal import DocumentModel
internal import HTTPTypes
internal import Hummingbird
internal import RectoGeometry
internal import RectoKit
internal import RectoTiles

/// The IIIF Image API 3.0, level 2: `/iiif/3/{document};{page}/…`.
struct ImageRequests: Sendable {
  let documents: OpenDocuments
  let store: PictureStore
  let gate: DrawingGate
  let base: BaseURI
  /// Pixels of a picture.
  let pixels: Int

  /// The side of tiles that the description recommends.
  static let tileSide = 512

  /// Answers a request for an image or its description.
  ///
  /// - Parameters:
  ///   - parts: The parts of the path after `/iiif/3`.
  /// - Throws: A problem if there is no such image, or it cannot be drawn.
  func answer(_ parts: [Substring], _ request: Request) async throws(Problem) -> Response {
    guard let name = parts.first else { throw .notFound }
    let (entry, page) = try documents.library.page(named: name)
    let identifier = "\(base.uri(for: request))/iiif/3/\(entry.id);\(page.number)"
    if parts.count == 1 { return .redirect(.seeOther, to: identifier + "/info.json") }
    var response: Response
    if parts.count == 2, parts[1] == "info.json" {
      response = try await documents.with(entry) { open async throws(Problem) in
        let image = try await self.image(page, open)
        let text = ImageDescription(image, identifier: identifier, pixels: pixels).json
        return .linkedData(text, context: "image/3", tag: open.version, to: request)
      }
    } else {
      let wanted = try ImageRequest(Array(parts.dropFirst()))
      response = try await documents.with(entry) { open async throws(Problem) in
        try await self.draw(wanted, page, open, identifier, request)
      }
    }
    let links = response.headers[.link].map { ", \($0)" } ?? ""
    response.headers[.link] = "<http://iiif.io/api/image/3/level2.json>;rel=\"profile\"\(links)"
    return response
  }

  /// The image of a page.
  ///
  /// - Throws: A problem if the document does not have the page, or it has no area.
  func image(_ page: PageIndex, _ open: OpenDocument) async throws(Problem) -> PageImage {
    guard Range(pageCount: open.info.pageCount).contains(page) else {
      throw Problem(.notFound, "the document has \(open.info.pageCount) pages")
    }
    return try await Problem.of { () async throws(DocumentError) in
      try PageImage(page, try await open.document.page(at: page), pixels: pixels)
    }
  }

  private func draw(
    _ wanted: ImageRequest,
    _ page: PageIndex,
    _ open: OpenDocument,
    _ identifier: String,
    _ request: Request
  ) async throws(Problem) -> Response {
    let image = try await image(page, open)
    let plan = try ImagePlan(wanted, of: image, pixels: pixels)
    let canonical = Canonical(wanted, plan, of: image).path
    var response = try await picture(canonical, wanted, plan, open, request)
    response.headers[.link] = "<\(identifier)/\(canonical)>;rel=\"canonical\""
    return response
  }

  /// A picture from memory, or drawn.
  ///
  /// - Parameters:
  ///   - canonical: Its canonical address, relative to that of the image.
  /// - Throws: A problem if it cannot be drawn.
  func picture(
    _ canonical: String,
    _ wanted: ImageRequest,
    _ plan: ImagePlan,
    _ open: OpenDocument,
    _ request: Request
  ) async throws(Problem) -> Response {
    let page = plan.raster.pageIndex.number
    let address = "/iiif/\(open.id)/\(open.version)/\(page)/\(canonical)"
    if let known = store[address] { return known.response(to: request, .checked) }
    return try await gate.draw { () async throws(Problem) in
      let (bytes, isComplete) = try await Problem.of { () async throws(DocumentError) in
        try await self.drawn(wanted, plan, open)
      }
      let picture = StoredPicture(bytes, wanted.format, open.version)
      if isComplete { store.insert(picture, at: address) }
      return picture.response(to: request, isComplete ? .checked : .none)
    }
  }

  /// The file of a picture, and whether it is complete.
  private func drawn(
    _ wanted: ImageRequest,
    _ plan: ImagePlan,
    _ open: OpenDocument
  ) async throws(DocumentError) -> ([UInt8], Bool) {
    let style = PictureStyle.opaque(wanted.format, isGray: wanted.quality == .gray)
    let isEdited = plan.isDistorted || wanted.isMirrored || wanted.quality == .bitonal
    let drawn = try await open.document.draw(
      PageDrawing(
        plan.raster,
        .parts([plan.part]),
        style: isEdited ? .pixels : style,
        purpose: .tiles
      )
    )
    guard let picture = drawn.pictures.first else {
      throw DocumentError(.fault, during: "draw", "no picture")
    }
    let isComplete = drawn.warnings.incomplete == nil
    guard isEdited else { return (picture.bytes, isComplete) }
    return (try await edited(picture.bytes, wanted, plan, style), isComplete)
  }

  /// A picture after the operations that poppler does not do. Not on the cooperative pool, because they can take
  /// seconds.
  ///
  /// - Throws: `DocumentError` if the picture cannot be read or encoded.
  private func edited(
    _ bytes: [UInt8],
    _ wanted: ImageRequest,
    _ plan: ImagePlan,
    _ style: PictureStyle
  ) async throws(DocumentError) -> [UInt8] {
    let result: Result<[UInt8], DocumentError> = await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          returning: Result { () throws(DocumentError) in
            var pixels = try PixelEditing(bytes, limit: self.pixels)
            pixels.reduce(to: plan.turnedSize(wanted.rotation))
            if wanted.isMirrored { pixels.mirror(upsideDown: wanted.rotation.isSideways) }
            if wanted.quality == .bitonal { pixels.makeBitonal() }
            return try pixels.encoded(style)
          }
        )
      }
    }
    return try result.get()
  }
}

/// The canonical form of a request (Image API 3.0, 4.7).
struct Canonical {
  let path: String

  init(_ request: ImageRequest, _ plan: ImagePlan, of image: PageImage) {
    let region = plan.region
    let isFull = region.size == image.size
    let regionText =
      isFull ? "full" : "\(region.x),\(region.y),\(region.width),\(region.height)"
    let isUpscaled = plan.size.width > region.width || plan.size.height > region.height
    let isWhole = plan.size == region.size && !request.allowsUpscaling
    let sizeText =
      isWhole ? "max" : "\(isUpscaled ? "^" : "")\(plan.size.width),\(plan.size.height)"
    let rotation = "\(request.isMirrored ? "!" : "")\(request.rotation.degrees)"
    let quality = request.quality == .color ? "default" : request.quality.rawValue
    path = "\(regionText)/\(sizeText)/\(rotation)/\(quality).\(request.format.fileExtension)"
  }
}
