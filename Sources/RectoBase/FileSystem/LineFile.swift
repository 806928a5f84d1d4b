internal import Glibc
public import SystemPackage

/// A file of lines to which several processes append at the same time.
///
/// A line is one write at the end of the file, under a lock that the system releases when a process is
/// killed. A partial line left by a killed process is terminated before the next line, so that it does not corrupt it.
/// There is no `fsync`.
public final class LineFile: Sendable {
  /// The path of the file.
  public let path: FilePath
  private let file: FileDescriptor
  /// Whether the file is regular: it can be read, and lines have offsets.
  private let isRegular: Bool

  /// Opens a file for appending, and makes it if it is missing.
  ///
  /// - Throws: ``FileError`` when the file cannot be opened.
  public init(appendingTo path: FilePath) throws(FileError) {
    self.path = path
    let opened = try bridge("open", path) {
      try FileDescriptor.open(
        path,
        .readWrite,
        options: [.append, .create, .closeOnExec],
        permissions: Files.filePermissions
      )
    }
    file = opened
    isRegular = (try? opened.stat().type) == .regular
  }

  deinit {
    // Errors were reported by each write.
    try? file.close()
  }

  /// Appends a line.
  ///
  /// - Parameter line: The bytes of the line, which do not contain a line break.
  /// - Throws: ``FileError`` when the line cannot be written as a whole.
  public func append(_ line: [UInt8]) throws(FileError) {
    let isLocked = lock()
    defer { if isLocked { unlock() } }
    let bytes = (try endsInLine() ? [] : [Self.lineBreak]) + line + [Self.lineBreak]
    try bridge("write", path) {
      guard try bytes.withUnsafeBytes({ try file.write($0) }) == bytes.count else {
        throw Errno.noSpace
      }
    }
  }

  /// Calls a closure with each line of a file that ends in a line break, and its offset in the file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - body: Receives the offset and the bytes of the line, without its end. Lines longer than
  ///     ``longestLine`` are skipped.
  /// - Throws: ``FileError`` when the file cannot be opened or read; `noRegularFile` for a stream or a
  ///   device, which might have no end.
  /// - Complexity: O(*n*) in the size of the file.
  public static func forEachLine(
    of path: FilePath,
    _ body: (Int, ArraySlice<UInt8>) -> Void
  ) throws(FileError) {
    let file = try Files.open(path)
    defer { try? file.close() }  // read only: closing cannot lose anything
    guard try bridge("stat", path, { try file.stat().type }) == .regular else {
      throw FileError("read", path, refusal: .noRegularFile)
    }
    try bridge("read", path) {
      var lines = LineSplitter()
      try withUnsafeTemporaryAllocation(byteCount: 1 << 18, alignment: 16) { buffer in
        while true {
          let count = try file.read(into: buffer)
          if count == 0 { return }
          lines.add(buffer[..<count], body)
        }
      }
    }
  }

  /// Bytes of a file at an offset.
  ///
  /// - Parameters:
  ///   - count: The number of bytes.
  ///   - offset: Where they begin.
  /// - Returns: The bytes; fewer if the file is shorter.
  /// - Throws: ``FileError`` when the file cannot be read.
  public func bytes(_ count: Int, at offset: Int) throws(FileError) -> [UInt8] {
    try bridge("read", path) {
      try [UInt8](unsafeUninitializedCapacity: count) { buffer, initialized in
        while initialized < count {
          let rest = UnsafeMutableRawBufferPointer(
            rebasing: UnsafeMutableRawBufferPointer(buffer)[initialized...]
          )
          let got = try file.read(fromAbsoluteOffset: Int64(offset + initialized), into: rest)
          if got == 0 { return }
          initialized += got
        }
      }
    }
  }

  /// The longest line that ``forEachLine(of:_:)`` passes on, in bytes.
  public static let longestLine = 1 << 26

  private static let lineBreak = UInt8(ascii: "\n")

  /// Whether the file is empty or ends with a line break.
  private func endsInLine() throws(FileError) -> Bool {
    guard isRegular else { return true }
    let size = try bridge("stat", path) { Int(try file.stat().size) }
    guard size > 0 else { return true }
    return try bytes(1, at: size - 1).first == Self.lineBreak
  }

  /// Locks the file. Waits only briefly for a stopped process that has the lock: without it, lines stay whole as long
  /// as no process is killed.
  private func lock() -> Bool {
    guard isRegular else { return false }
    for attempt in 0..<Self.attempts {
      if flock(file.rawValue, LOCK_EX | LOCK_NB) == 0 { return true }
      guard Errno.current == .wouldBlock || Errno.current == .interrupted else { return false }
      var pause = timespec(tv_sec: 0, tv_nsec: attempt < 16 ? 20_000 : 1_000_000)
      nanosleep(&pause, nil)
    }
    return false
  }

  private static let attempts = 2000

  private func unlock() { _ = flock(file.rawValue, LOCK_UN) }
}

/// Splits bytes into lines.
private struct LineSplitter {
  /// The start of a line whose end has not been read.
  private var rest: [UInt8] = []
  /// Whether that line is too long to be kept.
  private var isTooLong = false
  /// Where the line begins.
  private var offset = 0
  /// Bytes that have been read.
  private var total = 0

  /// Adds bytes, and passes on the lines that end in them.
  mutating func add(
    _ bytes: Slice<UnsafeMutableRawBufferPointer>,
    _ body: (Int, ArraySlice<UInt8>) -> Void
  ) {
    var start = bytes.startIndex
    while let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) {
      if !isTooLong {
        rest += bytes[start..<end]
        if rest.count <= LineFile.longestLine { body(offset, rest[...]) }
      }
      rest.removeAll(keepingCapacity: rest.count < 1 << 20)
      isTooLong = false
      start = end + 1
      offset = total + start
    }
    total += bytes.count
    guard !isTooLong else { return }
    rest += bytes[start...]
    if rest.count > LineFile.longestLine {
      isTooLong = true
      rest = []
    }
  }
}
