internal import Glibc
internal import RectoCommand
internal import Synchronization
internal import SystemPackage

/// A line for each request.
final class AccessLog: Sendable {
  /// Lines are written together: a system call for each would cost more than a tile from memory.
  private struct Buffer {
    var bytes: [UInt8] = []
    var file: FileDescriptor
  }

  private let path: FilePath
  private let format: AccessLogFormat
  private let buffer: Mutex<Buffer>
  private static let size = 16 << 10

  /// Opens a log for appending.
  ///
  /// - Parameters:
  ///   - path: The file; `-` for standard output.
  ///   - format: How requests are written.
  /// - Throws: The reason if it cannot be opened.
  init(_ path: FilePath, _ format: AccessLogFormat) throws(Errno) {
    self.path = path
    self.format = format
    buffer = Mutex(Buffer(file: path == "-" ? .standardOutput : try Self.open(path)))
  }

  /// Continues in a new file if the one that is open was renamed.
  ///
  /// - Throws: The reason if the file cannot be opened; then the log continues in the one that is open.
  func reopen() throws(Errno) {
    guard path != "-" else { return }
    let file = try Self.open(path)
    let old = buffer.withLock { buffer in
      write(&buffer)
      defer { buffer.file = file }
      return buffer.file
    }
    try? old.close()
  }

  private static func open(_ path: FilePath) throws(Errno) -> FileDescriptor {
    do {
      return try FileDescriptor.open(
        path,
        .writeOnly,
        options: [.append, .create, .closeOnExec],
        permissions: [.ownerReadWrite, .groupRead]
      )
    } catch let error as Errno {
      throw error
    } catch {
      throw Errno.ioError
    }
  }

  /// Adds a request.
  func add(_ request: LoggedRequest) {
    let line =
      switch format {
      case .combined: request.combined(at: Self.timestamp("%d/%b/%Y:%H:%M:%S +0000"))
      case .json: request.json(at: Self.timestamp("%Y-%m-%dT%H:%M:%SZ"))
      }
    buffer.withLock { buffer in
      buffer.bytes += line
      if buffer.bytes.count >= Self.size { write(&buffer) }
    }
  }

  /// Writes the buffer.
  func flush() { buffer.withLock { write(&$0) } }

  private func write(_ buffer: inout Buffer) {
    defer { buffer.bytes.removeAll(keepingCapacity: true) }
    // A log on a full disk must not stop the server; logging continues when there is room.
    _ = try? buffer.file.writeAll(buffer.bytes)
  }

  /// The time, in UTC.
  private static func timestamp(_ format: String) -> String {
    var now = time(nil)
    var parts = tm()
    guard gmtime_r(&now, &parts) != nil else { return "-" }
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, format, &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
