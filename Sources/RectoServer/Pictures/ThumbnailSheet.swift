internal import DocumentModel
internal import Hummingbird
internal import NIOCore
internal import RectoGeometry

extension PictureRequests {
  /// The most pages of a sheet.
  static let largestSheet = 64
  /// Thumbnails of a sheet that are drawn or wait for that at the same time: the client's next tile waits for these at
  /// most.
  private static let atOnce = 4

  /// The thumbnails of consecutive pages, one after the other: for each page the number of its bytes (four bytes, the
  /// highest first), and the picture. A page that cannot be drawn, or only partly, has no bytes.
  ///
  /// - Parameters:
  ///   - pages: The numbers of the first and the last page. There is nothing for those after the last one.
  /// - Throws: A problem if there are no such pages, or the document cannot be opened.
  func sheet(
    of pages: ClosedRange<Int>,
    _ wanted: WantedPicture,
    _ request: Request
  ) async throws(Problem) -> Response {
    guard documents.library[wanted.document] != nil, pages.count <= Self.largestSheet else {
      throw .notFound
    }
    let open = try await Problem.of { () async throws(DocumentError) in
      try await document(wanted.document, version: wanted.version)
    }
    guard pages.lowerBound <= open.info.pageCount else { throw .notFound }
    let numbers = pages.lowerBound...min(pages.upperBound, open.info.pageCount)
    let isCurrent = open.version == wanted.version
    let pictures = await pictures(of: numbers, wanted.current(open))
    var body = ByteBuffer()
    for number in numbers {
      var picture = pictures[number]?.body ?? ByteBuffer()
      body.writeInteger(UInt32(clamping: picture.readableBytes))
      body.writeBuffer(&picture)
    }
    return .answer(
      body,
      type: "application/octet-stream",
      tag: "\"\(open.version)\"",
      isCurrent && pictures.count == numbers.count ? .immutable : .none,
      to: request
    )
  }

  /// The pictures of pages that were drawn as a whole, by their numbers.
  private func pictures(
    of numbers: ClosedRange<Int>,
    _ wanted: WantedPicture
  ) async -> [Int: StoredPicture] {
    await withTaskGroup(of: (Int, StoredPicture?).self) { group in
      var pictures: [Int: StoredPicture] = [:]
      for (index, number) in numbers.enumerated() {
        if index >= Self.atOnce, let (drawn, picture) = await group.next() {
          pictures[drawn] = picture
        }
        group.addTask {
          guard let page = PageIndex(number: number),
            case (let picture, .immutable)? = try? await self.picture(of: page, wanted)
          else { return (number, nil) }
          return (number, picture)
        }
      }
      for await (drawn, picture) in group { pictures[drawn] = picture }
      return pictures
    }
  }
}
