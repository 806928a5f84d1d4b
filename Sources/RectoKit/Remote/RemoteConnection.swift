internal import DocumentModel
internal import RectoBase
internal import SystemPackage

/// The connection to the server of a document, and what was fetched of it. For one thread at a time.
struct RemoteConnection {
  let file: SparseFile
  let size: Int
  let validator: Validator
  private(set) var hasChanged = false
  /// What was asked of the server.
  private(set) var cost = (waves: 0, requests: 0, bytes: 0)

  private let address: RemoteAddress
  private let access: RemoteAccess
  private var process: FetchProcess?
  private var parts: FetchedParts
  /// Where the last range ended that was fetched for a reader, and how many bytes it had.
  private var last = (end: 0, count: 0)

  /// Bytes at the beginning of a document and at its end that are asked for first.
  private static let (head, tail) = (1 << 17, 1 << 16)
  /// The fewest and the most bytes that are fetched for a reader, and the most of a request.
  private static let (fewest, most, longest) = (1 << 16, 1 << 20, 1 << 22)
  /// The most requests at a time.
  private static let mostParts = 64
  /// How many times `recto-fetch` may send bytes: it asks again after a failure.
  private static let mostTries = 3
  /// The largest document of all, in bytes.
  private static let largest = 1 << 40

  /// Connects, and asks for both ends of the document; for all of it if the server has no parts.
  ///
  /// - Throws: `DocumentError` with `unreadable`, `notAllowed`, `unavailable`, `changed` or `output`.
  init(_ address: RemoteAddress, _ access: RemoteAccess) throws(DocumentError) {
    self.address = address
    self.access = access
    let process = try FetchProcess(access.program)
    var answer = AnsweredFacts()
    var ends: [(offset: Int, bytes: [UInt8])] = []
    var received = 0
    let wanted: [FetchRequest.Part] = [.tail(Self.tail), .range(0..<Self.head)]
    try process.exchange(Self.request(address, access, wanted)) { (reply) throws(DocumentError) in
      switch reply {
      case .bytes(let offset, let bytes):
        received += bytes.count
        guard received <= (Self.head + Self.tail) * Self.mostTries else { throw Self.unasked }
        ends.append((offset, bytes))
      default: try answer.take(reply)
      }
    }
    cost = (1, wanted.count, received)
    if answer.hasRanges, let size = answer.size, let validator = answer.validator {
      guard size <= Self.largest else {
        throw DocumentError(.unreadable, during: "fetch", "a document of \(size) bytes")
      }
      self.size = size
      self.validator = validator
      file = try Self.file(size)
      parts = FetchedParts(size: size)
      for (offset, bytes) in ends { try Self.write(bytes, at: offset, to: file) }
      parts.add(0..<min(Self.head, size))
      parts.add(max(0, size - Self.tail)..<size)
    } else {
      let whole = try Self.file(0)
      answer = AnsweredFacts()
      var count = 0
      try process.exchange(Self.request(address, access, [.whole])) {
        (reply) throws(DocumentError) in
        switch reply {
        case .bytes(let offset, let bytes):
          guard offset <= access.largest else { throw Self.unasked }
          try Self.write(bytes, at: offset, to: whole)
          count = offset + bytes.count
        default: try answer.take(reply)
        }
      }
      size = count
      validator = answer.validator ?? Validator(text: "", isStrong: false)
      file = whole
      parts = FetchedParts(size: size)
      parts.add(0..<size)
      cost = (2, 3, count)
    }
    self.process = process
  }

  /// What the answers of one exchange say, which must be the same in all of them.
  private struct AnsweredFacts {
    var size: Int?
    var validator: Validator?
    var hasRanges = false

    mutating func take(_ reply: FetchReply) throws(DocumentError) {
      guard case .about(let size, let validator, let hasRanges) = reply else { return }
      if let known = self.validator, known != validator || self.size != size {
        throw RemoteConnection.changed
      }
      self.size = size
      self.validator = validator
      self.hasRanges = hasRanges
    }
  }

  static let changed = DocumentError(
    .changed,
    during: "fetch",
    "the document was changed meanwhile"
  )

  private static let unasked = DocumentError(
    .unavailable,
    during: "fetch",
    "recto-fetch sends bytes that were not asked for"
  )

  private static func request(
    _ address: RemoteAddress,
    _ access: RemoteAccess,
    _ wanted: [FetchRequest.Part],
    _ validator: Validator? = nil
  ) -> FetchRequest {
    FetchRequest(
      address: address.text,
      headers: access.headers,
      validator: validator,
      parts: wanted,
      timeout: access.timeout,
      limit: access.largest
    )
  }

  private static func file(_ size: Int) throws(DocumentError) -> SparseFile {
    do throws(FileError) {
      return try SparseFile(size: size)
    } catch {
      throw DocumentError(.output, during: "fetch", "\(error.path): \(error)")
    }
  }

  private static func write(
    _ bytes: [UInt8],
    at offset: Int,
    to file: SparseFile
  ) throws(DocumentError) {
    do throws(FileError) {
      try file.write(bytes, at: offset)
    } catch {
      throw DocumentError(.io, during: "fetch", "\(error.path): \(error)")
    }
  }

  /// Fetches what is missing of ranges of bytes, at once.
  ///
  /// - Throws: `DocumentError` as for a new connection.
  mutating func fetch(_ ranges: [Range<Int>], isNext: Bool) throws(DocumentError) {
    guard isNext, let range = ranges.first else { return try fetch(ranges, longest: Self.longest) }
    guard !parts.has(range) else { return }
    // A range that continues the one before it belongs to a longer one.
    let doubled = range.lowerBound <= last.end && last.end < range.upperBound ? last.count * 2 : 0
    let count = max(range.count, min(max(doubled, Self.fewest), Self.most))
    let end = min(size, range.lowerBound + count)
    last = (end, count)
    try fetch([range.lowerBound..<end], longest: Self.longest)
  }

  /// Fetches all bytes.
  ///
  /// - Throws: `DocumentError` as for a new connection.
  mutating func fetchAll() throws(DocumentError) {
    guard size <= access.largest else { throw tooLarge("it is needed as a whole, \(size) bytes") }
    try fetch([0..<size], longest: .max)
  }

  private func tooLarge(_ reason: String) -> DocumentError {
    DocumentError(
      .unreadable,
      during: "fetch",
      "\(reason): more than \(access.largest / 1_000_000) MB; --max-download sets the limit"
    )
  }

  private mutating func fetch(_ ranges: [Range<Int>], longest: Int) throws(DocumentError) {
    if hasChanged { throw Self.changed }
    let missing = parts.missing(in: ranges, longest: longest)
    guard !missing.isEmpty else { return }
    let count = missing.reduce(0) { $0 + $1.count }
    guard cost.bytes + count <= access.largest else { throw tooLarge("much of it is needed") }
    var rest = missing[...]
    while !rest.isEmpty {
      try exchange(Array(rest.prefix(Self.mostParts)))
      rest = rest.dropFirst(Self.mostParts)
    }
  }

  private mutating func exchange(_ ranges: [Range<Int>]) throws(DocumentError) {
    let running: FetchProcess
    if let process { running = process } else { running = try FetchProcess(access.program) }
    // It cannot be used again after an error.
    process = nil
    var answer = AnsweredFacts(size: size, validator: validator)
    var hasRanges = true
    let request = Self.request(address, access, ranges.map { .range($0) }, validator)
    do throws(DocumentError) {
      try running.exchange(request) { (reply) throws(DocumentError) in
        switch reply {
        case .bytes(let offset, let bytes):
          guard
            ranges.contains(where: { $0.contains(offset) && offset + bytes.count <= $0.upperBound })
          else {
            throw Self.unasked
          }
          try Self.write(bytes, at: offset, to: file)
        case .about(_, let found, hasRanges: false) where found == validator: hasRanges = false
        default: try answer.take(reply)
        }
      }
      guard hasRanges else {
        throw DocumentError(.unreadable, during: "fetch", "the server sends no parts any more")
      }
    } catch {
      if error.code == .changed { hasChanged = true }
      throw error
    }
    process = running
    for range in ranges { parts.add(range) }
    cost.waves += 1
    cost.requests += ranges.count
    cost.bytes += ranges.reduce(0) { $0 + $1.count }
  }
}
