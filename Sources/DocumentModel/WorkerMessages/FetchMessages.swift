package import RectoBase

/// A request to `recto-fetch`, the program with the connections to servers of documents. It is answered before the next
/// one is sent.
package struct FetchRequest: Hashable, Sendable {
  /// Bytes of a document on a server.
  package enum Part: Hashable, Sendable {
    /// The bytes at these offsets; fewer if the document is shorter.
    case range(Range<Int>)
    /// The last bytes, as many as there are.
    case tail(Int)
    /// All bytes.
    case whole
    /// Nothing: the document is written.
    case upload(Upload)
  }

  /// What an object in a store becomes.
  package struct Upload: Hashable, Sendable {
    /// All bytes.
    package var bytes: [UInt8]
    /// Their SHA-256 in hexadecimal digits, which is signed.
    package var digest: String
    /// Their media type.
    package var mediaType: String

    /// An upload from its parts.
    package init(_ bytes: [UInt8], digest: String, mediaType: String) {
      (self.bytes, self.digest, self.mediaType) = (bytes, digest, mediaType)
    }
  }

  /// How a request to a store with the interface of S3 is signed (AWS Signature 4).
  package struct Signing: Hashable, Sendable {
    /// The region of the store.
    package var region: String
    /// The access key.
    package var key: String
    /// The secret access key.
    package var secret: String
    /// The token of temporary credentials; nil for lasting ones.
    package var token: String?

    /// Signing from its parts.
    package init(region: String, key: String, secret: String, token: String?) {
      (self.region, self.key, self.secret, self.token) = (region, key, secret, token)
    }
  }

  /// The address, with its secrets.
  package var address: String
  /// Lines of the header that go to the host of the address only.
  package var headers: [String] = []
  /// How requests to the host of the address are signed; nil for not at all.
  package var signing: Signing?
  /// The version of the document that is asked for; nil for any.
  package var validator: Validator?
  /// What to fetch, at the same time.
  package var parts: [Part]
  /// Seconds for connecting, and without progress.
  package var timeout: Double
  /// The most bytes of an answer.
  package var limit: Int

  /// A request from its parts.
  package init(
    address: String,
    headers: [String] = [],
    signing: Signing? = nil,
    validator: Validator? = nil,
    parts: [Part],
    timeout: Double,
    limit: Int
  ) {
    self.address = address
    self.headers = headers
    self.signing = signing
    self.validator = validator
    self.parts = parts
    self.timeout = timeout
    self.limit = limit
  }

  /// The longest request, in bytes: one with a picture.
  package static let largest = 1 << 30

  /// The request as a payload.
  package var payload: [UInt8] {
    var writer = ByteWriter()
    writer.write(address)
    writer.write(headers.count)
    for line in headers { writer.write(line) }
    writer.write(signing) { writer, signing in
      for text in [signing.region, signing.key, signing.secret] { writer.write(text) }
      writer.write(signing.token) { $0.write($1) }
    }
    writer.write(validator) { $0.write($1) }
    writer.write(parts.count)
    for part in parts {
      switch part {
      case .range(let range):
        writer.write(UInt8(0))
        writer.write(range.lowerBound)
        writer.write(range.upperBound)
      case .tail(let count):
        writer.write(UInt8(1))
        writer.write(count)
      case .whole: writer.write(UInt8(2))
      case .upload(let upload):
        writer.write(UInt8(3))
        writer.write(upload.bytes)
        writer.write(upload.digest)
        writer.write(upload.mediaType)
      }
    }
    writer.write(timeout)
    writer.write(limit)
    return writer.bytes
  }

  /// A request from its payload.
  ///
  /// - Throws: `ByteCodingError` for anything else.
  package init(payload: ArraySlice<UInt8>) throws(ByteCodingError) {
    var reader = ByteReader(payload)
    address = try reader.readString()
    headers = []
    for _ in 0..<(try reader.readCount(ofSize: 8)) { headers.append(try reader.readString()) }
    signing = try reader.readOptional { (reader) throws(ByteCodingError) in
      Signing(
        region: try reader.readString(),
        key: try reader.readString(),
        secret: try reader.readString(),
        token: try reader.readOptional { (reader) throws(ByteCodingError) in
          try reader.readString()
        }
      )
    }
    validator = try reader.readOptional { (reader) throws(ByteCodingError) in
      try reader.readValidator()
    }
    parts = []
    for _ in 0..<(try reader.readCount(ofSize: 1)) {
      switch try reader.readByte() {
      case 0:
        let (start, end) = (try reader.readInt(), try reader.readInt())
        guard start >= 0, end > start else { throw .unknown }
        parts.append(.range(start..<end))
      case 1:
        let count = try reader.readInt()
        guard count > 0 else { throw .unknown }
        parts.append(.tail(count))
      case 2: parts.append(.whole)
      case 3:
        let bytes = try reader.readBytes()
        let (digest, mediaType) = (try reader.readString(), try reader.readString())
        parts.append(.upload(Upload(bytes, digest: digest, mediaType: mediaType)))
      default: throw .unknown
      }
    }
    timeout = try reader.readDouble()
    limit = try reader.readInt()
    guard timeout > 0, timeout <= 86_400, limit > 0 else { throw .unknown }
    try reader.finish()
  }
}

/// What a server says of a version of a document.
package struct Validator: Hashable, Sendable {
  /// The entity tag, else the time of the last change; empty if there is neither.
  package var text: String
  /// Whether it is a tag that differs for all other bytes.
  package var isStrong: Bool

  /// A validator from its parts.
  package init(text: String, isStrong: Bool) {
    self.text = text
    self.isStrong = isStrong
  }
}

/// A reply of `recto-fetch`: any number of `about` and `bytes`, then `done` or `failed`.
package enum FetchReply: Hashable, Sendable {
  /// What an answer said: the size of the document if it is known, the version, and whether parts can be had.
  case about(size: Int?, Validator, hasRanges: Bool)
  /// Bytes of the document from an offset on.
  case bytes(at: Int, [UInt8])
  /// Everything has been sent; also if the server sends no parts, with none of them.
  case done
  /// Something could not be fetched.
  case failed(FetchFailure)

  /// The most bytes in a reply.
  package static let mostBytes = 1 << 18
  /// The longest reply, in bytes.
  package static let largest = mostBytes + (1 << 14)

  /// The reply as a payload.
  package var payload: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .about(let size, let validator, let hasRanges):
      writer.write(UInt8(1))
      writer.write(size) { $0.write($1) }
      writer.write(validator)
      writer.write(hasRanges)
    case .bytes(let offset, let bytes):
      writer = ByteWriter(capacity: bytes.count + 32)
      writer.write(UInt8(2))
      writer.write(offset)
      writer.write(bytes)
    case .done: writer.write(UInt8(3))
    case .failed(let failure):
      writer.write(UInt8(4))
      writer.write(failure.kind.rawValue)
      writer.write(failure.detail, atMost: 1000)
    }
    return writer.bytes
  }

  /// A reply from its payload.
  ///
  /// - Throws: `ByteCodingError` for anything else.
  package init(payload: ArraySlice<UInt8>) throws(ByteCodingError) {
    var reader = ByteReader(payload)
    switch try reader.readByte() {
    case 1:
      let size = try reader.readOptional { (reader) throws(ByteCodingError) in
        try reader.readInt()
      }
      if let size, size < 0 { throw .unknown }
      let validator = try reader.readValidator()
      self = .about(size: size, validator, hasRanges: try reader.readBool())
    case 2:
      let offset = try reader.readInt()
      guard offset >= 0 else { throw .unknown }
      self = .bytes(at: offset, try reader.readBytes())
    case 3: self = .done
    case 4:
      guard let kind = FetchFailure.Kind(rawValue: try reader.readByte()) else { throw .unknown }
      self = .failed(FetchFailure(kind, try reader.readString(atMost: 1000)))
    default: throw .unknown
    }
    try reader.finish()
  }
}

/// Why something could not be fetched.
package struct FetchFailure: Error, Hashable, Sendable {
  /// The kind of failure.
  package enum Kind: UInt8, Sendable {
    /// The server does not have it, or cannot send it as it must.
    case unreadable
    /// The server does not allow it.
    case notAllowed
    /// The server is not reached, or does not work now.
    case unavailable
    /// The document has changed.
    case changed
  }

  /// The kind of failure.
  package var kind: Kind
  /// The reason, without the address.
  package var detail: String

  /// A failure from its parts.
  package init(_ kind: Kind, _ detail: String) {
    self.kind = kind
    self.detail = detail
  }

  /// As an error of a document.
  package var documentError: DocumentError {
    let code: DocumentError.Code =
      switch kind {
      case .unreadable: .unreadable
      case .notAllowed: .notAllowed
      case .unavailable: .unavailable
      case .changed: .changed
      }
    return DocumentError(code, during: "fetch", detail)
  }
}

extension ByteWriter {
  fileprivate mutating func write(_ validator: Validator) {
    write(validator.text)
    write(validator.isStrong)
  }
}

extension ByteReader {
  fileprivate mutating func readValidator() throws(ByteCodingError) -> Validator {
    Validator(text: try readString(atMost: 1024), isStrong: try readBool())
  }
}
