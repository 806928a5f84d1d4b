internal import DocumentModel
internal import RectoBase
internal import RectoTiles
internal import Synchronization
internal import SystemPackage

/// A document on a server, as a local file without a name of which the parts that were needed are there.
///
/// Every request names the version of the document, so that no two versions are mixed. All calls that fetch block; no
/// lock is held meanwhile, and two threads that need the same part at the same time both fetch it.
final class RemoteFile: Sendable {
  let size: Int
  /// A name for the bytes, made of the address and the version; of this process only if the server tells no strong one.
  let identity: FileIdentity
  /// Whether the server tells versions apart for certain.
  var isStrong: Bool { validator.isStrong }
  private let file: SparseFile
  private let validator: Validator
  private let server: DocumentServer
  /// Where parts are kept; nil if they live as long as the document.
  private let cache: PartCache?
  private let state: Mutex<State>

  /// What changes.
  private struct State {
    var parts: FetchedParts
    var cost: RemoteCost
    var hasChanged = false
    /// Where the last range ended that was fetched for a reader, and how many bytes it had.
    var last = (end: 0, count: 0)
  }

  /// The fewest and the most bytes that are fetched for a reader, and the most of a request.
  private static let (fewest, most, longest) = (1 << 16, 1 << 20, 1 << 22)
  /// The most requests at a time.
  private static let mostParts = 64

  /// Opens a document: asks for both ends of it.
  ///
  /// - Parameters:
  ///   - address: Where it is.
  ///   - access: How it is fetched.
  ///   - cache: Keeps parts for the next process; nil for none.
  /// - Throws: `DocumentError` with `unreadable`, `notAllowed`, `unavailable`, `changed` or `output`.
  init(
    _ address: RemoteAddress,
    _ access: RemoteAccess,
    cache directory: CacheDirectory?
  ) throws(DocumentError) {
    server = try DocumentServer(address, access)
    let address = server.address
    let cache = directory.map { PartCache(address: address, in: $0) }
    FetchPool.enter()
    let opening: RemoteOpening
    do throws(DocumentError) {
      opening = try RemoteOpening(server, cache)
    } catch {
      FetchPool.leave()
      throw error
    }
    size = opening.size
    file = opening.file
    validator = opening.validator
    identity = Self.identity(of: address, opening.validator, size: opening.size)
    self.cache = opening.validator.isStrong && opening.hasRanges ? cache : nil
    state = Mutex(State(parts: opening.parts, cost: opening.cost))
    keep(opening.parts.ranges(of: (0..<opening.parts.count).filter(opening.parts.has(part:))))
  }

  deinit { FetchPool.leave() }

  static let changed = DocumentError(
    .changed,
    during: "fetch",
    "the document was changed meanwhile"
  )

  static let unasked = DocumentError(
    .unavailable,
    during: "fetch",
    "recto-fetch sends bytes that were not asked for"
  )

  /// The file, for reading only.
  var reading: InputFile { file.reading }

  /// Whether the document has the version with which it was opened, as far as the server has said.
  var isUnchanged: Bool { state.withLock { !$0.hasChanged } }

  /// What was asked of the server.
  var cost: RemoteCost { state.withLock(\.cost) }

  /// Fetches what is missing of ranges of bytes, at once.
  ///
  /// - Parameters:
  ///   - ranges: The bytes; what is outside of the document is ignored.
  ///   - isNext: Whether more may be wanted behind them: the more is fetched, the longer they are read in order.
  /// - Throws: `DocumentError` as when it was opened; `changed` for good.
  func fetch(_ ranges: [Range<Int>], isNext: Bool = false) throws(DocumentError) {
    guard isNext, let range = ranges.first else { return try fetch(ranges, atMost: Self.longest) }
    let count = state.withLock { state -> Int in
      guard !state.parts.has(range) else { return 0 }
      // A range that continues the one before it, but for what lies between two streams, belongs to a longer one.
      let last = state.last
      let isContinued = range.lowerBound <= last.end + Self.fewest && last.end < range.upperBound
      let doubled = isContinued ? last.count * 2 : 0
      let count = max(range.count, min(max(doubled, Self.fewest), Self.most))
      state.last = (min(size, range.lowerBound + count), count)
      return count
    }
    guard count > 0 else { return }
    try fetch([range.lowerBound..<min(size, range.lowerBound + count)], atMost: Self.longest)
  }

  /// Fetches all bytes.
  ///
  /// - Throws: `DocumentError` as ``fetch(_:isNext:)``.
  func fetchAll() throws(DocumentError) {
    guard size <= server.access.largest else {
      throw tooLarge("it is needed as a whole, \(size) bytes")
    }
    try fetch([0..<size], atMost: .max)
  }

  private func tooLarge(_ reason: String) -> DocumentError {
    let limit = server.access.largest / 1_000_000
    return DocumentError(
      .unreadable,
      during: "fetch",
      "\(reason): more than \(limit) MB; --max-download sets the limit"
    )
  }

  private func fetch(_ ranges: [Range<Int>], atMost longest: Int) throws(DocumentError) {
    guard isUnchanged else { throw Self.changed }
    let parts = state.withLock(\.parts)
    var missing: [Int] = []
    for part in parts.missing(in: ranges) where try !takeKept(part, parts) { missing.append(part) }
    var rest = parts.ranges(of: missing, longest: longest)[...]
    let count = rest.reduce(0) { $0 + $1.count }
    guard cost.bytes + count <= server.access.largest else {
      throw tooLarge("much of it is needed")
    }
    while !rest.isEmpty {
      try exchange(Array(rest.prefix(Self.mostParts)))
      rest = rest.dropFirst(Self.mostParts)
    }
  }

  private func exchange(_ ranges: [Range<Int>]) throws(DocumentError) {
    var answer = RemoteOpening.AnsweredFacts(size: size, validator: validator)
    var hasRanges = true
    do throws(DocumentError) {
      try server.exchange(ranges.map { .range($0) }, naming: validator) {
        (reply) throws(DocumentError) in
        switch reply {
        case .bytes(let offset, let bytes):
          guard
            ranges.contains(where: { $0.contains(offset) && offset + bytes.count <= $0.upperBound })
          else {
            throw Self.unasked
          }
          try file.fetched(bytes, at: offset)
        case .about(_, let found, hasRanges: false) where found == validator: hasRanges = false
        default: try answer.take(reply)
        }
      }
      guard hasRanges else {
        throw DocumentError(.unreadable, during: "fetch", "the server sends no parts any more")
      }
    } catch {
      if error.code == .changed { state.withLock { $0.hasChanged = true } }
      throw error
    }
    state.withLock { state in
      for range in ranges { state.parts.add(range) }
      state.cost.add(ranges.count, bytes: ranges.reduce(0) { $0 + $1.count })
    }
    keep(ranges)
  }

  // MARK: The cache

  private var version: PartCache.Revision { PartCache.Revision(tag: validator.text, size: size) }

  /// Takes a part from the cache.
  ///
  /// - Returns: Whether it is there now.
  /// - Throws: `DocumentError` when it cannot be written.
  private func takeKept(_ part: Int, _ parts: FetchedParts) throws(DocumentError) -> Bool {
    guard let bytes = cache?.part(part, of: version) else { return false }
    let range = parts.bytes(of: part)
    try file.fetched(Array(bytes), at: range.lowerBound)
    state.withLock { $0.parts.add(range) }
    return true
  }

  /// Keeps bytes that are there.
  private func keep(_ ranges: [Range<Int>]) {
    guard let cache, ranges.reduce(0, { $0 + $1.count }) <= cache.most else { return }
    let parts = state.withLock(\.parts)
    var rest = ranges.flatMap { Array(parts.parts(inside: $0)) }[...]
    while !rest.isEmpty {
      let found = rest.prefix(Self.mostParts).compactMap { part in
        bytes(parts.bytes(of: part)).map { (index: part, bytes: $0) }
      }
      // A failure to write is reported when something else is stored.
      guard (try? cache.store(found, of: version)) != nil else { return }
      rest = rest.dropFirst(Self.mostParts)
    }
  }

  /// Bytes of the local file.
  private func bytes(_ range: Range<Int>) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: range.count)
    let count = bytes.withUnsafeMutableBytes { buffer in
      try? reading.descriptor.read(fromAbsoluteOffset: Int64(range.lowerBound), into: buffer)
    }
    return count == range.count ? bytes : nil
  }

  /// The name of a version: of the address that is sent, its tag and size; another one each time for a weak tag.
  static func identity(
    of address: String,
    _ validator: Validator,
    size: Int
  ) -> FileIdentity {
    var text = Array("\(address)\n\(validator.text)".utf8)
    if !validator.isStrong { text += Array("\n\(UInt64.random(in: 0...UInt64.max))".utf8) }
    var rest = text[...]
    let key = CacheKey.contents { buffer in
      let count = min(buffer.count, rest.count)
      buffer.copyBytes(from: rest.prefix(count))
      rest = rest.dropFirst(count)
      return count
    }
    let digits = Array(key.hexadecimal.utf8)
    func number(_ place: Int) -> Int {
      let part = String(
        decoding: digits[min(place * 15, digits.count)..<min(place * 15 + 15, digits.count)],
        as: UTF8.self
      )
      return Int(part, radix: 16) ?? 0
    }
    // No device of the system has a negative number.
    return FileIdentity(
      device: -1,
      inode: number(0),
      size: size,
      modifiedSeconds: number(1),
      modifiedNanoseconds: number(2),
      changedSeconds: number(3),
      changedNanoseconds: 0
    )
  }
}
