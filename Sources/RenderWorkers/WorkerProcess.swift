internal import DocumentModel
internal import Glibc
internal import SystemPackage
internal import WorkerProtocol

/// One running worker, as seen by the thread that talks to it.
///
/// poppler cannot be interrupted and can hang, crash or eat memory at any call, so each request has
/// a deadline, memory is watched from outside, and the only remedy is SIGKILL. All calls block.
final class WorkerProcess {
  private let pid: pid_t
  private let requests: Int32
  private let replies: Int32
  private var reader = FrameReader()
  private var isAlive = true
  /// What can take back the request that is being answered.
  private var cancellation: Cancellation?
  /// Pages drawn since the start.
  private(set) var drawn = 0
  /// Resident bytes that are no file's, after the last answer.
  private(set) var ownMemory = 0

  /// How often memory is looked at while a reply is awaited, in milliseconds.
  private static let watchInterval: Int32 = 20

  /// Starts a worker that finds `document` open as its descriptor 3.
  init(executable: FilePath, document: Int32) throws(DocumentError) {
    let (pid, requests, replies) = try Spawn.worker(executable: executable, document: document)
    self.pid = pid
    self.requests = requests
    self.replies = replies
  }

  deinit {
    kill()
    close(requests)
    close(replies)
  }

  /// Sends a request and takes in its replies.
  ///
  /// - Parameters:
  ///   - seconds: the longest wait: for the whole answer to a `draw`, which is about one page, else
  ///     for the next reply.
  ///   - memory: bytes of resident memory above which the worker is killed.
  ///   - cancellation: what can take the request back meanwhile.
  ///   - last: called with each reply; returns whether it was the last one.
  /// - Throws: the worker's own error; `cancelled`, or `timeLimit`, `memoryLimit`, `crash`,
  ///   `changed`, after which the worker is dead (see ``isUsable``).
  func converse(
    _ request: WorkerRequest,
    seconds: Double,
    memory: Int,
    cancellation: Cancellation,
    until last: (WorkerReply) -> Bool
  ) throws(DocumentError) {
    guard cancellation.aim(at: pid) else { throw .cancelled }
    self.cancellation = cancellation
    var failure: DocumentError?
    do throws(DocumentError) {
      try answer(request, seconds: seconds, memory: memory, until: last)
    } catch {
      failure = error
    }
    cancellation.release()
    self.cancellation = nil
    if cancellation.isCancelled {
      // Killed, if it has not died of something else at the same moment.
      kill()
      throw .cancelled
    }
    if let failure { throw failure }
  }

  private func answer(
    _ request: WorkerRequest,
    seconds: Double,
    memory: Int,
    until last: (WorkerReply) -> Bool
  ) throws(DocumentError) {
    if case .draw = request { drawn += 1 }
    try send(Frame.framed(request.payload))
    var deadline = monotonicSeconds() + seconds
    while true {
      let reply = try next(deadline: deadline, seconds: seconds, memory: memory)
      if case .failed(let error) = reply {
        ownMemory = ProcessStatus(of: pid).ownBytes
        throw error
      }
      if last(reply) { break }
      if case .draw = request { continue }
      deadline = monotonicSeconds() + seconds
    }
    let status = ProcessStatus(of: pid)
    ownMemory = status.ownBytes
    // A peak between two looks counts as well: what was drawn near the limit is not to be trusted.
    guard status.peakBytes <= memory else { throw dies(.memoryLimit, Self.memoryWords(memory)) }
  }

  /// Whether it can take another request.
  var isUsable: Bool { isAlive }

  /// Whether it has ended while nobody asked anything of it.
  var hasEnded: Bool {
    var output = pollfd(fd: replies, events: 0, revents: 0)
    return poll(&output, 1, 0) > 0
  }

  private func next(
    deadline: Double,
    seconds: Double,
    memory: Int
  ) throws(DocumentError) -> WorkerReply {
    while true {
      do {
        if let payload = try reader.next() { return try WorkerReply(payload: payload) }
      } catch {
        throw dies(.crash, "the worker sent a message that cannot be one (\(error))")
      }
      var input = pollfd(fd: replies, events: Int16(POLLIN), revents: 0)
      let ready = poll(&input, 1, Self.watchInterval)
      if ready > 0 {
        try receive()
        continue
      }
      if ProcessStatus(of: pid).residentBytes > memory {
        throw dies(.memoryLimit, Self.memoryWords(memory))
      }
      if monotonicSeconds() > deadline {
        throw dies(.timeLimit, "gave up after \(Self.short(seconds)) s")
      }
    }
  }

  private func receive() throws(DocumentError) {
    try withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) {
      (buffer) throws(DocumentError) in
      let count = read(replies, buffer.baseAddress, buffer.count)
      if count > 0 {
        reader.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
      } else if count == 0 || (errno != EINTR && errno != EAGAIN) {
        throw reap()
      }
    }
  }

  private func send(_ bytes: [UInt8]) throws(DocumentError) {
    let complete = bytes.withUnsafeBytes { buffer in
      var rest = buffer[...]
      while !rest.isEmpty {
        let start = UnsafeRawBufferPointer(rebasing: rest).baseAddress
        let count = Glibc.send(requests, start, rest.count, Int32(MSG_NOSIGNAL))
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return false }
        rest = rest.dropFirst(count)
      }
      return true
    }
    guard complete else { throw reap() }
  }

  private func dies(_ code: DocumentError.Code, _ words: String) -> DocumentError {
    kill()
    return DocumentError(code, during: "", words)
  }

  private func kill() {
    if isAlive { _ = end() }
  }

  /// Kills the worker and all it started, and waits for it: returns its status.
  private func end() -> Int32 {
    isAlive = false
    // From here on its number may be somebody else's.
    cancellation?.release()
    Glibc.kill(-pid, SIGKILL)
    var status: Int32 = 0
    while waitpid(pid, &status, 0) < 0, errno == EINTR {}
    return status
  }

  /// The worker has closed its end: finds out why.
  private func reap() -> DocumentError {
    guard isAlive else { return DocumentError(.crash, during: "", "the worker is gone") }
    // It may have closed its pipe without ending: the kill is for that.
    let status = end()
    let signal = status & 0x7f
    switch signal {
    case SIGBUS: return DocumentError(.changed, during: "", "the file was cut short meanwhile")
    case SIGABRT:
      return DocumentError(.crash, during: "", "the PDF library gave up (out of memory or a fault)")
    case SIGKILL: return DocumentError(.crash, during: "", "the worker was killed")
    case 0:
      return DocumentError(
        .crash,
        during: "",
        "the worker ended with exit code \((status >> 8) & 0xff)"
      )
    default: return DocumentError(.crash, during: "", "the PDF library crashed (signal \(signal))")
    }
  }

  private static func memoryWords(_ bytes: Int) -> String {
    "needs more than the limit of \(bytes / 1_000_000) MB of memory"
  }

  private static func short(_ seconds: Double) -> String {
    seconds == seconds.rounded() ? "\(Int(seconds))" : "\(seconds)"
  }
}

extension DocumentError {
  /// Nobody wants the answer any more.
  static let cancelled = DocumentError(.cancelled, during: "", "nobody waits for it any more")
}
