internal import DocumentModel
internal import Glibc
internal import RectoBase
internal import RectoTiles
internal import RenderWorkers
internal import SystemPackage

/// A running `recto-shared-cache`, used by the thread that talks to it.
final class SharedCacheProcess {
  /// Why it is of no use any more.
  struct ExchangeError: Error, CustomStringConvertible {
    var description: String
  }

  private let process: pid_t
  private let socket: Int32
  private var reader = FrameReader()
  private var unsent: ArraySlice<UInt8> = []

  /// Starts the process and sends it the address of the store.
  ///
  /// - Throws: ``ExchangeError`` when the program is missing or cannot be started.
  init(_ settings: SharedStoreProcess.Settings) throws(ExchangeError) {
    do throws(DocumentError) {
      let program: FilePath
      if let named = settings.program {
        program = named
      } else {
        program = try WorkerProgram.locate(
          "recto-shared-cache",
          variable: "RECTO_SHARED_CACHE_PROGRAM"
        )
      }
      (process, socket) = try WorkerProcesses.start(helper: program)
    } catch {
      throw ExchangeError(description: "\(error)")
    }
    send(.connect(settings.address))
  }

  deinit {
    close(socket)
    WorkerProcesses.end(process)
  }

  /// Whether all messages are on their way.
  var hasSentAll: Bool { unsent.isEmpty }

  /// Queues a message.
  func send(_ message: SharedCacheRequest) { unsent += Frame.framed(message.payload) }

  /// Waits until something can be sent or received, and does so.
  ///
  /// - Throws: ``ExchangeError`` when the process has ended.
  func exchange(_ bell: Bell, until end: Double) throws(ExchangeError) {
    let events = Int16(unsent.isEmpty ? POLLIN : POLLIN | POLLOUT)
    var ends = [pollfd(fd: socket, events: events, revents: 0)]
    bell.wait(for: &ends, until: end)
    if ends[0].revents & ~Int16(POLLOUT) != 0 { try receive() }
    if ends[0].revents & Int16(POLLOUT) != 0 { try send() }
  }

  /// The next reply, if it has arrived completely.
  ///
  /// - Throws: ``ExchangeError`` for an invalid reply, or one that is too long.
  func nextReply(atMost limit: Int) throws(ExchangeError) -> SharedCacheReply? {
    do {
      guard let payload = try reader.next(atMost: limit) else { return nil }
      return try SharedCacheReply(payload: payload)
    } catch {
      throw ExchangeError(description: "recto-shared-cache sends what is no reply")
    }
  }

  private func receive() throws(ExchangeError) {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) {
      (buffer) throws(ExchangeError) in
      let count = recv(socket, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
      if count > 0 {
        reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
        throw ExchangeError(description: "recto-shared-cache has ended")
      }
    }
  }

  private func send() throws(ExchangeError) {
    let flags = Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT)
    let count = unsent.withUnsafeBytes { Glibc.send(socket, $0.baseAddress, $0.count, flags) }
    if count >= 0 {
      unsent = unsent.dropFirst(count)
    } else if errno != EINTR && errno != EAGAIN {
      throw ExchangeError(description: "recto-shared-cache has ended")
    }
  }
}
