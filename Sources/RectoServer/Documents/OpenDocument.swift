internal import DocumentModel
internal import RectoCommand
internal import RectoGeometry
internal import RectoKit
internal import RectoTiles

/// A document that is open, and the addresses of its pictures.
struct OpenDocument: Sendable {
  /// Its name in addresses.
  let id: String
  let document: Document
  let info: DocumentInfo
  /// The name of its pixels: addresses with it stay valid forever. It begins with the name of the content, which is
  /// the same on a server whose build draws it otherwise.
  let version: String
  /// Its name in the queue for tiles that are fetched by address.
  let source: SourceID
  /// The generation of the document that these values belong to.
  private let generation: Int
  private let store: PictureStore

  /// Opens a document for all clients.
  ///
  /// - Parameters:
  ///   - queue: The queue for tiles that are fetched by address.
  /// - Throws: `DocumentError` if it cannot be opened or has no pages.
  init(
    _ id: String,
    _ document: Document,
    queue: RenderQueue,
    store: PictureStore
  ) async throws(DocumentError) {
    self.id = id
    self.document = document
    (generation, info, version) = try await document.withOneReader { () throws(DocumentError) in
      let (generation, info) = (document.generation, try await document.info())
      let key = try await document.drawingKey()
      // The page reader determines the sizes of pages.
      let reader = await document.pageReader.name == "tree" ? "" : "p"
      let names = [await document.contentKey, key].map { $0.hexadecimal.prefix(Self.nameLength) }
      return (generation, info, names.joined() + reader)
    }
    guard info.pageCount > 0 else { throw DocumentError.noPages }
    source = await queue.add(document)
    self.store = store
  }

  /// The digits of each of the two names in a version.
  private static let nameLength = 12

  /// Whether a version, perhaps of another build, is one of this content.
  func hasContent(of version: String) -> Bool {
    version.utf8.count >= 2 * Self.nameLength
      && version.prefix(Self.nameLength) == self.version.prefix(Self.nameLength)
  }

  /// An address of another version, with this one.
  func address(_ address: String, insteadOf version: String) -> String {
    address.replacing("/\(id)/\(version)/", with: "/\(id)/\(self.version)/", maxReplacements: 1)
  }

  /// Whether it belongs to the current page reader.
  var isCurrent: Bool { document.generation == generation }
}

extension OpenDocument: PublishedPictures {
  var thumbnails: String { "/thumbnails/\(id)/\(version)/{size}/{page}.png" }
  var pages: String { "/pictures/\(id)/\(version)/{dpi}/{page}.png" }

  func address(of page: PageIndex, _ size: PictureSize) -> String? {
    let template: String
    let name: (String, Int)
    switch size {
    case .longestSide(let side):
      guard PictureRequests.thumbnailSizes.contains(side) else { return nil }
      (template, name) = (thumbnails, ("{size}", side))
    case .resolution(let resolution):
      guard let dpi = Int(exactly: resolution), PictureRequests.resolutions.contains(dpi) else {
        return nil
      }
      (template, name) = (pages, ("{dpi}", dpi))
    case .box: return nil
    }
    return template.replacing(name.0, with: String(name.1))
      .replacing("{page}", with: String(page.number))
  }

  func publish(_ tile: Tile, _ key: TileKey) -> String {
    let address = TileAddress(document: id, version: version, key: key).path
    store.count(tile.source)
    // Incomplete tiles are drawn again on request.
    if tile.incomplete == nil {
      store.insert(StoredPicture(tile.bytes, .png, version), at: address)
    }
    return address
  }
}
