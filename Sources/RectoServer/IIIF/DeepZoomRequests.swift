internal import DocumentModel
internal import HTTPTypes
internal import Hummingbird
internal import NIOCore
internal import RectoGeometry

/// Deep Zoom: `/deepzoom/{document};{page}.dzi` and `/deepzoom/{document};{page}_files/{level}/{column}_{row}.jpg`.
struct DeepZoomRequests: Sendable {
  let images: ImageRequests

  /// Answers a request.
  ///
  /// - Parameters:
  ///   - parts: The parts of the path after `/deepzoom`.
  /// - Throws: A problem if there is no such page or tile, or it cannot be drawn.
  func answer(_ parts: [Substring], _ request: Request) async throws(Problem) -> Response {
    let library = images.documents.library
    if parts.count == 1, parts[0].hasSuffix(".dzi") {
      let (entry, page) = try library.page(named: parts[0].dropLast(4))
      return try await images.documents.with(entry) { open async throws(Problem) in
        let image = try await images.image(page, open)
        return .answer(
          ByteBuffer(string: Self.descriptor(of: image)),
          type: "application/xml",
          tag: "\"\(open.version)\"",
          .checked,
          to: request
        )
      }
    }
    guard parts.count == 3, parts[0].hasSuffix("_files"), let level = parts[1].wholeNumber,
      let tile = TileFile(parts[2])
    else { throw .notFound }
    let (entry, page) = try library.page(named: parts[0].dropLast(6))
    return try await images.documents.with(entry) { open async throws(Problem) in
      let image = try await images.image(page, open)
      guard let wanted = tile.request(image, level: level) else { throw Problem.notFound }
      let plan = try ImagePlan(wanted, of: image, pixels: images.pixels)
      let canonical = Canonical(wanted, plan, of: image).path
      return try await images.picture(canonical, wanted, plan, open, request)
    }
  }

  /// A tile of a level, with the pixels of an IIIF tile.
  private struct TileFile {
    var column: Int
    var row: Int
    var format: PictureFormat

    init?(_ name: Substring) {
      let parts = name.split(separator: ".", omittingEmptySubsequences: false)
      guard parts.count == 2, let format = PictureFormat(fileExtension: parts[1]) else {
        return nil
      }
      let numbers = parts[0].split(separator: "_", omittingEmptySubsequences: false)
      guard numbers.count == 2, let column = numbers[0].wholeNumber,
        let row = numbers[1].wholeNumber,
        max(column, row) < 1 << 20
      else { return nil }
      self.column = column
      self.row = row
      self.format = format
    }

    /// The request for the same pixels; nil if the level does not have the tile.
    func request(_ image: PageImage, level: Int) -> ImageRequest? {
      let halvings = image.halvings(to: 1) - level
      guard level >= 0, halvings >= 0 else { return nil }
      let side = ImageRequests.tileSide
      let size = image.halved(halvings)
      let (x, y) = (column * side, row * side)
      guard x < size.width, y < size.height else { return nil }
      let (left, top) = (x << halvings, y << halvings)
      return ImageRequest(
        region: .pixels(
          x: left,
          y: top,
          width: min(side << halvings, image.size.width - left),
          height: min(side << halvings, image.size.height - top)
        ),
        size: .exact(width: min(side, size.width - x), height: min(side, size.height - y)),
        format: format
      )
    }
  }

  private static func descriptor(of image: PageImage) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <Image xmlns="http://schemas.microsoft.com/deepzoom/2008" Format="jpg" Overlap="0" \
    TileSize="\(ImageRequests.tileSide)"><Size Width="\(image.size.width)" \
    Height="\(image.size.height)"/></Image>

    """
  }
}
