internal import DocumentModel
internal import Hummingbird
internal import NIOCore
internal import RectoGeometry
internal import RectoKit
internal import RectoTiles

/// Answers requests for tiles, thumbnails and whole pages.
struct PictureRequests: Sendable {
  let documents: OpenDocuments
  let queue: RenderQueue
  let store: PictureStore
  let gate: DrawingGate
  /// Pixels of a picture.
  let pixels: Int

  /// Sizes of thumbnails, in pixels of the longer side.
  static let thumbnailSizes = [128, 256, 512]
  /// Pixels per inch of whole pages.
  static let resolutions = 18...600

  /// The tile at an address.
  ///
  /// - Throws: A problem if there is no such tile, or it cannot be drawn.
  func tile(_ path: String, _ request: Request) async throws(Problem) -> Response {
    if let known = store[path] { return known.response(to: request) }
    guard let address = TileAddress(path) else { throw .notFound }
    let (tile, freshness) = try await picture(
      at: path,
      address.document,
      address.version,
      .tile
    ) { open async throws(DocumentError) in
      let info = try await open.document.page(at: address.page)
      let raster = try PageRaster(
        page: address.page,
        info: info,
        scale: address.scale,
        rotation: address.rotation
      ).filling(address.size, of: info)
      guard raster.size == address.size else {
        throw DocumentError(.pageMissing, during: "", "the page has no raster of this size")
      }
      let key = TileKey(raster: raster, tile: address.tile, side: address.side)
      guard key.part.width * key.part.height <= pixels else {
        throw DocumentError(.pageSize, during: "", "the tile has too many pixels")
      }
      let tile = try await self.tile(key, open)
      return (tile.bytes, .png, tile.incomplete == nil)
    }
    return tile.response(to: request, freshness)
  }

  /// A tile from the queue, which shares drawings in progress.
  private func tile(_ key: TileKey, _ open: OpenDocument) async throws(DocumentError) -> Tile {
    do {
      let tile = try await queue.tile(key, of: open.source)
      store.count(tile.source)
      return tile
    } catch let error as DocumentError {
      throw error
    } catch {
      throw DocumentError.cancelled
    }
  }

  /// A thumbnail, a sheet of thumbnails, or a whole page for printing.
  ///
  /// - Parameters:
  ///   - parts: The parts of the path: kind, document, version, size and `page.format`.
  /// - Throws: A problem if there is no such picture, or it cannot be drawn.
  func page(
    _ parts: [Substring],
    _ path: String,
    _ request: Request
  ) async throws(Problem) -> Response {
    guard parts.count == 5, let number = Int(parts[3]), String(number) == parts[3],
      let size = Self.size(parts[0], number)
    else { throw .notFound }
    let name = parts[4].split(separator: ".", omittingEmptySubsequences: false)
    guard let first = name.first, name.count <= 2 else { throw .notFound }
    let format: PictureFormat
    if name.count == 2 {
      guard let named = PictureFormat(fileExtension: name[1]) else { throw .notFound }
      format = named
    } else {
      format = PictureFormat(accepting: request.headers[.accept])
    }
    let wanted = WantedPicture(
      folder: String(path[...(path.lastIndex(of: "/") ?? path.startIndex)]),
      document: String(parts[1]),
      version: String(parts[2]),
      size: size,
      format: format
    )
    var response: Response
    if let page = Int(first).flatMap(PageIndex.init(number:)), String(page.number) == first {
      let (picture, freshness) = try await picture(of: page, wanted)
      response = picture.response(to: request, freshness)
    } else if let pages = Self.pages(first), case .longestSide = size {
      response = try await sheet(of: pages, wanted, request)
    } else {
      throw .notFound
    }
    if name.count == 1 { response.headers[.vary] = "Accept" }
    return response
  }

  /// A picture of a page, which is immutable if the page was drawn as a whole and the version is the current one.
  ///
  /// - Throws: A problem if it cannot be drawn.
  func picture(
    of page: PageIndex,
    _ wanted: WantedPicture
  ) async throws(Problem) -> (StoredPicture, Freshness) {
    let address = wanted.address(of: page)
    return try await picture(at: address, wanted.document, wanted.version, .picture) {
      open async throws(DocumentError) in
      let info = try await open.document.page(at: page)
      let geometry = PictureGeometry(size: wanted.size)
      guard let area = geometry.pixels(of: info), area <= Double(pixels) else {
        throw DocumentError(.pageSize, during: "", "the picture has too many pixels")
      }
      let picture = try await open.document.picture(
        of: page,
        geometry: geometry,
        style: PictureStyle.opaque(wanted.format)
      )
      return (picture.bytes, wanted.format, picture.warnings.incomplete == nil)
    }
  }

  /// The numbers in `first-last`; nil for another text.
  static func pages(_ text: Substring) -> ClosedRange<Int>? {
    let numbers = text.split(separator: "-", omittingEmptySubsequences: false).map { part in
      Int(part).flatMap { String($0) == part ? $0 : nil }
    }
    guard numbers.count == 2, let first = numbers[0], let last = numbers[1], 1 <= first,
      first <= last
    else { return nil }
    return first...last
  }

  private static func size(_ kind: Substring, _ number: Int) -> PictureSize? {
    switch kind {
    case "thumbnails": thumbnailSizes.contains(number) ? .longestSide(number) : nil
    case "pictures": resolutions.contains(number) ? .resolution(Double(number)) : nil
    default: nil
    }
  }

  /// A picture from memory, or drawn. It is immutable if the page was drawn as a whole and the version is the current
  /// one; that of another build is answered with what this one draws.
  ///
  /// - Parameters:
  ///   - draw: Draws the picture, and returns whether it is complete.
  /// - Throws: A problem if the document has other content now, or the picture cannot be drawn.
  private func picture(
    at address: String,
    _ id: String,
    _ version: String,
    _ work: DrawingGate.Work,
    _ draw: @Sendable (OpenDocument) async throws(DocumentError) -> ([UInt8], PictureFormat, Bool)
  ) async throws(Problem) -> (StoredPicture, Freshness) {
    if let known = store[address] { return (known, .immutable) }
    guard documents.library[id] != nil else { throw .notFound }
    return try await gate.draw(work) { () async throws(Problem) -> (StoredPicture, Freshness) in
      do throws(DocumentError) {
        let open = try await document(id, version: version)
        let isCurrent = open.version == version
        let current = isCurrent ? address : open.address(address, insteadOf: version)
        if !isCurrent, let known = store[current] { return (known, .none) }
        let (bytes, format, isComplete) = try await draw(open)
        let picture = StoredPicture(bytes, format, open.version)
        if isComplete { store.insert(picture, at: current) }
        return (picture, isComplete && isCurrent ? .immutable : .none)
      } catch {
        throw Problem(error)
      }
    }
  }

  /// The document that a version belongs to.
  ///
  /// - Throws: `DocumentError` if it has other content now, or cannot be opened.
  func document(_ id: String, version: String) async throws(DocumentError) -> OpenDocument {
    guard let open = try await documents.document(id, version: version) else {
      throw DocumentError(.unreadable, during: "", "the document is another one now")
    }
    return open
  }
}

/// What pictures of pages have in common.
struct WantedPicture: Sendable {
  /// The address without the last part.
  var folder: String
  /// The name of the document in addresses.
  var document: String
  var version: String
  var size: PictureSize
  var format: PictureFormat

  /// The same with the version of an open document.
  func current(_ open: OpenDocument) -> WantedPicture {
    guard version != open.version else { return self }
    var wanted = self
    wanted.folder = open.address(folder, insteadOf: version)
    wanted.version = open.version
    return wanted
  }

  /// The address of the picture of a page.
  func address(of page: PageIndex) -> String { "\(folder)\(page.number).\(format.fileExtension)" }
}

extension StoredPicture {
  /// The answer to a request for it.
  func response(to request: Request, _ freshness: Freshness = .immutable) -> Response {
    .answer(body, type: format.mediaType, tag: tag, freshness, to: request)
  }
}

extension PictureGeometry {
  /// The number of pixels of a page's picture before cropping; nil for a page without area.
  func pixels(of info: PageInfo) -> Double? {
    let page = info.size.rotated(by: rotation)
    guard page.width > 0, page.height > 0 else { return nil }
    switch size {
    case .resolution(let resolution):
      return page.width * page.height * (resolution / 72) * (resolution / 72)
    case .longestSide(let side):
      let scale = Double(side) / max(page.width, page.height)
      return page.width * page.height * scale * scale
    case .box: return nil
    }
  }
}
