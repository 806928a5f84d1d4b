internal import Glibc
internal import RectoBase
internal import SystemPackage

/// Reads lines from a descriptor on demand.
///
/// Reading blocks, so it uses its own queue. A client that writes faster than lines are read is
/// blocked by the pipe; only bytes read together with the last line are buffered.
actor LineInput {
  /// The longest line that is accepted, in bytes.
  static let maximumLength = 1 << 20

  private let descriptor: Int32
  private let longest: Int
  private let end: UInt8
  private var bytes: [UInt8] = []
  /// The index of the first byte not returned yet.
  private var start = 0
  private var isAtEnd = false
  private var isAtStart = true
  /// Why the descriptor could not be read.
  private var failure: Errno?

  private let executor = QueueExecutor(label: "recto.input")
  nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

  /// A line, or a marker for one that was too long.
  enum Line: Hashable, Sendable {
    case text([UInt8])
    case tooLong
  }

  /// Lines from a descriptor.
  ///
  /// - Parameters:
  ///   - longest: The most bytes of a line.
  init(
    _ descriptor: Int32,
    longest: Int = maximumLength,
    endingWith end: UInt8 = UInt8(ascii: "\n")
  ) {
    self.descriptor = descriptor
    self.longest = longest
    self.end = end
  }

  /// The next path, which is a line that is not empty, without its end. Where lines end with a line
  /// break, a carriage return before it belongs to the end.
  ///
  /// - Throws: The reason if the descriptor cannot be read.
  func nextPath() throws(Errno) -> Line? {
    while let line = nextOfAny() {
      guard case .text(var text) = line else { return line }
      if end == UInt8(ascii: "\n"), text.last == UInt8(ascii: "\r") { text.removeLast() }
      if !text.isEmpty { return .text(text) }
    }
    if let failure { throw failure }
    return nil
  }

  /// The next line that is not empty, without its end; nil at the end of input. A last line without
  /// an end counts as a line. A byte order mark before the first line is dropped.
  func next() -> Line? {
    while let line = nextOfAny() {
      guard case .text(var text) = line else { return line }
      if isAtStart, text.starts(with: Self.byteOrderMark) {
        text.removeFirst(Self.byteOrderMark.count)
      }
      isAtStart = false
      if !text.allSatisfy({ $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }) { return .text(text) }
    }
    return nil
  }

  /// The bytes after the last line, at least one and at most so many; none at the end of input.
  func bytes(atMost count: Int) -> ArraySlice<UInt8> {
    if start == bytes.count, !isAtEnd { fill() }
    let part = bytes[start...].prefix(count)
    start += part.count
    return part
  }

  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// The next line, which may be empty.
  private func nextOfAny() -> Line? {
    var searched = start
    var isTooLong = false
    while true {
      if let last = bytes[searched...].firstIndex(of: end) {
        let line = bytes[start..<last]
        start = last + 1
        return isTooLong || line.count > longest ? .tooLong : .text(Array(line))
      }
      if bytes.count - start > longest {
        // The rest of the line is read and dropped.
        isTooLong = true
        start = bytes.count
      }
      searched = bytes.count
      if isAtEnd {
        guard start < bytes.count || isTooLong else { return nil }
        defer { start = bytes.count }
        return isTooLong ? .tooLong : .text(Array(bytes[start...]))
      }
      let dropped = start
      fill()
      searched -= dropped
    }
  }

  /// Drops returned bytes and appends bytes from the descriptor.
  private func fill() {
    bytes.removeFirst(start)
    start = 0
    withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { buffer in
      while true {
        let count = read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        // An error counts as the end.
        if count < 0 { failure = Errno(rawValue: errno) }
        if count <= 0 { isAtEnd = true } else { bytes += buffer[..<count] }
        return
      }
    }
  }
}
