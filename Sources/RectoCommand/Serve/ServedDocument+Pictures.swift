internal import DocumentModel
internal import RectoBase
internal import RectoGeometry
internal import RectoKit

/// Replies to requests for the picture of a page.
extension ServedDocument {
  /// Draws a page, and replies with its picture, or its address if pictures are fetched.
  ///
  /// - Throws: Why the page cannot be drawn; `cancelled`.
  func picture(
    of page: PageIndex,
    _ size: PictureSize,
    _ format: PictureFormat?,
    _ opened: Opened,
    _ request: ServeRequest
  ) async throws {
    try check(page, opened, "picture.page")
    let document = opened.viewer.document
    let geometry = PictureGeometry(size: size)
    let info = try await document.page(at: page)
    let pixels = try geometry.pixelSize(of: info)
    guard pixels.width * pixels.height <= ContentRequest.largestPicture.pixels else {
      throw RequestError(
        "picture: more than \(ContentRequest.largestPicture.pixels) pixels: "
          + "\(pixels.width) × \(pixels.height)"
      )
    }
    if let pictures = opened.pictures {
      guard format == nil else {
        throw RequestError(
          "picture.format: a client that gets addresses asks for the format itself"
        )
      }
      guard let address = pictures.address(of: page, size) else {
        throw RequestError("picture: the server has no pictures of this size")
      }
      return await reply(request) { line in
        line.picture(of: page, pixels)
        line.member("url", address)
      }
    }
    guard await pictureTurn.enter() else { throw DocumentError.cancelled.during("draw") }
    defer { pictureTurn.leave() }
    let picture = try await document.picture(
      of: page,
      geometry: geometry,
      style: .opaque(format ?? .png)
    )
    let number = number
    context.output.add(picture: picture.bytes) { line, pictures in
      line.reply(to: request)
      line.member("document", number)
      line.picture(of: page, picture.size)
      line.bytes(picture.bytes, file: nil, pictures)
      if let incomplete = picture.warnings.incomplete { line.member("incomplete", incomplete) }
      line.member(picture.warnings.repairs)
    }
    await context.output.flush()
  }
}

extension JSONWriter {
  /// Writes which page a picture shows, and its size in pixels.
  fileprivate mutating func picture(of page: PageIndex, _ size: PixelSize) {
    member("page", page.number)
    member("width", size.width)
    member("height", size.height)
  }
}
