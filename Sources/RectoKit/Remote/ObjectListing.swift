package import DocumentModel
internal import RectoBase

/// The objects of a store whose keys begin with a text, page after page (ListObjectsV2). Its own queue waits for the
/// store.
package actor ObjectListing {
  private let executor = QueueExecutor(label: "recto.object-listing")
  /// The actor's own queue.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    executor.asUnownedSerialExecutor()
  }

  private let prefix: RemoteDocument
  /// What the next page is asked for with; nil for the first one.
  private var token: String?
  private var isAtEnd = false

  /// The most bytes of a page: a thousand objects have less.
  private static let largestPage = 16 << 20

  /// The objects of a prefix, of which none has been asked for.
  ///
  /// - Parameter prefix: See ``RemoteAddress/isPrefix``.
  package init(_ prefix: RemoteDocument) {
    self.prefix = prefix
    FetchPool.enter()
  }

  deinit { FetchPool.leave() }

  /// The next objects, at most a thousand; nil at the end.
  ///
  /// - Throws: `DocumentError` with `unreadable`, `notAllowed` or `unavailable`. Then the list is at its end.
  package func next() throws(DocumentError) -> [ListedObject]? {
    guard !isAtEnd, let key = prefix.address.object?.key else { return nil }
    isAtEnd = true
    // In the order of their names, as Signature 4 needs them.
    var query = token.map { ["continuation-token=\(Self.encoded($0))"] } ?? []
    query += ["encoding-type=url", "list-type=2", "prefix=\(Self.encoded(key))"]
    var access = prefix.access
    access.largest = .max
    let server = try DocumentServer(
      prefix.address,
      access,
      query: query.joined(separator: "&")
    )
    var text: [UInt8] = []
    try server.exchange([.whole], naming: nil) { (reply) throws(DocumentError) in
      guard case .bytes(let offset, let bytes) = reply else { return }
      // It begins again after a failure.
      guard offset <= text.count else { throw RemoteFile.unasked }
      guard offset + bytes.count <= Self.largestPage else {
        throw DocumentError(.unreadable, during: "fetch", "the store sends too long a list")
      }
      text.removeLast(text.count - offset)
      text += bytes
    }
    guard let page = ObjectPage(text), page.next == nil || page.next != token else {
      throw DocumentError(.unreadable, during: "fetch", "the store sends no list of objects")
    }
    token = page.next
    isAtEnd = token == nil
    // By bytes: a letter can be written in several ways.
    return page.objects.filter { $0.key.utf8.starts(with: key.utf8) }
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.percentEncoded(sparing: "-._~")
  }
}

extension RemoteDocument {
  /// An object below this prefix; nil if its key cannot be part of an address.
  func object(_ listed: ListedObject) -> RemoteDocument? {
    guard let bucket = address.object?.bucket,
      let address = RemoteAddress("s3://\(bucket)/\(listed.key)")
    else { return nil }
    var document = RemoteDocument(address, access)
    if let tag = listed.tag, let size = listed.size {
      document.identity = RemoteFile.identity(
        of: address.request(access).address,
        Validator(text: tag, isStrong: true),
        size: size
      )
    }
    return document
  }
}
