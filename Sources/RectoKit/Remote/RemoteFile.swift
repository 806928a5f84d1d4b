internal import DocumentModel
internal import RectoBase
internal import RectoTiles
internal import Synchronization
internal import SystemPackage

/// A document on a server, as a local file without a name of which the parts that were needed are there.
///
/// Every request names the version of the document, so that no two versions are mixed. All calls that fetch block.
final class RemoteFile: Sendable {
  let size: Int
  /// A name for the bytes, made of the address and the version; of this process only if the server tells no strong one.
  let identity: FileIdentity
  /// Whether the server tells versions apart for certain.
  let isStrong: Bool
  private let file: SparseFile
  private let connection: Mutex<RemoteConnection>

  /// Opens a document: asks for both ends of it.
  ///
  /// - Throws: `DocumentError` with `unreadable`, `notAllowed`, `unavailable`, `changed` or `output`.
  init(_ address: RemoteAddress, _ access: RemoteAccess) throws(DocumentError) {
    let connection = try RemoteConnection(address, access)
    size = connection.size
    file = connection.file
    isStrong = connection.validator.isStrong
    identity = Self.identity(of: address, connection.validator, size: connection.size)
    self.connection = Mutex(connection)
  }

  /// The file, for reading only.
  var reading: InputFile { file.reading }

  /// Whether the document has the version with which it was opened, as far as the server has said.
  var isUnchanged: Bool { connection.withLock { !$0.hasChanged } }

  /// What was asked of the server: requests one after the other, and the bytes received.
  var cost: (waves: Int, requests: Int, bytes: Int) { connection.withLock(\.cost) }

  /// Fetches what is missing of ranges of bytes, at once.
  ///
  /// - Parameters:
  ///   - ranges: The bytes; what is outside of the document is ignored.
  ///   - isNext: Whether more may be wanted behind them: the more is fetched, the longer they are read in order.
  /// - Throws: `DocumentError` as when it was opened; `changed` for good.
  func fetch(_ ranges: [Range<Int>], isNext: Bool = false) throws(DocumentError) {
    try connection.withLock { (connection) throws(DocumentError) in
      try connection.fetch(ranges, isNext: isNext)
    }
  }

  /// Fetches all bytes.
  ///
  /// - Throws: `DocumentError` as ``fetch(_:isNext:)``.
  func fetchAll() throws(DocumentError) {
    try connection.withLock { (connection) throws(DocumentError) in try connection.fetchAll() }
  }

  private static func identity(
    of address: RemoteAddress,
    _ validator: Validator,
    size: Int
  ) -> FileIdentity {
    var text = Array("\(address.text)\n\(validator.text)".utf8)
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
