internal import DocumentModel
internal import RectoBase
internal import RectoTiles
internal import SystemPackage

/// The first requests for a document: how large it is, which version the server has, and both of its ends.
struct RemoteOpening {
  let file: SparseFile
  let parts: FetchedParts
  let size: Int
  let validator: Validator
  /// Whether the server sends parts.
  let hasRanges: Bool
  let cost: RemoteCost

  /// Bytes at the beginning of a document and at its end that are asked for first: two parts.
  private static let (head, tail) = (1 << 17, 1 << 17)
  /// How many times `recto-fetch` may send bytes: it asks again after a failure.
  private static let mostTries = 3
  /// The largest document of all, in bytes.
  private static let largest = 1 << 40

  /// Asks for both ends of a document; for all of it if the server has no parts; for its last byte only if parts of the
  /// version that it had are kept.
  ///
  /// - Throws: `DocumentError` with `unreadable`, `notAllowed`, `unavailable`, `changed` or `output`.
  init(_ server: DocumentServer, _ cache: PartCache?) throws(DocumentError) {
    var cost = RemoteCost()
    let known = cache?.version
    if let known {
      let (answer, _) = try Self.ask(server, [.tail(1)], &cost)
      let validator = Validator(text: known.tag, isStrong: true)
      // Without ranges, all of it is downloaded again.
      if answer.hasRanges, answer.validator == validator, answer.size == known.size {
        (size, self.validator, self.cost) = (known.size, validator, cost)
        hasRanges = true
        file = try Self.file(size)
        parts = FetchedParts(size: size)
        return
      }
    }
    var (answer, ends) = try Self.ask(server, [.tail(Self.tail), .range(0..<Self.head)], &cost)
    if answer.hasRanges, let size = answer.size, let validator = answer.validator {
      guard size <= Self.largest else {
        throw DocumentError(.unreadable, during: "fetch", "a document of \(size) bytes")
      }
      (self.size, self.validator, hasRanges) = (size, validator, true)
      file = try Self.file(size)
      var parts = FetchedParts(size: size)
      for (offset, bytes) in ends { try file.fetched(bytes, at: offset) }
      parts.add(0..<min(Self.head, size))
      parts.add(max(0, size - Self.tail)..<size)
      self.parts = parts
    } else {
      let whole = try Self.file(0)
      answer = AnsweredFacts()
      var count = 0
      try server.exchange([.whole], naming: nil) { (reply) throws(DocumentError) in
        switch reply {
        case .bytes(let offset, let bytes):
          guard offset <= server.access.largest else { throw RemoteFile.unasked }
          try whole.fetched(bytes, at: offset)
          count = offset + bytes.count
        default: try answer.take(reply)
        }
      }
      cost.add(1, bytes: count)
      (size, hasRanges) = (count, false)
      validator = answer.validator ?? Validator(text: "", isStrong: false)
      file = whole
      var parts = FetchedParts(size: count)
      parts.add(0..<count)
      self.parts = parts
    }
    self.cost = cost
  }

  /// The version that a server has, asked for with the last byte; nil if its tag is weak or there is none.
  ///
  /// - Throws: `DocumentError` as when the document is opened.
  static func identity(_ server: DocumentServer) throws(DocumentError) -> FileIdentity? {
    var cost = RemoteCost()
    let (answer, _) = try ask(server, [.tail(1)], &cost)
    guard let size = answer.size, let validator = answer.validator, validator.isStrong else {
      return nil
    }
    return RemoteFile.identity(of: server.address, validator, size: size)
  }

  /// What the answers of one exchange say, which must be the same in all of them.
  struct AnsweredFacts {
    var size: Int?
    var validator: Validator?
    var hasRanges = false

    mutating func take(_ reply: FetchReply) throws(DocumentError) {
      guard case .about(let size, let validator, let hasRanges) = reply else { return }
      if let known = self.validator, known != validator || self.size != size {
        throw RemoteFile.changed
      }
      self.size = size
      self.validator = validator
      self.hasRanges = hasRanges
    }
  }

  /// Asks for parts of a document of any version.
  private static func ask(
    _ server: DocumentServer,
    _ wanted: [FetchRequest.Part],
    _ cost: inout RemoteCost
  ) throws(DocumentError) -> (AnsweredFacts, [(offset: Int, bytes: [UInt8])]) {
    var answer = AnsweredFacts()
    var found: [(offset: Int, bytes: [UInt8])] = []
    var received = 0
    try server.exchange(wanted, naming: nil) { (reply) throws(DocumentError) in
      switch reply {
      case .bytes(let offset, let bytes):
        received += bytes.count
        guard received <= (Self.head + Self.tail) * Self.mostTries else { throw RemoteFile.unasked }
        found.append((offset, bytes))
      default: try answer.take(reply)
      }
    }
    cost.add(wanted.count, bytes: received)
    return (answer, found)
  }

  private static func file(_ size: Int) throws(DocumentError) -> SparseFile {
    do throws(FileError) {
      return try SparseFile(size: size)
    } catch {
      throw DocumentError(.output, during: "fetch", "\(error.path): \(error)")
    }
  }
}

/// Where a document is, and how it is fetched.
struct DocumentServer: Sendable {
  let access: RemoteAccess
  private let program: FilePath
  private let request: FetchRequest

  /// The server of an address.
  ///
  /// - Parameter query: What a store is asked instead of an object; nil for the document.
  /// - Throws: `DocumentError` when `recto-fetch` is missing.
  init(
    _ address: RemoteAddress,
    _ access: RemoteAccess,
    query: String? = nil
  ) throws(DocumentError) {
    self.access = access
    if let named = access.program { program = named } else { program = try FetchProcess.locate() }
    request = address.request(access, query: query)
  }

  /// The address that is sent.
  var address: String { request.address }

  /// Makes a request.
  ///
  /// - Parameters:
  ///   - wanted: What to fetch.
  ///   - validator: The version that must be there; nil for any.
  ///   - take: Receives each reply but the last.
  /// - Throws: Why not all was fetched, and what `take` throws.
  func exchange(
    _ wanted: [FetchRequest.Part],
    naming validator: Validator?,
    _ take: (FetchReply) throws(DocumentError) -> Void
  ) throws(DocumentError) {
    var request = request
    request.parts = wanted
    request.validator = validator
    try FetchPool.exchange(request, program, take)
  }
}

/// What was asked of a server: requests, those made together counted once (`waves`), and the bytes received.
struct RemoteCost {
  private(set) var waves = 0
  private(set) var requests = 0
  private(set) var bytes = 0

  /// Requests were made together.
  mutating func add(_ requests: Int, bytes: Int) {
    waves += 1
    self.requests += requests
    self.bytes += bytes
  }
}

extension SparseFile {
  /// Writes bytes that were fetched.
  ///
  /// - Throws: `DocumentError` with `io`.
  func fetched(_ bytes: [UInt8], at offset: Int) throws(DocumentError) {
    do throws(FileError) {
      try write(bytes, at: offset)
    } catch {
      throw DocumentError(.io, during: "fetch", "\(error.path): \(error)")
    }
  }
}
