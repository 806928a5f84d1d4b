public import DocumentModel
package import RectoBase
internal import RectoTiles

/// Documents on servers.
extension Document {
  /// Opens a document on a server, of which only the parts that are needed are fetched.
  ///
  /// - Parameters:
  ///   - address: Where it is.
  ///   - access: How it is fetched.
  ///   - settings: How it is opened, drawn and kept.
  /// - Throws: `unreadable` when there is no such document, `notAllowed` when the server does not allow it,
  ///   `unavailable` when the server is not reached; `output` when the parts cannot be kept in the temporary directory;
  ///   `fault` when the worker program is missing.
  public init(
    url address: RemoteAddress,
    access: RemoteAccess = RemoteAccess(),
    settings: DocumentSettings = DocumentSettings()
  ) async throws(DocumentError) {
    let remote = try await RemoteOpener().open(address, access, settings.cache)
    try self.init(remote, of: address, settings: settings)
  }
}

extension RemoteDocument {
  /// The version that the server has now; nil if it cannot be told from others.
  ///
  /// - Throws: `DocumentError` as when it is opened.
  package func currentIdentity() async throws(DocumentError) -> FileIdentity? {
    try await RemoteOpener().identity(of: self)
  }
}

/// Opens documents on its own queue, because servers may be slow.
private actor RemoteOpener {
  private let executor = QueueExecutor(label: "recto.remote-opener")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  func open(
    _ address: RemoteAddress,
    _ access: RemoteAccess,
    _ cache: CacheDirectory?
  ) throws(DocumentError) -> RemoteFile {
    try RemoteFile(address, access, cache: cache)
  }

  func identity(of document: RemoteDocument) throws(DocumentError) -> FileIdentity? {
    let server = try DocumentServer(document.address, document.access)
    FetchPool.enter()
    defer { FetchPool.leave() }
    return try RemoteOpening.identity(server)
  }
}
