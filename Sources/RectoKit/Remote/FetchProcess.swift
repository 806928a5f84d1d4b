internal import DocumentModel
internal import Glibc
internal import RectoBase
internal import RenderWorkers
internal import SystemPackage

/// A running `recto-fetch`. Requests block, and are made by one thread at a time.
final class FetchProcess: Sendable {
  /// The program.
  let program: FilePath
  private let process: pid_t
  private let socket: Int32

  /// Starts the process.
  ///
  /// - Throws: `DocumentError` when it cannot be started.
  init(_ program: FilePath) throws(DocumentError) {
    self.program = program
    (process, socket) = try WorkerProcesses.start(helper: program)
  }

  /// The program that is next to the running one.
  ///
  /// - Throws: `DocumentError` when it is missing.
  static func locate() throws(DocumentError) -> FilePath {
    try WorkerProgram.locate("recto-fetch", variable: "RECTO_FETCH")
  }

  deinit {
    close(socket)
    WorkerProcesses.end(process)
  }

  /// Whether it waits for a request: it has not ended, and says nothing.
  var isWaiting: Bool {
    var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    return poll(&polled, 1, 0) == 0
  }

  /// Sends a request and receives the replies.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - take: Receives each reply but the last.
  /// - Throws: Why not all was fetched, and what `take` throws; the process cannot be used any more after the latter.
  func exchange(
    _ request: FetchRequest,
    _ take: (FetchReply) throws(DocumentError) -> Void
  ) throws(DocumentError) {
    try send(Frame.framed(request.payload))
    let patience = request.timeout + Self.patience
    var reader = FrameReader()
    while true {
      do {
        while let payload = try reader.next(atMost: FetchReply.largest) {
          switch try FetchReply(payload: payload) {
          case .done: return
          case .failed(let failure): throw failure.documentError
          case let reply: try take(reply)
          }
        }
      } catch let error as DocumentError {
        throw error
      } catch {
        throw Self.ended("recto-fetch sends what is no reply")
      }
      try receive(into: &reader, within: patience)
    }
  }

  /// Seconds beyond the time limit of a request after which the process is given up: it waits for servers that ask for
  /// a pause.
  private static let patience = 30.0

  private static func ended(_ reason: String) -> DocumentError {
    DocumentError(.unavailable, during: "fetch", reason)
  }

  private func send(_ bytes: [UInt8]) throws(DocumentError) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes {
        Glibc.send(socket, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
      }
      if count >= 0 {
        rest = rest.dropFirst(count)
      } else if errno != EINTR {
        throw Self.ended("recto-fetch has ended")
      }
    }
  }

  private func receive(
    into reader: inout FrameReader,
    within seconds: Double
  ) throws(DocumentError) {
    var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
    let ready = poll(&polled, 1, Int32(min(seconds * 1000, 1e9)))
    if ready < 0, errno == EINTR { return }
    guard ready > 0 else { throw Self.ended("recto-fetch does not answer") }
    try withUnsafeTemporaryAllocation(byteCount: 1 << 17, alignment: 16) {
      (buffer) throws(DocumentError) in
      let count = recv(socket, buffer.baseAddress, buffer.count, 0)
      if count > 0 {
        reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      } else if count == 0 || errno != EINTR {
        throw Self.ended("recto-fetch has ended")
      }
    }
  }
}
