internal import DocumentModel
package import RectoBase
public import SystemPackage

/// A document on a server, and how it is fetched.
package struct RemoteDocument: Hashable, Sendable {
  /// Where it is.
  package var address: RemoteAddress
  /// How it is fetched.
  package var access: RemoteAccess
  /// The version that a list of objects tells; nil if it is not known.
  package var identity: FileIdentity?

  /// A document from its parts.
  ///
  /// - Parameters:
  ///   - address: Where it is.
  ///   - access: How it is fetched.
  package init(_ address: RemoteAddress, _ access: RemoteAccess) {
    self.address = address
    self.access = access
  }
}

/// A prefix of a store, `s3://BUCKET/PREFIX/`, below which pictures become objects.
public struct StoreFolder: Hashable, Sendable {
  let prefix: RemoteDocument
  /// The keys after the prefix; nil for those of files in a folder.
  public let template: FileTemplate?

  /// A prefix.
  ///
  /// - Parameters:
  ///   - address: The address; nil is returned if it is not that of a prefix (``RemoteAddress/isPrefix``).
  ///   - access: How the store is asked.
  ///   - template: The keys after the prefix, which must pass
  ///     ``FileTemplate/requireThumbnails(hasPages:hasSizes:)`` for thumbnails; nil for those of files in a folder.
  public init?(_ address: RemoteAddress, _ access: RemoteAccess, template: FileTemplate? = nil) {
    guard address.isPrefix else { return nil }
    prefix = RemoteDocument(address, access)
    self.template = template
  }

  /// The prefix as a path, for messages.
  public var path: FilePath { prefix.address.path }
}

extension DocumentLibrary.Item {
  /// Opens the document.
  ///
  /// - Throws: The error of a document that cannot be opened.
  package func document(_ settings: DocumentSettings) async throws(DocumentError) -> Document {
    guard let remote else { return try Document(path, settings: settings) }
    return try await Document(url: remote.address, access: remote.access, settings: settings)
  }
}

extension Document {
  /// The version that was opened of a document on a server; nil for a file of this machine.
  package nonisolated var remoteIdentity: FileIdentity? {
    file.remote == nil ? nil : identity
  }

  /// Whether a document on a server is still the version that was opened, as far as the server has said.
  ///
  /// - Parameter version: The present version, if a list of objects or an answer has told it.
  package nonisolated func isPresent(_ version: FileIdentity?) -> Bool {
    file.isUnchanged && (version ?? identity) == identity
  }
}
