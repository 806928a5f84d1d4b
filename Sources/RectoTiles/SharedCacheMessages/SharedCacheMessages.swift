package import RectoBase

/// A request to the process that keeps the connections to a shared store.
package enum SharedCacheRequest: Hashable, Sendable {
  /// Which store; the first message, and sent once.
  case connect(SharedStoreAddress)
  /// Gets values by their names; values longer than their limit count as missing.
  case get(number: Int, names: [String], limits: [Int])
  /// A value to keep.
  case put(number: Int, name: String, value: [UInt8])

  /// The longest request in bytes.
  package static let largestPayload = 64 << 20
  /// The most names in a request.
  package static let mostNames = 32

  /// The message as bytes.
  package var payload: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .connect(let address):
      writer.write(UInt8(1))
      writer.write(address)
    case .get(let number, let names, let limits):
      writer.write(UInt8(2))
      writer.write(number)
      writer.write(names.count)
      for (name, limit) in zip(names, limits) {
        writer.write(name)
        writer.write(limit)
      }
    case .put(let number, let name, let value):
      writer = ByteWriter(capacity: value.count + 128)
      writer.write(UInt8(3))
      writer.write(number)
      writer.write(name)
      writer.write(value)
    }
    return writer.bytes
  }

  /// The message in bytes.
  ///
  /// - Throws: `ByteCodingError` for invalid bytes.
  package init(payload: ArraySlice<UInt8>) throws(ByteCodingError) {
    var reader = ByteReader(payload)
    switch try reader.readByte() {
    case 1: self = .connect(try reader.readAddress())
    case 2:
      let number = try reader.readInt()
      let count = try reader.readCount(ofSize: 16)
      guard count <= Self.mostNames else { throw .tooLong }
      var names: [String] = []
      var limits: [Int] = []
      for _ in 0..<count {
        names.append(try reader.readString())
        limits.append(try reader.readInt())
      }
      guard limits.allSatisfy({ (0...Self.largestPayload).contains($0) }) else { throw .unknown }
      self = .get(number: number, names: names, limits: limits)
    case 3:
      self = .put(
        number: try reader.readInt(),
        name: try reader.readString(),
        value: try reader.readBytes()
      )
    default: throw .unknown
    }
    try reader.finish()
  }
}

/// An answer of the process.
package enum SharedCacheReply: Hashable, Sendable {
  /// The values of a `get`, in order; nil for those that are missing.
  case values(number: Int, [[UInt8]?])
  /// The value of a `put` was kept.
  case kept(number: Int)
  /// A request failed, with the reason, without credentials.
  case failed(number: Int, String)

  /// The longest reason, in bytes.
  package static let longestReason = 300

  /// The longest reply to requests, in bytes.
  ///
  /// - Parameter limits: The most bytes of each value of the `get` with the longest answer.
  package static func largestPayload(limits: [Int]) -> Int {
    limits.reduce(64 + longestReason) { $0 + $1 + 16 }
  }

  /// The message as bytes.
  package var payload: [UInt8] {
    var writer = ByteWriter()
    switch self {
    case .values(let number, let values):
      writer.write(UInt8(1))
      writer.write(number)
      writer.write(values.count)
      for value in values { writer.write(value) { $0.write($1) } }
    case .kept(let number):
      writer.write(UInt8(2))
      writer.write(number)
    case .failed(let number, let reason):
      writer.write(UInt8(3))
      writer.write(number)
      writer.write(reason, atMost: Self.longestReason)
    }
    return writer.bytes
  }

  /// The message in bytes.
  ///
  /// - Throws: `ByteCodingError` for invalid bytes.
  package init(payload: ArraySlice<UInt8>) throws(ByteCodingError) {
    var reader = ByteReader(payload)
    switch try reader.readByte() {
    case 1:
      let number = try reader.readInt()
      let count = try reader.readCount(ofSize: 1)
      guard count <= SharedCacheRequest.mostNames else { throw .tooLong }
      var values: [[UInt8]?] = []
      for _ in 0..<count {
        values.append(
          try reader.readOptional { reader throws(ByteCodingError) in try reader.readBytes() }
        )
      }
      self = .values(number: number, values)
    case 2: self = .kept(number: try reader.readInt())
    case 3:
      self = .failed(
        number: try reader.readInt(),
        try reader.readString(atMost: Self.longestReason)
      )
    default: throw .unknown
    }
    try reader.finish()
  }
}
