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
    return try await answer(path, address.document, address.version, request, .tile) {
      open async throws(DocumentError) in
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

  /// A thumbnail, or a whole page for printing.
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
    guard let page = name.first.flatMap({ Int($0) }).flatMap(PageIndex.init(number:)),
      String(page.number) == name[0], name.count <= 2
    else { throw .notFound }
    var address = path
    let format: PictureFormat
    if name.count == 2 {
      guard let named = PictureFormat(fileExtension: name[1]) else { throw .notFound }
      format = named
    } else {
      format = PictureFormat(accepting: request.headers[.accept])
      address += ".\(format.fileExtension)"
    }
    var response = try await answer(address, String(parts[1]), String(parts[2]), request, .picture)
    {
      open async throws(DocumentError) in
      let info = try await open.document.page(at: page)
      let geometry = PictureGeometry(size: size)
      guard let area = geometry.pixels(of: info), area <= Double(pixels) else {
        throw DocumentError(.pageSize, during: "", "the picture has too many pixels")
      }
      let style = PictureStyle.opaque(format)
      let picture = try await open.document.picture(
        of: page,
        geometry: geometry,
        style: style
      )
      return (picture.bytes, format, picture.warnings.incomplete == nil)
    }
    if name.count == 1 { response.headers[.vary] = "Accept" }
    return response
  }

  private static func size(_ kind: Substring, _ number: Int) -> PictureSize? {
    switch kind {
    case "thumbnails": thumbnailSizes.contains(number) ? .longestSide(number) : nil
    case "pictures": resolutions.contains(number) ? .resolution(Double(number)) : nil
    default: nil
    }
  }

  /// A picture from memory, or drawn.
  ///
  /// - Parameters:
  ///   - draw: Draws the picture, and returns whether it is complete.
  /// - Throws: A problem if the document has another version now, or the picture cannot be drawn.
  private func answer(
    _ address: String,
    _ id: String,
    _ version: String,
    _ request: Request,
    _ work: DrawingGate.Work,
    _ draw: @Sendable (OpenDocument) async throws(DocumentError) -> ([UInt8], PictureFormat, Bool)
  ) async throws(Problem) -> Response {
    if let known = store[address] { return known.response(to: request) }
    guard documents.library[id] != nil else { throw .notFound }
    return try await gate.draw(work) { () async throws(Problem) -> Response in
      do throws(DocumentError) {
        guard let open = try await documents.document(id, version: version) else {
          throw DocumentError(.unreadable, during: "", "the document is another one now")
        }
        let (bytes, format, isComplete) = try await draw(open)
        let picture = StoredPicture(bytes, format, version)
        guard isComplete else { return picture.response(to: request, .none) }
        store.insert(picture, at: address)
        return picture.response(to: request)
      } catch {
        throw Problem(error)
      }
    }
  }
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
