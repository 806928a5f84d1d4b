internal import DocumentModel
internal import Hummingbird
internal import NIOCore
internal import RectoGeometry
internal import RectoKit

extension PictureRequests {
  /// The most pages whose sizes are asked for together.
  static let mostSizes = 4096

  /// The sizes of consecutive pages, for a viewer that lays out by itself: of each page width and height in points, as
  /// displayed, two 64-bit floating-point numbers, the lowest byte first. A page that cannot be measured, or not at once
  /// from the page tree, has NaN.
  ///
  /// - Parameters:
  ///   - parts: The parts of the path: `sizes`, document, version, and the numbers of the first and the last page. There
  ///     is nothing for pages after the last one.
  /// - Throws: A problem if there are no such pages, or the document cannot be opened.
  func sizes(_ parts: [Substring], _ request: Request) async throws(Problem) -> Response {
    guard parts.count == 4, let pages = Self.pages(parts[3]), pages.count <= Self.mostSizes,
      documents.library[String(parts[1])] != nil
    else { throw .notFound }
    let version = String(parts[2])
    let open = try await Problem.of { () async throws(DocumentError) in
      try await document(String(parts[1]), version: version)
    }
    guard pages.lowerBound <= open.info.pageCount else { throw .notFound }
    let range = Range(pageCount: open.info.pageCount)
      .clamped(to: PageIndex(pages.lowerBound - 1)..<PageIndex(pages.upperBound))
    let known = await open.document.measureAtOnce([range])
    var body = ByteBuffer()
    var isComplete = true
    for page in range {
      let result = known[page]
      if result == nil { isComplete = false }
      let size = (try? result?.get())?.size
      body.writeInteger((size?.width ?? .nan).bitPattern, endianness: .little)
      body.writeInteger((size?.height ?? .nan).bitPattern, endianness: .little)
    }
    return .answer(
      body,
      type: "application/octet-stream",
      tag: "\"\(version)\"",
      isComplete ? .immutable : .none,
      to: request
    )
  }
}
