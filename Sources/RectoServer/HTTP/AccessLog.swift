internal import Glibc
internal import HTTPTypes
internal import Hummingbird
internal import RectoBase
internal import RectoCommand
internal import Synchronization
internal import SystemPackage

/// A line for each request, in the Combined Log Format of Apache, followed by the duration in milliseconds.
final class AccessLog: Sendable {
  /// Lines are written together: a system call for each would cost more than a tile from memory.
  private struct Buffer {
    var bytes: [UInt8] = []
    var file: FileDescriptor
  }

  private let path: FilePath
  private let buffer: Mutex<Buffer>
  private static let size = 16 << 10

  /// Opens a log for appending.
  ///
  /// - Parameter path: The file; `-` for standard output.
  /// - Throws: The reason if it cannot be opened.
  init(_ path: FilePath) throws(Errno) {
    self.path = path
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
  ///
  /// - Parameters:
  ///   - client: The address of the client; nil if unknown.
  func add(
    _ request: Request,
    _ response: Response,
    _ client: NetworkAddress?,
    version: String,
    time: Duration
  ) {
    let milliseconds =
      Double(time.components.attoseconds / 1_000_000_000_000) / 1000
      + Double(time.components.seconds) * 1000
    let line =
      "\(client.map(\.description) ?? "-") - - [\(Self.timestamp())] \"\(request.method.rawValue) \(Self.escaped(request.uri.path))"
      + " HTTP/\(version)\" \(response.status.code) \(response.body.contentLength.map(String.init) ?? "-")"
      + " \"\(Self.escaped(request.headers[.referer] ?? "-"))\""
      + " \"\(Self.escaped(request.headers[.userAgent] ?? "-"))\" \(milliseconds)\n"
    buffer.withLock { buffer in
      buffer.bytes += Array(line.utf8)
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

  private static func timestamp() -> String {
    var now = time(nil)
    var parts = tm()
    guard gmtime_r(&now, &parts) != nil else { return "-" }
    var text = [CChar](repeating: 0, count: 64)
    let count = strftime(&text, text.count, "%d/%b/%Y:%H:%M:%S +0000", &parts)
    return String(decoding: text.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// A client's text without characters that could end a field or control a terminal.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for byte in text.utf8 {
      if byte < 0x20 || byte >= 0x7F || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
        let digits = String(byte, radix: 16)
        result += "\\x" + (digits.count == 1 ? "0" : "") + digits
      } else {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      }
    }
    return result
  }
}
