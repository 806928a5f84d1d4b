/// A message on the pipe: four bytes of length, little-endian, then that many bytes of payload.
public enum Frame {
  /// The longest payload of all, in bytes: a picture of 100 megapixels and more. Readers of replies
  /// set a lower limit, for the reply that they expect.
  public static let largestPayload = 512 << 20

  /// Prefixes a payload with its length.
  ///
  /// - Parameters:
  ///   - payload: The payload, or its start.
  ///   - rest: The number of bytes after `payload` that belong to it and are sent separately.
  public static func framed(_ payload: [UInt8], rest: Int = 0) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(payload.count + 4)
    withUnsafeBytes(of: UInt32(payload.count + rest).littleEndian) { bytes.append(contentsOf: $0) }
    bytes.append(contentsOf: payload)
    return bytes
  }
}

/// Cuts a stream of bytes into payloads.
public struct FrameReader: Sendable {
  private var buffer: [UInt8] = []
  private var start = 0

  /// A reader that has seen nothing yet.
  public init() {}

  /// Takes in bytes as they arrive.
  public mutating func append(_ bytes: UnsafeRawBufferPointer) {
    if start > 0, start == buffer.count || start > 1 << 20 {
      buffer.removeFirst(start)
      start = 0
    }
    buffer.append(contentsOf: bytes)
  }

  /// Whether all bytes have been consumed.
  public var isEmpty: Bool { start == buffer.count }

  /// The next whole payload; nil until enough bytes have arrived.
  ///
  /// The length is checked as soon as it arrives, so a reader that calls this after every chunk
  /// buffers at most a chunk more than the limit.
  ///
  /// - Parameter limit: The most bytes of a payload.
  /// - Returns: The payload.
  /// - Throws: ``ByteCodingError/tooLong``; the stream is then unusable.
  public mutating func next(
    atMost limit: Int = Frame.largestPayload
  ) throws(ByteCodingError) -> ArraySlice<UInt8>? {
    guard buffer.count - start >= 4 else { return nil }
    var length = 0
    for offset in 0..<4 { length |= Int(buffer[start + offset]) << (8 * offset) }
    guard length <= min(limit, Frame.largestPayload) else { throw ByteCodingError.tooLong }
    let body = start + 4
    guard buffer.count - body >= length else {
      // A longer buffer would be copied each time it is full.
      if buffer.capacity < body + length { buffer.reserveCapacity(body + length) }
      return nil
    }
    start = body + length
    return buffer[body..<start]
  }
}
