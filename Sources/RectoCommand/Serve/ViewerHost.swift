package import DocumentModel
package import RectoGeometry
package import RectoKit
package import RectoTiles
package import SystemPackage

/// A program with several clients: requests use the host's names of documents instead of paths, and tiles are fetched
/// from the host.
package protocol ViewerHost: Sendable {
  /// The document that a request names; nil if there is none.
  func document(named name: String) -> HostedDocument?

  /// Opens a document, or returns the one that is already open.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - settings: The settings to open it with, including the password of the request.
  /// - Returns: The document, and the addresses of its pictures.
  /// - Throws: `DocumentError` if it cannot be opened.
  func open(
    _ document: HostedDocument,
    _ settings: DocumentSettings
  ) async throws(DocumentError) -> (Document, any PublishedPictures)
}

/// A document of a host.
package struct HostedDocument: Hashable, Sendable {
  /// Its name in requests.
  package var name: String
  /// The file; for a document on a server its address without secrets.
  package var path: FilePath
  /// Where it is, if it is on a server.
  package var address: RemoteAddress?
  /// The title shown to clients instead of the path.
  package var title: String

  /// A document from its parts.
  ///
  /// - Parameters:
  ///   - title: The title shown to clients instead of the path.
  package init(name: String, path: FilePath, address: RemoteAddress?, title: String) {
    self.name = name
    self.path = path
    self.address = address
    self.title = title
  }
}

/// The addresses of a document's pictures.
package protocol PublishedPictures: Sendable {
  /// The address of thumbnails, with `{size}` for the longest side in pixels, and `{page}` for the page
  /// number.
  var thumbnails: String { get }
  /// The address of whole pages, with `{dpi}` for pixels per inch, and `{page}` for the page number.
  var pages: String { get }

  /// The address of the picture of a page.
  ///
  /// - Returns: The address; nil if there are no pictures of this size.
  func address(of page: PageIndex, _ size: PictureSize) -> String?

  /// Keeps a tile for clients that will fetch it.
  func publish(_ tile: Tile, _ key: TileKey) -> String
}
